"""A long run: a bar with the rate and the estimated end on a terminal, elsewhere a line with them for each thing."""

import sys
import time
from collections.abc import Callable
from datetime import timedelta
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from toolquiver.cli.plain import harmless, plain

_LONGEST = 100


class Count:
    """Counts what is done of a number of things, some of which were done before.

    The rate is of all that was done here over the time that it took: several are done at a time, and end together.
    """

    def __init__(
        self, total: int, done: int, noun: str = "questions", *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._console = Console(stderr=True)
        self._total, self._done, self._before = total, done, done
        self._clock, self._began = clock, clock()
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task(noun, total=total, completed=done, rate="", left="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def add(self, label: str, text: str, seconds: float, spent: int | None = None) -> None:
        """One more is done: how it ended, what it was, how long it took, and what all have spent in tokens so far."""
        self._done += 1
        speed = (self._done - self._before) / max(self._clock() - self._began, 1e-9)
        rate = [f"{speed * 60:.1f}/min", *([] if spent is None else [f"{spent:,} tokens"])]
        left = f"{timedelta(seconds=int((self._total - self._done) / speed))} left"
        self._bar.update(self._task, completed=self._done, rate=" ".join(rate), left=left)
        short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        if self._console.is_terminal:
            self._console.print(plain(f"{label:8} {seconds:6.1f} s  {short}"), highlight=False)
            return
        so_far = ", ".join([*rate, left])
        print(harmless(f"{self._done}/{self._total} {label} {seconds:.1f} s {short} ({so_far})"), file=sys.stderr)

"""A long run: a bar with the rate and the estimated end on a terminal, elsewhere a line with them for each thing."""

import sys
from datetime import timedelta
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from toolquiver.cli.plain import harmless, plain

_PERIOD = 3_600.0  # seconds that the rate is taken over: one question may take minutes
_LONGEST = 100


class Count:
    """Counts what is done of a number of things, some of which were done before."""

    def __init__(self, total: int, done: int, noun: str = "questions") -> None:
        self._console = Console(stderr=True)
        self._total, self._done = total, done
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=self._console,
            disable=not self._console.is_terminal,
            speed_estimate_period=_PERIOD,
        )
        self._task = self._bar.add_task(noun, total=total, completed=done, rate="")

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
        rate = self._rate(spent)
        self._bar.update(self._task, completed=self._done, rate=" ".join(rate))
        short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        if self._console.is_terminal:
            self._console.print(plain(f"{label:8} {seconds:6.1f} s  {short}"), highlight=False)
            return
        left = self._bar.tasks[0].time_remaining
        ahead = [] if left is None else [f"{timedelta(seconds=int(left))} left"]
        so_far = f" ({', '.join([*rate, *ahead])})" if rate or ahead else ""
        print(harmless(f"{self._done}/{self._total} {label} {seconds:.1f} s {short}{so_far}"), file=sys.stderr)

    def _rate(self, spent: int | None) -> list[str]:
        speed = self._bar.tasks[0].speed
        told = [f"{speed * 60:.1f}/min"] if speed else []
        return told if spent is None else [*told, f"{spent:,} tokens"]

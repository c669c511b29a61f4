"""The option `--report`: the page of a run in a file, also of one that was stopped."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from toolquiver.errors import InputError
from toolquiver.report import Trace, run_page
from toolquiver.whole_file import write_whole


@dataclass(frozen=True, kw_only=True)
class RunReport:
    """The page of a run of a compiled graph, for a file; none is written where no file is named."""

    file: Path | None
    compiled: Any
    question: str
    trace: Trace
    about: Mapping[str, str]

    def write(self, result: Mapping[str, Any]) -> None:
        """Write the page, whole or not at all."""
        if self.file is not None:
            write_whole(self.file, run_page(self.compiled, self.question, result, self.trace, self.about))

    @contextmanager
    def written_when_stopped(self) -> Iterator[None]:
        """Where the block ends in an error or by Ctrl-C, write the page with what there is by then."""
        try:
            yield
        except BaseException as stopped:
            if self.trace.events:
                said = str(stopped) or type(stopped).__name__
                try:
                    self.write({**self.trace.state, "status": "stopped", "reason": f"Stopped before its end: {said}"})
                except InputError as unwritten:  # that must not hide why it stopped
                    typer.echo(f"Error: {unwritten}", err=True)
            raise

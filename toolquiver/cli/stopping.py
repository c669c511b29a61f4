"""How the command is told to end: `kill` does what Ctrl-C does, so that nothing stays half done."""

import asyncio
import signal
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import typer

from toolquiver.errors import InputError

_INTERRUPTED = 130


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """Take SIGTERM for SIGINT within the block, unless somebody else takes it already."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def run_to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Do what goes on later where it was stopped, and say so when it is.

    Raises:
        typer.Exit: it was told to end.
        InputError: something that was asked has ended the process from a task of its own.
    """
    try:
        asyncio.run(work)
    except KeyboardInterrupt as stopped:
        typer.echo("Stopped. What is done is kept; the same command goes on.", err=True)
        raise typer.Exit(_INTERRUPTED) from stopped
    except SystemExit as ended:
        raise InputError("What was asked has called sys.exit, and so ended the run. What is done is kept.") from ended


def _interrupt(number: int, frame: FrameType | None) -> None:
    handler = signal.getsignal(signal.SIGINT)  # asyncio has one of its own while it runs
    if callable(handler):
        handler(number, frame)
    else:  # a shell's background commands ignore Ctrl-C
        raise KeyboardInterrupt

"""How the command is told to end: `kill` does what Ctrl-C does, so that nothing stays half done."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


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


def _interrupt(number: int, frame: FrameType | None) -> None:
    handler = signal.getsignal(signal.SIGINT)  # asyncio has one of its own while it runs
    if callable(handler):
        handler(number, frame)
    else:  # a shell's background commands ignore Ctrl-C
        raise KeyboardInterrupt

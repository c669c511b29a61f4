"""Python's garbage collector, run less often during an import, whose objects all stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_SELDOM = 100_000  # new objects


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Search for garbage after many new objects: an import's records are looked through each time, and all stay.

    Several threads may do this at once: the first that is done sets it back, and the others only take longer.
    """
    before = gc.get_threshold()
    put_off = 0 < before[0] < _SELDOM
    if put_off:
        gc.set_threshold(_SELDOM, *before[1:])
    try:
        yield
    finally:
        if put_off:
            gc.set_threshold(*before)

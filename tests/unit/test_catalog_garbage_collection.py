"""Python's search for garbage while an import runs: seldom, and afterwards as it was."""

import gc
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import pytest

from toolquiver.catalog import API, Catalog, Source
from toolquiver.catalog.garbage_collection import seldom_collected


@contextmanager
def threshold(*values):
    before = gc.get_threshold()
    gc.set_threshold(*values)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@pytest.mark.parametrize(
    ("first", "during"), [(0, 0), (700, 100_000), (1_000_000, 1_000_000)], ids=["off", "usual", "seldom"]
)
def test_it_is_made_less_often_and_never_more(first, during):
    with threshold(first, 7, 8):
        with suppress(KeyError), seldom_collected():
            assert gc.get_threshold() == (during, 7, 8)
            raise KeyError
        assert gc.get_threshold() == (first, 7, 8)


def test_a_sync_looks_for_garbage_seldom():
    seen = []

    def apis():
        seen.append(gc.get_threshold()[0])
        yield API(id="c/t/n", name="n", category="c", tool="t", source="s")

    with threshold(700, 10, 10), Catalog.create() as catalog:
        catalog.sync(Source(key="s", kind="toolbench"), apis())
        assert (seen, gc.get_threshold()[0]) == ([100_000], 700)


def test_several_threads_leave_it_as_it_was():
    def work(_):
        with seldom_collected():
            pass

    with threshold(700, 10, 10), ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(200)))
        assert gc.get_threshold() == (700, 10, 10)

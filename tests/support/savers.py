"""Checkpointers by kind."""

from contextlib import asynccontextmanager, contextmanager

import pytest
from langgraph.checkpoint.memory import InMemorySaver


@contextmanager
def saver(kind, path):
    """A checkpointer of this kind: none, memory, or sqlite in the file `path`."""
    if kind == "none":
        yield None
    elif kind == "memory":
        yield InMemorySaver()
    else:
        sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")
        with sqlite.SqliteSaver.from_conn_string(str(path)) as found:
            yield found


@asynccontextmanager
async def async_saver(kind, path):
    """The same for a graph that is run by `await`."""
    if kind == "sqlite":
        sqlite = pytest.importorskip("langgraph.checkpoint.sqlite.aio")
        async with sqlite.AsyncSqliteSaver.from_conn_string(str(path)) as found:
            yield found
    else:
        with saver(kind, path) as found:
            yield found

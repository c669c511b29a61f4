"""Checkpointers by kind, and what a run waits with."""

from contextlib import asynccontextmanager, contextmanager

import pytest
from langgraph.checkpoint.memory import InMemorySaver

SAVERS = ("none", "memory", "sqlite")


@contextmanager
def saving(kind, path):
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
        with saving(kind, path) as found:
            yield found


def question_of(result):
    """What the user is asked, None where nobody is."""
    (asked,) = result.get("__interrupt__", [None])
    return asked and asked.value

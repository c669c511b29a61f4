"""Compiled graphs whose own recursion limit holds however they are run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, TypeVar, cast

from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import DEFAULT_RECURSION_LIMIT
from langgraph.graph.state import CompiledStateGraph

Graph = TypeVar("Graph", bound=CompiledStateGraph[Any, Any, Any, Any])


class _Compiled(CompiledStateGraph[Any, Any, Any, Any]):
    """A graph that keeps its own limit where LangChain hands its default over: in `batch`, pipes, `astream_events`."""

    def stream(self, input: Any, config: RunnableConfig | None = None, **more: Any) -> Iterator[Any]:  # noqa: A002
        yield from super().stream(input, _without_default(config), **more)

    async def astream(self, input: Any, config: RunnableConfig | None = None, **more: Any) -> AsyncIterator[Any]:  # noqa: A002
        async for event in super().astream(input, _without_default(config), **more):
            yield event


def _without_default(config: RunnableConfig | None) -> RunnableConfig | None:
    if config is None or config.get("recursion_limit") != DEFAULT_RECURSION_LIMIT:
        return config
    kept = config.copy()
    del kept["recursion_limit"]
    return kept


def bounded(compiled: Graph, *, steps: int, at_once: int) -> Graph:
    """The graph with its limits of supersteps and of nodes at a time, which hold with a plain call of any kind."""
    own = _Compiled(**vars(compiled)).with_config({"max_concurrency": at_once, "recursion_limit": steps})
    return cast("Graph", own)

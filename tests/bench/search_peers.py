"""What search is compared with: plain BM25, vectors alone, and other packages where they are installed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import NamedTuple

from tests.bench.search_queries import Name
from toolquiver.catalog import API, meaning
from toolquiver.catalog.index.documents import api_text
from toolquiver.catalog.records import slug
from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import spaced

Searcher = Callable[[str], list[Name]]
CUT = 64


class Peer(NamedTuple):
    """A search to compare with, made of APIs; `sample` is how many queries it gets, 0 for all."""

    name: str
    needs: str
    make: Callable[[Sequence[API]], Searcher]
    sample: int = 0


def _name(api: API) -> Name:
    return api.tool, api.name


def _unique(number: int, api: API) -> str:
    """A name as these packages want them, with the tool's in it."""
    return f"{number}_{slug(api.tool)}_{slug(api.name)}"


def _text(api: API) -> str:
    parameters = " ".join(f"{parameter.name} {parameter.description}" for parameter in api.parameter_list())
    return f"{spaced(api.name)} {api.description} {spaced(api.tool)} {spaced(api.category)} {parameters}"


def plain_bm25(apis: Sequence[API]) -> Searcher:
    """BM25 over each API's whole text as one field, stemmed as ours."""
    import bm25s  # noqa: PLC0415 - may be missing

    index = bm25s.BM25()
    index.index([stems(_text(api)) for api in apis], show_progress=False)

    def search(text: str) -> list[Name]:
        found, _ = index.retrieve([stems(text)], k=CUT, show_progress=False)
        return [_name(apis[place]) for place in found[0]]

    return search


def vectors_alone(apis: Sequence[API]) -> Searcher:
    """The cosine of the API's vector and the question's."""
    matrix = meaning.embed([api_text(api.tool, api.name, api.description) for api in apis])

    def search(text: str) -> list[Name]:
        similar = matrix @ meaning.embed([text])[0]
        return [_name(apis[place]) for place in (-similar).argsort()[:CUT]]

    return search


def fastmcp(apis: Sequence[API]) -> Searcher:
    """FastMCP's search transform over tools named as the APIs are to models."""
    from fastmcp.server.transforms.search.bm25 import BM25SearchTransform  # noqa: PLC0415 - may be missing
    from fastmcp.tools.base import Tool  # noqa: PLC0415

    named = {_unique(number, api): api for number, api in enumerate(apis)}
    tools = [Tool(name=name, description=api.description, parameters=api.parameters) for name, api in named.items()]
    transform = BM25SearchTransform(max_results=CUT)

    def search(text: str) -> list[Name]:
        return [_name(named[tool.name]) for tool in asyncio.run(transform._search(tools, text))]

    return search


def graph_tool_call(apis: Sequence[API]) -> Searcher:
    """graph-tool-call's basic mode, without the dependencies between tools, which take hours to detect here."""
    from graph_tool_call import ToolGraph  # noqa: PLC0415 - may be missing

    graph, named = ToolGraph(), {}
    for number, api in enumerate(apis):
        name = _unique(number, api)
        named[name] = api
        function = {"name": name, "description": api.description, "parameters": api.parameters}
        graph.add_tool({"type": "function", "function": function})

    def search(text: str) -> list[Name]:
        return [_name(named[tool.name]) for tool in graph.retrieve(text, top_k=CUT)]

    return search


PEERS = (
    Peer("plain BM25 (bm25s)", "bm25s", plain_bm25),
    Peer("vectors alone", "wordllama", vectors_alone),
    Peer("FastMCP's BM25", "fastmcp", fastmcp, 35),
    Peer("graph-tool-call", "graph_tool_call", graph_tool_call, 7),
)


def installed(peer: Peer) -> bool:
    """Whether what a peer needs can be imported."""
    return find_spec(peer.needs) is not None

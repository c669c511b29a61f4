"""Catalogues by name: `demo`, or the path of a file."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from pathlib import Path

from toolquiver.catalog.instructions import read_instructions
from toolquiver.catalog.store import Catalog

DEMO = "demo"
_OF_THE_DEMO = Path(__file__).parent / "demo" / "instructions.jsonl"  # `make document-demo` writes it


def load_catalog(name: str) -> Catalog:
    """The catalogue of this name; `demo` needs the extra `toolquiver[demo]`.

    Raises:
        CatalogError: there is no such file, it is no catalogue, or the demo's packages are not installed.
    """
    if name == DEMO:
        from toolquiver.catalog.demo import tools  # noqa: PLC0415 - an optional part

        written = read_instructions(_OF_THE_DEMO) if _OF_THE_DEMO.is_file() else ()
        return Catalog.from_tools(tools(), instructions=written)
    return Catalog.open(name)


@lru_cache(maxsize=8)
def _cached(name: str) -> Catalog:
    return load_catalog(name)


@lru_cache(maxsize=1)
def _empty() -> Catalog:
    return Catalog.create()


async def catalog_named(name: str) -> Catalog:
    """`load_catalog`, off the event loop, and once a process."""
    return await asyncio.to_thread(_cached, name)


async def no_catalog() -> Catalog:
    """A catalogue without APIs, for what needs none; made off the event loop, and once a process."""
    return await asyncio.to_thread(_empty)

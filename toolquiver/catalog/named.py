"""Catalogues by name: `demo`, or the path of a file."""

from __future__ import annotations

import asyncio
from functools import lru_cache

from toolquiver.catalog.instructions import read_instructions
from toolquiver.catalog.store import Catalog

DEMO = "demo"


def load_catalog(name: str) -> Catalog:
    """The catalogue of this name; `demo` needs the extra `toolquiver[demo]`.

    Raises:
        CatalogError: there is no such file, it is no catalogue, or the demo's packages are not installed.
    """
    if name == DEMO:
        from toolquiver.catalog.demo import INSTRUCTIONS, tools  # noqa: PLC0415 - an optional part

        written = read_instructions(INSTRUCTIONS) if INSTRUCTIONS.is_file() else ()
        return Catalog.from_tools(tools(), instructions=written)
    return Catalog.open(name)


@lru_cache(maxsize=8)
def _cached(name: str) -> Catalog:
    return load_catalog(name)


async def catalog_named(name: str) -> Catalog:
    """`load_catalog`, off the event loop, and once a process."""
    return await asyncio.to_thread(_cached, name)

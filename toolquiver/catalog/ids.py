"""The ids of a source's APIs: each its own, and the same in every import."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from toolquiver.catalog.records import ApiId, api_id


class Named(NamedTuple):
    """How an API is called, and its place in the source, such as method and path, where no other stands.

    A source whose names are its places, such as an MCP server, gives the name for both.
    """

    category: str
    tool: str
    name: str
    place: str


def unique_ids(operations: Sequence[Named]) -> list[ApiId]:
    """One id for each, whatever their order.

    By its name; where others have that too, with its place; where even that is not enough, with a hash of all that is
    said here, so that `get-user` and `get_user` are two.
    """
    made = [api_id(one.category, one.tool, one.name) for one in operations]
    for longer in (_with_place, _with_hash):
        count = Counter(made)
        made = [longer(one) if count[id_] > 1 else id_ for one, id_ in zip(operations, made, strict=True)]
    return made


def _with_place(one: Named) -> ApiId:
    return api_id(one.category, one.tool, _longer_name(one))


def _with_hash(one: Named) -> ApiId:
    digest = hashlib.sha256("\0".join(one).encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return api_id(one.category, one.tool, f"{_longer_name(one)} {digest}")


def _longer_name(one: Named) -> str:
    return one.name if one.name == one.place else f"{one.name} {one.place}"

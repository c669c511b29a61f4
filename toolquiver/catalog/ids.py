"""The ids of a source's APIs: each its own, and the same in every import."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from toolquiver.catalog.records import ApiId, api_id


class Named(NamedTuple):
    """How an API is called, and its place in the source, such as method and path, where no other stands."""

    category: str
    tool: str
    name: str
    place: str


def unique_ids(operations: Sequence[Named]) -> list[ApiId]:
    """One id for each, whatever their order.

    By its name; where others have that too, with its place; where even that is not enough, with a hash of the place.
    """
    made = [api_id(one.category, one.tool, one.name) for one in operations]
    for longer in (_with_place, _with_hash):
        count = Counter(made)
        made = [longer(one) if count[id_] > 1 else id_ for one, id_ in zip(operations, made, strict=True)]
    return made


def _with_place(one: Named) -> ApiId:
    name = one.place if one.name == one.place else f"{one.name} {one.place}"
    return api_id(one.category, one.tool, name)


def _with_hash(one: Named) -> ApiId:
    digest = hashlib.sha256(one.place.encode()).hexdigest()[:8]
    return api_id(one.category, one.tool, f"{one.name} {one.place} {digest}")

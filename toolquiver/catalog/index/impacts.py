"""What a document's words weigh: BM25F, all but the rarity of the word, as a byte a word.

The lengths that fields are compared with are constants, the means of ToolBench's catalogue, not the means of the
catalogue at hand. So a document's weights do not depend on the others, and adding one changes no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

STEPS = 255
"""A weight that cannot grow any more, as it is stored."""

_K1 = 1.2  # how soon more of the same word adds nothing
_B = 0.75  # how much a long field's words lose


class Field(NamedTuple):
    """A part of a document: how much its words count, and how many it usually has."""

    name: str
    weight: float
    usual: float


API_FIELDS = (
    Field("name", 4.0, 2.7),
    Field("description", 2.0, 10),
    Field("tool", 2.0, 2.8),
    Field("category", 1.0, 1.2),
    Field("parameters", 0.5, 17),
)
TOOL_FIELDS = (
    Field("tool", 3.0, 2.8),
    Field("tool description", 2.0, 15),
    Field("category", 1.0, 1.2),
    Field("its APIs' names", 3.0, 13),
    Field("its APIs", 1.0, 48),
    Field("their parameters", 0.5, 80),
)


class Impacts(NamedTuple):
    """Which stem, by number, has which weight, 1 to `STEPS`, in which document: by stem, then by document."""

    terms: NDArray[np.int64]
    documents: NDArray[np.int64]
    weights: NDArray[np.uint8]


def impacts(fields: Sequence[Field], terms: NDArray[np.int64], lengths: NDArray[np.int64]) -> Impacts:
    """The weights of the stems of several documents.

    `terms` are the numbers of the stems of the first document's first field, then of its second, and so on; `lengths`
    says how many are in each field, a row a document.
    """
    weights = np.array([field.weight for field in fields])
    usual = np.array([field.usual for field in fields])
    each = (weights / (1 - _B + _B * lengths / usual)).ravel()
    # One number says stem, document and field, for one number sorts many times as fast as three.
    keys = np.repeat(np.arange(lengths.size), lengths.ravel())
    keys += terms * lengths.size
    keys.sort()
    found, counts = _distinct(keys)
    values = counts * each[found % max(lengths.size, 1)]
    found //= len(fields)
    first = _firsts(found)
    sums = np.add.reduceat(values, first) if len(first) else values
    stems, documents = np.divmod(found[first], max(len(lengths), 1))
    return Impacts(stems, documents, np.maximum(1, np.rint(STEPS * sums / (sums + _K1))).astype(np.uint8))


def _firsts(ascending: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where a number stands that is not the one before."""
    return np.flatnonzero(np.diff(ascending, prepend=-1))


def _distinct(ascending: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different numbers, and how often each is there."""
    first = _firsts(ascending)
    return ascending[first], np.diff(first, append=len(ascending))

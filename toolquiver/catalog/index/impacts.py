"""What a document's words weigh: BM25F, all but the rarity of the word, as a byte a word.

The lengths that fields are compared with are constants, the means of ToolBench's catalogue, not the means of the
catalogue at hand. So a document's weights do not depend on the others, and adding one changes no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

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
    Field("its APIs", 2.0, 60),
)


def impacts(fields: Sequence[Field], stems: Iterable[Sequence[str]]) -> dict[str, int]:
    """The weight of each stem in a document of these fields, 1 to `STEPS`."""
    sums: dict[str, float] = {}
    for field, words in zip(fields, stems, strict=True):
        each = field.weight / (1 - _B + _B * len(words) / field.usual)
        for word in words:
            sums[word] = sums.get(word, 0.0) + each
    return {word: max(1, round(STEPS * value / (value + _K1))) for word, value in sums.items()}

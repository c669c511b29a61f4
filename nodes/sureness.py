"""When search is sure: a rule about its scores, so that no model need be asked (measured: docs/architecture.md)."""

from __future__ import annotations

from collections.abc import Sequence

from toolquiver.catalog import API
from toolquiver.catalog.index.documents import api_fields
from toolquiver.catalog.search import Hit
from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import TALK_WORDS, content_words

_LEAD = 0.5  # that the first has over the fifth: of ToolBench's queries half have it
_FIFTH = 4
_LEAST = 2.0  # points of the first; chit-chat of which a word is a tool's name has less


def sure(hits: Sequence[Hit], shown: int) -> bool:
    """Whether what is wanted is most likely among the first: they stand out, or all there are can be shown at once."""
    if not hits or not hits[0].score:
        return False
    if len(hits) <= shown:
        return True
    first, fifth = hits[0].score, hits[min(_FIFTH, len(hits) - 1)].score
    return first >= _LEAST and first - fifth >= _LEAD


def share_a_word(query: str, apis: Sequence[API]) -> bool:
    """Whether any of these APIs has a word of the query, in any of its texts; words of talk are none."""
    said = set(stems(" ".join(word for word in content_words(query) if word not in TALK_WORDS)))
    return any(said & set(stems(" ".join([*api_fields(api), api.told]))) for api in apis)

"""When search is sure: a rule about its scores, so that no model need be asked (measured: docs/architecture.md)."""

from __future__ import annotations

from collections.abc import Sequence

from toolquiver.catalog import API
from toolquiver.catalog.index.documents import api_fields
from toolquiver.catalog.search import Hit
from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import TALK_WORDS, content_words
from toolquiver.nodes.apis.pages import reader_among
from toolquiver.nodes.scripts.constants import computes
from toolquiver.nodes.texts.languages import is_foreign

_LEAD = 0.5  # that the first has over the fifth: of ToolBench's queries 59 percent are sure
_FIFTH = 4
_LEAST = 2.0  # points of the first; chit-chat of which a word is a tool's name has less

_WORDS = " words"  # evidence of search that is not by meaning
# What inputs are called that take whatever one asks: of a search of the web, of another model.
_OPEN = set("command input instruction keyword keywords prompt q query question search".split())


def sure(hits: Sequence[Hit], shown: int) -> bool:
    """Whether what is wanted is most likely among the first: they stand out, or all there are can be shown at once.

    Of these one has a word of the query: among a few tools something always means a little of the same.
    """
    if not hits or not hits[0].score:
        return False
    if len(hits) <= shown:
        return any(name.endswith(_WORDS) for hit in hits for name in hit.evidence)
    first, fifth = hits[0].score, hits[min(_FIFTH, len(hits) - 1)].score
    return first >= _LEAST and first - fifth >= _LEAD


def helps(named: API, wants: str, query: str, apis: Sequence[API], hits: Sequence[Hit]) -> bool:
    """Whether a model may be right that this one of the tools helps: asked for one, a small model seldom says none.

    It may if search found it, or it has a word of the query or of what the model says that the query wants, or takes
    whatever one asks; nor is a no sure where another tool has what is wanted, of tools that no question speaks of, or
    of a question that is not in the language of the tools.
    """
    found = any(hit.api.id == named.id for hit in hits if hit.evidence)
    spoken = share_a_word(f"{query} {wants}", [named]) or share_a_word(wants, apis)
    return found or spoken or _takes_anything(named) or unspoken(apis) or is_foreign(query)


def may_help(task: str, apis: Sequence[API]) -> bool:
    """Whether any of these has to do with a task: it has a word of it, or takes whatever one asks.

    Of tools that no task speaks of all may.
    """
    return share_a_word(task, apis) or any(map(_takes_anything, apis)) or (bool(apis) and unspoken(apis))


def _takes_anything(api: API) -> bool:
    return any(_OPEN & set(content_words(parameter.name)) for parameter in api.required_list())


def unspoken(apis: Sequence[API]) -> bool:
    """Whether these are tools of which no question says a word: what they compute, or what their pages tell of."""
    return all(map(computes, apis)) or reader_among(apis) is not None


def share_a_word(query: str, apis: Sequence[API]) -> bool:
    """Whether any of these APIs has a word of the query, in any of its texts; words of talk do not count."""
    words = content_words(query)
    said = set(stems(" ".join(word for word in words if word not in TALK_WORDS)))
    return any(said & set(stems(" ".join([*api_fields(api), api.whole_description]))) for api in apis)

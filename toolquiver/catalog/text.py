"""How text becomes words for the search index, the same for documents and for queries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolquiver.catalog.records import API

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

STOP_WORDS = frozenset(
    """
    a about after all am an and any are as at be been before but by can could did do does each for from get give had
    has have how i if in into is it its just know let like many me more much my need no not of on one or our out
    please show so some tell than that the their them then there these they this those to too us use using want was
    we were what when where which who whose why will with would you your
    """.split()
)
"""Words that say nothing about which API fits; without this list they dominate short catalogues."""


def spaced(name: str) -> str:
    """A name as separate words: `getUserByID` and `get_user_by_id` both give `get User By ID` apart."""
    return _CAMEL.sub(" ", name.replace("_", " ").replace("-", " "))


def query_words(text: str) -> list[str]:
    """The words of a query that can find something, in order and without repetition."""
    words = (word.lower() for word in _WORD.findall(spaced(text)))
    return list(dict.fromkeys(word for word in words if word not in STOP_WORDS))


def indexed(api: API) -> tuple[str, str, str, str, str]:
    """What the index holds of an API: name, description, tool, category, parameters."""
    parameters = " ".join(f"{spaced(p.name)} {p.description}" for p in api.parameter_list())
    return spaced(api.name), api.description, spaced(api.tool), spaced(api.category), parameters

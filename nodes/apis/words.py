"""The words that an API speaks of, and those that say nothing of what it is about."""

from __future__ import annotations

from collections import Counter

from toolquiver.catalog import API
from toolquiver.catalog.fits import LOOSE
from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import TALK_WORDS

_DEEDS = (
    "add calculate check compute convert create delete detail info information list lookup read search set update write"
)
SAYING_NOTHING = LOOSE.union(stems(" ".join([_DEEDS, *TALK_WORDS])))
"""What many APIs are called, and many requests say, whatever they are about."""


def told_by(api: API) -> set[str]:
    """The words that a call speaks of, and those of the API's description."""
    return {*words_of(api), *stems(api.description)}


def words_of(api: API) -> Counter[str]:
    """The words that a call speaks of: of the API's name and its parameters', each once."""
    return Counter(set(stems(" ".join([api.name, *(parameter.name for parameter in api.parameter_list())]))))

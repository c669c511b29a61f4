"""How text becomes words for the search index, the same for documents and for queries."""

from __future__ import annotations

import re

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
    """Text with its names as separate words, and whole: `getUserByID` gives `getUserByID get User By ID`.

    Whole too because many names are known as one word: YouTube, PayPal, GeoJSON.
    """
    words = name.replace("_", " ").replace("-", " ").split()
    # Most words are plain, or begin a sentence: only the others need be looked at.
    return " ".join([word if word.islower() or word[1:].islower() else _apart(word) for word in words])


def _apart(word: str) -> str:
    return word if word == (apart := _CAMEL.sub(" ", word)) else f"{word} {apart}"


def content_words(text: str) -> list[str]:
    """The words and numbers that carry what a text is about, in lower case."""
    return [word for word in map(str.lower, _WORD.findall(spaced(text))) if word not in STOP_WORDS]

"""How text becomes words for the search index, the same for documents and for queries."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")
_LONGEST_LINE = 120  # characters of a description in a list
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

TALK_WORDS = frozenset(
    """
    able addition additionally advise aiming along already also amazing another appreciate appreciated ask asking
    assist assistance attending awesome besides come coming consider considering curious currently discussing doing
    eager either else enjoy enjoying ensure ensuring enthusiast enthusiasts ever excited exciting explore exploring
    fantastic fetch few finally find finding furthermore gather gathering glad going grateful great happening happy
    having hello helpful helping hey hi hope hoping however including interested interesting keep kindly know
    knowing lastly ll look looking lovely make making meanwhile might moreover must myself nice organize organizing
    other others otherwise ourselves overall perfect planning prefer preparing providing re really recently
    regarding retrieve same seeing several should since someone something soon started still suggest suggestion
    suggestions sure surprised thank thankful thanks therefore thinking try trying understand understanding upcoming
    various ve wanted welcome well whether while wish within without wonder wonderful wondering working yet yourself
    """.split()
)
"""Words by which people lead up to what they want, join sentences, and are polite: they count little in a question.

Written down by hand, without words that are topics too (plan, friend, share); on half 1 of ToolBench's queries the
documents of what was wanted hardly have them (docs/results/search.md).
"""


def spaced(name: str) -> str:
    """Text with its names as separate words, and whole: `getUserByID` gives `getUserByID get User By ID`.

    Whole too because many names are known as one word: YouTube, PayPal, GeoJSON.
    """
    words = name.replace("_", " ").replace("-", " ").split()
    # Most words are plain, or begin a sentence: only the others need be looked at.
    return " ".join([word if word.islower() or word[1:].islower() else _apart(word) for word in words])


def _apart(word: str) -> str:
    return word if word == (parted := apart(word)) else f"{word} {parted}"


def apart(name: str) -> str:
    """A name with a blank wherever a capital begins a word: `getUserByID` gives `get User By ID`."""
    return _CAMEL.sub(" ", name)


def content_words(text: str) -> list[str]:
    """The words and numbers that carry what a text is about, in lower case."""
    return [word for word in map(str.lower, _WORD.findall(spaced(text))) if word not in STOP_WORDS]


def shortened(text: str, limit: int = _LONGEST_LINE) -> str:
    """`text` on one line, cut at a word with an ellipsis when it is longer than `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[:limit].rsplit(" ", 1)[0] + " ..."

"""Codes of a text that stand in other texts too, in one or in groups, as one reads out an IBAN or a phone number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

# Letters and digits: a hash, an ID, a formula; not the end of 1.6e-19.
_CODE = re.compile(r"\b(?!\d+[eE][+-]?\d{1,3}(?!\w))(?=\w*[A-Za-z])\w*\d\w*")
_RUN = re.compile(r"\+?\b[A-Z0-9]+(?:[ ().-]{1,2}[A-Z0-9]+){0,15}\b")  # in groups, as one reads it out, or in one
_FEWEST, _MOST = 8, 64  # digits of such a code
_GROUP = re.compile(r"[A-Z0-9]+")
_DIGIT = re.compile(r"\d")
_GROUPING = frozenset(" \u00a0\u202f.()/-")
_FARTHEST = 3  # places from one character of a code to the next: two that group may stand between
_BEFORE, _BEHIND = re.compile(r"\w[.-]?\Z"), re.compile(r"[.-]?\w")
_DECIMAL = re.compile(r"\d+\.\d+")


def without_codes(text: str, sources: Iterable[str]) -> str:
    """The text without the codes that stand in the sources, as they are or otherwise grouped: they are no numbers."""
    given = list(sources)

    def left(run: re.Match[str]) -> str:
        is_code = _FEWEST <= len(_DIGIT.findall(run[0])) <= _MOST and not _DECIMAL.fullmatch(run[0])
        return " " if is_code and any(stands_grouped(code, given) for code in _codes_of(run[0])) else run[0]

    known = {code.lower() for source in given for code in _CODE.findall(source)}
    return _CODE.sub(lambda code: " " if code[0].lower() in known else code[0], _RUN.sub(left, text))


def stands_grouped(code: str, sources: Iterable[str]) -> bool:
    """Whether a source has all of the code, in whatever groups; 123.45 is no code there."""
    plain = "".join(character for character in code.lower() if character not in _GROUPING)
    return bool(plain) and any(_stands_in(plain, source) for source in sources)


def _stands_in(plain: str, source: str) -> bool:
    """Whether a source has a code, given in small letters and without grouping."""
    text, places = _ungrouped(source)
    at = text.find(plain)
    while at >= 0:
        used = places[at : at + len(plain)]
        begin, end = used[0], used[-1] + 1
        is_near = all(later - place <= _FARTHEST for place, later in pairwise(used))
        is_whole = not _BEFORE.search(source, max(0, begin - 2), begin) and not _BEHIND.match(source, end)
        if is_near and is_whole and not _DECIMAL.fullmatch(source, begin, end):
            return True
        at = text.find(plain, at + 1)
    return False


@lru_cache(maxsize=32)  # a long response is read for each of its codes
def _ungrouped(text: str) -> tuple[str, list[int]]:
    """A text in small letters without what groups, and the place of each character that is left."""
    places = [place for place, character in enumerate(text) if character not in _GROUPING]
    return "".join(text[place].lower()[0] for place in places), places


def _codes_of(run: str) -> set[str]:
    """What a run of groups may write: all of them, or without words in capitals before and behind: the IBAN of it."""
    groups = _GROUP.findall(run)
    numbered = [place for place, group in enumerate(groups) if _DIGIT.search(group)]
    first, last = numbered[0], numbered[-1]
    return {"".join(groups[begin : end + 1]) for begin in range(first + 1) for end in range(last, len(groups))}

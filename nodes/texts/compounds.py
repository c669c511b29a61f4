"""One word that is made of several: `sunset` where a text has `sun` and `set`, `getuserbyname` in a list of APIs."""

from __future__ import annotations

from collections.abc import Collection

_SHORTEST = 3
_LONGEST = 64  # letters of a name that is looked into
_FEW = frozenset(["by", "of", "to", "in", "on", "id", "a"])


def parted(word: str, known: Collection[str]) -> list[str]:
    """The words that it is made of, all of them known, in lower case; itself alone where it is not, or is known.

    Of several ways that with the longest beginnings, so that no word is cut that is whole.
    """
    word = word.lower()
    if word in known or len(word) > _LONGEST:
        return [word]
    ways: dict[int, list[str]] = {len(word): []}  # of each place how what begins there is parted
    for start in range(len(word) - 1, -1, -1):
        ends = (end for end in range(len(word), start, -1) if end in ways and _is_word(word[start:end], known))
        if end := next(ends, 0):
            ways[start] = [word[start:end], *ways[end]]
    return ways.get(0) or [word]


def _is_word(text: str, known: Collection[str]) -> bool:
    return text in _FEW or (len(text) >= _SHORTEST and text in known)

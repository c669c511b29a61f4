"""One word that is made of several: `sunset` where a text has `sun` and `set`."""

from __future__ import annotations

from collections.abc import Collection

_SHORTEST = 3
_LONGEST = 64  # letters of a name that is looked into
_FEW = frozenset(["by", "of", "to", "in", "on", "id", "a"])


def parted(word: str, said: Collection[str], filling: Collection[str] = ()) -> list[str]:
    """The words that it is made of, in lower case; itself alone where it is not, or is said.

    Two of them at least are said, and no filling: `today` is not `to` and `day`, nor `playlist` what is to play in a
    list. Of several ways that with the longest beginnings, so that no word is cut that is whole.
    """
    word = word.lower()
    if word in said or len(word) > _LONGEST:
        return [word]
    ways: dict[int, list[str]] = {len(word): []}  # of each place how what begins there is parted
    for start in range(len(word) - 1, -1, -1):
        ends = (end for end in range(len(word), start, -1) if end in ways and _is_known(word[start:end], said, filling))
        if end := next(ends, 0):
            ways[start] = [word[start:end], *ways[end]]
    parts = ways.get(0, [])
    of_text = [part for part in parts if len(part) >= _SHORTEST and part in said and part not in filling]
    return parts if len(of_text) > 1 else [word]


def _is_known(text: str, *known: Collection[str]) -> bool:
    return text in _FEW or (len(text) >= _SHORTEST and any(text in words for words in known))

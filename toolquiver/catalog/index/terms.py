"""The stems of texts as numbers, which are faster to sort and to count than strings."""

from __future__ import annotations

from itertools import chain

from toolquiver.catalog.stems import stems_of

_REMEMBERED = 300_000  # words
_LONGEST = 64  # words of more characters are keys, addresses and pictures, and hardly come twice


class Terms:
    """Numbers for stems, as they come up. Each word is taken apart once, however often it comes."""

    def __init__(self) -> None:
        self._begin()

    def of(self, text: str) -> list[int]:
        """The numbers of the stems of a text, in order."""
        return list(chain.from_iterable(map(self._words.__getitem__, text.split())))

    def forget(self) -> None:
        """Begin again from 0 where there are many words. Only while nobody holds a number."""
        if len(self._words) > _REMEMBERED:
            self._begin()

    def _begin(self) -> None:
        self.stems: list[str] = []
        """The stem of each number."""
        self._words = _Words(self.stems)


class _Words(dict[str, tuple[int, ...]]):
    """The numbers of the stems of each word, made when they are first asked for."""

    def __init__(self, stems: list[str]) -> None:
        super().__init__()
        self._stems = stems
        self._numbers: dict[str, int] = {}

    def __missing__(self, word: str) -> tuple[int, ...]:
        numbers = tuple(map(self._number, stems_of(word)))
        if len(word) <= _LONGEST:
            self[word] = numbers
        return numbers

    def _number(self, stem: str) -> int:
        if (number := self._numbers.get(stem)) is None:
            number = self._numbers[stem] = len(self._stems)
            self._stems.append(stem)
        return number

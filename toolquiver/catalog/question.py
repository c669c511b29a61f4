"""What is searched for, taken apart: its sentences, and their stems."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import cached_property

from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import TALK_WORDS, content_words

_SENTENCE_END = re.compile(r"(?<=[.?!;])\s+|\n")
_CLAUSE_END = re.compile(r"[,;:]\s|\b(?:and|then)\b", re.IGNORECASE)
_WORD, _DIGIT = re.compile(r"\S+"), re.compile(r"\d")
_MOST_PARTS = 12
_LEAST_WORDS = 3  # of a clause
_LEAST_STEMS = 2  # a shorter sentence ("Thanks!") asks for nothing of its own


@dataclass(frozen=True)
class Question:
    """A text that says what APIs are wanted for. Several sentences may ask for different things."""

    text: str

    @cached_property
    def parts(self) -> list[str]:
        """Its sentences, those that are too short left out; none when that is one sentence."""
        found = [part.strip() for part in _SENTENCE_END.split(self.text)]
        found = [part for part in found if len(usable(part)) >= _LEAST_STEMS][:_MOST_PARTS]
        return found if len(found) > 1 else []

    @cached_property
    def meanings(self) -> list[str]:
        """What is compared by meaning: the whole, then each clause of the parts; without numbers, which blur it."""
        clauses = [clause for part in self.parts or [self.text] for clause in _CLAUSE_END.split(part)]
        clauses = [clause for clause in clauses if len(clause.split()) >= _LEAST_WORDS] or self.parts or [self.text]
        return [_without_numbers(text) for text in (self.text, *clauses[: 2 * _MOST_PARTS])]

    @cached_property
    def stems(self) -> list[list[str]]:
        """The stems of the whole, then of each part, each once."""
        return [usable(text) for text in (self.text, *self.parts)]

    @cached_property
    def talk(self) -> frozenset[str]:
        """Those stems that none but `TALK_WORDS` of the question have: they say little about what is wanted."""
        words = set(content_words(self.text))
        return frozenset(stems(" ".join(words & TALK_WORDS))) - frozenset(stems(" ".join(words - TALK_WORDS)))

    def said(self, stems: list[str]) -> list[str]:
        """Those of these stems that are words of the question, and not two joined."""
        return [stem for stem in stems if stem in self._words]

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(_plain(self.text))


def _without_numbers(text: str) -> str:
    """The text without words that have digits, unless little else is left."""
    left = _WORD.sub(lambda word: " " if _DIGIT.search(word[0]) else word[0], text)
    return left if any(word.isalpha() for word in left.split()) else text


def usable(text: str) -> list[str]:
    """The stems that can find something, each once; neighbours also as one, for people write `sun set` for `sunset`."""
    found = _plain(text)
    joined = [left + right for left, right in itertools.pairwise(found) if left.isalpha() and right.isalpha()]
    return list(dict.fromkeys([*found, *joined]))


def _plain(text: str) -> list[str]:
    return [stem for stem in stems(text) if not stem.isdecimal() and (len(stem) > 1 or not stem.isascii())]

"""Words: spelling, hyphenation, numbers in words."""

from functools import cache
from typing import Annotated

import num2words
import pyphen
import roman
from langchain_core.tools import ToolException
from pydantic import Field
from spellchecker import SpellChecker
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import check_limit, refused

CATEGORY = "Words"
TOOL = "WordSmith"

MAX_NUMBER = 10**15

Language = Annotated[str, Field(description="ISO 639-1 code of the language")]


class Syllables(TypedDict):
    """Where a word can be broken."""

    hyphenated: str
    parts: int


class Spelling(TypedDict):
    """Whether a word is spelled right, and how it may be meant."""

    correct: bool
    suggestions: list[str]


class Frequency(TypedDict):
    """How often a word occurs in a large corpus."""

    word: str
    occurrences: int


class Words(TypedDict):
    """A number in words."""

    text: str


class Roman(TypedDict):
    """A Roman numeral."""

    roman: str


class Number(TypedDict):
    """A whole number."""

    number: int


@cache
def _checker() -> SpellChecker:
    return SpellChecker(language="en")


def hyphenate(word: str, language: Language = "en") -> Syllables:
    """Shows where a word may be hyphenated, after the rules of its language."""
    with refused(f"no hyphenation rules for the language {language!r}", KeyError, AttributeError):
        found = pyphen.Pyphen(lang=pyphen.language_fallback(language)).inserted(word.strip())
    return {"hyphenated": found, "parts": found.count("-") + 1}


def check_spelling(word: Annotated[str, Field(description="one English word")], limit: int = 5) -> Spelling:
    """Check the spelling of an English word and suggest corrections, the likeliest first."""
    if not word.strip().isalpha():
        raise ToolException("one word of letters is needed")
    checker, found = _checker(), word.strip().casefold()
    if checker.known([found]):
        return {"correct": True, "suggestions": []}
    likely = sorted(checker.candidates(found) or (), key=lambda other: (-checker[other], other))
    return {"correct": False, "suggestions": [other for other in likely if other != found][: check_limit(limit)]}


def wordFrequency(word: str) -> Frequency:
    """Occurrences of an English word."""
    found = word.strip().casefold()
    return {"word": found, "occurrences": int(_checker()[found])}


def number_to_words(
    number: int,
    language: Language = "en",
    ordinal: Annotated[bool, Field(description="the ordinal number instead of the cardinal")] = False,
) -> Words:
    """Spell out a whole number."""
    if abs(number) > MAX_NUMBER:
        raise ToolException(f"numbers up to {MAX_NUMBER} can be spelled out")
    with refused(f"numbers cannot be spelled out so in the language {language!r}", NotImplementedError, TypeError):
        return {"text": num2words.num2words(number, lang=language, to="ordinal" if ordinal else "cardinal")}


def to_roman(number: Annotated[int, Field(description="1 to 3999")]) -> Roman:
    """Write a number as a Roman numeral."""
    with refused(f"{number} has no Roman numeral", roman.RomanError):
        return {"roman": roman.toRoman(number)}


def from_roman(numeral: str) -> Number:
    """Read a Roman numeral."""
    with refused(f"{numeral!r} is not a Roman numeral", roman.RomanError):
        return {"number": roman.fromRoman(numeral.strip().upper())}


APIS = [hyphenate, check_spelling, wordFrequency, number_to_words, to_roman, from_roman]

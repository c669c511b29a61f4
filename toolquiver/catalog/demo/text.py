"""Small work on text."""

import re
from collections import Counter
from typing import Annotated, Literal

import jellyfish
from anyascii import anyascii
from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

CATEGORY = "Text"
TOOL = "TextKit"

Text = Annotated[str, Field(description="any text")]


class Counts(TypedDict):
    """The size of a text."""

    characters: int
    words: int
    sentences: int
    lines: int


class Changed(TypedDict):
    """The text after the change."""

    text: str


class WordCount(TypedDict):
    """A word and how often it occurs."""

    word: str
    count: int


class Likeness(TypedDict):
    """How alike two texts are."""

    edit_distance: int
    jaro_winkler: float


class Sound(TypedDict):
    """How a word sounds, in two codes."""

    soundex: str
    metaphone: str


class Check(TypedDict):
    """Yes or no."""

    result: bool


def count_text(text: Text) -> Counts:
    """Count characters, words, sentences and lines of a text."""
    return {
        "characters": len(text),
        "words": len(re.findall(r"\b\w[\w'-]*", text)),
        "sentences": len(re.findall(r"[.!?]+(?=\s|$)", text)),
        "lines": len(text.splitlines()),
    }


def changeCase(text: str, style: Literal["upper", "lower", "title", "snake", "camel", "kebab"]) -> Changed:
    """Rewrites text in another case."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[^\W_A-Z]+|[A-Z]+(?![a-z])|\d+", text)]
    made = {
        "upper": text.upper(),
        "lower": text.lower(),
        "title": text.title(),
        "snake": "_".join(words),
        "kebab": "-".join(words),
        "camel": "".join(words[:1] + [word.capitalize() for word in words[1:]]),
    }
    return {"text": made[style]}


def reverse_text(text: Text) -> Changed:
    """Reverse a string."""
    return {"text": text[::-1]}


def to_ascii(text: Text) -> Changed:
    """Transliterate text of any script into plain Latin letters."""
    return {"text": anyascii(text)}


def common_words(text: Text, limit: int = 5) -> list[WordCount]:
    """The most frequent words of a text, regardless of case."""
    if limit < 1:
        raise ToolException("limit must be at least 1")
    found = Counter(re.findall(r"\w+", text.casefold()))
    return [{"word": word, "count": count} for word, count in found.most_common(limit)]


def compare_strings(first: str, second: str) -> Likeness:
    """Edit distance (Levenshtein) and similarity (Jaro-Winkler, 0 to 1) of two strings."""
    return {
        "edit_distance": jellyfish.levenshtein_distance(first, second),
        "jaro_winkler": round(jellyfish.jaro_winkler_similarity(first, second), 4),
    }


def sound_code(word: Annotated[str, Field(description="an English word or name")]) -> Sound:
    """Phonetic codes of a word: names that sound alike have the same."""
    if not word.isalpha() or not word.isascii():
        raise ToolException("one word of Latin letters is needed")
    return {"soundex": jellyfish.soundex(word), "metaphone": jellyfish.metaphone(word)}


def is_palindrome(text: str) -> Check:
    """Does it read the same backwards? Spaces, case and punctuation do not count."""
    letters = [letter for letter in text.casefold() if letter.isalnum()]
    return {"result": letters == letters[::-1]}


def are_anagrams(first: str, second: str) -> Check:
    """Whether two texts are made of the same letters."""
    one, two = (Counter(filter(str.isalnum, text.casefold())) for text in (first, second))
    return {"result": one == two}


APIS = [
    count_text,
    changeCase,
    reverse_text,
    to_ascii,
    common_words,
    compare_strings,
    sound_code,
    is_palindrome,
    are_anagrams,
]

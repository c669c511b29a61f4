"""Text as word stems, the same for documents and for queries."""

from __future__ import annotations

import threading
import unicodedata
from functools import lru_cache

import Stemmer

from toolquiver.catalog.text import STOP_WORDS, content_words

_LONGEST = 40  # a stem in characters; longer "words" are keys, addresses and pictures written as text
_KEPT = 64  # words up to this many characters are remembered with their stems
_REMEMBERED = 200_000
_AROUND = ".,;:!?()[]{}<>\"'`*/_-"

_stemmer = Stemmer.Stemmer("english", 0)
_one_at_a_time = threading.Lock()  # the stemmer is not safe to share between threads


def stems(text: str) -> list[str]:
    """The stems of the words that carry what a text is about, in order; `getUserIDs` gives it whole and apart."""
    found: list[str] = []
    for word in text.split():
        found += stems_of(word)
    return found


def stems_of(word: str) -> tuple[str, ...]:
    """The same of a text without spaces."""
    return _of_word(word) if len(word) <= _KEPT else _of_any_word(word)


def _of_any_word(word: str) -> tuple[str, ...]:
    """The stems of its `content_words`, which most words are without a look at each letter."""
    plain = word.strip(_AROUND)
    if plain.isalpha() and (plain.islower() or plain[1:].islower() or plain.isupper()):
        return _of_lower(plain.lower())
    return tuple(stem for part in content_words(word) for stem in _of_lower(part))


_of_word = lru_cache(_REMEMBERED)(_of_any_word)


def _of_lower(word: str) -> tuple[str, ...]:
    """The stem of a word in lower case; none of one that says nothing, or is as long as no word is."""
    return _of_usual(word) if len(word) <= _KEPT else _stemmed(word)


def _stemmed(word: str) -> tuple[str, ...]:
    if word in STOP_WORDS:
        return ()
    with _one_at_a_time:
        stem: str = _stemmer.stemWord(folded(word))
    return (stem,) if 1 <= len(stem) <= _LONGEST else ()


_of_usual = lru_cache(_REMEMBERED)(_stemmed)


def folded(word: str) -> str:
    """Without accents, which people leave out."""
    if word.isascii():
        return word
    return "".join(mark for mark in unicodedata.normalize("NFKD", word) if not unicodedata.combining(mark))

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
        found += _of_word(word) if len(word) <= _KEPT else _of_any_word(word)
    return found


def _of_any_word(word: str) -> tuple[str, ...]:
    words = [_folded(part) for part in _parts(word)]
    with _one_at_a_time:
        return tuple(stem for stem in _stemmer.stemWords(words) if 1 <= len(stem) <= _LONGEST)


def _parts(word: str) -> list[str]:
    """Its `content_words`, which for most words can be had without a look at each letter."""
    plain = word.strip(_AROUND)
    if plain.isalpha() and (plain.islower() or plain[1:].islower() or plain.isupper()):
        return [] if (lower := plain.lower()) in STOP_WORDS else [lower]
    return content_words(word)


_of_word = lru_cache(_REMEMBERED)(_of_any_word)


def _folded(word: str) -> str:
    """Without accents, which people leave out."""
    if word.isascii():
        return word
    return "".join(mark for mark in unicodedata.normalize("NFKD", word) if not unicodedata.combining(mark))

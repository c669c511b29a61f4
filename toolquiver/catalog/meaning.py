"""Texts as vectors of meaning, out of a static table of word pieces (the extra `dense`).

A text's vector is the mean of its word pieces' vectors: no network is run, so that 10,000 texts take a second and
the table 33 MB. The table and its tokenizer are files of the package `wordllama`, which itself is not imported.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

_TABLE = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_SPACE = "\u2581"  # as the tokenizer writes it
_RUN = re.compile(r" +[^ ]*")  # a word with the spaces before it
_LONGEST = 64  # words of up to so many characters are remembered
_REMEMBERED = 200_000


@lru_cache(maxsize=1)
def available() -> bool:
    """Whether the packages of the extra `dense` are installed."""
    return all(find_spec(name) for name in ("safetensors", "tokenizers")) and _folder() is not None


def width() -> int:
    """How many numbers a vector has. Only when `available`."""
    _, table = _loaded()
    return int(table.shape[1])


def embed(texts: Sequence[str]) -> Vectors:
    """One row a text, of length 1; a text without a known word piece is all zeros. Only when `available`."""
    _, table = _loaded()
    rows = np.zeros((len(texts), table.shape[1]), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        if pieces := word_pieces(text):
            np.add.reduce(table.take(pieces, axis=0), axis=0, out=row)  # of length 1 below
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows /= np.where(lengths > 0, lengths, np.float32(1))
    return rows


def word_pieces(text: str) -> list[int]:
    """The numbers of a text's word pieces, in order. Only when `available`.

    Taken word by word, and remembered: no piece goes on past a word's end, so that they are those of the whole.
    """
    if not text:
        return []
    usual = "  " not in f" {text} "
    words = text.split(" ") if usual else [run[1:] for run in _RUN.findall(f" {text}")]
    return list(chain.from_iterable(map(_known.__getitem__, words)))


class _Pieces(dict[str, tuple[int, ...]]):
    """The pieces of a space with a word after it; spaces in front of the word are part of it."""

    def __missing__(self, word: str) -> tuple[int, ...]:
        found = _encoded(word)
        if len(word) <= _LONGEST:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[word] = found
        return found


def _encoded(word: str) -> tuple[int, ...]:
    tokenizer, _ = _loaded()
    if not word:  # the tokenizer puts no space before an empty text
        return (tokenizer.token_to_id(_SPACE),)
    if "<" in word:  # it may hold a token that the tokenizer has beside its pieces, such as <s>
        return tuple(tokenizer.encode(word, add_special_tokens=False).ids)
    # What the tokenizer does to a word first, done here: its own way keeps account of every letter's place.
    return tuple([piece.id for piece in _model().tokenize(_SPACE + word.replace(" ", _SPACE))])


_known = _Pieces()  # faster here than `lru_cache`, and as safe between threads


@lru_cache(maxsize=1)
def _loaded() -> tuple[Any, Any]:
    from safetensors.numpy import load_file  # noqa: PLC0415 - an optional part
    from tokenizers import Tokenizer  # noqa: PLC0415

    folder = _folder()
    assert folder is not None
    (table,) = load_file(folder / _TABLE).values()
    return Tokenizer.from_file(str(folder / _TOKENIZER)), table.astype(np.float32)


@lru_cache(maxsize=1)
def _model() -> Any:
    tokenizer, _ = _loaded()
    return tokenizer.model


def _folder() -> Path | None:
    """Where the package `wordllama` lies, if it has the files."""
    spec = find_spec("wordllama")
    for place in (spec and spec.submodule_search_locations) or ():
        if (Path(place) / _TABLE).is_file() and (Path(place) / _TOKENIZER).is_file():
            return Path(place)
    return None

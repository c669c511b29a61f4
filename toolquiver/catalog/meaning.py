"""Texts as vectors of meaning, out of a static table of word pieces (the extra `dense`).

A text's vector is the mean of its word pieces' vectors: no network is run, so that 10,000 texts take a second and
the table 33 MB. The table and its tokenizer are files of the package `wordllama`, which itself is not imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

_TABLE = "weights/l2_supercat_256.safetensors"
_FEW = 32
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"


@lru_cache(maxsize=1)
def available() -> bool:
    """Whether the packages of the extra `dense` are installed."""
    return all(find_spec(name) for name in ("safetensors", "tokenizers")) and _folder() is not None


def embed(texts: Sequence[str]) -> Vectors:
    """One row a text, of length 1; a text without a known word piece is all zeros. Only when `available`."""
    tokenizer, table = _loaded()
    rows = np.zeros((len(texts), table.shape[1]), dtype=np.float32)
    if len(texts) <= _FEW:  # not worth the threads of a batch
        encodings = [tokenizer.encode(text, add_special_tokens=False) for text in texts]
    else:
        encodings = tokenizer.encode_batch(list(texts), add_special_tokens=False)
    for row, encoding in zip(rows, encodings, strict=True):
        if encoding.ids:
            row[:] = table[encoding.ids].sum(axis=0)  # of length 1 below
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows /= np.where(lengths > 0, lengths, np.float32(1))
    return rows


@lru_cache(maxsize=1)
def _loaded() -> tuple[Any, Any]:
    from safetensors.numpy import load_file  # noqa: PLC0415 - an optional part
    from tokenizers import Tokenizer  # noqa: PLC0415

    folder = _folder()
    assert folder is not None
    (table,) = load_file(folder / _TABLE).values()
    return Tokenizer.from_file(str(folder / _TOKENIZER)), table.astype(np.float32)


def _folder() -> Path | None:
    """Where the package `wordllama` lies, if it has the files."""
    spec = find_spec("wordllama")
    for place in (spec and spec.submodule_search_locations) or ():
        if (Path(place) / _TABLE).is_file() and (Path(place) / _TOKENIZER).is_file():
            return Path(place)
    return None

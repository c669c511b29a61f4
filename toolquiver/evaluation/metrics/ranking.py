"""How good a ranking is, for one query; each between 0 and 1. What is ranked twice counts once, at its first place."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from collections.abc import Set as AbstractSet
from math import log2


def recall(ranked: Sequence[Hashable], gold: AbstractSet[Hashable], k: int) -> float:
    """The share of the gold, of which there must be some, that is among the first `k` (retrieval's usual recall)."""
    return len(gold & set(_first(ranked, k))) / len(gold)


def ndcg(ranked: Sequence[Hashable], gold: AbstractSet[Hashable], k: int) -> float:
    """Normalised discounted cumulative gain with gains of 0 and 1 (easytool.txt, 5.1, table 5, as ToolBench does)."""
    gain = sum(1 / log2(place + 2) for place, found in enumerate(_first(ranked, k)) if found in gold)
    return gain / sum(1 / log2(place + 2) for place in range(min(k, len(gold))))


def _first(ranked: Sequence[Hashable], k: int) -> list[Hashable]:
    return list(dict.fromkeys(ranked))[:k]

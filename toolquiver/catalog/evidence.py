"""What speaks for each API: words and meaning, of the API itself and of its tool, of the whole question and its parts.

Every kind of evidence is a number between 0 and about 1 for each API, relative to the best API or tool of this search
for words, a cosine for meaning. A tool's evidence goes to all of its APIs.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from toolquiver.catalog import meaning
from toolquiver.catalog.index.reader import LevelReader, Scores
from toolquiver.catalog.index.vectors import SCALE, products
from toolquiver.catalog.question import Question
from toolquiver.catalog.spelled import Spelled

Evidence = dict[str, Scores]

_SURE = 0.7  # from this share on words count fully
_RANK_OFFSET = 10  # how little the difference between the first ranks counts


@dataclass(frozen=True)
class Scene:
    """A question, and the documents of both levels among which its answer is; `allowed` are the tools by key."""

    connection: sqlite3.Connection
    apis: LevelReader
    tools: LevelReader
    question: Question
    allowed: NDArray[np.int64] | None = None

    @cached_property
    def asked(self) -> Scores:
        """The vectors of the whole question and its clauses, a column each, scaled for the documents' bytes."""
        return meaning.embed(self.question.meanings).T / np.float32(SCALE)

    def mask(self, level: LevelReader) -> NDArray[np.bool_]:
        """Which documents may be found."""
        return level.live if self.allowed is None else np.isin(level.owners, self.allowed)


class Match(NamedTuple):
    """What the best document has of a question, or of a part: the share of its words, 0 to 1, and how much that is.

    A document with every word, as often and as prominently as can be, has a share of 1. `rarity` is the sum over its
    words of how rare they are. Both are comparable in general.
    """

    share: float
    rarity: float


def by_words(scene: Scene) -> tuple[Evidence, Evidence, Match]:
    """The evidence of words, for every API and every tool; and how well the best of them matches.

    Where even the best has a small share, the evidence is worth less: then a chance word must not outweigh the meaning.
    """
    api_whole, api_part, in_apis = _words(scene, scene.apis)
    tool_whole, tool_part, in_tools = _words(scene, scene.tools)
    of_apis = {"api words: whole": api_whole, "api words: part": api_part}
    of_tools = {
        "tool words: whole": tool_whole,
        "tool words: part": tool_part,
        "tool words: best api, part": _best(api_part, places(scene), len(tool_whole)),
    }
    best = Match(*map(max, in_apis, in_tools))
    if best.share < _SURE:
        for values in (*of_apis.values(), *of_tools.values()):
            np.multiply(values, np.float32(best.share / _SURE), out=values)
    return of_apis, of_tools, best


def by_meaning_of_tools(scene: Scene) -> tuple[Evidence, float]:
    """The evidence of the tools' meanings, for every tool, and the best of it. Only when `meaning.available`."""
    similar = products(scene.tools.vectors(scene.connection), scene.asked)
    similar[~scene.mask(scene.tools)] = 0
    evidence = {
        "tool meaning: whole": np.ascontiguousarray(similar[:, 0]),
        "tool meaning: part": similar[:, 1:].max(axis=1),
    }
    return evidence, float(similar.max(initial=0))


def by_meaning(scene: Scene, documents: NDArray[np.int64]) -> tuple[Evidence, Scores]:
    """The evidence of the APIs' own meanings, for these only, and their cosines. Only when `meaning.available`.

    It goes by the API's rank for the clause that it is nearest to: differences between cosines are small, and the
    nearest of one clause is not to be outdone by many that are somewhat near to another.
    """
    similar = products(scene.apis.vectors(scene.connection)[documents], scene.asked)
    order = np.argsort(-similar[:, 1:].T, axis=1)
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(len(documents))[None], axis=1)
    evidence = {"api meaning: rank": (_RANK_OFFSET / (_RANK_OFFSET + ranks.min(axis=0))).astype(np.float32)}
    return evidence, similar.max(axis=1)


def by_name(scene: Scene, named: Spelled, documents: NDArray[np.int64]) -> Evidence:
    """The evidence of names that the question spells, for these APIs."""
    tools = scene.apis.owners[documents]
    return {
        "exact name": np.isin(documents, list(named.exact)).astype(np.float32),
        "name: api": np.isin(documents, list(named.apis)).astype(np.float32),
        "name: tool": np.isin(tools, list(named.tools)).astype(np.float32),
    }


def by_size(scene: Scene) -> Evidence:
    """How large each tool is, as the logarithm of its APIs: the more there are, the better the best fits by chance."""
    return {"tool size": scene.apis.sizes(scene.tools)}


def places(scene: Scene) -> NDArray[np.int64]:
    """For each API the number of its tool's document."""
    return scene.apis.places(scene.tools)


def _words(scene: Scene, level: LevelReader) -> tuple[Scores, Scores, Match]:
    """Each document's words: of the whole question, and of the part that it fits best; how well the best matches."""
    lists = level.lists(scene.connection, dict.fromkeys(stem for stems in scene.question.stems for stem in stems))
    whole, *parts = scene.question.stems
    talk = scene.question.talk
    sums = level.scores(lists, whole, parts, talk)
    share, most, best = 0.0, 0.0, np.zeros(0, np.float32)
    for number, (stems, scores) in enumerate(zip((*parts, whole), sums, strict=True)):
        if scene.allowed is not None:
            np.multiply(scores, scene.mask(level), out=scores)
        highest = float(scores.max(initial=0))
        if highest > 0:
            np.divide(scores, highest, out=scores)
            share = max(share, highest / level.ideal(lists, scene.question.said(stems), talk))
            most = max(most, highest)
        if number < len(parts):
            best = np.maximum(best, scores, out=best) if number else scores
    return scores, best if parts else scores.copy(), Match(share, most)


def _best(scores: Scores, place: NDArray[np.int64], tools: int) -> Scores:
    """For each tool the best of its APIs."""
    best = np.zeros(tools, np.float32)
    np.maximum.at(best, place, scores)
    return best

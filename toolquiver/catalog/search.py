"""Finding APIs: the evidence of words and of meaning, weighed and summed; first for all, then closer for the best."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from toolquiver.catalog import meaning, rows
from toolquiver.catalog.evidence import (
    Evidence,
    Match,
    Scene,
    by_meaning,
    by_meaning_of_tools,
    by_name,
    by_size,
    by_words,
    places,
)
from toolquiver.catalog.index.reader import Reader, Scores, rarest
from toolquiver.catalog.question import Question
from toolquiver.catalog.records import API
from toolquiver.catalog.spelled import spelled

# Chosen on half of ToolBench's queries and the demo's tasks (docs/results/search.md has the other half too).
WEIGHTS = {
    "api words: whole": 0.24,
    "api words: part": 0.36,
    "tool words: whole": 0.84,
    "tool words: part": 0.57,
    "tool words: best api, part": 1.16,
    "tool meaning: whole": 0.99,
    "tool meaning: part": 0.68,
    "api meaning: rank": 0.22,
    "tool size": -0.06,
    "exact name": 10.0,
    "name: api": 0.24,
    "name: tool": 0.2,
}
"""How much each kind of evidence counts; that after the colon is one part of a kind."""

_LEAST_ALIKE = 0.1  # cosine: below, and without a common word, an API has nothing to do with a question
_CLOSER = 800  # APIs whose own meaning is compared
_KEPT = 2_000  # records that are kept for the next search: their schemas take longer to read than to find
_SAME_TOOL = 0.16  # what each further API of a tool loses, so that one tool does not fill the list


class Growing(NamedTuple):
    """What is `few` in a catalogue of 245 APIs, `many` in one of 16,463; between and beyond it goes by the logarithm.

    The more APIs there are, the nearer is the nearest by chance.
    """

    few: float
    many: float

    def of(self, apis: int) -> float:
        """What it is in a catalogue with so many APIs."""
        return self.few + (self.many - self.few) * log(max(apis, 1) / _FEW) / log(_MANY / _FEW)


_FEW, _MANY = 245, 16_463
_SIZES = (13, 245, 16_463)
FLOOR = (0.3, 0.95, 1.55)
"""Of how sure the words are and twice the best cosine, in catalogues of so many APIs; between, it goes by logarithms.

Chosen on half of the texts that nothing fits, half 1 of ToolBench's queries, and half of the questions of the demo and
of data sets with 13 to 101 APIs. For fewer and for more APIs it stays, because nothing was measured there."""
FLOOR_OF_WORDS = (0.2, 0.5, 0.7)
"""Of how sure the words are, where meaning is not asked."""
NEAREST = Growing(few=1.0, many=WEIGHTS["api meaning: rank"])
"""The weight of being the nearest by meaning: on the demo's tasks more finds more, on ToolBench's queries less."""


class Hit(NamedTuple):
    """One API found, and how well it fits (higher is better; comparable within one search only).

    `evidence` are the parts that the score is the sum of, by kind.
    """

    api: API
    score: float
    evidence: Mapping[str, float] = {}


def search(
    connection: sqlite3.Connection,
    reader: Reader,
    text: str,
    k: int,
    *,
    category: str | None,
    tool: str | None,
    dense: bool,
    floor: bool = True,
) -> list[Hit]:
    """The at most `k` APIs with the words of `text`, or near it in meaning, the best first; none without a usable word.

    With `floor` there are none either where the best hardly fits.

    A question of several sentences is searched whole and sentence by sentence, so that each finds its APIs.
    """
    question = Question(text)
    if k < 1 or not (any(question.stems) or spelled(connection, text).exact):
        return []
    apis, tools = reader.levels(connection)
    allowed = None if category is None and tool is None else _allowed(connection, category, tool)
    scene = Scene(connection, apis, tools, question, allowed)
    if not scene.mask(apis).any():
        return []
    ranking = ranked(scene, dense=dense and meaning.available(), k=k)
    if floor and not ranking.fits:
        return []
    found = _records(connection, reader, ranking.documents.tolist())
    return [
        Hit(found[document], sum(gave.values()), gave)
        for document, gave in zip(ranking.documents.tolist(), ranking.by_kind(), strict=True)
    ]


def _records(connection: sqlite3.Connection, reader: Reader, documents: list[int]) -> dict[int, API]:
    """The records of these documents, and perhaps of others that were found before."""
    if len(reader.found) > _KEPT:
        reader.found.clear()
    reader.found |= rows.documents(connection, [document for document in documents if document not in reader.found])
    return reader.found


class Ranking(NamedTuple):
    """Documents of APIs, the best first, and what each kind of evidence gives each, weighed.

    `words` and `meaning` (None: not asked) say how well the best of all `among` so many fits, the latter as a cosine.
    """

    documents: NDArray[np.int64]
    evidence: Evidence
    words: Match
    meaning: float | None
    among: int

    @property
    def fits(self) -> bool:
        """Whether the best fits well enough for any of these to be an answer."""
        if self.evidence["exact name"].any():
            return True
        among = min(max(self.among, _SIZES[0]), _MANY)
        # By shares alone a short text with one word there by chance passes before a long one with several that count.
        # Two words that a single API has make as sure as having every word.
        sure = self.words.share + self.words.rarity / (2 * rarest(among))
        floor, alike = (FLOOR_OF_WORDS, 0.0) if self.meaning is None else (FLOOR, self.meaning)
        return sure + 2 * alike >= float(np.interp(log(among), np.log(_SIZES), floor))

    def by_kind(self) -> list[dict[str, float]]:
        """For each document what each kind gives, without those that give nothing."""
        kinds: dict[str, Scores] = {}
        for name, values in self.evidence.items():
            kind = name.partition(":")[0]
            kinds[kind] = kinds[kind] + values if kind in kinds else values
        rows = zip(*(values.tolist() for values in kinds.values()), strict=True)
        return [{kind: value for kind, value in zip(kinds, row, strict=True) if value} for row in rows]


def ranked(scene: Scene, *, dense: bool, k: int) -> Ranking:
    """The best `k` APIs."""
    nearest = max(NEAREST.of(scene.apis.count), NEAREST.many)
    weights = WEIGHTS | {"api meaning: rank": nearest}
    ranking = weighed(scene, dense=dense, most=max(_CLOSER, k), weights=weights)
    total = np.sum(list(ranking.evidence.values()), axis=0)
    lost = -_SAME_TOOL * _earlier(total, places(scene)[ranking.documents])
    order = np.argsort(-(total + lost), kind="stable")[:k]
    evidence = ranking.evidence | {"same tool": lost}
    return ranking._replace(
        documents=ranking.documents[order], evidence={name: values[order] for name, values in evidence.items()}
    )


def weighed(scene: Scene, *, dense: bool, most: int, weights: Mapping[str, float]) -> Ranking:
    """About `most` candidates, in no order, and all that speaks for them."""
    of_apis, of_tools, words = by_words(scene)
    of_tools |= by_size(scene)
    alike: float | None = None
    if dense:
        meanings, alike = by_meaning_of_tools(scene)
        of_tools |= meanings
    documents = _candidates(scene, _sum(of_apis, weights), _sum(of_tools, weights), most)
    named = spelled(scene.connection, scene.question.text)
    called = np.array(sorted(named.exact), np.int64)
    documents = np.union1d(documents, called[scene.mask(scene.apis)[called]])
    tools = places(scene)[documents]
    evidence = {name: values[documents] for name, values in of_apis.items()}
    evidence |= {name: values[tools] for name, values in of_tools.items()} | by_name(scene, named, documents)
    speaks = np.sum([values > 0 for name, values in evidence.items() if "words" in name or "name" in name], axis=0)
    if dense:
        own, nearest = by_meaning(scene, documents)
        cosines = [nearest, evidence["tool meaning: whole"], evidence["tool meaning: part"]]
        speaks += np.max(cosines, axis=0) > _LEAST_ALIKE
        evidence |= own
        alike = max(alike or 0.0, float(nearest.max(initial=0)))
    evidence = {name: weights[name] * values[speaks > 0] for name, values in evidence.items()}
    return Ranking(documents[speaks > 0], evidence, words, alike, scene.apis.count)


def _sum(evidence: Evidence, weights: Mapping[str, float]) -> Scores:
    total, *others = (np.float32(weights[name]) * values for name, values in evidence.items())
    for values in others:
        total += values
    return total


def _candidates(scene: Scene, apis: Scores, tools: Scores, most: int) -> NDArray[np.int64]:
    """The documents that may be found, or the best `most` of them by these sums of evidence, ascending."""
    apis += tools[places(scene)]
    apis[~scene.mask(scene.apis)] = -np.inf
    if len(apis) <= most:
        return np.flatnonzero(np.isfinite(apis))
    best = np.argpartition(apis, -most)[-most:]
    return np.sort(best[np.isfinite(apis[best])])


def _earlier(total: Scores, tools: NDArray[np.int64]) -> Scores:
    """How many APIs of the same tool are better, for each."""
    order = np.argsort(-total, kind="stable")
    by_tool = order[np.argsort(tools[order], kind="stable")]
    _, first, count = np.unique(tools[by_tool], return_index=True, return_counts=True)
    found = np.empty(len(total), np.float32)
    found[by_tool] = np.arange(len(total)) - np.repeat(first, count)
    return found


def _allowed(connection: sqlite3.Connection, category: str | None, tool: str | None) -> NDArray[np.int64]:
    """The keys of the tools of a category and a name; None is any."""
    found = connection.execute(
        "SELECT key FROM tool WHERE (?1 IS NULL OR category = ?1) AND (?2 IS NULL OR name = ?2)", (category, tool)
    )
    return np.array([row["key"] for row in found], np.int64)

"""Why an API was found: which words of the question stand where, and what each kind of evidence gave."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from toolquiver.catalog import instruction_rows, rows
from toolquiver.catalog.index.documents import Member, api_fields, parameters_text, tool_fields
from toolquiver.catalog.index.impacts import API_FIELDS, TOOL_FIELDS
from toolquiver.catalog.question import usable
from toolquiver.catalog.records import API
from toolquiver.catalog.search import Hit
from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import content_words


@dataclass(frozen=True)
class Explanation:
    """Why an API was found.

    `words` are those of the question that stand in each field of the API and its tool, in the order of the question;
    fields without any are left out. `evidence` are the parts of the score, by kind; they sum up to it.
    """

    api: API
    score: float
    words: Mapping[str, tuple[str, ...]]
    evidence: Mapping[str, float]


def explanation(connection: sqlite3.Connection, text: str, hit: Hit) -> Explanation:
    """Why a search for `text` found this."""
    asked = {stem: _word(text, stem) for stem in usable(text)}
    siblings = list(rows.many(connection, category=hit.api.category, tool=hit.api.tool))
    said = instruction_rows.texts(connection, siblings) if instruction_rows.there(connection) else {}
    texts = {api.id: said.get(api.id, api.description) for api in siblings}
    of_tool = tool_fields(
        hit.api.category,
        hit.api.tool,
        hit.api.tool_description,
        [
            Member(api.name, texts[api.id], parameters_text(api.parameters))
            for api in sorted(siblings, key=lambda api: api.id)
        ],
    )
    found_by = hit.api.model_copy(update={"description": texts.get(hit.api.id, hit.api.description)})
    names = [field.name for field in (*API_FIELDS, *TOOL_FIELDS)]
    places = dict(zip(names, (*api_fields(found_by), *of_tool), strict=False))
    there = {name: frozenset(stems(said)) for name, said in places.items()}
    found = {name: tuple(word for stem, word in asked.items() if stem in here) for name, here in there.items()}
    return Explanation(hit.api, hit.score, {name: words for name, words in found.items() if words}, hit.evidence)


def _word(text: str, stem: str) -> str:
    """The question's own word for a stem; the stem itself where it is of two words."""
    return next((word for word in content_words(text) if usable(word)[:1] == [stem]), stem)

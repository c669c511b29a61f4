"""What instructions cost in quality: search, selection among candidates, errors in calls (Figures 3 and 4).

The tools are those whose instructions were written (`make bench-easytool PARTS=local`), the queries those of ToolBench
whose gold tools are all among them. Each answer is a line in a file at once; a run that was stopped goes on there.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel
from rich.progress import track

from tests.bench.search_queries import Query, queries
from toolquiver.calling import problems
from toolquiver.catalog import API, Catalog
from toolquiver.catalog.instruction import Guideline, by_rule, purpose_by_rule, rendered
from toolquiver.errors import BudgetExceeded, DecisionError, ModelError
from toolquiver.evaluation.metrics import ndcg, recall
from toolquiver.models import decide
from toolquiver.models.tokens import count_message_tokens
from toolquiver.nodes.documenting import as_it_is
from toolquiver.nodes.shapes import choice_among

SIZES = (5, 10, 20, 50)
_AMONG = 5  # tools shown when a call is to be written
_CONTEXT = 7_000  # tokens: what does not fit is counted, not asked

_WANTED = {
    "select": "Name the one tool to use.",
    "call": "Write the call of one function that helps: its name and arguments.",
}

Row = dict[str, Any]


class Call(BaseModel):
    """A call as a model writes it that nothing constrains."""

    name: str
    arguments: dict[str, Any]


class Tools(NamedTuple):
    """The tools by name with their APIs, and what each is shown as, by what is asked and the kind of documentation."""

    apis: Mapping[str, list[API]]
    shown: Mapping[str, Mapping[tuple[str, str], str]]


class Shown(NamedTuple):
    """The tools that one question is asked about, with their APIs, and their texts."""

    apis: Mapping[str, list[API]]
    texts: Sequence[str]


def tools_of(catalog: Catalog) -> Tools:
    """The tools of a catalogue as they are, by rule, and with its instructions."""
    apis = dict[str, list[API]]()
    for api in catalog.apis():
        apis.setdefault(api.tool, []).append(api)
    written = catalog.instructions.guidelines(catalog.apis())
    shown = dict[str, dict[tuple[str, str], str]]()
    for tool, of_it in apis.items():
        ruled = [(api.function, by_rule(api)) for api in of_it]
        instructed = [(api.function, written.get(api.id) or by_rule(api)) for api in of_it]
        purpose = purpose_by_rule(of_it).purpose
        said = catalog.instructions.purpose(of_it[0].category, tool) or purpose
        raw = [(api.function, api.description) for api in of_it]
        shown[tool] = {
            ("call", "raw"): as_it_is(of_it),
            ("call", "condensed"): rendered(tool, purpose, ruled),
            ("call", "instructions"): rendered(tool, said, instructed),
            ("select", "raw"): _described(tool, of_it[0].tool_description, raw),
            ("select", "condensed"): _described(tool, purpose, _lines(ruled)),
            ("select", "instructions"): _described(tool, said, _lines(instructed)),
        }
    return Tools(apis, shown)


def _lines(functions: Sequence[tuple[str, Guideline]]) -> list[tuple[str, str]]:
    return [(name, one.description) for name, one in functions]


def _described(tool: str, purpose: str, functions: Sequence[tuple[str, str]]) -> str:
    """What a tool is chosen by: descriptions alone, as in Figure 3."""
    return "\n".join([f"{tool}: {purpose}", *(f"- {name}: {said}" for name, said in functions)])


def asked_of(catalog: Catalog) -> list[Query]:
    """The queries whose golds are all in the catalogue."""
    there = {(api.tool, api.name) for api in catalog.apis()}
    return [query for query in queries() if query.gold <= there]


def searched(catalog: Catalog, asked: Sequence[Query]) -> Iterator[Row]:
    """How well search finds the golds, with the documents as they are, by rule, and with instructions."""
    for kind in ("raw", "condensed", "instructions"):
        other = Catalog.create()
        other.add(*catalog.shown("condensed" if kind == "condensed" else "raw").apis())
        used = catalog if kind == "instructions" else other
        for query in track(asked, f"search, {kind}"):
            found = [(hit.api.tool, hit.api.name) for hit in used.search(query.text, 64)]
            figures = {f"NDCG@{k}": ndcg(found, query.gold, k) for k in (1, 5)} | {
                f"recall@{k}": recall(found, query.gold, k) for k in (5, 20)
            }
            yield {"part": "search", "kind": kind, "size": 64, "key": query.text, **figures}


async def selected(catalog: Catalog, asked: Sequence[Query], model: BaseChatModel, path: Path) -> None:
    """Ask for the tool of each query among 5 to 50, and for a call with 5 of them at hand, by each kind."""
    tools, done = tools_of(catalog), {_key(row) for row in rows(path)}
    single = [query for query in asked if len({tool for tool, _ in query.gold}) == 1]
    for query in track(single, "selection and calls"):
        for size in SIZES:
            for kind in ("raw", "condensed", "instructions"):
                names = _candidates(catalog, tools, query, size)
                for part in ("select", "call") if size == _AMONG else ("select",):
                    row = {"part": part, "kind": kind, "size": size, "key": query.text}
                    texts = [tools.shown[name][part, kind] for name in names]
                    shown = Shown({name: tools.apis[name] for name in names}, texts)
                    if _key(row) not in done:
                        _write(path, row | await _answered(part, query, shown, model))


def rows(path: Path) -> list[Row]:
    """What was measured; a torn last line is left out."""
    if not path.exists():
        return []
    text = path.read_text("utf-8")
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


def _key(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("part", "kind", "size", "key"))


def _write(path: Path, row: Row) -> None:
    with path.open("a+", encoding="utf-8") as file:
        file.seek(0)
        text = file.read()
        file.truncate(len(text[: text.rfind("\n") + 1].encode()))
        file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _candidates(catalog: Catalog, tools: Tools, query: Query, size: int) -> list[str]:
    """The gold tool and the others that are most like the query, in an order that says nothing."""
    gold = next(iter(query.gold))[0]
    near = dict.fromkeys(hit.api.tool for hit in catalog.search(query.text, 400))
    others = [name for name in [*near, *tools.apis] if name != gold]
    names = [gold, *list(dict.fromkeys(others))[: size - 1]]
    random.Random(query.text).shuffle(names)
    return names


async def _answered(part: str, query: Query, shown: Shown, model: BaseChatModel) -> Row:
    names, documents = list(shown.apis), "\n\n".join(shown.texts)
    wanted = _WANTED[part]
    messages: list[BaseMessage] = [
        SystemMessage(f"You use tools to answer requests. The tools:\n\n{documents}"),
        HumanMessage(f"Request: {query.text}\n{wanted}"),
    ]
    prompt = count_message_tokens(messages)
    if prompt > _CONTEXT:
        return {"prompt": prompt, "outcome": "too long"}
    shape = choice_among(names) if part == "select" else Call
    method = "json_schema" if part == "select" else "prompt"
    try:
        said = (await decide(model, shape, messages, role=part, tokens_left=10**6, method=method)).value
    except (DecisionError, BudgetExceeded, ModelError) as error:
        return {"prompt": prompt, "outcome": "no answer", "said": str(error)[:200]}
    if part == "select":
        return {"prompt": prompt, "outcome": "right" if said.tool == next(iter(query.gold))[0] else "wrong"}
    functions = {api.function: api for of_it in shown.apis.values() for api in of_it}
    if said.name not in functions:
        return {"prompt": prompt, "outcome": "name error", "said": said.name}
    wrong = problems(functions[said.name], said.arguments)
    return {"prompt": prompt, "outcome": "parameter error" if wrong else "no error", "said": " ".join(wrong)[:200]}


def measure(catalog: Catalog, model: BaseChatModel, path: Path, limit: int | None = None) -> list[Row]:
    """All of it; `limit` is how many queries are asked."""
    asked = asked_of(catalog)
    found = list(searched(catalog, asked))
    asyncio.run(selected(catalog, asked[:limit], model, path))
    return [*found, *rows(path)]

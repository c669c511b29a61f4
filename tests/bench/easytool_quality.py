"""What instructions cost in quality: selection among candidates, errors in calls (Figures 3 and 4).

The tools are those whose instructions were written (`make bench-easytool PARTS=local`), the queries those of ToolBench
that need one of them alone. Each answer is a line in a file at once; a run that was stopped goes on there.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel
from rich.progress import track

from tests.bench.easytool_rows import Row, add, rows
from tests.bench.easytool_search import asked_of
from tests.bench.search_queries import Query
from toolquiver.calling import problems
from toolquiver.catalog import API, Catalog
from toolquiver.catalog.instruction import Guideline, by_rule, purpose_by_rule, rendered
from toolquiver.errors import BudgetExceeded, DecisionError
from toolquiver.models import decide
from toolquiver.models.tokens import count_message_tokens
from toolquiver.nodes.easytool.documents import tool_document
from toolquiver.nodes.shapes import choice_among

SIZES = (5, 10, 20, 50)
KINDS = ("raw", "condensed", "instructions")
_AMONG = 5  # tools shown when a call is to be written
_CONTEXT = 7_000  # tokens: what does not fit is counted, not asked

_WANTED = {
    "select": "Name the one tool to use.",
    "call": "Write the call of one function that helps: its name and arguments.",
}


class Chosen(NamedTuple):
    """Which part is measured: so many queries in an order by chance, and these numbers of candidates."""

    seed: int
    limit: int | None
    sizes: Sequence[int]
    at_once: int = 1


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
            ("call", "raw"): tool_document(of_it),
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


async def answered(
    catalog: Catalog, asked: Sequence[Query], model: BaseChatModel, path: Path, chosen: Chosen
) -> list[Row]:
    """Ask for the tool of each query among so many, and for a call with 5 of them at hand, by each kind."""
    tools, done = tools_of(catalog), {_key(row): row for row in rows(path)}
    found = list[Row]()
    left = iter(track([one for query in asked for one in _questions(query, catalog, tools, chosen)], "questions"))

    async def one_by_one() -> None:
        for row, query, shown in left:
            if _key(row) not in done:
                done[_key(row)] = row | await _answered(row["part"], query, shown, model)
                add(path, [done[_key(row)]])
            found.append(done[_key(row)])

    await asyncio.gather(*(one_by_one() for _ in range(chosen.at_once)))
    return found


def _questions(query: Query, catalog: Catalog, tools: Tools, chosen: Chosen) -> Iterator[tuple[Row, Query, Shown]]:
    """What is asked about a query, by each kind of documentation: which tool among so many, and a call."""
    gold, *others = _likely(catalog, tools, query)
    for part, size in _parts(chosen.sizes):
        names = _in_one_order([gold, *others[: size - 1]])
        apis = {name: tools.apis[name] for name in names}
        for kind in KINDS:
            shown = Shown(apis, [tools.shown[name][part, kind] for name in names])
            row = {"part": part, "kind": kind, "size": size, "key": query.text, "shown": _digest(shown)}
            yield row, query, shown


def _parts(sizes: Sequence[int]) -> Iterator[tuple[str, int]]:
    for size in sizes:
        yield "select", size
        if size == _AMONG:
            yield "call", size


def _key(row: Row) -> tuple[Any, ...]:
    return tuple(row.get(name) for name in ("part", "kind", "size", "key", "shown"))


def _digest(shown: Shown) -> str:
    """Other tools, or other instructions, are another question."""
    return hashlib.sha256("\0".join(shown.texts).encode()).hexdigest()[:12]


def _likely(catalog: Catalog, tools: Tools, query: Query) -> list[str]:
    """The gold tool, then the others, the most like the query first."""
    gold = next(iter(query.gold))[0]
    near = (hit.api.tool for hit in catalog.search(query.text, 400))
    return list(dict.fromkeys([gold, *near, *tools.apis]))


def _in_one_order(names: Sequence[str]) -> list[str]:
    """An order that says nothing, and is the same for all queries: a prompt of the same tools is read once."""
    return sorted(names, key=lambda name: hashlib.sha256(name.encode()).digest())


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
    except (DecisionError, BudgetExceeded) as error:
        return {"prompt": prompt, "outcome": "no answer", "said": str(error)[:200]}
    if part == "select":
        return {"prompt": prompt, "outcome": "right" if said.tool == next(iter(query.gold))[0] else "wrong"}
    every = (api for of_it in shown.apis.values() for api in of_it)
    meant = [api for api in every if said.name in {api.function, api.name}]  # raw documents have the latter
    if not meant:
        return {"prompt": prompt, "outcome": "name error", "said": said.name}
    wrong = min((problems(api, said.arguments) for api in meant), key=len)
    return {"prompt": prompt, "outcome": "parameter error" if wrong else "no error", "said": " ".join(wrong)[:200]}


def measure(catalog: Catalog, model: BaseChatModel, path: Path, chosen: Chosen) -> list[Row]:
    """What is chosen of the selections and calls; the rows of these."""
    asked = [query for query in asked_of(catalog) if len({tool for tool, _ in query.gold}) == 1]
    random.Random(chosen.seed).shuffle(asked)
    return asyncio.run(answered(catalog, asked[: chosen.limit], model, path, chosen))

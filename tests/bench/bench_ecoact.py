"""What registration on demand saves on ToolBench's lists: `make bench-ecoact` writes `docs/results/ecoact.md`.

The policy is scripted: it registers and calls the APIs that a query is said to need, in that order, and answers. So the
tokens are those of a model that never errs; what a real model registers besides is not in them.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from langchain_core.messages import AIMessage, BaseMessage
from rich.progress import track

from tests.bench.ecoact_page import Cost, Measured, page
from tests.bench.pages import write_page
from tests.bench.search_queries import DATA, GROUPS, SOURCE, _rows, apis
from tests.unit.sample_values import sample
from toolquiver.calling import Observation
from toolquiver.catalog import API, Catalog
from toolquiver.contexts import ReactContext
from toolquiver.curves import shares
from toolquiver.graphs import dfsdt, react
from toolquiver.models import scripted, total_usage
from toolquiver.models.tokens import count_tokens, load_table
from toolquiver.registration import CALL, REGISTER, function_of

Settings = dict[str, Any]

_DEMAND: Settings = {"registration": "on_demand"}
SYSTEMS: dict[str, Settings] = {
    "ReAct, all": {},
    "ReAct, on demand": _DEMAND,
    "ReAct, on demand, schema as result": _DEMAND | {"delivery": "result"},
    "ReAct, on demand, several at once": _DEMAND | {"register_several": True},
    "ReAct, on demand, descriptions listed": _DEMAND | {"listing": "descriptions"},
    "ReAct, auto": {"registration": "auto"},
    "DFSDT, all": {},
    "DFSDT, on demand": _DEMAND,
    "DFSDT, auto": {"registration": "auto"},
}
_GRAPHS = {"ReAct": react, "DFSDT": dfsdt}
_SEARCHED = (20, 40)  # candidates of the lists that search makes
_ANSWER = "This is what was found out."


class Case(NamedTuple):
    """A query with its candidates and, among these, what it needs."""

    group: str
    kind: str
    text: str
    candidates: list[API]
    needed: list[API]


class Policy:
    """Registers and calls what is needed, and measures how much of each prompt was there in the turn before."""

    def __init__(self, case: Case, settings: Settings) -> None:
        self.case, self.settings = case, settings
        self.turns: list[tuple[str, dict[str, Any]]] = []
        self.before: list[str] = []
        self.same = 0

    def __call__(self, messages: list[BaseMessage], schema: dict[str, Any]) -> AIMessage:
        said = [(message.type, message.text, getattr(message, "tool_calls", ())) for message in messages]
        prompt = [json.dumps(part) for part in (*schema["functions"], *said)]
        same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(self.before, prompt, strict=False))
        self.same += sum(count_tokens(part) for part, _ in same)
        self.before = prompt
        on_demand = any(function["name"] == REGISTER for function in schema["functions"])
        self.turns = self.turns or list(_turns(self.case, self.settings, on_demand=on_demand))
        number = sum(isinstance(message, AIMessage) for message in messages)
        name, arguments = self.turns[number]
        return AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": str(number)}])


def _turns(case: Case, settings: Settings, *, on_demand: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    several = settings.get("register_several")
    if several:
        yield REGISTER, {"names": [api.function for api in case.needed]}
    for api in case.needed:
        if on_demand and not several:
            yield REGISTER, {"name": api.function}
        arguments = sample(api.parameters, optional=False)
        by_result = settings.get("delivery") == "result"
        yield (CALL, {"name": api.function, "arguments": arguments}) if by_result else (api.function, arguments)
    yield "give_answer", {"answer": _ANSWER}


class Recorded:
    """Gives what was once observed of an API, else an empty object."""

    def __init__(self) -> None:
        self.responses: dict[str, str] = {}
        with gzip.open(DATA / "toolbench_responses" / "observed_calls.jsonl.gz", "rt", encoding="utf-8") as file:
            for row in map(json.loads, file):
                if row["code"] == 0:
                    self.responses.setdefault(row["function"], row["response"])

    async def call(self, api: API, arguments: dict[str, Any]) -> Observation:
        return Observation(text=self.responses.get(api.function, "{}"))


def cases(catalog: Catalog, sample_size: int) -> list[Case]:
    """So many queries of every group, with the candidates of the data and with lists that search makes."""
    named = {(api.tool, api.name): api for api in catalog.apis()}
    made = []
    for group in GROUPS:
        found = []
        for row in _rows(group):
            wanted = [named.get((tool, name.strip())) for tool, name in row["relevant APIs"]]
            given = [named.get((api["tool_name"], api["api_name"].strip())) for api in row["api_list"]]
            needed = list({api.id: api for api in wanted if api}.values())
            if needed and None not in wanted:
                found.append((row["query"], needed, [api for api in given if api]))
        for text, needed, given in random.Random(0).sample(found, min(sample_size, len(found))):
            made.append(Case(group, "given", text, _with(needed, given), needed))
            hits = [hit.api for hit in catalog.search(text, max(_SEARCHED))]
            made += [
                Case(group, "search", text, _with(needed, hits[: size - len(needed)]), needed) for size in _SEARCHED
            ]
    return made


def _with(needed: list[API], others: list[API]) -> list[API]:
    """Both, each API once, in an order that says nothing."""
    return sorted({api.id: api for api in (*needed, *others)}.values(), key=lambda api: api.id)


def _length(case: Case, catalog: Catalog) -> int:
    """Tokens of the schemas of all candidates, as models see them."""
    shown = catalog.shown(ReactContext().documentation).found([api.id for api in case.candidates])
    return count_tokens(json.dumps([function_of(api) for api in shown]))


def cost(case: Case, catalog: Catalog, caller: Recorded, system: str) -> Cost:
    """Run one query and say what it took."""
    settings = SYSTEMS[system]
    policy = Policy(case, settings)
    solver = _GRAPHS[system.split(",", maxsplit=1)[0]]
    graph = solver.build(model=scripted(policy), catalog=catalog, callers={SOURCE: caller})
    context = solver.graph.context_schema(
        catalogue_functions=False, **settings, max_steps=50, solver_calls=50, token_budget=10**9, call_retries=0
    )
    result = asyncio.run(
        graph.ainvoke(
            {"query": case.text, "candidates": [api.id for api in case.candidates]},
            {"recursion_limit": 500},
            context=context,
        )
    )
    assert result["status"] == "solved", result["reason"]
    spent = total_usage(result["usage"])
    return Cost(spent["calls"], spent["prompt"], policy.same, spent["completion"], shares(result["growth"]))


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=20, help="queries of each group")
    parser.add_argument("--report", type=Path, help="write the page of results here")
    chosen = parser.parse_args()
    catalog, caller = Catalog.create(), Recorded()
    catalog.add(*apis())
    measured = [
        Measured(
            case.group, case.kind, len(case.candidates), _length(case, catalog), name, cost(case, catalog, caller, name)
        )
        for case in track(cases(catalog, chosen.sample), "queries")
        for name in SYSTEMS
    ]
    text = page(measured, counted_exactly=load_table())
    print(text)
    if chosen.report:
        write_page(chosen.report, text)


if __name__ == "__main__":
    main()

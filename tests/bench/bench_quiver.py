"""What quiver costs beside a native tool-calling agent: `make bench-quiver` writes `docs/results/quiver.md`.

Both follow a known right policy: the planner writes the right program, the agent makes the right calls, independent
ones in one turn. Both see the same candidates. So the figures are those of a model that never errs.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, ToolCall, ToolMessage
from rich.progress import track

from tests.bench.compositions import compositions
from tests.bench.demo_calls import calls_of_questions
from tests.bench.nested import Nested
from tests.bench.pages import write_page
from toolquiver.catalog import API, Catalog
from toolquiver.catalog.named import load_catalog
from toolquiver.contexts import QuiverContext
from toolquiver.graphs import quiver
from toolquiver.models import ScriptedModel, scripted
from toolquiver.models.tokens import count_tokens, load_table

_REFERENCE = re.compile(r"^\$(\d+)(?:\.(.+))?$")
_ANSWER = "Here is what you asked for: {value}."
PROMPT = "You answer requests with the tools you have. Call them as needed, independent ones together, then answer."


class Call(NamedTuple):
    """A right call: its arguments are values, or `$n.field` for the field of the n-th call's result."""

    api: str
    arguments: dict[str, Any]


class Case(NamedTuple):
    """A request and the calls that answer it, in order; `depth` is how many must follow each other."""

    group: str
    query: str
    calls: list[Call]
    depth: int


class Cost(NamedTuple):
    """What one request costs a system."""

    model_calls: int
    prompt: int
    completion: int

    @property
    def tokens(self) -> int:
        return self.prompt + self.completion


class Counted:
    """Counts what a scripted model reads and writes."""

    def __init__(self) -> None:
        self.calls = self.prompt = self.completion = 0

    def model(self, script: Any) -> ScriptedModel:
        def counting(messages: list[BaseMessage], schema: dict[str, Any]) -> AIMessage:
            said = script(messages, schema)
            beside = schema.get("functions", schema)
            self.calls += 1
            self.prompt += sum(map(_tokens_of, messages)) + (count_tokens(json.dumps(beside)) if beside else 0)
            self.completion += _tokens_of(said)
            return said

        return scripted(counting)

    def cost(self) -> Cost:
        return Cost(self.calls, self.prompt, self.completion)


def _tokens_of(message: BaseMessage) -> int:
    calls = "".join(json.dumps([call["name"], call["args"]]) for call in getattr(message, "tool_calls", ()))
    return count_tokens(str(message.text) + calls)


def cases() -> list[Case]:
    """The demo's questions and its compositions, each with the calls that are right."""
    asked = [_case("questions", query, calls) for query, calls in calls_of_questions()]
    return asked + [_case("compositions", one.query, list(_in_order(one.gold))) for one in compositions()]


def _case(group: str, query: str, calls: Sequence[tuple[str, dict[str, Any]]]) -> Case:
    depths: list[int] = []
    for _, arguments in calls:
        needs = [int(found[1]) for value in arguments.values() if (found := _reference(value))]
        depths.append(1 + max((depths[number] for number in needs), default=0))
    return Case(group, query, [Call(*call) for call in calls], max(depths, default=0))


def _reference(value: Any) -> re.Match[str] | None:
    return _REFERENCE.match(value) if isinstance(value, str) else None


def _in_order(nested: Nested) -> Iterator[tuple[str, dict[str, Any]]]:
    """The calls of a nested plan, those first that others need; the same call once."""
    made: list[tuple[str, dict[str, Any]]] = []

    def add(call: Nested) -> str:
        given = {name: add(value) if isinstance(value, Nested) else value for name, value in call.arguments.items()}
        if (call.api, given) not in made:
            made.append((call.api, given))
        return f"${made.index((call.api, given))}.{call.field}".rstrip(".")

    add(nested)
    return iter(made)


def program(case: Case) -> str:
    """The right program, as a good planner would write it."""
    lines = [
        f"r{number} = {call.api}({', '.join(f'{name}={_code(value)}' for name, value in call.arguments.items())})"
        for number, call in enumerate(case.calls)
    ]
    used = {int(found[1]) for call in case.calls for value in call.arguments.values() if (found := _reference(value))}
    results = [f"r{number}" for number in range(len(case.calls)) if number not in used]
    told = ", ".join(results)
    return "\n".join([*lines, f"answer = {told}" if len(results) == 1 else f"answer = [{told}]"])


def _code(value: Any) -> str:
    found = _reference(value)
    if found is None:
        return repr(value)
    return f"r{found[1]}[{found[2]!r}]" if found[2] else f"r{found[1]}"


def quiver_cost(case: Case, catalog: Catalog, candidates: list[API]) -> Cost:
    """What quiver spends with the right program."""
    counted = Counted()

    def script(messages: list[BaseMessage], schema: dict[str, Any]) -> AIMessage:
        if not schema:
            return AIMessage(f"```python\n{program(case)}\n```")
        said = {"text": _ANSWER.format(value="42"), "calls": list(range(1, len(case.calls) + 1))}
        return AIMessage(json.dumps({"sentences": [said], "missing": []}))

    graph = quiver.build(model=counted.model(script), catalog=catalog, context=QuiverContext(today="2030-01-01"))
    result = graph.invoke({"query": case.query, "candidates": [api.id for api in candidates]})
    assert all(call["ok"] for call in result["calls"]), (case, result["calls"], result["reason"])
    assert len(result["calls"]) <= len(case.calls), (case, result)  # the same call is made once
    return counted.cost()


def agent_cost(case: Case, catalog: Catalog, candidates: list[API]) -> Cost:
    """What a native agent spends that makes each call as soon as its arguments are known."""
    counted = Counted()

    def script(messages: list[BaseMessage], schema: dict[str, Any]) -> AIMessage:
        results = {message.tool_call_id: message.text for message in messages if isinstance(message, ToolMessage)}
        ready = [n for n, call in enumerate(case.calls) if f"c{n}" not in results and _is_ready(call, results)]
        calls = [
            ToolCall(name=_name(n, case, catalog), args=_filled(case.calls[n], results), id=f"c{n}") for n in ready
        ]
        return AIMessage("" if calls else _ANSWER.format(value="42"), tool_calls=calls)

    tools = [catalog.tools[api.id] for api in candidates]
    create_agent(counted.model(script), tools, system_prompt=PROMPT).invoke({"messages": [("user", case.query)]})
    return counted.cost()


def _name(number: int, case: Case, catalog: Catalog) -> str:
    api = catalog.by_function(case.calls[number].api)
    assert api is not None
    return catalog.tools[api.id].name


def _is_ready(call: Call, results: Mapping[str, str]) -> bool:
    return all(f"c{found[1]}" in results for value in call.arguments.values() if (found := _reference(value)))


def _filled(call: Call, results: Mapping[str, str]) -> dict[str, Any]:
    def value_of(given: Any) -> Any:
        found = _reference(given)
        if found is None:
            return given
        result = json.loads(results[f"c{found[1]}"])
        return result[found[2]] if found[2] else result

    return {name: value_of(value) for name, value in call.arguments.items()}


def candidates_of(case: Case, catalog: Catalog) -> list[API]:
    """Ten candidates: those that the calls need, and what search finds besides."""
    needed = [catalog.by_function(name) for name in dict.fromkeys(call.api for call in case.calls)]
    apis = [api for api in needed if api is not None]
    others = [hit.api for hit in catalog.candidates(case.query, 20, 20) if hit.api not in apis]
    return [*apis, *others][: max(10, len(apis))]


def page(rows: Sequence[tuple[Case, Cost, Cost]]) -> str:
    """The page of results: a row for each group and number of calls."""
    lines = [
        "# quiver beside a native agent",
        "",
        "Written by `make bench-quiver`. A scripted planner has the right program, and a scripted native agent",
        "(`create_agent`) makes the right calls, independent ones in one turn. Both see the same ten candidates of the",
        "demo. Tokens are counted with tiktoken. Figures are means a request. The ratio is that of the medians of",
        "prompt and completion together.",
        "",
        "| set | calls | n | model calls: quiver | agent | prompt: quiver | agent | written: quiver | agent | ratio |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    keys = sorted({(case.group, len(case.calls)) for case, _, _ in rows}, reverse=False)
    keys += [("all", count) for count in sorted({len(case.calls) for case, _, _ in rows})]
    for group, count in keys:
        part = [row for row in rows if group in (row[0].group, "all") and len(row[0].calls) == count]
        ours, theirs = [row[1] for row in part], [row[2] for row in part]
        ratio = statistics.median(a.tokens for a in ours) / statistics.median(b.tokens for b in theirs)
        lines.append(
            f"| {group} | {count} | {len(part)} | {_mean(a.model_calls for a in ours):.1f} |"
            f" {_mean(b.model_calls for b in theirs):.1f} |"
            f" {_mean(a.prompt for a in ours):,.0f} | {_mean(b.prompt for b in theirs):,.0f} |"
            f" {_mean(a.completion for a in ours):,.0f} | {_mean(b.completion for b in theirs):,.0f} | {ratio:.2f} |"
        )
    return "\n".join(lines) + "\n"


def _mean(values: Any) -> float:
    return statistics.fmean(values)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report", type=Path, help="the Markdown page to write")
    parser.add_argument("--limit", type=int, default=0, help="so many requests only")
    given = parser.parse_args()
    load_table()
    catalog = load_catalog("demo")
    rows = []
    chosen = cases()[: given.limit or None]
    for case in track(chosen, "Requests"):
        apis = candidates_of(case, catalog)
        rows.append((case, quiver_cost(case, catalog, apis), agent_cost(case, catalog, apis)))
    text = page(rows)
    print(text)
    if given.report:
        write_page(given.report, text)


if __name__ == "__main__":
    main()

"""Smurfs against LangChain's `create_agent`: the same model, the same candidates, the demo questions.

`make bench-smurfs` runs both on all questions and writes `docs/results/smurfs.md`. Every finished question is a line
in a journal; a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage
from langgraph.errors import GraphRecursionError
from rich.progress import track

from tests.bench.pages import write_page
from tests.e2e.checking import Question, missing_facts
from toolquiver import Catalog
from toolquiver.catalog.named import load_catalog
from toolquiver.graphs import smurfs
from toolquiver.models import load_model, total_usage

Row = dict[str, Any]
System = Callable[[Question, Row | None], Awaitable[Row]]

_WHOLE = 100  # means from here on are shown without decimals
_HEAD = """# Smurfs against `create_agent` on the demo questions

Written by `make bench-smurfs`. Model: {model}, temperature 0;
{versions}; {cores} cores.
Both systems have the same model; `create_agent` is given the candidates that Smurfs saw for the same question, is
told of its tools' errors, and is stopped after 9 model calls. A question is right when a program finds every fact of
its answer in the text. The tuned questions were looked at while prompts and rules were written; the fresh ones were
not, and need none of the APIs that the tuned ones need. Figures other than `n` and `right` are means a question;
seconds are those of a noisy machine, comparable within this page only.
"""

_AGENT_STEPS = 17  # supersteps of create_agent: 9 model calls, the last of which can only answer


def systems(catalog: Catalog, model: Any) -> dict[str, System]:
    """The two systems by name; the second is given the candidates that the first has seen."""
    graph = smurfs.build(catalog=catalog, model=model)

    async def run_smurfs(question: Question, _: Row | None) -> Row:
        trace = []
        result: Row = {}
        async for mode, event in graph.astream(
            {"query": question.text}, config={"recursion_limit": 500}, stream_mode=["updates", "values"]
        ):
            if mode == "updates":
                trace.append(event)
            else:
                result = event
        total = total_usage(result["usage"])
        return {
            "answer": result["answer"],
            "status": result["status"],
            "calls": len(result["calls"]),
            "failed_calls": sum(not call["ok"] for call in result["calls"]),
            "model_calls": total["calls"],
            "prompt": total["prompt"],
            "completion": total["completion"],
            "candidates": _candidates(trace),
            "trace": trace,
        }

    async def run_agent(question: Question, first: Row | None) -> Row:
        if first is None or "candidates" not in first:
            raise SystemExit(f"{question.id} has no candidates: run Smurfs on it first.")
        # Told of its tools' errors, as Smurfs is; otherwise the first error ends the agent.
        tools = [catalog.tools[api_id].model_copy(update={"handle_tool_error": True}) for api_id in first["candidates"]]
        agent = create_agent(model, tools)
        asked, config = {"messages": [("user", question.text)]}, {"recursion_limit": _AGENT_STEPS}
        messages: list[BaseMessage] = []
        with suppress(GraphRecursionError):  # its last words count as its answer, its tokens as spent
            async for state in agent.astream(asked, config, stream_mode="values"):
                messages = state["messages"]
        replies = [message for message in messages if isinstance(message, AIMessage)]
        usage = [reply.usage_metadata for reply in replies if reply.usage_metadata]
        return {
            "answer": str(replies[-1].text) if replies else "",
            "calls": sum(len(reply.tool_calls) for reply in replies),
            "model_calls": len(replies),
            "prompt": sum(spent["input_tokens"] for spent in usage),
            "completion": sum(spent["output_tokens"] for spent in usage),
            "trace": [str(message.content) + str(getattr(message, "tool_calls", "")) for message in messages],
        }

    return {"smurfs": run_smurfs, "create_agent": run_agent}


def _candidates(trace: list[Row]) -> list[str]:
    pools = [api for event in trace for update in event.values() for api in (update or {}).get("pool", ())]
    return list(dict.fromkeys(pools))


async def measure(system: System, question: Question, first: Row | None) -> Row:
    """One question through one system; an exception is a wrong answer with its text as the answer."""
    began = time.perf_counter()
    try:
        row = await system(question, first)
    except Exception as error:  # noqa: BLE001 - a system that breaks has not answered
        row = {"answer": f"{type(error).__name__}: {error}", "calls": 0, "model_calls": 0, "prompt": 0, "completion": 0}
    missing = missing_facts(question, row["answer"])
    return row | {
        "id": question.id,
        "steps": question.steps,
        "question": question.text,
        "right": not missing,
        "missing": missing,
        "seconds": round(time.perf_counter() - began, 1),
    }


async def run(questions: Iterable[Question], names: list[str], journal: Path, model_name: str) -> None:
    """Run what the journal does not have yet."""
    done = {(row["system"], row["id"]): row for row in read(journal) if row["model"] == model_name}
    at = revision()
    catalog = load_catalog("demo")
    made = systems(catalog, load_model(model_name))
    work = [(name, question) for question in questions for name in names if (name, question.id) not in done]
    for name, question in track(work, description="questions"):
        row = await measure(made[name], question, done.get(("smurfs", question.id)))
        row |= {"system": name, "model": model_name, "revision": at}
        done[name, question.id] = row
        append(journal, row)
        print("right" if row["right"] else "WRONG", name, question.id, row["seconds"], row["answer"][:160])


def revision() -> str:
    """The commit that is measured; `-dirty` when code has other changes: what is measured itself is none."""
    commit = _git("describe", "--always")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ":!tests/bench/figures", ":!docs/results")
    return f"{commit}{'-dirty' if changed else ''}" if commit else "unknown"


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], capture_output=True, text=True, check=False).stdout.strip()


def append(journal: Path, row: Row) -> None:
    """Write a line of the journal."""
    with journal.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")


def read(journal: Path) -> list[Row]:
    """The journal's whole lines; the last one may be broken off."""
    rows = []
    for line in journal.read_bytes().splitlines() if journal.exists() else ():
        try:
            rows.append(json.loads(line))
        except ValueError:
            continue
    return rows


def table(rows: list[Row]) -> str:
    """A Markdown table: each system by number of steps; all figures but `n` and `right` are means a question."""
    lines = [
        "| system | steps | n | right | model calls | calls | prompt tokens | completion tokens | seconds |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for system in dict.fromkeys(row["system"] for row in rows):
        for label, least, most in (("1", 1, 1), ("2", 2, 2), ("3 and more", 3, 99), ("all", 1, 99)):
            part = [row for row in rows if row["system"] == system and least <= row["steps"] <= most]
            if part:
                lines.append(f"| {system} | {label} | {len(part)} | {_figures(part)} |")
    return "\n".join(lines)


def _figures(part: list[Row]) -> str:
    means = (
        sum(row[key] for row in part) / len(part) for key in ("model_calls", "calls", "prompt", "completion", "seconds")
    )
    texts = (f"{mean:,.1f}" if mean < _WHOLE else f"{mean:,.0f}" for mean in means)
    return " | ".join([str(sum(row["right"] for row in part)), *texts])


def report(journals: dict[str, Path], model: str) -> str:
    """The page of results: a table a question set, and which questions each system had right."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("langgraph", "langchain", "langchain-openai"))
    parts = [_HEAD.format(versions=versions, model=model, cores=os.cpu_count())]
    for name, journal in journals.items():
        rows = [row for row in read(journal) if row["model"] == model]
        if rows:
            revisions = ", ".join(sorted({row["revision"] for row in rows}))
            parts += [f"## Questions: {name}\n", f"Revision {revisions}.\n", table(rows) + "\n", _wrong(rows)]
    return "\n".join(parts)


def _wrong(rows: list[Row]) -> str:
    lines = []
    for system in dict.fromkeys(row["system"] for row in rows):
        wrong = [row["id"] for row in rows if row["system"] == system and not row["right"]]
        lines.append(f"Wrong, {system}: {', '.join(wrong) or 'none'}.\n")
    return "\n".join(lines)


def main() -> None:
    """Run the questions that the journal lacks, then write the report over all journals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", default="tuned", help="tuned or fresh")
    parser.add_argument("--systems", default="smurfs,create_agent")
    parser.add_argument("--only", default="", help="ids that begin so, comma-separated")
    parser.add_argument("--journals", type=Path, default=Path(".bench"))
    parser.add_argument("--model", default="local")
    parser.add_argument("--report", type=Path, help="write the page of results here")
    options = parser.parse_args()
    options.journals.mkdir(parents=True, exist_ok=True)
    journals = {name: options.journals / f"smurfs-{name}.jsonl" for name in ("tuned", "fresh")}
    questions = import_module(f"tests.e2e.questions_{options.questions}").QUESTIONS
    starts = tuple(options.only.split(","))
    chosen = [question for question in questions if question.id.startswith(starts)]
    asyncio.run(run(chosen, options.systems.split(","), journals[options.questions], options.model))
    page = report(journals, options.model)
    print(page)
    if options.report:
        write_page(options.report, page)


if __name__ == "__main__":
    main()

"""Registration on demand with the local model on the demo's questions: `make bench-ecoact-local`.

Beside tokens stands accuracy, which the scripted policy of `make bench-ecoact` cannot show. Every finished run is a
line in a journal; a benchmark that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from rich.progress import track

from tests.bench.bench_smurfs import Row, System, append, measure, read, revision
from tests.bench.pages import write_page
from tests.e2e.checking import Question
from tests.e2e.questions_tuned import QUESTIONS
from toolquiver import Catalog
from toolquiver.catalog.named import load_catalog
from toolquiver.graphs import dfsdt, react
from toolquiver.models import load_model, total_usage

_GRAPHS = {"ReAct": react, "DFSDT": dfsdt}
_MODES = {"all": "all", "on demand": "on_demand"}
_SIZES = (10, 20, 40)
_HEAD = """# Registration on demand with the local model

Written by `make bench-ecoact-local`: the model `local` at temperature 0, {n} questions over the demo catalogue that one
call answers, with the best 10, 20 or 40 APIs of search as candidates. A question is right when a program finds every
fact of its answer in the text. All figures but `n` and `right` are means a question. Revision {revisions}.

"""
_TABLE = """| candidates | solver | tools | calls are | n | right | turns | calls | prompt tokens | completion tokens |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


class Setting(NamedTuple):
    """A solver, which tools it sees in full, how it writes its calls, and how many candidates it has."""

    solver: str
    tools: str
    form: str
    candidates: int

    @property
    def name(self) -> str:
        """As it stands in the journal."""
        return ", ".join(map(str, self))


def settings(forms: Iterable[str], sizes: Iterable[int], solvers: Iterable[str]) -> list[Setting]:
    """All combinations, the short lists first."""
    return [Setting(*mixed[1:], mixed[0]) for mixed in itertools.product(sizes, solvers, _MODES, forms)]


def system(setting: Setting, catalog: Catalog, model: Any) -> System:
    """The solver as a system of the benchmark."""
    graph = _GRAPHS[setting.solver].build(catalog=catalog, model=model)
    context = graph.context_schema(action_form=setting.form, registration=_MODES[setting.tools])

    async def run(question: Question, _: Row | None) -> Row:
        found = [hit.api.id for hit in catalog.search(question.text, setting.candidates)]
        asked = {"query": question.text, "candidates": found}
        result = await graph.ainvoke(asked, {"recursion_limit": 500}, context=context)
        total = total_usage(result["usage"])
        return {
            "answer": result["answer"],
            "status": result["status"],
            "reason": result["reason"],
            "calls": len(result["calls"]),
            "made": [(call["api"], call["arguments"], call["failure"]) for call in result["calls"]],
            "registered": len(result["registered"]),
            "model_calls": total["calls"],
            "prompt": total["prompt"],
            "completion": total["completion"],
        }

    return run


async def run(questions: list[Question], chosen: list[Setting], journal: Path) -> None:
    """Run what the journal does not have yet."""
    done = {(row["system"], row["id"]) for row in read(journal)}
    catalog, model, at = load_catalog("demo"), load_model("local"), revision()
    work = [(one, question) for one in chosen for question in questions if (one.name, question.id) not in done]
    for one, question in track(work, "runs"):
        row = await measure(system(one, catalog, model), question, None)
        row |= {"system": one.name, "revision": at}
        append(journal, row)
        print("right" if row["right"] else "WRONG", one.name, question.id, row["seconds"], row["answer"][:160])


def page(rows: list[Row], chosen: list[Setting]) -> str:
    """The results, a row for each setting that was run."""
    revisions = ", ".join(sorted({row["revision"] for row in rows}))
    lines = [_HEAD.format(n=len({row["id"] for row in rows}), revisions=revisions), _TABLE]
    for one in chosen:
        part = [row for row in rows if row["system"] == one.name]
        if part:
            means = (sum(row[key] for row in part) / len(part) for key in ("model_calls", "calls"))
            tokens = (sum(row[key] for row in part) / len(part) for key in ("prompt", "completion"))
            cells = [one.candidates, one.solver, one.tools, one.form, len(part), sum(row["right"] for row in part)]
            texts = [*map(str, cells), *(f"{mean:.1f}" for mean in means), *(f"{mean:,.0f}" for mean in tokens)]
            lines.append(f"| {' | '.join(texts)} |\n")
    return "".join(lines)


def main() -> None:
    """Run the questions that the journal lacks, then write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=10, help="how many of those that one call answers")
    parser.add_argument("--forms", default="native,written")
    parser.add_argument("--sizes", default=",".join(map(str, _SIZES)))
    parser.add_argument("--solvers", default=",".join(_GRAPHS))
    parser.add_argument("--journal", type=Path, default=Path(".bench/ecoact-local.jsonl"))
    parser.add_argument("--report", type=Path, help="write the page of results here")
    options = parser.parse_args()
    options.journal.parent.mkdir(parents=True, exist_ok=True)
    sizes = [int(size) for size in options.sizes.split(",")]
    chosen = settings(options.forms.split(","), sizes, options.solvers.split(","))
    one_step = [question for question in QUESTIONS if question.steps == 1][: options.questions]
    asyncio.run(run(one_step, chosen, options.journal))
    text = page(read(options.journal), settings(("native", "written"), _SIZES, _GRAPHS))
    print(text)
    if options.report:
        write_page(options.report, text)


if __name__ == "__main__":
    main()

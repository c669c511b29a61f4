"""Each paper's graph on questions of the paper's own sets: `make bench-papers` writes `docs/results/papers.md`.

Every set and system has a journal in `--folder`. The same command goes on where it was stopped, and a larger `--limit`
asks further questions. The data are not part of the project: TOOLQUIVER_DATA names their folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.bench.pages import write_page
from toolquiver.cli.eval_run import run
from toolquiver.evaluation.metrics import bootstrap
from toolquiver.evaluation.report.measured import Measured, gathered
from toolquiver.evaluation.report.tables import first_metric, interval_text, number

SEED = 1  # the order of the questions, the same for every system

_HEAD = """# Each paper's graph on the paper's sets

Written by `make bench-papers`, with `LIMIT={limit}`. Each graph has its default settings, which are the paper's, but
for a budget of {budget:,} tokens a question. No graph asks the user. ReAct and DFSDT have no functions of the catalogue
(`catalogue_functions=false`). The questions are drawn at random, the same ones for every system of a set. `ours` is the
mean in percent, with its 95% bootstrap interval. Model calls, tokens and seconds are means a question. Other work may
have run beside, so the seconds tell little. `code` is a digest of the code and the prompts that answered. No
instructions were written for these sets: EasyTool's stages read the documents.
"""
_SOLVER = ("catalogue_functions=false",)  # the paper's solver has the candidates alone
_PLAIN = {"reverse_chain": ("ask=false",), "react": _SOLVER, "dfsdt": _SOLVER}
_COLUMNS = ("system", "model", "ours", "n", "model calls", "tokens", "seconds", "the paper", "code")
_SPENT = ("model_calls", "tokens", "seconds")


class Pair(NamedTuple):
    """A system that is asked a set, and what its paper reports for that. `settings` are those of an ablation."""

    system: str
    paper: str
    settings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The system with its settings, as rows and journals have it."""
        return ", ".join([self.system, *self.settings])


class Part(NamedTuple):
    """A set of a paper: how `toolquiver eval run` calls it, what is counted, and who is asked."""

    name: str
    dataset: str
    counted: str
    pairs: tuple[Pair, ...]
    options: tuple[str, ...] = ()


_QUIVER = Pair("quiver", "-")
_TOOLBENCH = "Counted: the needed APIs that were called with success. The papers count solved questions, by a judge."
_RECORDED = ("subset=recorded", "replay=nearest")


def _funcqa(hops: str, easytool: str, react: str) -> Part:
    counted = "Counted: right answers, within 0.1 percent (EasyTool, table 6)."
    pairs = (Pair("easytool_pipeline", easytool), Pair("react", react), _QUIVER)
    return Part(f"funcqa-{hops}", f"funcqa-{hops}", counted, pairs)


PARTS = (
    _funcqa("one", "91.66 (ChatGPT), 65.00 (Vicuna-30B)", "85.00 (ChatGPT), 45.00 (Vicuna-30B)"),
    _funcqa("multi", "48.53 (ChatGPT), 11.76 (Vicuna-30B)", "41.17 (ChatGPT), 7.35 (Vicuna-30B)"),
    Part(
        "hotpotqa",
        "hotpotqa",
        "Counted: F1 of the answer's words (Smurfs, table 4). The pages are those of all questions together.",
        (Pair("smurfs", "39.13 (Mistral-7B)"), Pair("react", "29.24 (Mistral-7B)"), _QUIVER),
    ),
    Part(
        "restbench-tmdb",
        "restbench-tmdb",
        "Counted: questions whose calls have the right ones in order (EasyTool, 5.2). Calls return the examples of "
        "TMDB's document.",
        (Pair("easytool_pipeline", "a plot without numbers (figure 5)"), Pair("react", "the same"), _QUIVER),
    ),
    Part(
        "compositions",
        "tests.bench.composition_set:compositions",
        "Counted: the last call of a chain, made with the right arguments. The paper compares the plan's text "
        "(Reverse Chain, tables 3 and 5). Its data are not published; these chains are made of the demo's APIs.",
        (
            Pair("reverse_chain", "94.9 (GPT-3.5)"),
            Pair("reverse_chain", "72.2 (GPT-3.5)", ("completion=one_by_one",)),
            Pair("reverse_chain", "46.9 (GPT-3.5)", ("completion=three_step",)),
            Pair("react", "38.9 (GPT-3.5)"),
            _QUIVER,
        ),
    ),
    Part(
        "toolbench",
        "toolbench",
        f"{_TOOLBENCH} Each question has its candidates (Smurfs, table 1; EcoAct, tables 1 and 2).",
        (
            Pair("smurfs", "57.4 solved, 8,096 tokens (GPT-3.5)"),
            Pair("react", "44.4 solved, 6,479 tokens (GPT-3.5)"),
            Pair("dfsdt", "55.4 solved, 20,714 tokens (GPT-3.5)"),
            Pair("react-ecoact", "20.7 solved, ReAct 19.6 (GPT-4o); 54% fewer tokens over 20 tools"),
            Pair("dfsdt-ecoact", "26% (G2) and 49% (G3) cheaper than DFSDT (GPT-4o)"),
            _QUIVER,
        ),
        _RECORDED,
    ),
    Part(
        "toolbench-16k",
        "toolbench",
        f"{_TOOLBENCH} The APIs have to be found among 16,463 (AnyTool, tables 1 and 12).",
        (Pair("anytool", "58.2 solved, 135,000 tokens (GPT-4)"), _QUIVER),
        (*_RECORDED, "pool=catalogue"),
    ),
)


def chosen(sets: Sequence[str], systems: Sequence[str]) -> Iterator[tuple[Part, Pair]]:
    """The sets of these names with the pairs of these systems; all where none is named."""
    for part in PARTS:
        for pair in part.pairs:
            if part.name in (sets or [part.name]) and pair.system in (systems or [pair.system]):
                yield part, pair


def journal_of(folder: Path, part: Part, pair: Pair) -> Path:
    """The journal of a set and a system."""
    return folder / f"{part.name}-{pair.name.replace(', completion=', '-')}.jsonl"


def ask(part: Part, pair: Pair, options: argparse.Namespace) -> None:
    """Ask the questions that the journal does not have yet."""
    run(
        part.dataset,
        system=pair.system,
        setting=[f"token_budget={options.budget}", *_PLAIN.get(pair.system, ()), *pair.settings],
        model=options.model,
        journal=journal_of(options.folder, part, pair),
        option=list(part.options),
        limit=options.limit,
        seed=SEED,
        timeout=options.timeout,
        any_code=options.any_code,
    )


def page(options: argparse.Namespace) -> str:
    """The page, of all journals that are there."""
    lines = [_HEAD.format(limit=options.limit, budget=options.budget)]
    for part in PARTS:
        lines += [f"## {part.name}\n", f"{part.counted}\n"]
        lines += [f"| {' | '.join(_COLUMNS)} |", f"|{' --- |' * len(_COLUMNS)}"]
        for pair in part.pairs:
            path = journal_of(options.folder, part, pair)
            *figures, code = _figures(gathered([path])[0]) if path.exists() else ["-", "not measured", *"-----"]
            lines.append(f"| {' | '.join([pair.name, *figures, pair.paper, code])} |")
        lines.append("")
    return "\n".join(lines)


def _figures(one: Measured) -> list[str]:
    right = [100 * value for value in one.scored(first_metric([one]) or "").values()]
    counted = interval_text(bootstrap(right), len(one.lines), "{:.1f}".format)
    spent = list(one.spent().values())
    told = [[value for each in spent if (value := each[name]) is not None] for name in _SPENT]
    means = ["-" if (mean := bootstrap(values)) is None else number(mean.mean) for values in told]
    codes = sorted({(line.code or one.head.code)[:8] for line in one.lines})
    return [one.head.model, counted, str(len(one.lines)), *means, ", ".join(codes)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=20, help="questions of each set")
    parser.add_argument("--sets", nargs="*", default=[], choices=[part.name for part in PARTS])
    systems = sorted({pair.system for part in PARTS for pair in part.pairs})
    parser.add_argument("--systems", nargs="*", default=[], choices=systems)
    parser.add_argument("--model", default="local", help="'local', or 'provider:model'")
    parser.add_argument("--budget", type=int, default=20_000, help="tokens a question")
    parser.add_argument("--timeout", type=float, default=900.0, help="seconds a question")
    parser.add_argument("--folder", type=Path, default=Path(".bench/papers"), help="the journals")
    parser.add_argument("--any-code", action="store_true", help="go on in journals of other code")
    parser.add_argument("--report", type=Path, help="the page to write, anew after each system")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    for part, pair in chosen(options.sets, options.systems):
        ask(part, pair, options)
        if options.report:
            write_page(options.report, page(options))


if __name__ == "__main__":
    main()

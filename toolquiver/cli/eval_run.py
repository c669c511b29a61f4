"""`toolquiver eval run`: a system over a data set, into a journal."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from langchain_core.language_models import BaseChatModel

from toolquiver.catalog.modules import is_module_path
from toolquiver.cli.counting import Count
from toolquiver.cli.eval_report import print_summary
from toolquiver.cli.plain import harmless
from toolquiver.cli.stopping import run_to_its_end
from toolquiver.errors import InputError
from toolquiver.evaluation import Question
from toolquiver.evaluation.cache import cached_answers
from toolquiver.evaluation.datasets.registry import needs_catalog
from toolquiver.evaluation.heads import head_digest, head_of
from toolquiver.evaluation.journal import Journal
from toolquiver.evaluation.lines import Head, Line
from toolquiver.evaluation.opened import SIMULATE, checkpoints, dataset_named
from toolquiver.evaluation.records import DataSet
from toolquiver.evaluation.runner import chosen, left_of
from toolquiver.evaluation.runner import run as run_questions
from toolquiver.evaluation.scored import unscored_text
from toolquiver.evaluation.systems import settings_kind, system_named
from toolquiver.evaluation.systems.settings import context_with, settings_of
from toolquiver.graphs import answering_names
from toolquiver.models import load_model
from toolquiver.models.load import LOCAL

_OWN = "its own"
AT_ONCE = 8

DataOption = Annotated[
    Path | None, typer.Option("--data", help="The folder that holds the data sets; else TOOLQUIVER_DATA names it.")
]
CacheOption = Annotated[
    Path | None, typer.Option("--cache", help="A file that keeps what models answer: the same is not asked again.")
]
ConcurrencyOption = Annotated[
    int | None,
    typer.Option("--concurrency", min=1, help="Questions at a time; 1 with the local model, 8 with others."),
]


def at_once(wanted: int | None, model: str, *, local: int = 1) -> int:
    """How many questions, or tools, at a time: as wanted, else what the model can take, the local one so many."""
    return wanted or (local if model == LOCAL else AT_ONCE)


def run(
    dataset: Annotated[
        str, typer.Argument(help="The data set's name, a JSONL file, or module:attribute of your own DataSet.")
    ],
    *,
    system: Annotated[
        str,
        typer.Option(
            help=f"What is measured: a graph ({', '.join(answering_names())}), quiver without a part "
            "(quiver-no-agents, ...), create_agent, zero-shot, few-shot, zero-shot-cot, few-shot-cot, or "
            "module:attribute of your own agent."
        ),
    ] = "smurfs",
    setting: Annotated[
        list[str] | None, typer.Option("--set", help="A setting of the graph, key=value, such as max_steps=3.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="'local', or 'provider:model' as LangChain names it; without it the local one. Of your own agent it "
            "only says what that asks, for the report and its prices."
        ),
    ] = None,
    journal: Annotated[Path, typer.Option(help="The file of results; a run goes on where it was stopped.")],
    data: DataOption = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            help="Of the data set, key=value: corrected=true, subset=anytool-filtered, stable-solvable or "
            "recorded, pool=catalogue, replay=nearest, catalog=FILE.",
        ),
    ] = None,
    simulate: Annotated[
        str | None, typer.Option(help="A model that makes up what calls return that nobody has recorded.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="So many questions, before shards are dealt.")] = None,
    seed: Annotated[int | None, typer.Option(help="Ask in a random order, always the same for one seed.")] = None,
    shard: Annotated[str, typer.Option(help="i/n: every n-th question from the i-th on, for one of n processes.")] = (
        "1/1"
    ),
    concurrency: ConcurrencyOption = None,
    timeout: Annotated[float, typer.Option(min=0.001, help="Seconds that a question may take.")] = 600.0,
    cache: CacheOption = None,
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoints", help="A file that keeps questions in progress, of graphs.")
    ] = None,
    figures: Annotated[
        bool, typer.Option("--figures-only", help="Keep no text of the data or the answers, but scores and costs.")
    ] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Ask again what ended in an error or out of time.")] = False,
    any_code: Annotated[
        bool, typer.Option("--any-code", help="Go on in a journal of other code too; the report says which answered.")
    ] = False,
) -> None:
    """Let a system answer the questions of a data set, and write each result to a journal.

    Stopped in any way, the same command goes on: what is in the journal is not asked again. A journal of another run
    is refused, and so is one of other code, unless it may be any.
    """
    settings, chosen_of_data = settings_of(setting or []), settings_of(option or [])
    if not is_module_path(system):
        context_with(settings, settings_kind(system))  # what cannot be set is said before anything is loaded
    opened = dataset_named(dataset, data, chosen_of_data, None if simulate is None else load_model(simulate))
    if not is_module_path(system) and needs_catalog(dataset, chosen_of_data):
        raise InputError(f"Over which catalogue does {system} answer {dataset!r}? Add --with catalog=FILE, or demo.")
    every = opened.questions()
    questions = chosen(every, seed=seed, shard=shard, limit=limit)
    own = is_module_path(system)
    model = model or (_OWN if own else LOCAL)
    together = at_once(concurrency, model)
    head = head_of(
        dataset,
        every,
        resources=opened.resources(),
        options=chosen_of_data | ({} if simulate is None else {SIMULATE: simulate}),
        system=system,
        settings=settings,
        model=model,
        seed=seed,
        shard=shard,
        timeout=timeout,
        concurrency=together,
        texts=not figures,
    )
    loaded = None if own else load_model(model)
    with cached_answers(cache):
        work = _run(
            opened,
            questions,
            head,
            loaded,
            path=journal,
            kept=checkpoint,
            at_once=together,
            retry=retry,
            any_code=any_code,
        )
        run_to_its_end(work)
    print_summary(journal)


async def _run(
    dataset: DataSet,
    questions: Sequence[Question],
    head: Head,
    model: BaseChatModel | None,
    *,
    path: Path,
    kept: Path | None,
    at_once: int,
    retry: bool,
    any_code: bool,
) -> None:
    """Run what the journal does not have yet, the progress shown on standard error."""
    async with checkpoints(kept) as saver:
        system = system_named(
            head.system, model=model, settings=dict(head.settings), checkpointer=saver, run=head_digest(head)
        )
        with Journal.open(path, head, Line, any_code=any_code) as journal:
            if journal.code:
                typer.echo(f"{path} was begun by other code; the reports tell what each has answered.", err=True)
            left = len(left_of(questions, journal, retry=retry))
            with Count(len(questions), len(questions) - left) as count:
                await run_questions(
                    questions,
                    system,
                    dataset,
                    journal,
                    concurrency=at_once,
                    patience=head.timeout,
                    retry=retry,
                    progress=lambda line: count.add(line.result.outcome, _told(line), line.result.seconds),
                )
            if lost := unscored_text(journal.done.values()):
                told = harmless(lost)
                then = "`toolquiver eval report` scores them then" if head.texts else "ask into a new journal"
                typer.echo(f"Warning: {told}. Correct score(): {then}.", err=True)


def _told(line: Line) -> str:
    """The question's id, its first score and its answer."""
    first = next(iter(line.scores.items()), None)
    score = "" if first is None or first[1] is None else f" {first[0]} {first[1]:g}"
    return f"{line.key}{score}: {' '.join((line.result.answer or line.result.reason).split())}"

"""`toolquiver anytoolbench build`: a set of questions over a catalogue, with APIs and answers that solve them."""

import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from toolquiver.calling import callers_of
from toolquiver.catalog.named import load_catalog
from toolquiver.cli.counting import Count
from toolquiver.cli.other_settings import SetOption, other_settings
from toolquiver.cli.stopping import run_to_its_end
from toolquiver.contexts import AnyToolContext
from toolquiver.evaluation.anytoolbench import Built, build_question
from toolquiver.evaluation.datasets.reading import rows
from toolquiver.evaluation.records import Question
from toolquiver.evaluation.systems.settings import context_with
from toolquiver.models import load_model, tokens
from toolquiver.models.load import LOCAL
from toolquiver.nodes.run import Resources

app = typer.Typer(help="Sets of questions over a catalogue, as AnyToolBench was made.", no_args_is_help=True)
_OPTIONS = {"model": "--model", "catalog": "the catalogue"}


@app.callback()
def _group() -> None:
    """Sets of questions over a catalogue, as AnyToolBench was made."""


@app.command("build")
def build(
    catalogue: Annotated[str, typer.Argument(help="'demo', or the path of a catalogue file.")],
    *,
    into: Annotated[Path, typer.Option(help="The JSONL file of questions; what is there already is gone on with.")],
    questions: Annotated[int, typer.Option(min=1, help="Questions that the file has in the end.")] = 20,
    tries: Annotated[int | None, typer.Option(min=1, help="Questions tried at most; else three times as many.")] = None,
    model: Annotated[str, typer.Option(help="Who writes and judges: 'local', or 'provider:model'.")] = LOCAL,
    setting: SetOption = None,
) -> None:
    """Let a model write questions from what APIs really return, and keep those that are solvable.

    A question is kept if all its APIs answered, its APIs can solve it, and its answer does, as judges say. APIs that
    may write are not called. Measure with it: toolquiver eval run FILE --with catalog=CATALOGUE.

    Exit code 1: fewer questions came about than were asked for.
    """
    context = context_with(other_settings(setting, _OPTIONS), AnyToolContext)
    done = [row for _, row in rows(into, Question)] if into.exists() else []
    catalog = load_catalog(catalogue)
    bound = Resources(model=load_model(model), catalog=catalog, callers=callers_of(catalog))
    run_to_its_end(
        _build(into, done, questions, tries or 3 * questions, partial(build_question, bound=bound, context=context))
    )
    kept = sum(1 for _ in rows(into, Question)) if into.exists() else 0
    typer.echo(f"{kept} questions in {into}. Ask them: toolquiver eval run {into} --with catalog={catalogue}")
    if kept < questions:
        raise typer.Exit(1)


async def _build(
    into: Path, done: list[Question], questions: int, tries: int, make: Callable[[int], Awaitable[Built]]
) -> None:
    """Make questions until there are so many, or as often as may be tried."""
    kept, number, spent = len(done), max((int(one.id) for one in done if one.id.isdecimal()), default=0), 0
    with Count(questions, kept) as count:
        for _ in range(tries):
            if kept >= questions:
                break
            number, began = number + 1, time.monotonic()
            built = await make(number)
            spent += tokens(built.usage)
            if built.question is None:
                typer.echo(f"Question {number} is not kept. {built.reason}", err=True)
                continue
            kept += 1
            with into.open("a", encoding="utf-8") as file:
                file.write(built.question.model_dump_json(exclude_defaults=True) + "\n")
            count.add("kept", built.question.query, time.monotonic() - began, spent)

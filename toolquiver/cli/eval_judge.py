"""`toolquiver eval judge`: a model judges the answers of a journal, into a journal of verdicts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, cast

import typer

from toolquiver.catalog import Catalog
from toolquiver.cli.counting import Count
from toolquiver.cli.eval_run import CacheOption, ConcurrencyOption, DataOption, at_once
from toolquiver.cli.other_settings import other_settings
from toolquiver.cli.stopping import run_to_its_end
from toolquiver.contexts import JudgeContext
from toolquiver.errors import InputError
from toolquiver.evaluation.cache import cached_answers
from toolquiver.evaluation.heads import judging_head
from toolquiver.evaluation.journal import Journal, read_journal
from toolquiver.evaluation.judging import ERROR, Asked, Judge, is_about, to_judge
from toolquiver.evaluation.lines import Head, Line, Ruled
from toolquiver.evaluation.opened import dataset_of
from toolquiver.evaluation.runner import each
from toolquiver.evaluation.systems.settings import context_with
from toolquiver.models import load_model
from toolquiver.models.load import LOCAL


def judge(
    journal: Annotated[Path, typer.Argument(help="The journal whose answers are judged.")],
    *,
    into: Annotated[Path, typer.Option(help="The file of verdicts; judging goes on where it was stopped.")],
    model: Annotated[str, typer.Option(help="Who judges: 'local', or 'provider:model'.")] = LOCAL,
    ask: Annotated[
        Asked, typer.Option(help="Does the answer solve it; do the candidates suffice; which of two is preferred?")
    ] = "solved",
    against: Annotated[Path | None, typer.Option(help="The other journal, of a preference.")] = None,
    votes: Annotated[int, typer.Option(min=1, help="Votes for each verdict.")] = 1,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", help="A setting, key=value: unsure=solved, or role_models for further voters."),
    ] = None,
    data: DataOption = None,
    concurrency: ConcurrencyOption = None,
    timeout: Annotated[float, typer.Option(min=0.001, help="Seconds that a ruling may take.")] = 600.0,
    cache: CacheOption = None,
) -> None:
    """Let a model judge answers, several votes each if wanted; a preference is asked in both orders.

    Exit code 1: not every ruling came about. The same command asks for the others again.
    """
    settings = {**other_settings(setting, {"votes": "--votes"}), "votes": votes}
    context = context_with(settings, JudgeContext)
    head, lines = _results(journal)
    if (ask == "preference") is (against is None):
        raise InputError("A preference needs --against, the other journal, and nothing else does.")
    other, others = (None, {}) if against is None else _answers(against)
    judged = to_judge(lines, ask, others)
    ruling = judging_head(head, asked=ask, against=other, settings=settings, model=model, timeout=timeout)
    catalog = _catalog(head, data) if ask == "solvable" else Catalog.create()
    loaded = load_model(model)  # before a journal names it
    with cached_answers(cache), Journal.open(into, ruling, Ruled) as verdicts:
        judging = Judge(
            asked=ask,
            model=loaded,
            context=context,
            catalog=catalog,
            others=others,
            against="" if other is None else other.system,
            patience=timeout,
        )
        run_to_its_end(_judge(judged, judging, verdicts, at_once(concurrency, model)))
    failed = sum(verdicts.done[line.key].verdict == ERROR for line in judged)
    told = f"{len(judged) - failed} judged" + (f", {failed} failed; the same command asks again" if failed else "")
    typer.echo(f"{told}. Put them beside the answers: toolquiver eval report {journal} {into}")
    if failed:
        raise typer.Exit(1)


async def _judge(lines: Sequence[Line], judge: Judge, verdicts: Journal[Ruled], together: int) -> None:
    done = verdicts.done
    left = [one for one in lines if one.key not in done or not is_about(done[one.key], one, judge.others.get(one.key))]
    with Count(len(lines), len(lines) - len(left)) as count:
        await each(
            left,
            judge,
            verdicts,
            concurrency=together,
            progress=lambda ruled: count.add(ruled.verdict, f"{ruled.question}: {ruled.reason}", ruled.seconds),
        )


def _catalog(head: Head, data: Path | None) -> Catalog:
    """The catalogue that the questions were asked over."""
    return dataset_of(head, data).resources().catalog


def _results(path: Path) -> tuple[Head, list[Line]]:
    head, lines = read_journal(path)
    if head.kind != "results":
        raise InputError(f"{str(path)!r} holds verdicts, no answers. Name a journal of `toolquiver eval run`.")
    if not head.texts:
        raise InputError(f"{str(path)!r} has figures alone, no answers to judge. Name a journal that keeps texts.")
    return head, cast("list[Line]", lines)


def _answers(path: Path) -> tuple[Head, dict[str, str]]:
    head, lines = _results(path)
    return head, {line.key: line.result.answer for line in lines}

"""`toolquiver eval report`: journals side by side, on the terminal, as Markdown or as an HTML page."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table as Shown

from toolquiver.cli.plain import harmless, plain
from toolquiver.errors import InputError, ToolquiverError
from toolquiver.evaluation.datasets.reading import first_problem
from toolquiver.evaluation.opened import dataset_of
from toolquiver.evaluation.report.judged import judged_tables
from toolquiver.evaluation.report.labels import Label
from toolquiver.evaluation.report.measured import Measured, by_dataset, gathered
from toolquiver.evaluation.report.overall import OVERALL, overall_tables
from toolquiver.evaluation.report.tables import Table, objective_tables
from toolquiver.evaluation.scored import scored_again, unscored_text
from toolquiver.whole_file import write_whole


def report(
    journals: Annotated[list[Path], typer.Argument(help="Journals of runs and of judges; shards are joined.")],
    *,
    html: Annotated[Path | None, typer.Option(help="Write one HTML page with plots and every question.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Write the tables as Markdown.")] = None,
    labels: Annotated[
        Path | None,
        typer.Option(
            help='What people say: JSONL of {"question": ID, "solved": true or false}, each about the answers of any '
            'system on any data set unless it has a "system" or a "dataset", named as for `eval run`.'
        ),
    ] = None,
    prices: Annotated[
        Path | None, typer.Option(help="A TOML file of prices, which go before those that come along.")
    ] = None,
    against: Annotated[
        str, typer.Option(help="Compare only this system with each other one, by its name in the tables.")
    ] = "",
) -> None:
    """Put systems side by side: what is right, what it cost, who is better, each with its interval.

    What a program says comes first; what a model judged is marked with that model. Without a file to write, the tables
    are printed.
    """
    measured = [_scored(one) for one in gathered(journals, prices)]
    names = dict.fromkeys(one.name for one in measured)
    if against and against not in names:
        raise InputError(f"No system is called {against!r} in these journals. Take one of: {', '.join(names)}.")
    for one in measured:
        if lost := unscored_text(one.lines):
            typer.echo(f"Warning: {harmless(f'{one.name}: {lost}')}. They are in no score.", err=True)
    known = [] if labels is None else _labels(labels)
    if html is not None:
        from toolquiver.evaluation.report import page  # noqa: PLC0415 - for those who write one

        write_whole(html, page(measured, known, against))
    if markdown is not None:
        from toolquiver.evaluation.report import markdown as as_markdown  # noqa: PLC0415

        write_whole(markdown, as_markdown(measured, known, against))
    if html is None and markdown is None:
        sets = by_dataset(measured)
        for table in overall_tables(sets):
            _show(table, OVERALL)
        for dataset, systems in sets.items():
            for table in [*objective_tables(systems, against), *judged_tables(systems, known)]:
                _show(table, dataset)


def _scored(one: Measured) -> Measured:
    """The same with scores for answers that had none when they were given, as far as the data set can be had."""
    if not any(line.unscored for line in one.lines) or not one.head.texts:
        return one
    try:
        dataset = dataset_of(one.head)
    except ToolquiverError:
        return one
    return replace(one, lines=tuple(scored_again(dataset, line) for line in one.lines))


def print_summary(journal: Path) -> None:
    """Print what one journal says so far."""
    for dataset, systems in by_dataset(gathered([journal])).items():
        for table in objective_tables(systems):
            _show(table, dataset)


def _show(table: Table, dataset: str) -> None:
    title, note = plain(f"{table.title} ({dataset})"), plain(table.note)
    shown = Shown(title=title, title_justify="left", caption=note, caption_justify="left")
    for column in table.columns:
        shown.add_column(plain(column), overflow="fold")
    for row in table.rows:
        shown.add_row(*(plain(cell) for cell in row))
    Console().print(shown)


def _labels(path: Path) -> list[Label]:
    try:
        lines = path.read_bytes().splitlines()  # in a str they end at U+2028 and the like, too, which texts may hold
    except OSError as error:
        raise InputError(f"Cannot read the labels {str(path)!r}: {error}. Check the file.") from error
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found.append(Label.model_validate_json(line))
        except ValidationError as error:
            wanted = json.dumps({"question": "ID", "solved": True})
            raise InputError(
                f"Line {number} of {str(path)!r} is no label: {first_problem(error)}. Write {wanted}."
            ) from error
    return found

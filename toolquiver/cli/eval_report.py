"""`toolquiver eval report`: journals side by side, on the terminal, as Markdown or as an HTML page."""

import json
import os
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table as Shown

from toolquiver.cli.plain import plain
from toolquiver.errors import InputError
from toolquiver.evaluation.report.judged import judged_tables
from toolquiver.evaluation.report.labels import Label
from toolquiver.evaluation.report.measured import by_dataset, gathered
from toolquiver.evaluation.report.tables import Table, objective_tables


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
) -> None:
    """Put systems side by side: what is right, what it cost, who is better, each with its interval.

    What a program says comes first; what a model judged is marked with that model. Without a file to write, the tables
    are printed.
    """
    measured = gathered(journals)
    known = [] if labels is None else _labels(labels)
    if html is not None:
        from toolquiver.evaluation.report import page  # noqa: PLC0415 - for those who write one

        _write(html, page(measured, known))
    if markdown is not None:
        from toolquiver.evaluation.report import markdown as as_markdown  # noqa: PLC0415

        _write(markdown, as_markdown(measured, known))
    if html is None and markdown is None:
        for dataset, systems in by_dataset(measured).items():
            for table in [*objective_tables(systems), *judged_tables(systems, known)]:
                _show(table, dataset)


def print_summary(journal: Path) -> None:
    """Print what one journal says so far."""
    for dataset, systems in by_dataset(gathered([journal])).items():
        for table in objective_tables(systems):
            _show(table, dataset)


def _show(table: Table, dataset: str) -> None:
    shown = Shown(title=plain(f"{table.title} ({dataset})"), title_justify="left", caption_justify="left")
    for column in table.columns:
        shown.add_column(plain(column), overflow="fold")
    for row in table.rows:
        shown.add_row(*(plain(cell) for cell in row))
    Console().print(shown)


def _labels(path: Path) -> list[Label]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read the labels {str(path)!r}: {error}. Check the file.") from error
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(Label.model_validate_json(line))
        except ValidationError as error:
            raise InputError(
                f"Line {number} of {str(path)!r} is no label. Write {json.dumps({'question': 'ID', 'solved': True})}."
            ) from error
    return found


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    try:
        file, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(file, "w", encoding="utf-8", errors="replace") as out:
                out.write(text)
            umask = os.umask(0)
            os.umask(umask)
            Path(name).chmod(0o666 & ~umask)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"Cannot write {str(path)!r}: {error.strerror}. Name another file.") from error

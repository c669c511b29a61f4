"""A report as one HTML file that needs nothing from elsewhere: tables, plots, and a page for every question."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from toolquiver.escaping import text
from toolquiver.evaluation.records import Question
from toolquiver.evaluation.report.judged import judged_tables
from toolquiver.evaluation.report.labels import Label
from toolquiver.evaluation.report.markdown import conditions
from toolquiver.evaluation.report.measured import Measured, by_dataset
from toolquiver.evaluation.report.overall import overall_tables
from toolquiver.evaluation.report.pictures import plots_of
from toolquiver.evaluation.report.plots import svg
from toolquiver.evaluation.report.questions import Places, question_page, question_row
from toolquiver.evaluation.report.tables import GLANCE, Table, objective_tables

_STYLE = files(__package__).joinpath("page.css")


def page(measured: Sequence[Measured], labels: Sequence[Label] = (), against: str = "") -> str:
    """The report: tables, plots and the list of questions, each of which leads to its own page in the same file.

    `measured` is what `gathered` makes of journals, `labels` is what people say of answers, for how far a judge agrees;
    with `against` only that system is compared with each other one. Whatever comes from data, models or tools is
    escaped, and the page may load and run nothing.
    """
    sets = by_dataset(measured)
    parts = [_dataset(number, name, systems, labels, against) for number, (name, systems) in enumerate(sets.items(), 1)]
    contents = "".join(f'<a href="#set{number}">{text(name)}</a> ' for number, name in enumerate(sets, 1))
    overall = "".join(_table(table) for table in overall_tables(sets))
    pages = [one for number, systems in enumerate(sets.values(), 1) for one in _pages(number, systems)]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>Evaluation</title>\n<style>\n{_STYLE.read_text('utf-8')}</style></head>\n"
        f"<body><main><h1>Evaluation</h1>\n<nav>{contents}</nav>\n{overall}{''.join(parts)}</main>\n{''.join(pages)}</body></html>\n"
    )


def _dataset(number: int, name: str, systems: Sequence[Measured], labels: Sequence[Label], against: str) -> str:
    plots = "".join(f"<figure>{svg(plot)}</figure>\n" for plot in plots_of(systems, labels))
    measured = "".join(f"<li>{text(line)}</li>" for line in conditions(systems))
    judged = judged_tables(systems, labels)
    return (
        f'<h2 id="set{number}">{text(name)}</h2>\n'
        f"{''.join(_table(table) for table in objective_tables(systems, against))}"
        f"{''.join(_table(table, 'judged') for table in judged)}"
        f'<h3>Plots</h3>\n<div class="plots">{plots}</div>\n'
        f"<details><summary>How it was measured</summary><ul>{measured}</ul></details>\n"
        f"{_questions(number, systems)}"
    )


def _questions(number: int, systems: Sequence[Measured]) -> str:
    """The list of all questions, which leads to their pages."""
    named = _by_place(number, systems).items()
    rows = "".join(question_row(place, question, systems) for place, question in named)
    head = "".join(f"<th>{text(column)}</th>" for column in ("", "question", *(one.name for one in systems)))
    return f'<h3 id="list{number}">Questions</h3>\n<table class="questions"><tr>{head}</tr>\n{rows}</table>\n'


def _pages(number: int, systems: Sequence[Measured]) -> list[str]:
    by_place = _by_place(number, systems)
    places = ["", *by_place, ""]
    beside = [Places(own, f"list{number}", *ends) for own, *ends in zip(by_place, places, places[2:], strict=False)]
    return [question_page(one, by_place[one.own], systems) for one in beside]


def _by_place(number: int, systems: Sequence[Measured]) -> dict[str, Question]:
    """The questions by the names that their pages go by."""
    lines = [line for one in systems for line in one.lines]
    questions = {line.key: line.question for line in lines}
    questions |= {line.key: line.question for line in lines if line.figures is None}  # of two the one with its text
    return {f"q{number}-{place}": question for place, question in enumerate(questions.values(), 1)}


def _table(table: Table, kind: str = "objective") -> str:
    kind += " glance" if table.title == GLANCE else ""
    head = "".join(f"<th>{text(column)}</th>" for column in table.columns)
    rows = "".join(
        f"<tr><th>{text(row[0])}</th>{''.join(f'<td>{text(cell)}</td>' for cell in row[1:])}</tr>\n"
        for row in table.rows
    )
    note = f"<p>{text(table.note)}</p>" if table.note else ""
    return (
        f'<section class="{kind}"><h3>{text(table.title)}</h3><table><tr>{head}</tr>\n{rows}</table>{note}</section>\n'
    )

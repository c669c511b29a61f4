"""A report as one HTML page that needs nothing from elsewhere: tables, plots, and every question with its trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files

from toolquiver.escaping import text
from toolquiver.evaluation.report.judged import judged_tables
from toolquiver.evaluation.report.markdown import conditions
from toolquiver.evaluation.report.measured import Measured, by_dataset
from toolquiver.evaluation.report.pictures import plots_of
from toolquiver.evaluation.report.plots import svg
from toolquiver.evaluation.report.questions import question_section
from toolquiver.evaluation.report.tables import Table, objective_tables

_STYLE = files(__package__).joinpath("page.css")


def page(measured: Sequence[Measured], labels: Mapping[str, bool]) -> str:
    """The report. Whatever comes from data, models or tools is escaped, and the page may load and run nothing."""
    parts = [_dataset(name, systems, labels) for name, systems in by_dataset(measured).items()]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>Evaluation</title>\n<style>\n{_STYLE.read_text('utf-8')}</style></head>\n"
        f"<body><h1>Evaluation</h1>\n{''.join(parts)}</body></html>\n"
    )


def _dataset(name: str, systems: Sequence[Measured], labels: Mapping[str, bool]) -> str:
    questions = {line.key: line.question for one in systems for line in one.lines}
    sections = [question_section(number, question, systems) for number, question in enumerate(questions.values(), 1)]
    plots = "".join(f"<figure>{svg(plot)}</figure>\n" for plot in plots_of(systems, labels))
    measured = "".join(f"<li>{text(line)}</li>" for line in conditions(systems))
    judged = judged_tables(systems, labels)
    return (
        f"<h2>{text(name)}</h2>\n<ul>{measured}</ul>\n"
        f"{''.join(_table(table) for table in objective_tables(systems))}"
        f"{''.join(_table(table, 'judged') for table in judged)}"
        f'<h3>Plots</h3>\n<div class="plots">{plots}</div>\n'
        f"<h3>Questions</h3>\n{''.join(sections)}"
    )


def _table(table: Table, kind: str = "objective") -> str:
    head = "".join(f"<th>{text(column)}</th>" for column in table.columns)
    rows = "".join(
        f"<tr><th>{text(row[0])}</th>{''.join(f'<td>{text(cell)}</td>' for cell in row[1:])}</tr>\n"
        for row in table.rows
    )
    note = f"<p>{text(table.note)}</p>" if table.note else ""
    return (
        f'<section class="{kind}"><h3>{text(table.title)}</h3><table><tr>{head}</tr>\n{rows}</table>{note}</section>\n'
    )

"""All data sets of a report in one table, so that a system is seen as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolquiver.evaluation.report.measured import Measured
from toolquiver.evaluation.report.tables import Table, first_metric, glance

OVERALL = "All data sets"
"""The title of the table that stands before all data sets."""


def overall_tables(sets: Mapping[str, Sequence[Measured]]) -> list[Table]:
    """A line for each system on each data set, with the metric that counts there; nothing for a single data set."""
    if len(sets) == 1:
        return []
    tables = {name: glance(systems) for name, systems in sets.items()}
    rows = [
        [name, system, n, first_metric(sets[name]) or "-", *figures]
        for name, table in tables.items()
        for system, n, *figures in table.rows
    ]
    first = next(iter(tables.values()))
    columns = ["data set", "system", "n", "metric", "mean", *first.columns[3:]]
    return [Table(OVERALL, columns, rows, f"{first.note} Questions and metrics differ from set to set.")]

"""The page of results of `make bench-reverse-chain`: a table a set, by level where it has levels, and its errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

Row = dict[str, Any]

KEYS = {"system": 1}
"""The rows of a system go together: those of one that a run did not measure stay on the page."""

_HEAD = """# Reverse Chain

Written by `make bench-reverse-chain`. Model: {model}, temperature 0. A level says how deep the gold's calls are nested:
0 for calls alone. `right` is the share of requests whose nested plan has the same APIs and arguments as the gold. ReAct
writes no plan: its last call is to be the gold's, with the arguments that the gold's chain gives when it is run.
`executed` is that of every system that makes calls, `names` the share with the right sequence of APIs, `contained` the
share in which the gold's sequence is a subsequence of the plan's (RestBench's correct path), `edges` the mean F1 of
which output goes to which argument, `asked` the share in which exactly the missing arguments are asked for, of BFCL's
turns, whose API is given. Figures of tokens and model calls are means a request; `code` is the revision. `at once` is
Reverse Chain as the paper has it, `one by one` and `three step` are its ablations. n is 0 where nothing is measured.
"""


def report(rows: Sequence[Row], model: str, with_causes: Collection[str], systems: Sequence[str] = ()) -> str:
    """The page of results; of the sets `with_causes` also what was wrong, and all `systems`, measured or not yet."""
    parts = [_HEAD.format(model=model)]
    for set_name in dict.fromkeys(row["set"] for row in rows):
        part = [row for row in rows if row["set"] == set_name]
        named = systems if set_name in with_causes else ()
        parts.append(f"## {set_name.capitalize()}\n\n{_table(part, named)}\n")
        if set_name in with_causes:
            parts.append(f"What was wrong, in requests:\n\n{_causes(part)}")
    return "\n".join(parts)


def _table(rows: Sequence[Row], systems: Sequence[str]) -> str:
    columns = ("right", "executed", "names", "contained", "edges", "asked")
    lines = [
        f"| system | level | n | {' | '.join(columns)} | model calls | prompt | completion | code |",
        "| --- " * (len(columns) + 7) + "|",
    ]
    for system in dict.fromkeys([*systems, *(row["system"] for row in rows)]):
        own = [row for row in rows if row["system"] == system]
        if not own:
            lines.append(f"| {system} | all | 0 {'| ' * (len(columns) + 4)}|")
            continue
        levels = sorted({row["level"] for row in own})
        for level in [*levels, "all"] if len(levels) > 1 else ["all"]:
            part = [row for row in own if level in (row["level"], "all")]
            shares = " | ".join(_share([row.get(column) for row in part]) for column in columns)
            costs = " | ".join(
                f"{_mean(row[key] for row in part):,.1f}" for key in ("model_calls", "prompt", "completion")
            )
            code = ", ".join(dict.fromkeys(row["revision"] for row in part))
            lines.append(f"| {system} | {level} | {len(part)} | {shares} | {costs} | {code} |")
    return "\n".join(lines)


def _share(values: Sequence[Any]) -> str:
    known = [float(value) for value in values if value is not None]
    return f"{100 * _mean(known):.1f}" if known else ""


def _mean(values: Any) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0


def _causes(rows: Sequence[Row]) -> str:
    names = ("wrong final tool", "wrong argument: API", "wrong argument: value", "other")
    lines = [f"| system | {' | '.join(names)} |", "| --- " * (len(names) + 1) + "|"]
    for system in dict.fromkeys(row["system"] for row in rows):
        counts = Counter(row["cause"] for row in rows if row["system"] == system)
        lines.append(f"| {system} | {' | '.join(str(counts[name]) for name in names)} |")
    return "\n".join(lines) + "\n"

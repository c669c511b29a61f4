"""Tables of a run: its calls, and its tokens by role."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Column, Table
from rich.text import Text

from toolquiver.cli.plain import plain
from toolquiver.models import Usage, total_usage

if TYPE_CHECKING:
    from toolquiver.nodes.judging.evidence import Statement
    from toolquiver.nodes.records import Call

_LONGEST = 70


def calls_table(calls: "Sequence[Call]") -> Table:
    """The calls in order, with what came of each."""
    columns = ("", Column("call", overflow="fold"), "arguments", "outcome")
    table = Table(*columns, title="Calls", title_justify="left")
    for number, call in enumerate(calls, 1):
        outcome = (
            Text("ok", "green") if call["ok"] else plain(f"{call['failure']}: {call['message']}"[:_LONGEST], "red")
        )
        table.add_row(
            str(number), plain(call["api"]), plain(json.dumps(call["arguments"], ensure_ascii=False)), outcome
        )
    return table


def evidence_table(evidence: "Sequence[Statement]") -> Table:
    """Each statement of the answer with the numbers of the calls it stands on."""
    table = Table("statement", "stands on", title="Evidence", title_justify="left")
    for statement in evidence:
        calls = ", ".join(f"call {number}" for number in statement["calls"]) or "no call"
        doubt = f"; no call gave {', '.join(statement['unsupported'])}" if statement["unsupported"] else ""
        table.add_row(
            plain(statement["text"]), plain(calls + doubt, "yellow" if doubt or not statement["calls"] else "")
        )
    return table


def pool_table(pool: Sequence[str]) -> Table:
    """The APIs that agents have found, by category and tool."""
    table = Table("category", "tool", Column("APIs", overflow="fold"), title="Pool", title_justify="left")
    tools: dict[tuple[str, str], list[str]] = {}
    for api in pool:
        category, tool, name = api.split("/", 2)
        tools.setdefault((category, tool), []).append(name)
    for place, names in tools.items():
        table.add_row(*map(plain, place), plain(", ".join(names)))
    return table


def usage_table(usage: Usage) -> Table:
    """The tokens by role; figures with a part that was only estimated are marked."""
    table = Table(title="Tokens", title_justify="left")
    table.add_column("role")
    for column in ("calls", "prompt", "cached", "completion"):
        table.add_column(column, justify="right")
    for role, spent in [*usage.items(), ("total", total_usage(usage))]:
        mark = " (estimated)" if spent["estimated"] else ""
        figures = (f"{spent[key]:,}" for key in ("calls", "prompt", "cached", "completion"))
        table.add_row(role + mark, *figures, style="bold" if role == "total" else "")
    return table

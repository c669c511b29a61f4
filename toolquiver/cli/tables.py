"""Tables of a run: its calls, and its tokens by role."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Column, Table
from rich.text import Text

from toolquiver.cli.plain import plain
from toolquiver.models import Usage, total_usage

if TYPE_CHECKING:
    from toolquiver.nodes.quiver.state import Statement
    from toolquiver.nodes.records import Call

_LONGEST = 70


def calls_table(calls: "Sequence[Call]") -> Table:
    """The calls in order, with what came of each, in short."""
    columns = ("", Column("call", overflow="fold"), "arguments", "outcome")
    table = Table(*columns, title="Calls", title_justify="left")
    for number, call in enumerate(calls, 1):
        outcome = Text("ok", "green") if call["ok"] else plain(_short(f"{call['failure']}: {call['message']}"), "red")
        if call["ok"] and call.get("text"):
            outcome = Text.assemble(outcome, " ", plain(_short(str(call.get("text")))))
        table.add_row(
            str(number), plain(call["api"]), plain(json.dumps(call["arguments"], ensure_ascii=False)), outcome
        )
    return table


def evidence_table(evidence: "Sequence[Statement]") -> Table:
    """Each statement of the answer with the numbers of the calls it stands on, from 1."""
    table = Table("statement", "stands on", title="Evidence", title_justify="left")
    for statement in evidence:
        calls = ", ".join(f"call {number + 1}" for number in statement["calls"]) or "no call"
        table.add_row(plain(statement["text"]), plain(calls, "yellow" if statement["unsupported"] else ""))
    return table


def _short(text: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text[: 2 * _LONGEST].split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


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

"""What the live view says of the phases of quiver: how sure search is, whether the tools suffice, what is doubted."""

from collections.abc import Callable, Mapping
from typing import Any

from toolquiver.report.outcomes import given_by_user

Line = tuple[str, str, str]

_NONE = ("Tools", "none fits", "yellow")


def _found(update: Mapping[str, Any]) -> Line | None:
    if update.get("decided") == "not sure":
        return "Tools", f"{len(update['pool'])} found, search is not sure", "yellow"
    return _NONE if update.get("decided") == "no tool fits" else None


def _sufficient(update: Mapping[str, Any]) -> Line | None:
    if failures := update.get("failures"):
        return "Tools", f"do not suffice: {failures[-1]}", "yellow"
    return _NONE if update.get("decided") == "no tool fits" else ("Tools", "suffice", "bold")


def _weighed(update: Mapping[str, Any]) -> Line | None:
    if "evidence" not in update:
        return None
    calls = {call for statement in update["evidence"] for call in statement["calls"]}
    said = f"{len(update['evidence'])} statements on {len(calls)} calls"
    return "Evidence", said if update["passed"] else f"{said}, in doubt", "bold" if update["passed"] else "yellow"


def _resumed(update: Mapping[str, Any]) -> Line | None:
    return ("Again", update["lesson"], "yellow") if "lesson" in update else None


def _asked(update: Mapping[str, Any]) -> Line | None:
    if update.get("decided") != "given":
        return None
    return "  told", ", ".join(f"{name} is {value}" for name, value in given_by_user(update)), "bold"


PHASES: dict[str, Callable[[Mapping[str, Any]], Line | None]] = {
    "find": _found,
    "solvable": _sufficient,
    "ask_user": _asked,
    "weigh": _weighed,
    "resume": _resumed,
}
"""A line for what a node came to, or none."""

"""What the live view says of quiver: its programs, what they look up, chains, rollbacks, the answer and the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from toolquiver.report.outcomes import api_names, given_by_user, open_arguments

Line = tuple[str, str, str]
"""A label, a text, and the label's style."""
Update = Mapping[str, Any]


def programs(update: Update) -> Iterator[Line]:
    """The program that the planner has written, with the numbers of its lines; or why it wrote none that can run."""
    decided = update.get("decided")
    if decided == "program written":
        written = update["programs"]
        if aims := update.get("aims"):  # a step, for a part of the request
            yield f"Step {len(written)}", update["parts"][aims[-1]["part"]], "bold"
        else:
            yield f"Program {len(written)}", "", "bold"
        for number, line in enumerate(written[-1].splitlines(), 1):
            yield f"{number:>4}", f" {line}", "dim"
    elif decided == "cannot run":
        yield "Program", f"cannot run: {_last_message(update)}", "yellow"
    elif decided == "the plan ends" and update.get("reason"):
        yield "Program", f"none: {update['reason']}", "yellow"


def _run(update: Update) -> Iterator[Line]:
    for one in update.get("lookups", ()):
        if one["ok"]:
            yield "  known", f"{one['function']} answered before", "cyan"
        else:
            yield "  not made", f"{one['function']}: {one['text']}", "yellow"
    decided = update.get("decided")
    if decided == "it goes on" and update.get("messages"):
        yield "  printed", _last_message(update), "cyan"
    elif decided == "it gives up":
        yield "  gives up", str(update.get("reason", "")), "yellow"
    elif decided == "an argument is missing":
        yield "  open", open_arguments(update), "yellow"


def _look_up(update: Update) -> Iterator[Line]:
    for one in update.get("lookups", ()):
        yield f"  {one['function']}", api_names(one["text"]), "cyan"


def _chain(update: Update) -> Iterator[Line]:
    frames = update.get("frames")
    if frames and "request" in frames[-1]:
        top = frames[-1]
        why = f"{top['fills']} from {top['request']['function']}" if top["fills"] else open_arguments(update)
        yield "  chain", f"{update['decided']}: {why}", "bold"


def _asked(update: Update) -> Iterator[Line]:
    if update.get("decided") == "given":
        given = ", ".join(f"{name} is {value}" for name, value in given_by_user(update))
        yield "  told", given, "bold"
    for one in update.get("lookups", ()):
        yield "  told" if one["ok"] else "  not told", one["text"], "bold" if one["ok"] else "yellow"


def _rollback(update: Update) -> Iterator[Line]:
    if "decided" in update:
        told = f": {_last_message(update).splitlines()[-1]}" if update.get("messages") else ""
        yield "  rollback", f"{update['decided']}{told}", "yellow"


def _answer(update: Update) -> Iterator[Line]:
    if draft := update.get("draft"):
        calls = {call for statement in draft["evidence"] for call in statement["calls"]}
        said = f"{len(draft['evidence'])} statements on {len(calls)} calls"
        doubt = update.get("decided") == "in doubt"
        yield "Evidence", f"{said}, in doubt" if doubt else said, "yellow" if doubt else "bold"
        for one in draft["missing"]:
            yield "  missing", one, "yellow"


def _verdict(update: Update) -> Iterator[Line]:
    if draft := update.get("draft"):
        done = update["decided"] == "done"
        yield "Verified" if done else "Not done", draft["reason"], "green" if done else "yellow"


def _handed_over(update: Update) -> Iterator[Line]:
    if update.get("decided") == "planned again":
        yield "  found", f"{len(update['pool'])} functions in all", "cyan"


def _last_message(update: Update) -> str:
    return str(update["messages"][-1].text).strip()


PHASES: dict[str, Callable[[Update], Iterator[Line]]] = {
    "plan": programs,
    "run": _run,
    "look_up": _look_up,
    "chain": _chain,
    "ask_user": _asked,
    "rollback": _rollback,
    "step_back": _rollback,
    "answer": _answer,
    "verify": _verdict,
    "hand_over": _handed_over,
}
"""Lines for what a node came to, by its name."""

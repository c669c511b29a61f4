"""What an event of a run means, in a few words: for the timeline, and for what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from toolquiver.report.trace import Event, Trace

Update = Mapping[str, Any]


class Setback(NamedTuple):
    """Something that went wrong: when, what was done about it, and why."""

    began: float
    what: str
    why: str


def told(event: Event) -> str:
    """What the node came to; empty where there is nothing to tell."""
    tell = _TOLD.get(event.node)
    return tell(event.update) if tell and event.update else ""


def setbacks(trace: Trace) -> list[Setback]:
    """Every rollback, reflection and waking, each with its reason."""
    found, hint = list[Setback](), ""
    for event in trace.events:
        update = event.update
        hint = update.get("hint") or hint
        if event.node in ("rollback", "back_up") and not event.inside:
            found.append(Setback(event.began, f"rollback: {update.get('decided', '')}", hint))
        elif event.node == "reflect" and "reflections" in update:
            what = f"reflection {update['reflections']}"
            if removed := update.get("removed"):
                what += f", without {', '.join(api.rsplit('/', 1)[-1] for api in removed)}"
            found.append(Setback(event.began, what, update["failures"][-1]))
        for waking in update.get("wakings", ()):
            found.append(Setback(event.began, f"woken: {', '.join(waking['agents'])}", waking["why"]))
    return found


def _plan(update: Update) -> str:
    return " · ".join(update.get("subtasks", ()))


def _call(update: Update) -> str:
    made = update.get("calls") or ()
    return "; ".join(f"{call['api'].rsplit('/', 1)[-1]}: {call['failure'] or 'ok'}" for call in made)


def _known(update: Update) -> str:
    found = (update.get("known") or [{}])[-1]
    return f"{found.get('question', '')} {found.get('answer', '')}"


def _asked(update: Update) -> str:
    return str(update["said"][-1] if update.get("decided") == "given" else update.get("decided", ""))


def _pool(update: Update) -> str:
    return f"{update.get('decided', '')}, {len(update.get('pool', ()))} tools"


def _value(key: str) -> Callable[[Update], str]:
    return lambda update: str(update.get(key) or "")


_TOLD: dict[str, Callable[[Update], str]] = {
    "check": _value("decided"),
    "find": _pool,
    "solvable": lambda update: "; ".join(update.get("failures", ())) or "the tools suffice",
    "plan": _plan,
    "split": _plan,
    "retrieve": lambda update: f"{len(update.get('pool', ()))} tools",
    "think": _value("thought"),
    "choose": lambda update: str(update.get("chosen") or "").rsplit("/", 1)[-1],
    "fill": lambda update: str(update.get("hint") or update.get("arguments") or ""),
    "look_up": lambda update: " ".join(next(reversed(update.get("lookups", {"": {}}).values()))) or update["decided"],
    "ask_user": _asked,
    "call": _call,
    "perform": _call,
    "rollback": _value("decided"),
    "answer": _value("step_answer"),
    "verify": lambda update: ": ".join(filter(None, [update.get("decided", ""), update.get("hint", "")])),
    "record": _known,
    "finish_goal": _known,
    "compose": _value("status"),
    "weigh": lambda update: "no doubt" if update.get("passed") else "in doubt",
    "judge": lambda update: f"{update.get('verdict', '')}: {update.get('verdict_reason', '')}",
    "reflect": lambda update: (update.get("failures") or [update.get("decided", "")])[-1],
    "agents": lambda update: f"{len(update.get('found', ()))} APIs found",
    "coordinate": lambda update: f"{len(update.get('pool', ()))} APIs, {len(update.get('wave', ()))} agents go on",
    "resume": _value("lesson"),
    "present": _value("status"),
}

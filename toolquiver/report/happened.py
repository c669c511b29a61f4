"""What happened in a run, for people: what each node came to, and what went wrong."""

from __future__ import annotations

from typing import NamedTuple

from toolquiver.report.outcomes import TOLD, name_of
from toolquiver.report.trace import Event, Trace


class Setback(NamedTuple):
    """Something that went wrong: when, what was done about it, and why."""

    began: float
    what: str
    why: str


def told(event: Event) -> str:
    """What the node came to; empty where there is nothing to tell."""
    tell = TOLD.get(event.node)
    return tell(event.update) if tell and event.update else ""


def setbacks(trace: Trace) -> list[Setback]:
    """Every rollback, reflection and waking, each with its reason."""
    found, hint = list[Setback](), ""
    for event in trace.events:
        update = event.update
        if event.node in ("rollback", "step_back", "back_up") and not event.inside:
            why = event.before.get("hint") or event.before.get("problem") or hint
            found.append(Setback(event.began, _rolled_back(event), why))
        elif event.node == "reflect" and "reflections" in update:
            what = f"reflection {update['reflections']}"
            if removed := update.get("removed"):
                what += f", without {', '.join(map(name_of, removed))}"
            found.append(Setback(event.began, what, update["failures"][-1]))
        hint = update.get("hint") or hint
        for waking in update.get("wakings", ()):
            found.append(Setback(event.began, f"woken: {', '.join(waking['agents'])}", waking["why"]))
    return found


def _rolled_back(event: Event) -> str:
    """What a rollback did: which API it dropped, and whether steps went with it."""
    what = [f"rollback: {event.update.get('decided', '')}"]
    if event.node == "rollback" and (dropped := event.before.get("chosen")):
        what.append(f"{name_of(dropped)} is dropped")
    if (lists := event.update.get("banned")) and lists[-1]:
        what.append(f"{name_of(lists[-1][-1])} leaves the list of step {len(lists)}")
    if event.update.get("set_aside"):
        what.append("the result of the call before is set aside")
    left, steps = event.update.get("trail"), event.before.get("trail") or []
    if left is not None and len(left) < len(steps):
        gone = ", ".join(name_of(step["api"]) for step in steps[len(left) :])
        what.append(f"and with it the step before, by {gone}")
    return ", ".join(what)

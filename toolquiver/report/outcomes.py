"""What each node came to, in a few words for the timeline, out of what it changed in the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toolquiver.report.wording import data, hidden

Update = Mapping[str, Any]
_MOST = 6  # things that are listed


def name_of(api: object) -> str:
    """An API's own name."""
    return str(api or "").rsplit("/", 1)[-1]


def api_names(lines: str) -> str:
    """The names of the functions that a search of quiver's planner has listed, or what it says instead."""
    listed = [line.partition("(")[0] for line in lines.splitlines() if "(" in line and not line.startswith(" ")]
    return _named(listed) if listed and all(name.isidentifier() for name in listed) else lines


def open_arguments(update: Update) -> str:
    """The call on top of quiver's chain with the arguments that are open."""
    top = update["frames"][-1]
    return f"{top['request']['function']} needs {', '.join(top['missing']) or 'nothing more'}"


def given_by_user(update: Update) -> list[tuple[str, Any]]:
    """The arguments that the user gave for the calls of a chain, by name."""
    frames = [frame for frame in update.get("frames", ()) if "origins" in frame]
    found = [(frame["arguments"], frame["origins"]) for frame in frames]
    return [(name, given[name]) for given, origins in found for name, origin in origins.items() if origin == "user"]


def _value(key: str, otherwise: str = "") -> Callable[[Update], str]:
    return lambda update: str(update.get(key) or otherwise)


def _named(values: Any) -> str:
    names = [name_of(value) for value in values]
    return ", ".join(names[:_MOST]) + (f" and {len(names) - _MOST} more" if len(names) > _MOST else "")


def _plan(update: Update) -> str:
    """The subtasks, or quiver's program on one line."""
    if update.get("decided") == "program written":
        return " ".join(update["programs"][-1].split())
    return " · ".join(update.get("subtasks", ())) or str(update.get("reason") or update.get("decided", ""))


def _call(update: Update) -> str:
    made = update.get("calls") or ()
    return "; ".join(f"{name_of(call['api'])}: {call['failure'] or 'ok'}" for call in made)


def _called(update: Update) -> str:
    return _call(update) or "made before: its result is taken"


def _filled(update: Update) -> str:
    arguments = update.get("arguments")
    return str(update.get("hint") or (update.get("decided", "") if arguments is None else data(arguments)))


def _chain(update: Update) -> str:
    frames = update.get("frames") or ()
    opened = open_arguments(update) if frames and "request" in frames[-1] else ""
    return ": ".join(filter(None, [str(update.get("decided", "")), update.get("hint", ""), opened, _call(update)]))


def _ran(update: Update) -> str:
    """What a program of quiver came to, with the calls that were refused."""
    refused = "; ".join(f"{name_of(call['api'])}: {call['failure']}" for call in update.get("calls") or ())
    why = update.get("reason", "")
    return ": ".join(filter(None, [str(update.get("decided", "")), str(why), refused]))


def _looked_up(update: Update) -> str:
    return "; ".join(f"{one['function']}: {api_names(one['text'])}" for one in update.get("lookups", ()))


def _answered(update: Update) -> str:
    """The answer of a step, or how quiver's answer stands."""
    if draft := update.get("draft") or ("plan" in update and update):
        return ": ".join(filter(None, [draft["status"], draft["reason"]]))
    return str(update.get("step_answer") or "")


def _verified(update: Update) -> str:
    draft = update.get("draft") or {}
    return ": ".join(filter(None, [update.get("decided", ""), draft.get("reason") or update.get("hint", "")]))


def _known(update: Update) -> str:
    found = (update.get("known") or [{}])[-1]
    return f"{found.get('question', '')} {found.get('answer', '')}"


def _asked(update: Update) -> str:
    if not update.get("frames"):
        return str(update.get("decided", ""))
    return ", ".join(f"{name} is {hidden(name, value)}" for name, value in given_by_user(update))


def _pool(update: Update) -> str:
    return ", ".join(filter(None, [str(update.get("decided", "")), f"{len(update.get('pool', ()))} tools"]))


def _found(update: Update) -> str:
    return f"{len(update.get('found', ()))} APIs found"


def _frames(update: Update) -> str:
    """The calls of a chain, each with what is known of its arguments, the innermost last."""
    return "; ".join(map(_frame, update.get("frames") or ()))


def _frame(frame: Mapping[str, Any]) -> str:
    wanted = [name for one in frame["wanted"] for name in one["gives"]]
    open_ones = [*wanted, *(name for name in frame["takes"] if name not in frame["arguments"])]
    asked = dict.fromkeys([*open_ones, *frame["missing"]], "?")
    return f"{name_of(frame['api'])} {data(frame['arguments'] | asked)}"


def _pushed(update: Update) -> str:
    frame = update["frames"][-1]
    return f"{name_of(frame['api'])} for {', '.join(frame['fills'])}"


def _turn(update: Update) -> str:
    """What an agent of the search did in its turn."""
    return "; ".join(map(_report, update.get("reports") or ()))


def _report(report: Mapping[str, Any]) -> str:
    done = [f"{report['agent']} {report['outcome']}"]
    if report["creates"]:
        done.append(f"calls in {', '.join(str(new['category'] or new['kind']) for new in report['creates'])}")
    if report["adds"]:
        done.append(f"adds {_named(report['adds'])}")
    return ", ".join(done)


def _woken(update: Update) -> str:
    agents = [agent for waking in update.get("wakings", ()) for agent in waking["agents"]]
    return f"woken: {', '.join(agents) or 'nobody'}"


def _requests(update: Update) -> str:
    return ", ".join(str(request["name"]) for request in update.get("requests") or ()) or str(update.get("decided", ""))


TOLD: dict[str, Callable[[Update], str]] = {
    "check": _value("decided"),
    "reply": lambda update: str(update.get("step_answer") or update.get("decided") or ""),
    "find": _pool,
    "solvable": lambda update: (
        "; ".join(update.get("failures", ())) or str(update.get("decided") or "the tools suffice")
    ),
    "plan": _plan,
    "retrieve": lambda update: f"{len(update.get('pool', ()))} tools",
    "select": lambda update: name_of(update.get("chosen")) or str(update.get("problem") or ""),
    "execute": _call,
    "give_up": lambda update: str(update["outcomes"][-1]["text"]),
    "think": _value("thought", "needs no thought"),
    "choose": lambda update: name_of(update.get("chosen")) or str(update.get("decided", "")),
    "fill": _filled,
    "run": _ran,
    "look_up": _looked_up,
    "chain": _chain,
    "begin": _pool,
    "select_api": lambda update: _frames(update) or str(update.get("decided", "")),
    "complete_arguments": _frames,
    "push": _pushed,
    "take_output": _frames,
    "ask_user": _asked,
    "call": _called,
    "act": _requests,
    "explore": _requests,
    "rollback": _value("decided"),
    "step_back": _value("decided"),
    "back_up": _value("decided"),
    "answer": _answered,
    "verify": _verified,
    "advance": lambda update: f"one more step, {len(update['tool_lists'][-1])} tools",
    "conclude": _value("step_answer"),
    "record": _known,
    "show_plan": _value("answer"),
    "compose": _value("status"),
    "finish": _value("reason"),
    "weigh": lambda update: "no doubt" if update.get("passed") else "in doubt",
    "judge": lambda update: f"{update.get('verdict', '')}: {update.get('verdict_reason', '')}",
    "reflect": lambda update: (update.get("failures") or [update.get("decided", "")])[-1],
    "wake_tool_agents": _woken,
    "wake_category_agents": _woken,
    "wake_meta_agent": _woken,
    "agents": _found,
    "retriever": _found,
    "settle": lambda update: str(update.get("answer") or update.get("reason") or _found(update)),
    "coordinate": lambda update: f"{len(update.get('pool', ()))} APIs, {len(update.get('wave', ()))} agents go on",
    "meta_agent": _turn,
    "category_agent": _turn,
    "tool_agent": _turn,
    "flat_agent": _turn,
    "plain_agent": _turn,
    "resume": _value("lesson"),
    "hand_over": lambda update: str(update.get("decided") or "the pool is handed over"),
    "deliver": lambda update: ": ".join(filter(None, [update.get("status", ""), update.get("reason", "")])),
    "present": _value("status", "the end"),
}
"""By the node's name."""

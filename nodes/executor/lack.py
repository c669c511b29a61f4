"""What a call cannot be made without, and where that may be found: with other tools, on the way or before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from toolquiver.calling import Failure
from toolquiver.catalog import API
from toolquiver.catalog.feeds import can_give
from toolquiver.nodes.apis.changing import harmless
from toolquiver.nodes.apis.usable import usable
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.executor import finding
from toolquiver.nodes.executor.settled import settled
from toolquiver.nodes.records import Call, call_record
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import ExecutorState, calls_of_subtask, current_task, parents

SETTLED: Final = "subtask done"
_HELPERS = 4


class Lack(NamedTuple):
    """What a call cannot be made without: the arguments that nothing known gives, and the hints to convert others."""

    missing: list[str]
    convert: dict[str, str]


def problem_of(api: API, arguments: dict[str, Any] | None, lack: Lack) -> str:
    """Why the arguments cannot be used; empty when they can."""
    if lack.convert:
        return " ".join(lack.convert.values())
    if arguments is None:
        return f"{api.function} cannot be called with what is known, or not again."
    if lack.missing:
        return f"{', '.join(lack.missing)} for {api.function} must be found out with another tool first."
    return ""


async def to_look_up(api: API, lack: Lack, state: ExecutorState, run: Run) -> bool:
    """Whether subtasks of their own are to find out what is missing, or to convert what is in another unit.

    Only before the first call of a subtask, once, and where a tool may give what is missing. What a
    lookup lacks may be looked up in turn, as deep as `lookups` says.
    """
    missing, convert = lack
    if not (missing or convert) or state["trail"] or calls_of_subtask(state) or (convert and _one_input(api)):
        return False
    if len(parents(state)) >= run.context.lookups or state["subtasks"][state["current"]] in state.get("lookups", {}):
        return False
    if not missing:
        return True
    at_hand = await run.apis(state["pool"])
    return _can_be_found(missing, api, [*at_hand, *await run.feeding([api], current_task(state), at_hand)])


async def found_on_the_way(
    api: API, arguments: dict[str, Any] | None, lack: Lack, state: ExecutorState, run: Run
) -> Update:
    """The refused call, and where the next steps may find out what it lacks, the API as their aim.

    Where only the call that has answered comes to mind again, that answer stands.
    """
    if arguments is None and (step := await settled(api.id, state, run)):
        return {"step_answer": step["answer"], "decided": SETTLED}
    missing, convert = lack.missing, dict([*lack.convert.items()][:1])  # of two a small model makes the first again
    problem = problem_of(api, arguments, Lack(missing, convert))
    update: Update = {"calls": [refused(api, arguments, problem, state)], "hint": problem}
    if not (missing or convert):
        return update
    if convert and _one_input(api):  # it converts something else itself
        return update | await _with_helpers(api, convert, state, run) | {"hint": state["hint"] or problem}
    return update | await looked_for(api, Lack(missing, convert), state, run)


async def looked_for(api: API, lack: Lack, state: ExecutorState, run: Run) -> Update:
    """The tools that may help, and the API as the aim of the next steps where one of them may give what it lacks.

    What converts an argument is no answer either: it is looked for like one that is missing.
    """
    missing, convert = lack
    update = await _with_helpers(api, convert, state, run)
    tools = update.get("tool_lists", state["tool_lists"])[-1]
    if convert or _can_be_found(missing, api, await run.apis(tools)):
        update |= {"aim": api.id, "missing": missing or sorted(convert)}
    return update


def refused(api: API, arguments: dict[str, Any] | None, problem: str, state: ExecutorState) -> Call:
    """The call that was not made, for the record."""
    return call_record(state["current"], api.id, arguments, Failure(kind="invalid_arguments", message=problem))


def _one_input(api: API) -> bool:
    return len(api.parameters.get("required", ())) == 1


def _can_be_found(missing: list[str], api: API, tools: Iterable[API]) -> bool:
    """Whether one of the tools may give what is missing. Where none does, the tool that lacks it is a wrong one."""
    others = [tool for tool in tools if tool.id != api.id]
    lacking = [parameter for parameter in api.parameter_list() if parameter.name in missing]
    return any(can_give(tool, parameter) for tool in others for parameter in lacking)


async def _with_helpers(api: API, convert: dict[str, str], state: ExecutorState, run: Run) -> Update:
    """The tool list of this step, in front a few APIs more that convert what must be, or return what `api` needs."""
    if state["allowed"] is not None:
        return {}
    known = await run.apis(state["pool"])
    if convert:
        more = [found for found in await finding.helpers(run, " ".join(convert.values())) if found not in known][
            :_HELPERS
        ]
    else:
        more = await run.feeding([api], current_task(state), known)
    ids = [helper.id for helper in harmless(usable(more, state.get("removed")), current_task(state))]
    lists = state["tool_lists"]
    return {"pool": [*ids, *state["pool"]], "tool_lists": [*lists[:-1], [*ids, *lists[-1]]]}

"""Executor, third of four: arguments that fit the chosen tool's schema (Smurfs, eq. 4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, NamedTuple

from toolquiver.calling import Failure
from toolquiver.catalog import API
from toolquiver.catalog.feeds import can_give
from toolquiver.catalog.text import shortened
from toolquiver.nodes.apis.changing import changes, harmless
from toolquiver.nodes.apis.converters import converters, only_number
from toolquiver.nodes.apis.usable import usable
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain.ask_user import only_the_user_knows
from toolquiver.nodes.chain.chain_fill import is_agreed
from toolquiver.nodes.describe import call_text, known_here, known_texts, parameter_line, remembered
from toolquiver.nodes.executor.settled import settled
from toolquiver.nodes.records import Call, call_record
from toolquiver.nodes.repeats import is_stale
from toolquiver.nodes.run import Run
from toolquiver.nodes.shapes import arguments_of
from toolquiver.nodes.state import ExecutorState, built_on, calls_of_subtask, current_task, parents
from toolquiver.nodes.texts.hemispheres import signed
from toolquiver.nodes.texts.invented import invented_arguments
from toolquiver.nodes.texts.units import to_convert
from toolquiver.prompts import load_prompt

BY_A_CHAIN: Final = "by a chain"
LOOKED_UP: Final = "to be looked up"
SETTLED: Final = "subtask done"
_HELPERS = 4
_LONGEST_DESCRIPTION = 1_500
_EMPTY: tuple[object, ...] = ("", [], {})
_PROMPT = load_prompt("fill")


class Lack(NamedTuple):
    """What a call cannot be made without: the arguments that nothing known gives, and the hints to convert others."""

    missing: list[str]
    convert: dict[str, str]


async def fill(state: ExecutorState, run: Run) -> Update:
    """Fill the arguments.

    No valid ones, a number, date or code that stands nowhere in what is known, one in another unit than its parameter
    says, or a call that was made before is a failure of the API chosen. The reason is the hint to the next thought; the
    arguments that are missing say which APIs can help, so that the next choice is made among those. An optional
    argument that is invented, or empty, is left out. With `chain_fill` a reverse chain fills them instead.
    """
    return await _filled(state, run, looks_up=False)


async def fill_or_chain(state: ExecutorState, run: Run) -> Update:
    """Fill the arguments as `fill` does; where one is missing, a reverse chain may look it up, if it is on.

    Once a subtask, and for the planner's tool: where a chain has failed, the next tool that lacks something is wrong
    too, and each of them was looked up among 16,000 APIs for 5,000 tokens.
    """
    return await _filled(state, run, looks_up=run.context.chain_missing)


async def _filled(state: ExecutorState, run: Run, *, looks_up: bool) -> Update:
    if run.context.chain_fill:
        return {"arguments": None, "decided": BY_A_CHAIN}
    api = await run.chosen(state)
    arguments, cost = await _arguments(api, state, run)
    if state["stopped"] or "stopped" in cost:
        return {"arguments": None, **cost}
    sources = known_texts(state)
    arguments = arguments and signed(arguments, sources)
    invented = set(invented_arguments(api, arguments or {}, sources)) if run.context.grounding else set()
    convert = to_convert(sources, arguments or {}) if run.context.grounding else {}
    if arguments and convert:
        made = await _converted(convert, arguments, state, run)
        arguments |= made
        convert = {name: hint for name, hint in convert.items() if name not in made}
    required = set(api.parameters.get("required", ()))
    missing = sorted(invented & required)
    if missing and looks_up and not convert and _is_worth_a_chain(state):
        found = await _looked_for(api, Lack(missing, {}), state, run)
        return {"arguments": None, "decided": BY_A_CHAIN, **found, **cost}
    arguments = arguments and {
        name: value
        for name, value in arguments.items()
        if name in required or (name not in invented and value not in _EMPTY)
    }
    lack = Lack(missing, convert)
    problem = _problem(api, arguments, lack)
    if not problem:
        return {"arguments": arguments, **cost}
    if await _to_look_up(api, lack, state, run):
        lacking: Update = {"missing": missing, "conversions": [*convert.values()], "hint": problem}
        return {"arguments": None, **lacking, "decided": LOOKED_UP, **cost}
    return {"arguments": None, **await _found_on_the_way(api, arguments, lack, state, run), **cost}


async def _found_on_the_way(
    api: API, arguments: dict[str, Any] | None, lack: Lack, state: ExecutorState, run: Run
) -> Update:
    """The refused call, and where the next steps may find out what it lacks, the API as their aim.

    Where only the call that has answered comes to mind again, that answer stands.
    """
    if arguments is None and (step := await settled(api.id, state, run)):
        return {"step_answer": step["answer"], "decided": SETTLED}
    missing, convert = lack.missing, dict([*lack.convert.items()][:1])  # of two a small model makes the first again
    problem = _problem(api, arguments, Lack(missing, convert))
    update: Update = {"calls": [refused(api, arguments, problem, state)], "hint": problem}
    if not (missing or convert):
        return update
    if convert and _one_input(api):  # it converts something else itself
        return update | await _with_helpers(api, convert, state, run) | {"hint": state["hint"] or problem}
    return update | await _looked_for(api, Lack(missing, convert), state, run)


async def _looked_for(api: API, lack: Lack, state: ExecutorState, run: Run) -> Update:
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


async def _to_look_up(api: API, lack: Lack, state: ExecutorState, run: Run) -> bool:
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


def _is_worth_a_chain(state: ExecutorState) -> bool:
    here = (call["message"] for call in state["calls"] if call["subtask"] == state["current"])
    return is_agreed(state) or not any(map(only_the_user_knows, here))


def _one_input(api: API) -> bool:
    return len(api.parameters.get("required", ())) == 1


async def _converted(
    convert: dict[str, str], arguments: dict[str, Any], state: ExecutorState, run: Run
) -> dict[str, int | float]:
    """The arguments that a step or a lookup has converted already: a small model copies the old value again."""
    found = dict[str, int | float]()
    looked_up = {place for place, text in enumerate(state["subtasks"]) if text in built_on(state)}
    for step in [*(step for step in state["history"] if step["subtask"] in looked_up), *state["trail"]]:
        value = only_number(step["observation"])
        if value is None:
            continue
        for name, hint in convert.items():
            taken = arguments[name] in step["arguments"].values()
            if taken and converters(await run.apis([step["api"]]), hint):
                found[name] = value
    return found


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
        more = [found for found in await run.helpers(" ".join(convert.values())) if found not in known][:_HELPERS]
    else:
        more = await run.feeding([api], current_task(state), known)
    ids = [helper.id for helper in harmless(usable(more, state.get("removed")), current_task(state))]
    lists = state["tool_lists"]
    return {"pool": [*ids, *state["pool"]], "tool_lists": [*lists[:-1], [*ids, *lists[-1]]]}


async def _arguments(api: API, state: ExecutorState, run: Run) -> tuple[dict[str, Any] | None, Update]:
    # A subtask that is not certainly needed is there to do something with what was found, not to find it again.
    first_try = state["current"] < state["sure"] and not state.get("lesson")
    before = state["trail"] if first_try else state["history"]
    used = (step["arguments"] for step in before if step["api"] == api.id)
    made = [arguments for arguments in used if not await is_stale(api, arguments, state["calls"], run)]
    if not api.parameters.get("properties"):
        return None if made else {}, {}
    others = [] if changes(api) else made  # pressed for other arguments, a model does what nobody wants
    messages = _PROMPT.messages(
        name=api.function,
        description=shortened(api.whole_description, _LONGEST_DESCRIPTION),
        parameters=[parameter_line(parameter) for parameter in api.parameter_list()],
        query=state["query"],
        known=remembered(known_here(state)),
        task=current_task(state),
        steps=remembered(state["trail"]),
        hint=state["hint"],
        made=[call_text(api, inputs) for inputs in made],
        again=bool(others),
    )
    decision, cost = await run.decide("fill", arguments_of(api, current_task(state), others), messages, state)
    return None if decision is None else decision.root, cost


def _problem(api: API, arguments: dict[str, Any] | None, lack: Lack) -> str:
    """Why the arguments cannot be used; empty when they can."""
    if lack.convert:
        return " ".join(lack.convert.values())
    if arguments is None:
        return f"{api.function} cannot be called with what is known, or not again."
    if lack.missing:
        return f"{', '.join(lack.missing)} for {api.function} must be found out with another tool first."
    return ""


def after_fill_or_chain(
    state: ExecutorState,
) -> Literal[
    "complete", "cannot fill", "an argument is missing", "to be looked up", "answered already", "out of budget"
]:
    """As after `fill`; what goes to the chain is what lacks an argument."""
    said = after_fill(state)
    return "an argument is missing" if said == "by a chain" else said


def after_fill(
    state: ExecutorState,
) -> Literal["complete", "cannot fill", "to be looked up", "answered already", "by a chain", "out of budget"]:
    """Arguments that could not be filled are a failure like any other."""
    if state["stopped"]:
        return "out of budget"
    if state["decided"] == BY_A_CHAIN:
        return "by a chain"
    if state["decided"] == LOOKED_UP:
        return "to be looked up"
    if state["decided"] == SETTLED and state["arguments"] is None:
        return "answered already"
    return "cannot fill" if state["arguments"] is None else "complete"

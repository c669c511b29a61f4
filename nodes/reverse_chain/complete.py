"""Argument completion, and the push of the call that gives an argument (Reverse Chain, 2, step 2, and 2.1, step 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from toolquiver.catalog import API, ApiId, Parameter
from toolquiver.contexts import ReverseChainContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.reverse_chain.frames import changed, living, new_frame, undecided, without_done
from toolquiver.nodes.reverse_chain.offers import offers_for
from toolquiver.nodes.reverse_chain.outcomes import ANOTHER_API, NOBODY, VALUE, Question, Ways, outcomes_of
from toolquiver.nodes.reverse_chain.state import AfterComplete, Frame, ReverseChainState
from toolquiver.nodes.run import Run

_BOTH = frozenset({VALUE, ANOTHER_API})


async def complete_arguments(state: ReverseChainState, run: Run[ReverseChainContext]) -> Update:
    """Complete arguments of the call on top of the stack, in one decision; the order is a rule.

    At once, which is the default, that are all its required arguments. What may be left out is asked about with them,
    but comes from no API. A call whose arguments are all decided on leaves the stack when it waits for no other call.
    """
    frame = state["frames"][state["stack"][-1]]
    api = await run.api(frame["api"])
    asked, ways = _asked(frame, api, run)
    required = [parameter for parameter in asked if parameter.required]
    offers = await offers_for(frame, api, required, state, run) if ANOTHER_API in ways else {}
    question = Question(frame, api, asked, offers, ways)
    outcomes, cost = await outcomes_of(question, state, run)
    if "stopped" in cost or state["stopped"]:
        return {**cost, "decided": "the budget is spent"}
    frames = changed(state["frames"], frame["id"], **_with(question, outcomes))
    stack = without_done(state["stack"], frames)
    return {**cost, "frames": frames, "stack": stack, "decided": _decided(frames, stack, run)}


def _asked(frame: Frame, api: API, run: Run[ReverseChainContext]) -> tuple[list[Parameter], Ways]:
    """What the next decision is about, and what it may come to; the ablations are of section 3.2.2."""
    open_ones = undecided(frame, api)
    required = [parameter for parameter in open_ones if parameter.required]
    optional = [parameter for parameter in open_ones if not parameter.required]
    if run.context.completion == "one_by_one":
        return required[:1] or optional, _BOTH
    if run.context.completion == "three_step":
        values = [parameter for parameter in required if parameter.name not in frame["without_value"]]
        first = [*values, *optional]
        return (first, frozenset({VALUE})) if first else (required, frozenset({ANOTHER_API}))
    return open_ones, _BOTH


def _with(question: Question, outcomes: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The changes of a frame by a decision; what it does not speak of nobody gives."""
    frame, api, asked, offers, ways = question
    said = {parameter.name: outcomes.get(parameter.name, {NOBODY: True}) for parameter in asked}
    values = {name: outcome[VALUE] for name, outcome in said.items() if VALUE in outcome}
    wanted = {name: _id(outcome[ANOTHER_API], offers[name]) for name, outcome in said.items() if ANOTHER_API in outcome}
    none = [parameter for parameter in asked if NOBODY in said[parameter.name]]
    lacking = [parameter.name for parameter in none if parameter.required]
    later = ANOTHER_API not in ways  # values first: APIs are asked about in the next decision
    after: dict[str, Any] = {
        "arguments": frame["arguments"] | values,
        "origins": frame["origins"] | dict.fromkeys(values, "model"),
        "wanted": frame["wanted"] | wanted,
        "missing": frame["missing"] + ([] if later else lacking),
        "without_value": frame["without_value"] + (lacking if later else []),
        "left_out": frame["left_out"] + [parameter.name for parameter in none if not parameter.required],
    }
    left = undecided(cast("Frame", {**frame, **after}), api)
    return after | {"stage": "open" if left else "planned"}


def _id(function: str, offered: Sequence[API]) -> ApiId:
    return next(api.id for api in offered if api.function == function)


def _decided(frames: Sequence[Frame], stack: Sequence[int], run: Run[ReverseChainContext]) -> AfterComplete:
    """What the stack leads to: calls in work first, then the user, then the calls."""
    if stack:
        return "more to complete" if frames[stack[-1]]["stage"] == "open" else "an API gives it"
    if run.context.plan_only:
        return "planned only"
    return "only the user knows" if any(frame["missing"] for frame in living(frames)) else "complete"


async def push(state: ReverseChainState, run: Run[ReverseChainContext]) -> Update:
    """Push a frame for the API that gives an argument: its own arguments are completed next."""
    top = state["frames"][state["stack"][-1]]
    name, api = next(iter(top["wanted"].items()))
    consumer = await run.api(top["api"])
    frame = new_frame(
        state["frames"],
        api,
        task=f"{name} of {consumer.function}",
        goal=top["goal"],
        parent=top["id"],
        fills=name,
    )
    frames = changed(
        state["frames"],
        top["id"],
        wanted={other: one for other, one in top["wanted"].items() if other != name},
        takes=top["takes"] | {name: frame["id"]},
    )
    return {"frames": [*frames, frame], "stack": [*state["stack"], frame["id"]]}


def after_complete(state: ReverseChainState) -> AfterComplete:
    """The edge that the node has decided on."""
    return cast("AfterComplete", state["decided"])

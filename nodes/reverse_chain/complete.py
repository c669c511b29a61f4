"""Argument completion, and the push of the call that gives an argument (Reverse Chain, 2, step 2, and 2.1, step 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from toolquiver.catalog import API, Parameter
from toolquiver.contexts import ReverseChainContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.reverse_chain.frames import changed, living, new_frame, undecided, without_done
from toolquiver.nodes.reverse_chain.offers import offers_for
from toolquiver.nodes.reverse_chain.outcomes import ANOTHER_API, CALL, VALUE, Outcome, Question, Ways, outcomes_of
from toolquiver.nodes.reverse_chain.state import AfterComplete, Frame, ReverseChainState, Wanted
from toolquiver.nodes.run import Run

_BOTH = frozenset({VALUE, ANOTHER_API})


async def complete_arguments(state: ReverseChainState, run: Run[ReverseChainContext]) -> Update:
    """Complete arguments of the call on top of the stack, in one decision; the order is a rule.

    At once, which is the default, that are all its required arguments. What may be left out is asked about with them.
    A call whose arguments are all decided on leaves the stack when it waits for no other call.
    """
    frame = state["frames"][state["stack"][-1]]
    api = await run.whole(frame["api"])
    asked, ways = _asked(frame, api, run)
    offers = await offers_for(frame, api, asked, state, run) if ANOTHER_API in ways else {}
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
    if run.context.completion == "one_by_one":
        required = [parameter for parameter in open_ones if parameter.required]
        return required[:1] or open_ones, _BOTH
    if run.context.completion == "three_step":
        first = [parameter for parameter in open_ones if parameter.name not in frame["without_value"]]
        return (first, frozenset({VALUE})) if first else (open_ones, frozenset({ANOTHER_API}))
    return open_ones, _BOTH


def _with(question: Question, outcomes: dict[str, Outcome]) -> dict[str, Any]:
    """The changes of a frame by a decision; what it does not speak of nobody gives."""
    frame, api, asked, _, ways = question
    values = {name: outcome[VALUE] for name, outcome in outcomes.items() if VALUE in outcome}
    wanted = _wanted(question, outcomes)
    given = {*values, *(name for one in wanted for name in one["gives"])}
    none = [parameter for parameter in asked if parameter.name not in given]
    later = ANOTHER_API not in ways  # values first: APIs are asked about in the next decision
    after: dict[str, Any] = {
        "arguments": frame["arguments"] | values,
        "origins": frame["origins"] | dict.fromkeys(values, "model"),
        "wanted": [*frame["wanted"], *wanted],
    }
    if later:
        after["without_value"] = frame["without_value"] + [parameter.name for parameter in none]
    else:
        after["missing"] = frame["missing"] + [parameter.name for parameter in none if parameter.required]
        after["left_out"] = frame["left_out"] + [parameter.name for parameter in none if not parameter.required]
    left = undecided(cast("Frame", {**frame, **after}), api)
    return after | {"stage": "open" if left else "planned"}


def _wanted(question: Question, outcomes: dict[str, Outcome]) -> list[Wanted]:
    """The calls of other APIs that a decision names: one for all arguments with the same API and the same number."""
    found: dict[tuple[str, int], Wanted] = {}
    for name, outcome in outcomes.items():
        if function := outcome.get(ANOTHER_API):
            api = next(one.id for one in question.offers[name] if one.function == function)
            found.setdefault((api, outcome.get(CALL, 1)), Wanted(api=api, gives=[]))["gives"].append(name)
    return list(found.values())


def _decided(frames: Sequence[Frame], stack: Sequence[int], run: Run[ReverseChainContext]) -> AfterComplete:
    """What the stack leads to: calls in work first, then the user, then the calls."""
    if stack:
        return "more to complete" if frames[stack[-1]]["stage"] == "open" else "an API gives it"
    if run.context.plan_only:
        return "planned only"
    return "only the user knows" if any(frame["missing"] for frame in living(frames)) else "complete"


async def push(state: ReverseChainState, run: Run[ReverseChainContext]) -> Update:
    """Push a frame for the call that gives one or more arguments: its own arguments are completed next."""
    top = state["frames"][state["stack"][-1]]
    wanted, *others = top["wanted"]
    consumer = await run.api(top["api"])
    frame = new_frame(
        state["frames"],
        wanted["api"],
        task=f"{', '.join(wanted['gives'])} of {consumer.function}",
        goal=top["goal"],
        parent=top["id"],
        fills=wanted["gives"],
    )
    frames = changed(
        state["frames"],
        top["id"],
        wanted=others,
        takes=top["takes"] | dict.fromkeys(wanted["gives"], frame["id"]),
    )
    return {"frames": [*frames, frame], "stack": [*state["stack"], frame["id"]]}


def after_complete(state: ReverseChainState) -> AfterComplete:
    """The edge that the node has decided on."""
    return cast("AfterComplete", state["decided"])

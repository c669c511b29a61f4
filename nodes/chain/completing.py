"""How the model is asked where arguments come from: all of them at once, values first, or as the paper's ablations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from langchain_core.messages import BaseMessage

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.text import shortened
from toolquiver.models import values_first
from toolquiver.nodes.apis.ids import is_id
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain.argument_answers import Among, Answers
from toolquiver.nodes.chain.completion_types import Outcomes, completion_of
from toolquiver.nodes.chain.doubts import value_context
from toolquiver.nodes.chain.frames import ChainState, Frame, is_meant
from toolquiver.nodes.chain.offers import Offers, offers
from toolquiver.nodes.chain.plan_text import call_of, plan_of
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.describe import offer_line, parameter_line, remembered
from toolquiver.nodes.run import Run
from toolquiver.nodes.scripts.drafts import calls_in, held
from toolquiver.nodes.sources import NOBODY, REQUEST, Sources
from toolquiver.prompts import load_prompt

_ROLE = "complete"
_LONGEST_DESCRIPTION = 600
_PLAN = 800  # characters of the plan so far that are shown
_PROMPT = load_prompt(_ROLE)


class Round(NamedTuple):
    """Parameters that one decision is asked for, what may come of each, and which of them are meant."""

    parameters: Sequence[Parameter]
    outcomes: Outcomes
    among: Among = "all"


async def completed(
    frame: Frame, api: API, parameters: Sequence[Parameter], state: ChainState, run: Run
) -> tuple[Sources, Update]:
    """Where the parameters come from, and what asking cost; without those that nobody gives.

    `completion` says how many decisions that takes (Reverse Chain, 3.2.2). A value that stands nowhere is refused: it
    is asked for again, at last of APIs alone. A doubtful one is asked for again, and taken if nothing else is said.
    Where no valid decision was made of several arguments, each is asked for by itself.
    """
    offered = await offers(frame, api, parameters, state, run)
    answers = Answers(frame, offered, await value_context(frame, state, run) if run.context.grounding else None)
    if draft := frame.get("draft"):
        apis = {api.id: api for api in await run.apis(calls_in(draft))}
        answers.keep(held(draft, parameters, offered, apis), parameters)
    if is_meant(frame):  # an ID that the draft does not know stands nowhere
        parameters = [parameter for parameter in parameters if offered[parameter.name] or not is_id(parameter)]
    cost, waiting = Update(), await _rounds(parameters, run)
    while waiting:
        asked, outcomes, among = waiting.pop(0)
        if among != "all":
            answers.question(parameters)
        rest = [p for p in asked if answers.is_open(p.name, among) and (outcomes != "apis" or offered[p.name])]
        if not rest:
            continue
        names = {p.name: [fed.api.function for fed in offered[p.name]] if outcomes != "values" else [] for p in rest}
        messages = await _messages(frame, api, state, run, **_shown(rest, names, offered, answers))
        shape = completion_of(api, rest, names, outcomes)
        decision, more = await run.decide(_ROLE, shape, messages, after(state, cost))
        cost = both(cost, more)
        if decision:
            answers.take(decision.root, rest, outcomes)
        elif len(rest) > 1 and "stopped" not in cost:
            waiting[:0] = [Round([parameter], outcomes, among) for parameter in rest]
    return answers.sources, cost


async def _rounds(parameters: Sequence[Parameter], run: Run) -> list[Round]:
    """Which parameters are asked for together, and what may come of each."""
    mode = run.context.completion
    if mode == "auto":
        mode = "three_step" if values_first(await run.model(_ROLE)) else "at_once"
    if mode == "three_step":
        first = [Round(parameters, "values"), Round(parameters, "apis")]
        return [*first, Round(parameters, "apis", "doubted"), Round(parameters, "values", "questioned")]
    groups: list[Sequence[Parameter]] = [[p] for p in parameters] if mode == "one_by_one" else [parameters]
    ways: list[tuple[Outcomes, Among]] = [("any", "all"), ("any", "questioned"), ("apis", "questioned")]
    return [Round(group, outcomes, among) for outcomes, among in ways for group in groups]


def _shown(
    rest: Sequence[Parameter], names: Mapping[str, Sequence[str]], offered: Offers, answers: Answers
) -> dict[str, Any]:
    """What the prompt says of the parameters."""
    listed = [fed.api for p in rest if names[p.name] for fed in offered[p.name]]
    return {
        "inputs": [{"line": parameter_line(p), "from": ", ".join(names[p.name])} for p in rest],
        "offers": list(dict.fromkeys(map(offer_line, listed))),
        "refused": [f"{p.name}: {answers.refused[p.name]}" for p in rest if p.name in answers.refused],
        "doubted": [f"{p.name}: {answers.doubted[p.name][1]}" for p in rest if p.name in answers.doubted],
    }


async def _messages(frame: Frame, api: API, state: ChainState, run: Run, **asked: Any) -> list[BaseMessage]:
    """The prompt; `asked` is what it says of the parameters."""
    plan = await plan_of(state["stack"][0], state["frames"], run)
    return _PROMPT.messages(
        request=REQUEST,
        nobody=NOBODY,
        conversation=state["said"],
        known=remembered(state["known"]),
        query=state["query"],
        plan=[] if frame["parent"] is None else [shortened(plan, _PLAN)],
        call=call_of(frame, api, {}),
        description=shortened(api.whole_description, _LONGEST_DESCRIPTION),
        task=frame["task"],
        **asked,
    )

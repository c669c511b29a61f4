"""How the model is asked where arguments come from: all of them at once, or as the paper's ablations do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage

from toolquiver.catalog import API, Parameter
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain import Chained, Frame
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.describe import api_line, parameter_line, remembered, shortened
from toolquiver.nodes.offers import offers
from toolquiver.nodes.plan_text import call_of, plan_of
from toolquiver.nodes.run import Run
from toolquiver.nodes.sources import NOBODY, REQUEST, Outcomes, completion_of
from toolquiver.prompts import load_prompt

_LONGEST_DESCRIPTION = 600
_PLAN = 800  # characters of the plan so far that are shown
_PROMPT = load_prompt("complete")

Sources = dict[str, dict[str, Any]]
"""For each input where it comes from: `{"from": ..., "value": ...}`."""


async def completed(
    frame: Frame, api: API, parameters: Sequence[Parameter], state: Chained, run: Run, *, refused: Mapping[str, Any]
) -> tuple[Sources, Update]:
    """Where the parameters come from, and what asking cost; without those that no valid decision was made of.

    `completion` says how many decisions that takes (Reverse Chain, 3.2.2). `refused` are values that were given before
    and stand nowhere.
    """
    offered = await offers(frame, api, parameters, state, run)
    found, cost = Sources(), Update()
    for asked, outcomes in _rounds(parameters, run):
        rest = [p for p in asked if found.get(p.name, {"from": NOBODY})["from"] == NOBODY]
        if not rest or (outcomes == "apis" and not any(offered[p.name] for p in rest)):
            continue
        shown = {p.name: [] if outcomes == "values" else offered[p.name] for p in rest}
        names = {name: [fed.api.function for fed in fits] for name, fits in shown.items()}
        messages = await _messages(
            frame,
            api,
            state,
            run,
            inputs=[{"line": parameter_line(p), "from": ", ".join(names[p.name])} for p in rest],
            offers=list(dict.fromkeys(_offer_line(fed.api) for fits in shown.values() for fed in fits)),
            refused=[f"{name}: {value!r} stands in no text" for name, value in refused.items()],
        )
        shape = completion_of(api, rest, names, outcomes)
        decision, more = await run.decide("complete", shape, messages, after(state, cost))
        cost = both(cost, more)
        found |= decision.root if decision else {}
    return found, cost


def _rounds(parameters: Sequence[Parameter], run: Run) -> list[tuple[Sequence[Parameter], Outcomes]]:
    """Which parameters are asked for together, and what may come of each."""
    if run.context.completion == "one_by_one":
        return [([parameter], "any") for parameter in parameters]
    if run.context.completion == "three_step":
        return [(parameters, "values"), (parameters, "apis")]
    return [(parameters, "any")]


async def _messages(frame: Frame, api: API, state: Chained, run: Run, **asked: Any) -> list[BaseMessage]:
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
        description=shortened(api.told, _LONGEST_DESCRIPTION),
        task=frame["task"],
        **asked,
    )


def _offer_line(api: API) -> str:
    return api_line(api) + (" (it is not documented what it returns)" if api.output is None else "")

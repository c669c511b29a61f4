"""Executor, second of four: one tool of the list of this step (Smurfs, eq. 3)."""

from __future__ import annotations

from toolquiver.catalog import API
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.describe import step_view
from toolquiver.nodes.run import Run
from toolquiver.nodes.shapes import choice_among
from toolquiver.nodes.state import Executed, resumed
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("choose")


async def choose(state: Executed, run: Run) -> Update:
    """Choose among the tools left; the only one is taken unasked, the first when no valid choice comes.

    The tool that lacked an argument is taken unasked once a step has found that out. Where planner and executor have
    different tools in mind, the model is asked again between these two, in either order: a small model's choice
    depends on the order.
    """
    if intended := resumed(state):
        return {"chosen": intended, "aim": None}
    apis = await run.choosable(state)
    if len(apis) == 1:
        return {"chosen": apis[0].id}
    chosen, cost = await _asked(apis, state, run)
    planned = next((api for api in apis if api.id in state["planned"][state["current"] :][:1]), None)
    if run.context.runoff and planned and planned.id != chosen.id and not state["trail"]:
        chosen, cost = await _between(planned, chosen, state, run, cost)
    return {"chosen": chosen.id, **cost}


async def _asked(apis: list[API], state: Executed, run: Run) -> tuple[API, Update]:
    """The tool that the model takes of these, and what asking cost."""
    messages = _PROMPT.messages(**step_view(state, apis), thought=state["thought"])
    by_function = {api.function: api for api in apis}
    decision, cost = await run.decide("choose", choice_among(list(by_function)), messages, state)
    return apis[0] if decision is None else by_function[decision.tool], cost


async def _between(planned: API, chosen: API, state: Executed, run: Run, spent: Update) -> tuple[API, Update]:
    """The planner's tool if the model takes it of the two in either order, else the executor's."""
    for pair in ([planned, chosen], [chosen, planned]):
        taken, cost = await _asked(pair, after(state, spent), run)
        spent = both(spent, cost)
        if taken is chosen:
            return chosen, spent
    return planned, spent

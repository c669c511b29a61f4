"""Executor, second of four: one tool of the list of this step (Smurfs, eq. 3)."""

from __future__ import annotations

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import step_view
from toolquiver.nodes.run import Run
from toolquiver.nodes.shapes import choice_among
from toolquiver.nodes.state import Executed, resumed
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("choose")


async def choose(state: Executed, run: Run) -> Update:
    """Choose among the tools left; the only one is taken unasked, the first when no valid choice comes.

    The tool that lacked an argument is taken unasked once a step has found that out.
    """
    if intended := resumed(state):
        return {"chosen": intended, "aim": None}
    apis = await run.choosable(state)
    if len(apis) == 1:
        return {"chosen": apis[0].id}
    messages = _PROMPT.messages(**step_view(state, apis), thought=state["thought"])
    by_function = {api.function: api.id for api in apis}
    decision, cost = await run.decide("choose", choice_among(list(by_function)), messages, state)
    chosen = apis[0].id if decision is None else by_function[decision.tool]
    return {"chosen": chosen, **cost}

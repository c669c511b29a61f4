"""Executor, second of four: one tool of the list of this step (Smurfs, eq. 3).

With registration on demand (EcoAct, section 3) the list shows names, and the choice registers: from then on the tool is
shown in full.
"""

from __future__ import annotations

from toolquiver.catalog import API, ApiId
from toolquiver.errors import InputError
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.describe import step_view
from toolquiver.nodes.executor.choosable import choosable, favourite
from toolquiver.nodes.run import Run
from toolquiver.nodes.shapes import choice_among, some_of
from toolquiver.nodes.state import ExecutorState, resumed
from toolquiver.prompts import load_prompt
from toolquiver.registration import noted

_PROMPT, _REGISTER = load_prompt("choose"), load_prompt("enlist")


async def choose(state: ExecutorState, run: Run) -> Update:
    """Choose among the tools left; the only one is taken unasked, the first when no valid choice comes.

    The tool that lacked an argument is taken unasked once a step has found that out. Where planner and executor have
    different tools in mind, the model is asked again between these two, in either order: a small model's choice
    depends on the order. What search has first of those left stands in for a planner that names none, or whose tool
    failed. Where several tools may be registered at once, those come first, and the choice is among them.
    """
    return await _choose(state, run)


async def _choose(state: ExecutorState, run: Run, likeliest: ApiId | None = None) -> Update:
    """Choose; `likeliest` is what planner or search has first, where that was looked for already."""
    if intended := resumed(state):
        return {"chosen": intended, "aim": None, **await _registered([intended], state, run)}
    apis = await choosable(state, run)
    if not apis:
        raise InputError(
            "The catalogue no longer has any tool that this run can choose from. Import them, or start a new run."
        )
    if len(apis) == 1:
        return {"chosen": apis[0].id, **await _registered([apis[0].id], state, run)}
    apis, spent = await _enlisted(apis, state, run)
    chosen, cost = await _asked(apis, after(state, spent), run)
    cost = both(spent, cost)
    if run.context.runoff and not state["trail"]:
        likeliest = likeliest or await favourite(state, run)
        other = next((api for api in apis if api.id == likeliest), chosen)
        if other is not chosen:
            chosen, cost = await _between(other, chosen, state, run, cost)
    return {**await _registered([chosen.id], state, run), "chosen": chosen.id, **cost}


async def _enlisted(apis: list[API], state: ExecutorState, run: Run) -> tuple[list[API], Update]:
    """The tools that the model registers of these, where it may register several at once, else all of these."""
    registering = await run.registering(apis)
    if registering.mode == "all" or not registering.several:
        return apis, {}
    messages = _REGISTER.messages(**step_view(state, apis, registering), thought=state["thought"])
    decision, cost = await run.decide("choose", some_of([api.function for api in apis]), messages, state)
    if decision is None:
        return apis, cost
    named = [api for api in apis if api.function in decision.tools]
    return named, cost | await _registered([api.id for api in named], state, run)


async def _asked(apis: list[API], state: ExecutorState, run: Run) -> tuple[API, Update]:
    """The tool that the model takes of these, and what asking cost."""
    if len(apis) == 1:
        return apis[0], {}
    messages = _PROMPT.messages(**step_view(state, apis, await run.registering(apis)), thought=state["thought"])
    by_function = {api.function: api for api in apis}
    decision, cost = await run.decide("choose", choice_among(list(by_function)), messages, state)
    return apis[0] if decision is None else by_function[decision.tool], cost


async def _between(likeliest: API, chosen: API, state: ExecutorState, run: Run, spent: Update) -> tuple[API, Update]:
    """The planner's tool, or what stands in for it, if the model takes it of the two in either order, else its own."""
    for pair in ([likeliest, chosen], [chosen, likeliest]):
        taken, cost = await _asked(pair, after(state, spent), run)
        spent = both(spent, cost)
        if taken is chosen:
            return chosen, spent
    return likeliest, spent


async def _registered(ids: list[ApiId], state: ExecutorState, run: Run) -> Update:
    """These tools on record as shown in full from now on, where that is on demand."""
    if run.context.registration == "all" or (await run.registering(await choosable(state, run))).mode == "all":
        return {}
    return {"registered": noted(state["registered"], ids, len(state["calls"]))}

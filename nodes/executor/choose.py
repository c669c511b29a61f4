"""Executor, second of four: one tool of the list of this step (Smurfs, eq. 3).

With registration on demand (EcoAct, section 3) the list shows names, and the choice registers: from then on the tool is
shown in full.
"""

from __future__ import annotations

from typing import Literal

from toolquiver.catalog import API, ApiId
from toolquiver.errors import InputError
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.describe import step_view
from toolquiver.nodes.executor.choosable import choosable, favourite
from toolquiver.nodes.executor.siblings import has_answered, in_use
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.sureness import sure
from toolquiver.nodes.shapes import choice_among, some_of
from toolquiver.nodes.state import ExecutorState, current_task, planned_now, resumed
from toolquiver.nodes.texts.conversions import with_conversion
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


async def agree_or_choose(state: ExecutorState, run: Run) -> Update:
    """Take the planner's tool unasked where search by the task, and what it wants, is sure of the same; else choose.

    Without a planner's tool that is the one which search by the task's own words has first. Only the first time, and
    only where `search_decides`. What the planner has in mind again, and has answered before, is taken first; where it
    names none, one of a tool in use, if it is near.
    """
    untried = not (state["trail"] or state["hint"] or state["aim"])
    planned = planned_now(state)
    if not (untried and run.context.search_decides and state["allowed"] is None):
        return await _choose(state, run)
    if run.context.siblings and (used := await _proven(planned, state, run)):
        return {"chosen": used, **await _registered([used], state, run)}
    task, likeliest = current_task(state), await favourite(state, run)
    if likeliest in state["tool_lists"][-1]:
        hits = await run.hits(state["expansions"].get(state["subtasks"][state["current"]], with_conversion(task)))
        if sure(hits, run.context.shown) and hits[0].api.id == likeliest:
            return {"chosen": likeliest, **await _registered([likeliest], state, run)}
    return await _choose(state, run, likeliest)


async def _proven(planned: ApiId | None, state: ExecutorState, run: Run) -> ApiId | None:
    """The planner's tool if it is left and has answered another subtask; where it names none, one of a tool in use."""
    if planned is None:
        return await in_use(state, run)
    return planned if planned in state["tool_lists"][-1] and has_answered(planned, state) else None


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


def after_choose(state: ExecutorState) -> Literal["registered: shown in full"]:
    """What was chosen is shown in full from here on, where registration is on demand; else all have been before."""
    del state
    return "registered: shown in full"

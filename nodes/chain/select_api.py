"""API selection: the API that does the goal itself (Reverse Chain, 2, step 1)."""

from __future__ import annotations

from typing import Literal

from toolquiver.catalog import API, ApiId
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain.frames import ChainState, a_frame
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.describe import api_line, remembered
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.expand import expanded
from toolquiver.nodes.shapes import choice_among
from toolquiver.nodes.state import current_task
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("select")


async def select_api(state: ChainState, run: Run) -> Update:
    """Choose the goal's API among those that were given or that search finds; the only one is taken unasked.

    Those that failed at this goal are not chosen again, and after `max_steps` of them the goal is given up.
    """
    task, failed = current_task(state), state["failed_roots"]
    pool, shown, spent = await at_hand(state, run)
    waiting = state["pool"] if state.get("waiting") else []  # later goals are drafted with these
    update: Update = {"pool": list(dict.fromkeys([*(api.id for api in pool), *waiting])), "stack": []}
    if not shown or len(failed) >= run.context.max_steps:
        why = state["failure"] or "No API fits this."
        return {**update, **spent, "failure": why}
    chosen, cost = await _chosen(shown, failed, task, after(state, spent), run)
    frame = a_frame(state["frames"], chosen, task, state["current"])
    return {
        **update,
        **both(spent, cost),
        "frames": [*state["frames"], frame],
        "stack": [frame["id"]],
        "failure": "",
        "asked": 0,
        "problem": "",
    }


async def at_hand(state: ChainState, run: Run) -> tuple[list[API], list[API], Update]:
    """The candidates of the goal, those of them that are shown, and what finding them cost."""
    text, spent = await expanded(current_task(state), state, run)
    given = state["allowed"]
    pool = await run.apis(given) if given is not None else await run.search(text)
    left = [api for api in pool if api.id not in state["failed_roots"]]
    return pool, left if given is not None else left[: run.context.shown], spent


async def _chosen(apis: list[API], failed: list[ApiId], task: str, state: ChainState, run: Run) -> tuple[ApiId, Update]:
    """The API that the model takes, the first when it gives no valid choice, and what asking cost."""
    if len(apis) == 1:
        return apis[0].id, {}
    by_function = {api.function: api.id for api in apis}
    messages = _PROMPT.messages(
        tools=[api_line(api) for api in reversed(apis)],
        conversation=state["said"],
        known=remembered(state["known"]),
        task=task,
        failed=[api.function for api in await run.apis(failed)],
    )
    decision, cost = await run.decide("select", choice_among(list(by_function)), messages, state)
    return apis[0].id if decision is None else by_function[decision.tool], cost


def after_select(state: ChainState) -> Literal["selected", "nothing fits"]:
    """Without an API there is no chain."""
    return "nothing fits" if state["failure"] else "selected"

"""What the executor may choose from in its next step, out of all that is left for it."""

from __future__ import annotations

from toolquiver.catalog import API, ApiId
from toolquiver.catalog.feeds import returns
from toolquiver.nodes.apis.converters import converters, takes
from toolquiver.nodes.apis.dated import taking_its_day
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import ExecutorState, current_task, looked_up_here, planned_now
from toolquiver.nodes.texts.conversions import with_conversion


async def choosable(state: ExecutorState, run: Run) -> list[API]:
    """The first tools of this step's list that fit what is missing, if there are any.

    Those return an argument that is missing, or convert what is to be converted, or at least can take it; and take
    the day that the task names.

    Search put the list in order, so the next ones come up as tools fail, and one more with each step: of five a
    small model chooses better than of ten. A list that was given has no order and is shown whole.
    """
    apis = await run.apis(state["tool_lists"][-1])
    wanted = state["missing"] or looked_up_here(state)
    helpful = [api for api in apis if any(returns(api, name) for name in wanted)]
    hint = state["hint"] or current_task(state)
    helpful = helpful or converters(apis, hint) or [api for api in apis if takes(api, hint)]
    if not (state["trail"] or state["hint"] or wanted):
        helpful = taking_its_day(helpful, current_task(state)) or helpful
    shown = len(apis) if state["allowed"] is not None else run.context.shown + len(state["trail"])
    return (helpful or apis)[:shown]


async def favourite(state: ExecutorState, run: Run) -> ApiId | None:
    """The tool that the planner named for the task, else the one that search by the task's own words has first.

    Of those that are left: after a rollback what failed is not among them.
    """
    left = set(state["tool_lists"][-1])
    planned = planned_now(state)
    if planned in left or state["allowed"] is not None:
        return planned
    hits = await run.hits(with_conversion(current_task(state)))
    return next((hit.api.id for hit in hits if hit.score and hit.api.id in left), None)

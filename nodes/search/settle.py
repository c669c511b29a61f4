"""The end of a search: the pool, and what is to be said of it."""

from __future__ import annotations

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.agents import RetrieverState, numbers_of
from toolquiver.nodes.search.filling import filled

NOTHING = "The catalogue has no API. Import some: toolquiver catalog import."
_NAMED = 10  # APIs that are named in the answer


async def settle(state: RetrieverState, run: Run) -> Update:
    """Say how the search ended: solved if the pool was found to suffice, partial if there is one at all.

    What agents left open of it search fills, if it is to.
    """
    pool = await filled(state, run)
    apis = await run.apis(pool)
    names = ", ".join(api.function for api in apis[:_NAMED])
    more = f" and {len(apis) - _NAMED} more" if len(apis) > _NAMED else ""
    answer = f"{len(apis)} APIs: {names}{more}." if apis else ""
    whys = dict.fromkeys(agent["why"] for agent in state["agents"].values() if agent["why"])
    ended = state["stopped"] or state["reason"] or "All agents have finished."  # what the model said without agents
    reason = f"Agents stopped because {', '.join(whys)}." if whys else ended
    lost = sum(agent["lost"] for agent in state["agents"].values())
    groups = sum(agent["page"] for agent in state["agents"].values())
    reason += f" For {lost} of {groups} groups of APIs the model gave no valid answer." if lost else ""
    if state["allowed"] is not None:
        reason = "The candidates were given." if await run.has_apis() else NOTHING
    complete = state["solvable"] or (state["pool"] and not whys and not lost)
    status = "solved" if complete else "partial" if apis else "failed"
    numbers = numbers_of({**state, "pool": pool})
    return {"answer": answer, "reason": reason, "status": status, "calls": [], "pool": pool, "numbers": numbers}

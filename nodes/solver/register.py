"""Registration: a listed tool becomes callable because the model asked for it (EcoAct, section 3)."""

from __future__ import annotations

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.dialogue import SolverState, answered
from toolquiver.nodes.run import Run
from toolquiver.registration import REGISTER, noted, put_away


async def register(state: SolverState, run: Run) -> Update:
    """Register what the first request names, or put it away, and tell the model."""
    request, *rest = state["requests"]
    apis = await run.apis(state["pool"])
    arguments, records = request["arguments"] or {}, state["registered"]
    registering = await run.registering(apis)
    if registering.mode == "all":
        return {"requests": rest, "messages": [answered(request, "All tools can be called as they are.")]}
    if request["name"] == REGISTER:
        added, told = registering.register(arguments, apis, records)
        records = noted(records, added, state["turn"])
    else:
        gone, told = registering.unregister(arguments, apis)
        records = put_away(records, gone, state["turn"])
    return {"requests": rest, "registered": records, "messages": [answered(request, told)]}

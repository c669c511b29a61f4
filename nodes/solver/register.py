"""Registration: a listed API becomes callable because the model asked for it (EcoAct, 2.2)."""

from __future__ import annotations

from toolquiver.contexts import SolverContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.solver.begin import registering
from toolquiver.nodes.solver.state import SolverState, Visit, outcome
from toolquiver.registration import REGISTER, noted, put_away

_ALL = "All functions can be called as they are."


async def register(state: Visit, run: Run[SolverContext]) -> Update:
    """Register what a request names, or put it away, and tell the model."""
    request = state["requests"][state["place"]]
    apis, arguments = await run.callables(state["pool"]), request["arguments"] or {}
    how = await registering(state, run)
    if how.mode == "all":
        return outcome(state, _ALL)
    if request["name"] == REGISTER:
        added, told = how.register(arguments, apis, state["registered"])
        return outcome(state, told, ok=bool(added), registered=added)
    gone, told = how.unregister(arguments, apis)
    return outcome(state, told, ok=bool(gone), unregistered=gone)


def registered_after(state: SolverState) -> Update:
    """What is registered, and what is a candidate, once the requests of a turn are served."""
    records, pool = state["registered"], list(state["pool"])
    for one in sorted(state["outcomes"], key=lambda one: one["place"]):
        pool += [api for api in one.get("found", ()) if api not in pool]
        records = noted(records, one.get("registered", ()), state["turn"])
        records = put_away(records, one.get("unregistered", ()), state["turn"])
    return {"registered": records, "pool": pool}

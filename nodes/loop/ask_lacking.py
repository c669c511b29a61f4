"""What a tool lacks and no API gives is asked of the user, in the middle of a run (Reverse Chain, 2.1, case 3)."""

from __future__ import annotations

from typing import cast

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain.ask_user import ask_user, is_among, missing_of
from toolquiver.nodes.chain.chain_fill import not_filled
from toolquiver.nodes.chain.frames import ChainState, of_goal
from toolquiver.nodes.loop.quiver_state import QuiverState
from toolquiver.nodes.run import Run


async def ask_lacking(state: QuiverState, run: Run) -> Update:
    """Ask as Reverse Chain does. With the answer the chain goes on; refused, the tool has failed, and another is tried.

    A tool that nothing was given for is not asked about again, and what it lacked stays in `unfilled`.
    """
    chain = cast("ChainState", {**state, "unfilled": []})
    asked = await ask_user(chain, run)
    lacked = await missing_of(chain, run)
    asked["unfilled"] = [*(entry for entry in state["unfilled"] if not is_among(entry, lacked)), *asked["unfilled"]]
    problem = asked.pop("failure", "")
    if not problem:
        return asked
    goal, *_ = of_goal(chain)
    declined = [*state["declined"], goal["api"]]
    return {**asked, **not_filled(goal, problem), "declined": declined, "asked": 0, "problem": ""}

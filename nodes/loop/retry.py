"""Reflection over the executor's work: what failed is taken away, and what is open is tried again (AnyTool, 4.3)."""

from __future__ import annotations

from typing import cast

from toolquiver.calling.outcome import PASSING
from toolquiver.catalog import ApiId
from toolquiver.nodes.approve import is_refusal
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.loop.anytool_state import AnyToolState
from toolquiver.nodes.loop.lacking import gaps, in_words, is_the_users
from toolquiver.nodes.loop.quiver_state import Gap, QuiverState
from toolquiver.nodes.loop.reflect import next_level, reflect
from toolquiver.nodes.repeats import made_before
from toolquiver.nodes.run import Run
from toolquiver.nodes.solver.giving_up import GivenUp
from toolquiver.nodes.texts.conversions import with_conversion


async def look_back(state: QuiverState, run: Run) -> Update:
    """Reflect as AnyTool does; what is open, or else the judge, gives the reason, and the calls say which APIs failed.

    An API of which every call since the last reflection failed is not used again, also where only its key is missing:
    that does not come in the run. One whose arguments could not be filled did not fail, nor one whose failure may pass,
    or whose call the user refused. Where all that is open is the user's, whom no tool can replace, it ends instead, as
    it does where none of the candidates that were given is left, or where all is as it was.
    """
    left = _to_mend(state)
    if gaps(state) and not left:
        return {"best": state["answer"].strip() or state["best"], "decided": "only the user can help"}
    reason = in_words(left) or state["verdict_reason"]
    given = {**state, "verdict_reason": reason, "given_up": GivenUp(reason=reason, failed=_failed(state))}
    update = await reflect(cast("AnyToolState", given), run)
    if "removed" not in update:  # at the limit
        return update
    if state["allowed"] and not set(state["allowed"]) - set(update["removed"]):
        return {"best": update["best"], "removed": update["removed"], "decided": "no candidate is left"}
    if await _as_before(state, update, run):
        return {"best": update["best"], "decided": "no agent is left to wake, and there is nothing new to try"}
    found = [api for api in state.get("found", []) if api not in update["removed"]]
    return update | {"found": found, "stock": len(found), "tried": len(state["calls"])}


async def _as_before(state: QuiverState, update: Update, run: Run) -> bool:
    """Whether another try would be the last one again: no agent can be woken, no tool was removed, nothing has moved.

    After a reflection whose try came to no new call, another reason for the same tools brings none either.
    """
    if not state["failures"] or next_level(state["agents"], update["levels"]):
        return False
    return update["removed"] == state["removed"] and not await _moved(state, run)


async def _moved(state: QuiverState, run: Run) -> bool:
    """Whether the last try has called anything new that worked, or a failure of the moment may have passed."""
    worked = [call for call in state["calls"][: state["tried"]] if call["ok"]]
    moving = [call for call in state["calls"][state["tried"] :] if call["ok"] or call["failure"] in PASSING]
    apis = await run.apis([call["api"] for call in moving])
    return any(not any(made_before(api, call["arguments"], worked)) for api, call in zip(apis, moving, strict=True))


def _to_mend(state: QuiverState) -> list[Gap]:
    """What is open and may be answered by other tools."""
    return [gap for gap in gaps(state) if not is_the_users(gap["question"], state)]


def _failed(state: QuiverState) -> list[ApiId]:
    calls = state["calls"][state["tried"] :]
    worked = {call["api"] for call in calls if call["ok"]}
    excused = PASSING | {"invalid_arguments"}
    broken = [call["api"] for call in calls if not (call["ok"] or call["failure"] in excused or is_refusal(call))]
    return list(dict.fromkeys(api for api in broken if api not in worked))


async def resume(state: QuiverState, _: Run) -> Update:
    """Ask what is open once more, after what is known; the whole query where the judge alone is not content.

    The reason is the first hint, and search goes by it too.
    """
    lesson = state["failures"][-1]
    again = [gap["question"] for gap in _to_mend(state)] or [state["query"]]
    subtasks = [*state["subtasks"], *again]
    widened = {task: f"{state['expansions'].get(task, with_conversion(task))} {lesson}" for task in again}
    return {
        "subtasks": subtasks,
        "planned": [*state["planned"], *[None] * (len(subtasks) - len(state["planned"]))],
        "current": len(state["subtasks"]),
        "sure": len(subtasks),
        "unplanned": [],
        "known": [found for found in state["known"] if found["solved"]],
        "expansions": {**state["expansions"], **widened},
        "lesson": lesson,
        "decided": "tries again",
    }

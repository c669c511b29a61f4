"""The calls of a planned chain, those first that others wait for; independent ones that only read together."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from toolquiver.calling import Failure, Observation, needs_approval
from toolquiver.calling.approval import reads
from toolquiver.catalog import API
from toolquiver.nodes.approve import refused
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain import Chained, Frame, changed, filled, of_goal, path_to
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Call

_KEPT = 100_000  # characters of a response: a value is taken out of it by its path, so it must be whole
_USED_UP = "The calls are used up."

Outcome = Observation | Failure


async def call(state: Chained, run: Run) -> Update:
    """Make the calls that wait for nothing: the deepest, or all that only read and need nobody's approval.

    A call that was made before in this run is not made again, whether it failed or not. The limit of calls is hard.
    """
    ready = await _ready(state, run)
    made = {_key(frame): frame for frame in state["frames"] if frame["stage"] in ("called", "failed")}
    frames, new = state["frames"], dict[str, tuple[Frame, API]]()
    for frame, api in ready:
        if before := made.get(_key(frame)):
            frames = changed(frames, frame["id"], stage=before["stage"], observation=before["observation"])
        else:
            new.setdefault(_key(frame), (frame, api))
    left = run.context.solver_calls - len(state["calls"])
    asked = list(new.items())[: max(left, 0)]
    if new and not asked:
        return {"frames": frames, "failure": _USED_UP}
    outcomes = dict(zip((key for key, _ in asked), await _outcomes([pair for _, pair in asked], run), strict=True))
    for frame, _ in ready:
        if outcome := outcomes.get(_key(frame)):
            text = outcome.message if isinstance(outcome, Failure) else outcome.text
            stage = "failed" if isinstance(outcome, Failure) else "called"
            frames = changed(frames, frame["id"], stage=stage, observation=text)
    calls = [_call(frame, outcomes[key], state) for key, (frame, _) in asked]
    return {"frames": frames, "calls": calls}


async def _ready(state: Chained, run: Run) -> list[tuple[Frame, API]]:
    """The frames to call now: the deepest that has all its arguments, with all others if they may go together."""
    frames = of_goal(state)[1:] if state["fills"] else of_goal(state)
    planned = [frame for frame in frames if frame["stage"] == "planned"]
    pairs = [(frame, (await run.apis([frame["api"]]))[0]) for frame in planned]
    ready = [(frame, api) for frame, api in pairs if filled(frame, api)]
    ready.sort(key=lambda pair: (-len(path_to(state["frames"], pair[0]["id"])), pair[0]["id"]))
    together = [(frame, api) for frame, api in ready if reads(api) and not needs_approval(api, run.context.approval)]
    return together if ready and ready[0] in together else ready[:1]


async def _outcomes(pairs: Sequence[tuple[Frame, API]], run: Run) -> list[Outcome]:
    return list(await asyncio.gather(*(_outcome(api, frame["arguments"], run) for frame, api in pairs)))


async def _outcome(api: API, arguments: dict[str, Any], run: Run) -> Outcome:
    return refused(api, arguments, run.context.approval) or await run.call(api, arguments, characters=_KEPT)


def _key(frame: Frame) -> str:
    """What two frames have in common that are one call."""
    return json.dumps([frame["api"], frame["arguments"]], sort_keys=True, ensure_ascii=False)


def _call(frame: Frame, outcome: Outcome, state: Chained) -> Call:
    failure = outcome if isinstance(outcome, Failure) else None
    return Call(
        subtask=state["current"],
        api=frame["api"],
        arguments=frame["arguments"],
        ok=failure is None,
        failure=failure.kind if failure else None,
        message=failure.message if failure else "",
    )

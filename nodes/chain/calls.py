"""The calls of a planned chain, those first that others wait for; independent ones that only read together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from toolquiver.calling import Failure, Observation, needs_approval, normalised
from toolquiver.calling.approval import reads
from toolquiver.catalog import API
from toolquiver.nodes.approve import approval_of, call_if_approved
from toolquiver.nodes.bridge import Update, gather_checkpointed
from toolquiver.nodes.chain.frames import ChainState, Frame, Stage, changed, filled, frame_path, of_goal
from toolquiver.nodes.records import Call, call_record
from toolquiver.nodes.repeats import in_doubt, is_stale
from toolquiver.nodes.responses import Response
from toolquiver.nodes.run import Run

_KEPT = 100_000  # characters of a response: a value is taken out of it by its path, so it must be whole
_USED_UP = "The calls are used up."
MADE = "made"
"""What the tasks of calls that go together are called in LangGraph's streams, beside the nodes."""

Outcome = Observation | Failure


async def call(state: ChainState, run: Run) -> Update:
    """Make the calls that wait for nothing: the deepest, or all that only read and need nobody's approval.

    A call that was made before in this run is not made again, whether it failed or not; of a chain before this one, in
    the same run, where it did not fail. It is where something was changed since. The limit of calls is hard.
    """
    ready = await _ready(state, run)
    made = await _made_before(state, run)
    keys = [_key(frame, api) for frame, api in ready]
    frames, new = state["frames"], dict[str, tuple[Frame, API]]()
    for key, (frame, api) in zip(keys, ready, strict=True):
        if (before := made.get(key)) and not await is_stale(api, frame["arguments"], _calls(state), run):
            frames = changed(frames, frame["id"], stage=before.stage, observation=before.text)
        else:
            new.setdefault(key, (frame, api))
    asked = list(new.items())[: max(_left(state, run), 0)]
    if new and not asked:
        return {"frames": frames, "failure": _USED_UP}
    came = await _outcomes([pair for _, pair in asked], state, run)
    outcomes = dict(zip((key for key, _ in asked), came, strict=True))
    for key, (frame, _) in zip(keys, ready, strict=True):
        if outcome := outcomes.get(key):
            text = outcome.message if isinstance(outcome, Failure) else outcome.text
            stage = "failed" if isinstance(outcome, Failure) else "called"
            frames = changed(frames, frame["id"], stage=stage, observation=text)
    calls = [
        call_record(state["current"], frame["api"], frame["arguments"], outcomes[key]) for key, (frame, _) in asked
    ]
    return {"frames": frames, "calls": calls}


def _left(state: ChainState, run: Run) -> int:
    """How many calls may still be made; of a subtask's one is kept for the call that the chain fills."""
    if not state["fills"]:
        return run.context.solver_calls - len(state["calls"])
    own: int = sum(call["subtask"] == state["current"] for call in _calls(state))
    return run.context.max_calls - own - 1


class _Made(NamedTuple):
    """What a call came to."""

    stage: Stage
    text: str


async def _made_before(state: ChainState, run: Run) -> dict[str, _Made]:
    """The calls that need not be made again, by what makes two calls one."""
    earlier = state.get("responses", [])
    done = [frame for frame in state["frames"] if frame["stage"] in ("called", "failed")]
    apis = {api.id: api for api in await run.apis([one["api"] for one in [*earlier, *done]])}
    before = {_key(one, apis[one["api"]]): _Made("called", one["text"]) for one in earlier if one["api"] in apis}
    here = {_key(one, apis[one["api"]]): _Made(one["stage"], one["observation"]) for one in done}
    return before | here


async def _ready(state: ChainState, run: Run) -> list[tuple[Frame, API]]:
    """The frames to call now: the deepest that has all its arguments, with all others if they may go together."""
    frames = of_goal(state)[1:] if state["fills"] else of_goal(state)
    planned = [frame for frame in frames if frame["stage"] == "planned"]
    pairs = [(frame, await run.api(frame["api"])) for frame in planned]
    ready = [(frame, api) for frame, api in pairs if filled(frame, api)]
    ready.sort(key=lambda pair: (-len(frame_path(state["frames"], pair[0]["id"])), pair[0]["id"]))
    together = [(frame, api) for frame, api in ready if reads(api) and not needs_approval(api, approval_of(state, run))]
    return together if ready and ready[0] in together else ready[:1]


async def _outcomes(pairs: Sequence[tuple[Frame, API]], state: ChainState, run: Run) -> list[Outcome]:
    """What the calls came to; of several that go together, each is kept as it ends, if the run is killed meanwhile."""
    if not pairs[1:]:
        return [await _outcome(api, frame["arguments"], state, run) for frame, api in pairs]
    together = [partial(_plain_outcome, api, frame["arguments"], state, run) for frame, api in pairs]
    came = await gather_checkpointed(MADE, together)
    return [Failure(**one) if "kind" in one else Observation(**one) for one in came]


async def _plain_outcome(api: API, arguments: dict[str, Any], state: ChainState, run: Run) -> dict[str, Any]:
    return (await _outcome(api, arguments, state, run)).model_dump()


async def _outcome(api: API, arguments: dict[str, Any], state: ChainState, run: Run) -> Outcome:
    made = _calls(state)
    return in_doubt(api, arguments, made) or await call_if_approved(api, arguments, state, run, made, characters=_KEPT)


def _calls(state: ChainState) -> list[Call]:
    """The calls of the run so far."""
    return [*state.get("made", ()), *state["calls"]]


def _key(frame: Frame | Response, api: API) -> str:
    """What two frames have in common that are one call."""
    return f"{api.id} {normalised(api, frame['arguments'])}"

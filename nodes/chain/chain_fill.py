"""A reverse chain in the place of Smurfs' fill agent: it looks up what the chosen tool needs, then gives arguments."""

from __future__ import annotations

from typing import Any, Final, Literal, NotRequired

from langgraph.types import Overwrite
from typing_extensions import TypedDict

from toolquiver.calling import Failure
from toolquiver.catalog import ApiId
from toolquiver.catalog.text import shortened
from toolquiver.models import Usage, usage_since
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain.ask_user import GIVEN, can_ask, is_among, missing_of, not_known
from toolquiver.nodes.chain.frames import ChainState, Frame, Missing, a_frame, of_goal
from toolquiver.nodes.decided import DRAFTED, Decided
from toolquiver.nodes.records import Call, Found, Step, call_record
from toolquiver.nodes.responses import Response
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import ApprovalState, Budgeted, Draft, ExecutorState, current_task, planned_now

TOO_COSTLY: Final = "What it needs takes too many tokens to look up."
_ASKS: Final = "asks"


class ChainInput(Budgeted, ApprovalState):
    """What the chain is given of Smurfs' state: the chosen tool, and what is known.

    Where the user can be asked, also what was said, the frames that wait for it, and the tools it was not given for.
    """

    query: str
    decided: Decided
    allowed: list[ApiId] | None
    subtasks: list[str]
    current: int
    known: list[Found]
    pool: list[ApiId]
    planned: list[ApiId | None]
    chosen: ApiId | None
    trail: list[Step]
    calls: list[Call]
    responses: NotRequired[list[Response]]
    said: NotRequired[list[str]]
    frames: NotRequired[list[Frame]]
    unfilled: NotRequired[list[Missing]]
    declined: NotRequired[list[ApiId]]
    removed: NotRequired[list[ApiId]]
    drafts: NotRequired[dict[str, Draft]]


class Filling(ChainState):
    """The chain's own state besides: `spent` is what the run had cost before; with `kept`, a part is left to others."""

    planned: list[ApiId | None]
    chosen: ApiId | None
    declined: NotRequired[list[ApiId]]
    trail: list[Step]
    drafts: NotRequired[dict[str, Draft]]
    chained: list[Step]
    arguments: dict[str, Any] | None
    aim: ApiId | None
    missing: list[str]
    hint: str
    spent: Usage
    kept: bool


class ChainOutput(TypedDict):
    """What the chain changes in Smurfs' state; when nothing is missing any more, `aim` and `missing` too.

    `frames` and `unfilled` are for a graph that keeps them, to ask the user. `chained` are the calls that brought
    something, each with what the chain took of it as its answer; `responses` have them whole, for later chains.
    """

    arguments: dict[str, Any] | None
    aim: ApiId | None
    missing: list[str]
    frames: list[Frame]
    unfilled: list[Missing]
    calls: list[Call]
    chained: list[Step]
    responses: list[Response]
    hint: str
    decided: Decided
    usage: Usage
    stopped: str
    refused: NotRequired[bool]


async def begin_fill(state: Filling, run: Run) -> Update:
    """The chosen tool as the goal's frame; what earlier steps found out can be copied from. Nobody is asked."""
    return {**_begun(state, run), "may_ask": False}


async def begin_fill_to_ask(state: Filling, run: Run) -> Update:
    """As `begin_fill`; but what only the user can give may be asked, if that makes sense.

    It does where planner and executor have the same tool in mind, or there is no other one: a small model's wrong tool
    lacks what nobody has thought of. For a tool that the user has given nothing for, nothing is asked again. Where the
    user has given what was missing, the frames are as they were, and only the calls are left to be made.
    """
    return {**_begun(state, run), "may_ask": is_agreed(state) and state["chosen"] not in state.get("declined", [])}


def _begun(state: Filling, run: Run) -> Update:
    assert state["chosen"] is not None
    task = current_task(state)
    begun: Update = {
        "said": [*state.get("said", []), task, *(step["answer"] for step in state["trail"])],
        "spent": state["usage"],
        "kept": False,
        "made": state["calls"],
        "calls": Overwrite([]),
        "hint": "",
        "failure": "",
        "fills": True,
    }
    if state["decided"] == GIVEN:
        return {**begun, "stack": []}
    draft = state.get("drafts", {}).get(task) if state["decided"] == DRAFTED else None
    if not (draft or run.context.chain_fill) and (more := run.left(state) - run.context.chain_budget) > 0:
        begun |= {"spent_before": (state.get("spent_before") or 0) + more, "kept": True}
    return {**begun, "frames": [a_frame([], state["chosen"], task, state["current"], draft=draft)], "stack": [0]}


def after_begin_fill(state: Filling) -> Literal["what it needs", "the user has answered"]:
    """What the user has given completes the chain."""
    return "what it needs" if state["stack"] else "the user has answered"


async def end_fill(state: Filling, run: Run) -> Update:
    """The arguments, or a refused call with what is missing; and what the chain alone has spent."""
    goal, *_ = of_goal(state)
    missing = await missing_of(state, run)
    problem = state["failure"] or (not_known(missing) if missing else "")
    if any(step["api"] == goal["api"] and step["arguments"] == goal["arguments"] for step in state["trail"]):
        problem = "This call was made before."
    if _goes_on(state):  # what is missing was not looked for to the end, and nobody need know it
        missing, problem = [], TOO_COSTLY
    done = {**_spent(state), **_brought(state, run)}
    if not problem:
        return {**done, "arguments": goal["arguments"], "aim": None, "missing": [], "decided": "complete"}
    return {**done, **not_filled(goal, problem), "unfilled": _listed(missing, state)}


async def ask_or_end_fill(state: Filling, run: Run) -> Update:
    """As `end_fill`; but what only the user can give is asked, if that may be."""
    missing = await missing_of(state, run)
    if not (missing and can_ask(state, run)) or state["failure"] or state["stopped"]:
        return await end_fill(state, run)
    waiting: Update = {"frames": state["frames"], "unfilled": _listed(missing, state)}
    return {**_spent(state), **waiting, **_brought(state, run), "arguments": None, "decided": _ASKS}


def not_filled(goal: Frame, problem: str) -> Update:
    """A tool whose arguments could not be filled has failed: the call that was not made, with the reason."""
    failure = Failure(kind="invalid_arguments", message=problem)
    refused = call_record(goal["goal"], goal["api"], goal["arguments"], failure)
    return {"arguments": None, "calls": [refused], "hint": problem, "decided": "cannot fill"}


def _goes_on(state: Filling) -> bool:
    """Whether only the chain's own tokens are spent, and there are some for other tools."""
    return bool(state["stopped"]) and state["kept"] and not state.get("refused")


def _spent(state: Filling) -> Update:
    cost: Update = {"usage": Overwrite(usage_since(state["spent"], state["usage"]))}
    return cost | {"stopped": ""} if _goes_on(state) else cost


def _brought(state: Filling, run: Run) -> Update:
    """The calls made for arguments, whole and as steps, of which those are cut as any call's; what was taken stays."""
    called = [frame for frame in state["frames"] if frame["stage"] == "called"]
    steps = [
        Step(
            subtask=frame["goal"],
            thought="",
            api=frame["api"],
            arguments=frame["arguments"],
            observation=_cut(frame["observation"], _fed(frame, state), run.context.observation_characters),
            answer="; ".join(_fed(frame, state)),
        )
        for frame in called
    ]
    whole = [Response(api=frame["api"], arguments=frame["arguments"], text=frame["observation"]) for frame in called]
    return {"chained": steps, "responses": [one for one in whole if one not in state.get("responses", [])]}


def _cut(observation: str, values: list[str], longest: int) -> str:
    text = shortened(observation, longest)
    return " ".join([text, *(value for value in values if value not in text)])


def _fed(frame: Frame, state: Filling) -> list[str]:
    """The values that the frame's output gave to the call it feeds."""
    if frame["parent"] is None:
        return []
    parent = state["frames"][frame["parent"]]
    taken = [name for name, giver in parent["takes"].items() if giver == frame["id"]]
    return [str(parent["arguments"][name]) for name in taken if name in parent["arguments"]]


def _listed(missing: list[Missing], state: Filling) -> list[Missing]:
    """What the user alone could have given in this run."""
    before = state.get("unfilled", [])
    return [*before, *(entry for entry in missing if not is_among(entry, before))]


def is_agreed(state: ExecutorState | Filling) -> bool:
    """Whether the planner had the chosen tool in mind, or there is no other one."""
    return state["chosen"] == planned_now(state) or state["pool"] == [state["chosen"]]


def after_chain(state: ExecutorState) -> Literal["complete", "cannot fill", "out of budget"]:
    """As after the fill agent."""
    if state["stopped"]:
        return "out of budget"
    return "cannot fill" if state["arguments"] is None else "complete"

"""A reverse chain in the place of Smurfs' fill agent: it looks up what the chosen tool needs, then gives arguments."""

from __future__ import annotations

from typing import Any, Literal

from langgraph.types import Overwrite
from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.models import Usage, usage_since
from toolquiver.nodes.ask_user import missing_of, not_known
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain import Chained, a_frame, of_goal
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Budgeted, Call, Executed, Found, Step, current_task


class Wanted(Budgeted):
    """What the chain is given of Smurfs' state: the chosen tool, and what is known."""

    query: str
    allowed: list[ApiId] | None
    subtasks: list[str]
    current: int
    known: list[Found]
    pool: list[ApiId]
    chosen: ApiId | None
    trail: list[Step]


class Filling(Chained):
    """The chain's own state besides: `spent` is what the run had cost before it."""

    chosen: ApiId | None
    trail: list[Step]
    arguments: dict[str, Any] | None
    aim: ApiId | None
    missing: list[str]
    hint: str
    spent: Usage


class Given(TypedDict):
    """What the chain changes in Smurfs' state; when nothing is missing any more, `aim` and `missing` too."""

    arguments: dict[str, Any] | None
    aim: ApiId | None
    missing: list[str]
    calls: list[Call]
    hint: str
    decided: str
    usage: Usage
    stopped: str


async def begin_fill(state: Filling, _: Run) -> Update:
    """The chosen tool as the goal's frame; what earlier steps found out can be copied from."""
    assert state["chosen"] is not None
    task = current_task(state)
    return {
        "frames": [a_frame([], state["chosen"], task, state["current"])],
        "stack": [0],
        "said": [task, *(step["answer"] for step in state["trail"])],
        "spent": state["usage"],
        "hint": "",
        "failure": "",
        "fills": True,
    }


async def end_fill(state: Filling, run: Run) -> Update:
    """The arguments, or a refused call with what is missing; and what the chain alone has spent."""
    goal, *_ = of_goal(state)
    spent: Update = {"usage": Overwrite(usage_since(state["spent"], state["usage"]))}
    missing = await missing_of(state, run)
    problem = state["failure"] or (not_known(missing) if missing else "")
    if any(step["api"] == goal["api"] and step["arguments"] == goal["arguments"] for step in state["trail"]):
        problem = "This call was made before."
    if not problem:
        return {**spent, "arguments": goal["arguments"], "aim": None, "missing": [], "decided": "complete"}
    refused = Call(
        subtask=state["current"],
        api=goal["api"],
        arguments=goal["arguments"],
        ok=False,
        failure="invalid_arguments",
        message=problem,
    )
    return {**spent, "arguments": None, "calls": [refused], "hint": problem, "decided": "cannot fill"}


def after_chain(state: Executed) -> Literal["complete", "cannot fill", "out of budget"]:
    """As after the fill agent."""
    if state["stopped"]:
        return "out of budget"
    return "cannot fill" if state["arguments"] is None else "complete"

"""The end of a goal's chain: what it came to joins what is known, and the next one begins."""

from __future__ import annotations

from typing import Literal

from toolquiver.catalog.text import shortened
from toolquiver.nodes.answering.answer import digested, plain_values, told_by_nothing
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain.ask_user import missing_of, not_known
from toolquiver.nodes.chain.frames import ChainState, Frame, below, of_goal
from toolquiver.nodes.chain.plan_text import OPEN, plan_of, tree_of
from toolquiver.nodes.describe import call_text
from toolquiver.nodes.records import Found, is_empty
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import current_task
from toolquiver.nodes.texts.unsaid import with_unsaid


async def finish_goal(state: ChainState, run: Run) -> Update:
    """Digest what the goal's own call returned, or say why there was none, and write down its plan.

    What is known whole and stands in the plan already is made once, and is not written down again.
    """
    root = next(iter(of_goal(state)), None)
    found, update = await _found(root, state, run)
    plan = [await plan_of(root["id"], state["frames"], run)] if root else []
    current = state["current"] + 1
    over = current >= len(state["subtasks"]) or state["stopped"] or "stopped" in update
    ended = "plan made" if run.context.plan_only else "all done"
    return {
        **update,
        "known": [*state["known"], found],
        "plan": [*state["plan"], *(text for text in plan if OPEN in text or text not in state["plan"])],
        "tree": await tree_of(state, run),
        "current": current,
        "stack": [],
        "failed_roots": [],
        "failure": "",
        "asked": 0,
        "problem": "",
        "decided": ended if over else "next goal",
    }


async def _found(root: Frame | None, state: ChainState, run: Run) -> tuple[Found, Update]:
    """What the goal came to, and what saying it changes."""
    task = current_task(state)
    if state["failure"] or state["stopped"] or root is None:
        why = state["failure"] or state["stopped"] or "No API fits this."
        return Found(question=task, answer=why, observation="", solved=False), {}
    if run.context.plan_only:
        missing = await missing_of(state, run)
        text = not_known(missing) if missing else await plan_of(root["id"], state["frames"], run)
        update: Update = {"unfilled": [*state["unfilled"], *missing]}
        return Found(question=task, answer=text, observation="", solved=not missing), update
    api = await run.api(root["api"])
    made, observation = call_text(api, root["arguments"]), root["observation"][: run.context.observation_characters]
    if is_empty(observation):
        text, done = told_by_nothing(made, api, observation)
        return Found(question=task, answer=text, observation=observation if done else "", solved=done), {}
    text, cost = "", Update()
    if run.context.answerer:
        beside = [frame["observation"] for frame in below(state["frames"], root["id"])[1:]]
        text, cost = await digested(task, made, observation, state, run, beside=beside)
    values = ", ".join(plain_values(observation)) or shortened(observation, run.context.observation_characters)
    answer = with_unsaid(text, task, observation, made) or f"{made} gives {values}"
    return Found(question=task, answer=answer, observation=observation, solved=True), cost


def after_goal(state: ChainState) -> Literal["next goal", "all done", "plan made"]:
    """Every goal, then the answer or the plan."""
    match state["decided"]:
        case "next goal":
            return "next goal"
        case "plan made":
            return "plan made"
    return "all done"

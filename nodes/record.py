"""The end of a subtask: its answer joins what is known, and the next one begins."""

from __future__ import annotations

from typing import Literal

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Executed, Found


async def record(state: Executed, _: Run) -> Update:
    """Keep question and answer for the later subtasks (least-to-most)."""
    current = state["current"]
    last = next((step for step in reversed(state["history"]) if step["subtask"] == current), None)
    found = Found(
        question=state["subtasks"][current],
        answer=state["step_answer"],
        observation=last["observation"] if last else "",
        solved=state["decided"] == "subtask done",
    )
    return {"known": [*state["known"], found], "current": current + 1}


def after_record(state: Executed) -> Literal["next subtask", "all done"]:
    """A spent budget ends the subtasks too."""
    if state["stopped"] or state["current"] >= len(state["subtasks"]):
        return "all done"
    return "next subtask"

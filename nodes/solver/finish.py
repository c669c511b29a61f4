"""The end of one agent's run: its answer, or what it can say when it had to stop."""

from __future__ import annotations

import json

from langchain_core.messages import HumanMessage
from langchain_core.utils.json import parse_json_markdown

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.dialogue import said_by
from toolquiver.nodes.run import Run
from toolquiver.nodes.solver.act import conversation
from toolquiver.nodes.solver.tree import DfsdtState
from toolquiver.nodes.state import Budgeted
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("finish")
_REASONS = {
    "": "No tool fits the question.",
    "no action": "The model gave neither a call nor an answer.",
    "repeats itself": "The model made the same call again and again.",
    "acts for the last time": "The turns are used up.",
    "calls are used up": "The calls are used up.",
    "all tried": "Every way was tried.",
}


async def finish(state: DfsdtState, run: Run) -> Update:
    """Say how the run ended.

    Where the model had to stop after calls that brought something, it is asked once for what they tell: then the
    answer is partial. The turns before have left so much of the budget.
    """
    if state["decided"] == "answered":
        return {"status": "solved", "reason": "The agent gave its answer."}
    given_up = state.get("given_up")
    reason = state["stopped"] or (f"Given up: {given_up['reason']}" if given_up else _REASONS[state["decided"]])
    if not any(call["ok"] for call in state["calls"]):
        return {"status": "failed", "reason": reason, "answer": ""}
    _, ask = _PROMPT.messages(query=state["query"])
    budget = Budgeted(usage=state["usage"], spent_before=state.get("spent_before", 0), stopped="")
    said = await conversation("finish", state, run, left=run.left(budget))
    message, cost = await run.turn("finish", [], [*said, HumanMessage(str(ask.text))], budget)
    answer = _plain(said_by(message)) if message else ""
    return {"status": "partial" if answer else "failed", "reason": reason, "answer": answer, **cost}


def _plain(said: str) -> str:
    """What was said, without the form of a turn, which a small model goes on writing: its answer, else its thought."""
    text = said.strip()
    try:
        turn = parse_json_markdown(text, parser=json.loads)
    except (ValueError, RecursionError):
        return text
    if not (isinstance(turn, dict) and {"thought", "function"} & turn.keys()):
        return text
    arguments = turn.get("arguments")
    given = arguments.get("answer") if isinstance(arguments, dict) else None
    return str(given or turn.get("answer") or turn.get("thought") or text).strip()

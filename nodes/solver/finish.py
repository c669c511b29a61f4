"""The end of a run: its answer, or what is known where it had to stop."""

from __future__ import annotations

from typing import cast

from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.types import Overwrite

from toolquiver.contexts import SolverContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.context_window import fit_to_context
from toolquiver.nodes.run import Run
from toolquiver.nodes.solver.offer import opening
from toolquiver.nodes.solver.state import DfsdtState, SolverState
from toolquiver.nodes.solver.tree import registered_on_any, said_on
from toolquiver.nodes.state import Budgeted, Status
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("solver/finish")
_NO_CALL_LEFT = "The calls are used up."
_REASONS = {
    "no API fits": "No API fits the question.",
    "no answer came": "The model gave neither a call nor an answer.",
    "the steps are used up": "The steps are used up.",
    "all tried": "Every way was tried.",
}


async def finish(state: SolverState, run: Run[SolverContext]) -> Update:
    """Say how a run of ReAct ended.

    Where the model had to stop after calls that answered, it is asked once what they tell: then the answer is partial.
    The turns before have left so much of the budget.
    """
    return await _finished(state, state["messages"], run, restart=False)


async def finish_search(state: DfsdtState, run: Run[SolverContext]) -> Update:
    """The same for a search: the conversation is that of the way to the answer, or where there is none, of all ways."""
    tree, answered = state["tree"], state["decided"] in ("answers", "answers in part")
    said = state["messages"] if answered else said_on(tree)
    kept: Update = {"messages": Overwrite(list(said))}
    if not answered:
        kept["registered"] = registered_on_any(tree)
    return {**kept, **await _finished(state, said, run, restart=True)}


async def _finished(state: SolverState, said: list[AnyMessage], run: Run[SolverContext], *, restart: bool) -> Update:
    decided = state["decided"]
    if decided == "answers":
        return _ended("solved", "The agent gave its answer.")
    if decided == "answers in part":
        return _ended("partial", "The answer was cut off at the model's limit.")
    if given_up := state["given_up"]:
        return _ended("partial" if state["answer"] else "failed", f"Given up: {given_up['reason']}")
    used_up = decided == "all tried" and len(state["calls"]) >= run.context.solver_calls
    reason = state["stopped"] or (_NO_CALL_LEFT if used_up else _REASONS[decided])
    if not any(call["ok"] for call in state["calls"]):
        return {**_ended("failed", reason), "answer": ""}
    budget = Budgeted(usage=state["usage"], spent_before=state.get("spent_before", 0), stopped="")
    begun = await opening(state, run, restart=restart)
    (ask,) = _PROMPT.messages(query=state["query"], why=reason)
    shown = await fit_to_context("finish", said, run, opening=begun, left=run.left(budget), calls_as_text=True)
    message, cost = await run.turn("finish", [], [*begun, *shown, HumanMessage(str(ask.text))], budget)
    answer = str(message.text).strip() if message else ""
    return {**cost, **_ended("partial" if answer else "failed", reason), "answer": answer}


def _ended(status: Status, reason: str) -> Update:
    return cast("Update", {"status": status, "reason": reason})

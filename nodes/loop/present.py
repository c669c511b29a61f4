"""The end of the whole: the answer with its evidence, what is lacking and why, and what it took."""

from __future__ import annotations

from typing import cast

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.judging.evidence import statements
from toolquiver.nodes.loop.lacking import gaps, in_words
from toolquiver.nodes.loop.quiver_state import Gap, QuiverState
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.agents import RetrieverState, numbers_of

_NOTHING_FITS = "No tool of the catalogue fits this question, so none was called."

_NO_REASON = "the judge could not say that the answer solves it"


async def present(state: QuiverState, _: Run) -> Update:
    """Say how it ended. Where nothing fits, that is the answer; where something is lacking, the reason names it."""
    agents = state["agents"] if state["wakings"] else {}
    counted = {**state, "agents": agents, "pool": state.get("found", [])}
    numbers = {"agents": agents, "numbers": numbers_of(cast("RetrieverState", counted), state["reflections"])}
    if not state["subtasks"]:
        replied = state["answer"] or state["decided"] == "needs none"
        return numbers if replied else {**_unanswerable(state), **numbers}
    answer = state["answer"].strip() or state["best"]
    lacking = gaps(state)
    update: Update = {**numbers, "answer": answer, "lacking": lacking, "evidence": statements(answer, state)}
    if state["status"] == "solved" and state["passed"]:
        return update | {"unfilled": []}
    why = f"Not answered: {in_words(lacking)}."
    if not lacking:  # every question has its answer, and the judge finds something missing
        judged = state["stopped"] or ("" if state["passed"] else state["verdict_reason"]) or _NO_REASON
        update["lacking"], why = [Gap(question=state["query"], why=judged)], f"Not solved: {judged}"
    status = "failed" if state["status"] == "failed" or not answer else "partial"
    return update | {"status": status, "reason": why if state["stopped"] in why else f"{state['stopped']} {why}"}


def _unanswerable(state: QuiverState) -> Update:
    if state["stopped"]:
        return {"status": "failed", "reason": state["stopped"]}
    why = state["failures"][-1] if state["failures"] else state["reason"]
    return {"answer": _NOTHING_FITS, "status": "failed", "reason": why or "No tool fits the question."}

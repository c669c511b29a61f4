"""Answer agent at the end of its means: a subtask's answer from global memory (Smurfs, 3.2)."""

from __future__ import annotations

from toolquiver.nodes.answer import Digest
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.grounding import faithful
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Executed
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("conclude")


async def conclude(state: Executed, run: Run) -> Update:
    """Say what all trajectories together tell; when the budget is spent, their answers as they are."""
    steps = [step for step in state["history"] if step["subtask"] == state["current"]]
    update: Update = {"decided": "given up" if run.context.verifier or not steps else "subtask done"}
    if not steps:
        return update | {"step_answer": "No tool gave an answer to this."}
    messages = _PROMPT.messages(task=state["subtasks"][state["current"]], steps=steps)
    together = " ".join(step["answer"] for step in steps)
    decision, cost = await run.decide("conclude", faithful(Digest, [state["query"], together]), messages, state)
    return update | {"step_answer": together if decision is None else decision.answer, **cost}

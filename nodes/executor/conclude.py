"""Answer agent at the end of its means: a subtask's answer from global memory (Smurfs, 3.2)."""

from __future__ import annotations

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import remembered
from toolquiver.nodes.executor.answer import Digest
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import ExecutorState, current_task
from toolquiver.nodes.texts.grounding import faithful
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("conclude")


async def conclude(state: ExecutorState, run: Run) -> Update:
    """Say what all trajectories together tell; when the budget is spent, their answers as they are.

    That is a partial answer, but for a trajectory of full length that no verifier was to judge.
    """
    steps = [step for step in state["history"] if step["subtask"] == state["current"]]
    whole = not run.context.verifier and len(state["trail"]) >= run.context.max_steps
    update: Update = {"decided": "subtask done" if whole else "given up"}
    if not steps:
        return update | {"step_answer": "No tool gave an answer to this."}
    messages = _PROMPT.messages(task=current_task(state), steps=remembered(steps))
    together = " ".join(step["answer"] for step in steps)
    decision, cost = await run.decide(
        "conclude", faithful(Digest, [state["query"], current_task(state), together]), messages, state
    )
    return update | {"step_answer": together if decision is None else decision.answer, **cost}

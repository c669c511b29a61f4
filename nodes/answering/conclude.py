"""Answer agent at the end of its means: a subtask's answer from global memory (Smurfs, 3.2)."""

from __future__ import annotations

import json

from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import TALK_WORDS, content_words
from toolquiver.nodes.answering.answer import Digest
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import remembered
from toolquiver.nodes.records import Step
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.sureness import may_help
from toolquiver.nodes.state import ExecutorState, current_task, steps_of_subtask
from toolquiver.nodes.texts.grounding import faithful
from toolquiver.nodes.texts.languages import is_foreign
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("conclude")


async def conclude(state: ExecutorState, run: Run) -> Update:
    """Say what all trajectories together tell; when the budget is spent, their answers as they are.

    That is a partial answer, but for a trajectory of full length that no verifier was to judge. What has nothing to do
    with the subtask is left out of it, though the model would tell it.
    """
    steps = await to_the_point(state, run)
    whole = not run.context.verifier and len(state["trail"]) >= run.context.max_steps
    update: Update = {"decided": "subtask done" if whole and steps else "given up"}
    if not steps:
        return update | {"step_answer": "No tool gave an answer to this."}
    messages = _PROMPT.messages(task=current_task(state), steps=remembered(steps))
    together = " ".join(step["answer"] for step in steps)
    decision, cost = await run.decide(
        "conclude", faithful(Digest, [state["query"], current_task(state), together]), messages, state
    )
    return update | {"step_answer": together if decision is None else decision.answer, **cost}


async def to_the_point(state: ExecutorState, run: Run) -> list[Step]:
    """The steps of the current subtask that have to do with it: tool, arguments or response have a word of it.

    At the end of its means a small model calls whatever is left with whatever comes to its mind. Of a task in another
    language than the tools are in, any step may be.
    """
    steps, task = steps_of_subtask(state), current_task(state)
    if is_foreign(task):
        return steps
    wanted = f"{task} {state['expansions'].get(task, '')}"
    fitting = {api.id for api in await run.apis([step["api"] for step in steps]) if may_help(wanted, [api])}
    words = {stem for word in content_words(task) if word.isalpha() and word not in TALK_WORDS for stem in stems(word)}
    return [step for step in steps if step["api"] in fitting or words & set(stems(_content(step)))]


def _content(step: Step) -> str:
    return f"{json.dumps(step['arguments'], ensure_ascii=False)} {step['observation']}"

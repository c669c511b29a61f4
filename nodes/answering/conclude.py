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
from toolquiver.nodes.state import ExecutorState, current_task, planned_now, steps_of_subtask
from toolquiver.nodes.texts.grounding import faithful
from toolquiver.nodes.texts.languages import is_english, is_foreign
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("conclude")


async def conclude(state: ExecutorState, run: Run) -> Update:
    """Say what all trajectories together tell; when the budget is spent, their answers as they are.

    That is a partial answer, but for a trajectory of full length that no verifier was to judge. What has nothing to do
    with the subtask is left out of it, though the model would tell it.
    """
    steps = await to_the_point(state, run)
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


async def to_the_point(state: ExecutorState, run: Run) -> list[Step]:
    """The steps of the current subtask that have to do with it: tool, arguments or response have a word of it.

    At the end of its means a small model calls whatever is left with whatever comes to its mind. A tool that the
    planner or the user named, or that search finds by the task, is to the point without a common word. Without a
    verifier it is not at its end, and where task or tool may be in another language than English, words tell nothing.
    """
    steps, task = steps_of_subtask(state), current_task(state)
    if not (steps and run.context.verifier and is_english(task)) or state["allowed"] is not None:
        return steps
    wanted = f"{task} {state['expansions'].get(state['subtasks'][state['current']], '')}"
    hits = await run.hits(wanted, run.context.shown)
    meant = {planned_now(state), *(hit.api.id for hit in hits if hit.evidence)}
    apis = await run.apis([step["api"] for step in steps if step["api"] not in meant])
    fitting = meant | {api.id for api in apis if may_help(wanted, [api]) or is_foreign(api.whole_description)}
    return [step for step in steps if step["api"] in fitting or _speaks_of(task, step)]


def _speaks_of(task: str, step: Step) -> bool:
    """Whether the call took a word, name or number of the task, or its response has one of the words."""
    taken, words = json.dumps(step["arguments"], ensure_ascii=False), set(content_words(task)) - TALK_WORDS
    spoken = {stem for word in words if word.isalpha() for stem in stems(word)}
    return bool(words & set(content_words(taken)) or spoken & set(stems(f"{taken} {step['observation']}")))

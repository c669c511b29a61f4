"""Answers that stand although the verifier is not content: no call that the executor would make adds to them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from toolquiver.catalog import ApiId
from toolquiver.catalog.text import content_words
from toolquiver.nodes.executor.choosable import choosable, favourite
from toolquiver.nodes.records import Step
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.sureness import may_help
from toolquiver.nodes.state import ExecutorState, current_task, steps_of_subtask
from toolquiver.nodes.texts.coverage import passed_over
from toolquiver.nodes.texts.denials import denies
from toolquiver.nodes.texts.givens import untaken
from toolquiver.nodes.texts.kinds import other_kind
from toolquiver.nodes.texts.languages import is_foreign
from toolquiver.nodes.texts.news import has_news
from toolquiver.nodes.texts.parts import NAMED, sentences
from toolquiver.nodes.texts.units import other_unit


def confirmed(judged: Step, trail: Sequence[Step]) -> bool:
    """Whether an earlier step of another tool ended in the same answer, and it does not deny."""
    same = [step for step in trail if step is not judged and step["answer"].strip() == judged["answer"].strip()]
    return any(step["api"] != judged["api"] for step in same) and not denies(judged["answer"])


async def settled(chosen: ApiId, state: ExecutorState, run: Run) -> Step | None:
    """The only step, where its call is all that the executor can think of again; None where it is not, or may be wrong.

    The verifier could name nothing that is missing, and the executor chose the same tool out of several, which planner
    or search had first too, and found no other arguments for it. An answer may be wrong that denies, has nothing of the
    response, is of another kind or unit than is asked for, or lacks a number, a name or a question of the task.
    """
    steps = steps_of_subtask(state)
    if not state.get("unexplained") or state["aim"] or len(steps) != 1 or state["trail"] != steps:
        return None
    step, task = steps[0], current_task(state)
    if step["api"] != chosen or _lacks(step, task):
        return None
    if not may_help(task, [await run.api(chosen)]) or len(await choosable(state, run)) == 1:
        return None
    return step if await favourite(state, run) == chosen else None


def _lacks(step: Step, task: str) -> bool:
    answer, observation = step["answer"], step["observation"]
    if is_foreign(answer) or denies(answer) or other_unit(task, answer) or other_kind(task, answer):
        return True
    if not has_news(answer, observation, task) or untaken(task, [step]) or passed_over([answer, observation], task):
        return True
    named = " ".join(name for sentence in sentences(task) for name in NAMED.findall(sentence))
    said = " ".join([answer, json.dumps(step["arguments"], ensure_ascii=False), observation])
    return not set(content_words(named)) <= set(content_words(said))

"""The end of a subtask: its answer joins what is known, and the next one begins."""

from __future__ import annotations

from typing import Literal

from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import content_words
from toolquiver.nodes.answering.compose import composed
from toolquiver.nodes.answering.conclude import to_the_point
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.executor.siblings import own_words
from toolquiver.nodes.executor.verify import verdict_on
from toolquiver.nodes.known import answers
from toolquiver.nodes.records import Found
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import ExecutorState, steps_of_subtask
from toolquiver.nodes.texts.coverage import forgets, passed_over


async def record(state: ExecutorState, run: Run) -> Update:
    """Keep question and answer for the later subtasks (least-to-most).

    Before a subtask that may not be needed, the verifier is asked whether the query is answered already, unless what
    it asks, or its API is named for, was not even spoken of; where a subtask before it failed, it is left out. What
    the budget has ended stays the current subtask, but where it was only its own share, and others wait.
    """
    current, solved = state["current"], state["decided"] == "subtask done"
    steps = steps_of_subtask(state) if solved else await to_the_point(state, run)
    found = Found(
        question=state["subtasks"][current],
        answer=state["step_answer"],
        observation=steps[-1]["observation"] if steps else "",
        solved=solved,
    )
    if solved and state.get("unexplained"):
        found["contested"] = True
    known = [*state["known"], found]
    kept = state.get("spent_before") and not state.get("refused")  # tokens, for the subtasks that wait
    if state["stopped"] and not (found["solved"] or kept):
        return {"known": known}
    update: Update = {"known": known, "current": current + 1, "decided": "next subtask", "spent_before": 0}
    if kept:
        update |= {"stopped": ""}
    if current + 1 >= len(state["subtasks"]):
        return update | {"decided": "all done"}
    if current + 1 < state["sure"] or not run.context.verifier:
        return update
    known = answers(known, state)
    if not all(entry["solved"] for entry in known):  # nothing to combine
        return update | {"subtasks": state["subtasks"][: current + 1], "decided": "all done"}
    if await _is_open(known, state, run):
        return update
    return update | await _answered(known, state, run)


async def _is_open(known: list[Found], state: ExecutorState, run: Run) -> bool:
    """Whether the next subtask's API is named for what the query asks, and nothing so far has told, or asked alone.

    What an API that has answered is named for counts as told: its answer need not say it.
    """
    after, query = state["current"] + 1, state["query"]
    planned = await run.apis([api for api in state["planned"][after : after + 1] if api])
    asked = (found["question"] for found in known if found["question"] != query)
    told = set(stems(" ".join([*asked, *(found["answer"] for found in known)])))
    for api in await run.apis([call["api"] for call in state["calls"] if call["ok"]]):
        told |= own_words(api, query)
    wanted = set(stems(query))
    return any((own := own_words(api, query)) <= wanted and own - told for api in planned)


async def _answered(known: list[Found], state: ExecutorState, run: Run) -> Update:
    """The end, if the answers together, or the data they stand on, answer the query; else only what asking cost.

    An answer out of the data is the last subtask's: the digests were made for other questions.
    """
    asked, query = state["subtasks"][: state["current"] + 1], state["query"]
    questions, answers = [entry["question"] for entry in known], " ".join(entry["answer"] for entry in known)
    done, cost = False, Update()
    told = [answers, *questions, *(entry["observation"] for entry in known)]
    if not forgets([answers, *questions], query) and not passed_over(told, query):
        done, _, cost = await verdict_on(query, answers, state, run)
    if done:
        return {"subtasks": asked, "decided": "all done", **cost}
    text, more = await composed(known, after(state, cost), run)
    cost = both(cost, more)
    if set(content_words(text)) <= set(content_words(answers)) or forgets([text, *questions], query):
        return cost
    done, _, more = await verdict_on(query, text, after(state, cost), run)
    cost = both(cost, more)
    if not done:
        return cost
    drawn = Found(question=query, answer=text, observation="", solved=True)
    return {"subtasks": [*asked, query], "known": [*known, drawn], "decided": "all done", **cost}


def after_record(state: ExecutorState) -> Literal["next subtask", "all done"]:
    """A spent budget ends the subtasks too."""
    return "all done" if state["stopped"] or state["decided"] == "all done" else "next subtask"

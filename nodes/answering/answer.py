"""Answer agent: a short digest of one response (Smurfs, eq. 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field, StringConstraints

from toolquiver.catalog import API
from toolquiver.catalog.text import content_words
from toolquiver.marks import as_data
from toolquiver.nodes.apis.changing import changes, changes_by_method
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.describe import call_text, said
from toolquiver.nodes.records import Step, is_empty
from toolquiver.nodes.responses import object_in
from toolquiver.nodes.run import Run
from toolquiver.nodes.scripts.rounding import rounded_result
from toolquiver.nodes.state import ExecutorState, Working, current_task
from toolquiver.nodes.texts.comparisons import which_is_more
from toolquiver.nodes.texts.derived import counts
from toolquiver.nodes.texts.grounding import faithful
from toolquiver.nodes.texts.news import evades, tells_values
from toolquiver.nodes.texts.rows import of_its_month
from toolquiver.nodes.texts.units import other_unit, under_its_unit
from toolquiver.nodes.texts.unsaid import begins_with, with_unsaid
from toolquiver.prompts import load_prompt

_FEW = 8  # fields that can be read as a sentence
_PROMPT = load_prompt("answer")


class Digest(BaseModel):
    """What the response says about the task."""

    answer: str = Field(max_length=1_500, json_schema_extra={"maxLength": 400})  # who says more is not refused


class Facts(BaseModel):
    """What the response tells of the task, one fact after the other."""

    facts: list[Annotated[str, StringConstraints(min_length=1, max_length=300)]] = Field(min_length=1, max_length=8)

    @property
    def answer(self) -> str:
        """The facts, one a line."""
        return "\n".join(filter(None, map(str.strip, self.facts)))


async def answer(state: ExecutorState, run: Run) -> Update:
    """Digest the response; the raw response stands when the answer agent is off.

    It stands too where the step was only to find out what the intended tool lacked, and where the digest is not valid.
    Where two tries made something up, the response most likely does not have what the task asks for: its few values
    are put into words here, and a single one is judged as any other. An empty response answers nothing, but where
    something was to be changed, nor does a digest that repeats an earlier one word for word, with numbers that this
    response does not have. What the task asks for by the name of a field, and the digest leaves out, is added. What a
    converter gives in another unit than the task asks for is said without the model, which would call it what was asked
    for, and so is which of two quantities is more, which their numbers tell. Rows of a month that is not asked for are
    not shown. Where the digest of a rich response tells nothing of it, facts are asked for, one after the other.
    """
    calls = state.get("formula", [])
    last = len(state["trail"]) + 1 == len(calls)  # what follows a formula is another tool's
    observation = rounded_result(calls, state["observation"]) if last else state["observation"]
    if not run.context.answerer or state["missing"]:
        return {"step_answer": observation, "decided": "digested"}
    api = await run.chosen(state)
    made = call_text(api, state["arguments"] or {})
    task, steps, known = current_task(state), state["trail"], state["known"]
    rounded = observation != state["observation"]
    observation = of_its_month(task, observation)
    if is_empty(state["observation"]):
        text, done = told_by_nothing(made, api, state["observation"])
        return {"step_answer": text, "decided": "digested" if done else "undigested"}
    if converted := _converted(task, made, state["arguments"] or {}, observation):
        return {"step_answer": converted, "decided": "digested"}
    beside = [step["observation"] for step in state.get("chained", ())]
    text, cost = await digested(task, made, observation, state, run, steps=steps, beside=beside)
    if text and evades(text, observation, task):
        told = after(state, cost)
        facts, more = await digested(task, made, observation, told, run, steps=steps, beside=beside, shape=Facts)
        text, cost = facts if tells_values(facts, observation, task) else text, both(cost, more)
    if not text:
        values = [observation] if rounded else plain_values(observation)
        kept = f"{made} gives {', '.join(values)}" if values else observation
        return {"step_answer": kept, "decided": "digested" if len(values) == 1 else "undigested", **cost}
    before = [entry["answer"] for entry in (*known, *steps)]
    if any(begins_with(answer, text) for answer in before) and numberless(text, state["observation"], task):
        return {"step_answer": text, "decided": "undigested", **cost}
    if not rounded:  # what it is rounded from is no news
        text = with_unsaid(text, task, observation, made)
    return {"step_answer": text, "decided": "digested", **cost}


async def digested(
    task: str,
    made: str,
    observation: str,
    state: Working,
    run: Run,
    *,
    steps: Sequence[Step] = (),
    beside: Sequence[str] = (),
    shape: type[Digest | Facts] = Digest,
) -> tuple[str, Update]:
    """What the response to a call says about the task, and what asking cost; empty where it could not be said.

    What calls for its arguments returned, `beside`, is no invention: that Nairobi is in Kenya, say.
    """
    given = [state["query"], task, made, *(step["answer"] for step in steps), *beside]
    before = [{"answer": said(step)} for step in steps]
    messages = _PROMPT.messages(task=task, steps=before, call=made, observation=as_data(observation))
    observed = [observation, *filter(None, [_with_unit(made, observation)])]
    given += counts(task, observation)
    decision, cost = await run.decide("answer", faithful(shape, given, observed), messages, state)
    return "" if decision is None else decision.answer, cost


def _converted(task: str, made: str, arguments: dict[str, Any], observation: str) -> str:
    """What a converter's response says about a task that compares, or asks for another unit; else empty."""
    named = _with_unit(made, observation)
    if compared := which_is_more(task, arguments, named or observation):
        return compared
    value = ", ".join(plain_values(named))
    return f"{made} gives {value}" if value and other_unit(task, value) else ""


def _with_unit(made: str, observation: str) -> str:
    """The response of a call under the unit that the function's name tells; empty where that tells none."""
    return under_its_unit(made.partition("(")[0], observation)


def told_by_nothing(made: str, api: API, observation: str) -> tuple[str, bool]:
    """What an empty response to the call `made` says, and whether that is that something was done.

    What is deleted gives nothing back. An empty list rather tells that nothing was found, by what is only called like a
    change.
    """
    done = changes(api) and (observation.strip() != "[]" or changes_by_method(api))
    return f"{made} {'is done' if done else 'found nothing'}.", done


def numberless(answer: str, observation: str, task: str) -> bool:
    """Whether the answer has numbers that the task has not, and none of them is in the observation."""
    numbers = {word for word in content_words(answer) if not word.isalpha()} - set(content_words(task))
    return bool(numbers) and not numbers & set(content_words(observation))


def plain_values(observation: str) -> list[str]:
    """The fields of a JSON object of a few plain values, each as text; empty where the observation is another thing."""
    fields = object_in(observation) or {}
    if len(fields) > _FEW or any(isinstance(value, dict | list) for value in fields.values()):
        return []
    return [f"{name} {value}" for name, value in fields.items()]

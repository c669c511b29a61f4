"""What a tool lacks is looked up first, by subtasks of their own: one for each thing that an argument belongs to.

The step of Reverse Chain (3.2) from an argument to the call that gives it, in the planner's terms: each is searched,
called, digested and verified as any other subtask. A small model that looks things up on its way to something else
loses the thread, and takes for one place what belongs to another.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import BaseModel, Field, create_model, field_validator

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.field_names import stem
from toolquiver.catalog.text import content_words, shortened
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import known_here, known_texts, parameter_line, remembered
from toolquiver.nodes.executor.lack import refused
from toolquiver.nodes.run import Run
from toolquiver.nodes.shapes import brief, one_of
from toolquiver.nodes.state import ExecutorState, current_task
from toolquiver.prompts import load_prompt

_CODE = re.compile(r"[A-Z\d]{2,5}")
_BEFORE = "(?:and|are|between|from|is|than|to)"  # names do not begin with these, nor hold them
_WORD = re.compile(r"[^\W\d_]{3}")
_PROMPT = load_prompt("look_up")


class Owner(BaseModel):
    """The thing that an input belongs to, in the words of the task."""

    input: str
    belongs_to: str = brief(80, least=1)


class Owners(BaseModel):
    """An owner for each input."""

    inputs: list[Owner]


def owners_of(names: Sequence[str], sources: Iterable[str]) -> type[Owners]:
    """`Owners` of the inputs of these names; not valid where one is not in the words of the sources."""
    said = set(content_words(" ".join(sources)))

    class Said(Owner):
        @field_validator("belongs_to")
        @classmethod
        def _in_their_words(cls, thing: str) -> str:
            if not _WORD.search(thing) or set(content_words(thing)) - said:
                raise ValueError("that is no thing in the words of the task")
            return thing.strip(" .?")

    owner = create_model("Owner", __base__=Said, input=(one_of(names), ...), __doc__=Owner.__doc__)
    owners = (list[owner], Field(min_length=len(names), max_length=len(names)))  # type: ignore[valid-type]
    return create_model("Owners", __base__=Owners, inputs=owners)


async def look_up(state: ExecutorState, run: Run) -> Update:
    """Put the lookups before the subtask, and plan its tool; where nothing is to be asked, the API has failed.

    What is to be converted says itself what is to be done. Of what is missing the model says whose it is. What another
    subtask has found out already is taken from there.
    """
    api = await run.chosen(state)
    lacking = [parameter for parameter in api.parameter_list() if parameter.name in state["missing"]]
    questions, cost = await _questions(api, lacking, state, run) if lacking else ({}, Update())
    before = {_words(text) for text in (*state["subtasks"], current_task(state))}
    answered = {_words(found["question"]): found["question"] for found in state["known"] if found["solved"]}
    wanted = {**{text: list[str]() for text in state["conversions"]}, **questions}
    asked = {text: names for text, names in wanted.items() if _words(text) not in before}
    found = {answered[_words(text)]: names for text, names in wanted.items() if _words(text) in answered}
    if not (asked or found):
        return {"aim": api.id, "calls": [refused(api, {}, state["hint"], state)], "decided": "cannot fill", **cost}
    return {**_put_first(asked, found, api, state), "decided": "looked up first", **cost}


async def _questions(
    api: API, lacking: Sequence[Parameter], state: ExecutorState, run: Run
) -> tuple[dict[str, list[str]], Update]:
    """A question for each thing that the parameters belong to, with their names, and what finding out cost."""
    task = current_task(state)
    messages = _PROMPT.messages(
        name=api.function,
        description=shortened(api.whole_description),
        parameters=[parameter_line(parameter) for parameter in lacking],
        query=state["query"],
        known=remembered(known_here(state)),
        task=task,
    )
    shape = owners_of([parameter.name for parameter in lacking], known_texts(state))
    decision, cost = await run.decide("look_up", shape, messages, state)
    belonging = defaultdict[str, list[str]](list)
    for owner in decision.inputs if decision else []:
        belonging[owner.belongs_to].append(owner.input)
    return {_question(thing, names, task): names for thing, names in belonging.items()}, cost


def _question(thing: str, names: Sequence[str], task: str) -> str:
    """`What are the latitude and longitude of Nairobi?` for `latitude1` and `longitude1`."""
    asked = list(dict.fromkeys(stem(name).replace("_", " ") for name in names))
    return f"What {'are' if len(asked) > 1 else 'is'} the {' and '.join(asked)} of {_in_full(thing, task)}?"


def _in_full(thing: str, task: str) -> str:
    """`Keflavik airport (KEF)` for its code alone, and the article that the task gives a thing."""
    introduced = re.search(rf"(?:.*\b{_BEFORE}\s+|[,;]\s+|^)(.+\({re.escape(thing)}\))", task)
    if introduced and _CODE.fullmatch(thing):
        return introduced[1]
    return f"the {thing}" if f"the {thing}".lower() in task.lower() else thing


def _put_first(asked: dict[str, list[str]], found: dict[str, list[str]], api: API, state: ExecutorState) -> Update:
    """The plan with the lookups before the subtask, of which this API is the tool; some are `found` already.

    What the query itself asks is no lookup: its answer belongs to the whole.
    """
    before = {question for lookups in state.get("lookups", {}).values() for question in lookups}
    shared = {question: names for question, names in found.items() if question in before}
    own = [question for question in found if question not in before]
    current, subtasks = state["current"], state["subtasks"]
    planned = [*state["planned"], *[None] * (len(subtasks) - len(state["planned"]))]
    return {
        "subtasks": [*subtasks[:current], *asked, *subtasks[current:]],
        "planned": [*planned[:current], *[None] * len(asked), api.id, *planned[current + 1 :]],
        "sure": max(state["sure"], current + 1) + len(asked),
        "lookups": {**state.get("lookups", {}), subtasks[current]: {**asked, **shared}},
        "reused": {**state.get("reused", {}), subtasks[current]: own},
    }


def _words(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def after_look_up(state: ExecutorState) -> Literal["looked up first", "cannot fill", "out of budget"]:
    """The first lookup is the next subtask; what cannot be looked up is a failure like any other."""
    if state["stopped"]:
        return "out of budget"
    return "looked up first" if state["decided"] == "looked up first" else "cannot fill"

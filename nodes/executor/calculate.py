"""Executor where only tools that compute are at hand: the sum is written down, and code makes its calls.

Asked which of thirteen functions comes next, a small model is wrong where it writes the right formula, and it writes
wrong formulas where it writes the right script.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel

from toolquiver.catalog import API
from toolquiver.models import shaped
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.describe import api_line, call_text, known_texts, remembered
from toolquiver.nodes.executor.choosable import choosable
from toolquiver.nodes.records import Step
from toolquiver.nodes.run import Run
from toolquiver.nodes.scripts.computing import is_pythons, signs
from toolquiver.nodes.scripts.constants import computes
from toolquiver.nodes.scripts.formulas import filled, formula, operations, pattern
from toolquiver.nodes.scripts.python_script import script_formula
from toolquiver.nodes.shapes import brief
from toolquiver.nodes.state import ExecutorState, Operation, current_task
from toolquiver.prompts import load_prompt

_PROMPT, _SCRIPT = load_prompt("calculate"), load_prompt("compute")
_WORD = re.compile(r"[^\W\d_]\w*")


class Formula(BaseModel):
    """The formula that gives the answer."""

    formula: str


class Explained(Formula):
    """How the answer is found, then the formula: said first, a small model takes the right functions."""

    how: str = brief(300)


def by_formula(apis: Sequence[API], run: Run) -> bool:
    """Whether a task with these APIs at hand is one formula: all of them do nothing but compute."""
    return run.context.formulas and bool(apis) and all(map(computes, apis))


async def calculate(state: ExecutorState, run: Run) -> Update:
    """Ask for a script, then have its calls made one after the other, the innermost first.

    Where the tools cannot compute it, or it has numbers that nobody has said, a formula is asked for, and then one
    without an explanation, in which a small model computes. Where nothing comes of that, or a call fails, the tools are
    chosen one by one.
    """
    calls = state.get("formula")
    if not calls:
        return await _begun(state, run)
    api = await run.chosen(state)
    arguments = state["arguments"] or {}
    step = Step(
        subtask=state["current"],
        thought="",
        api=api.id,
        arguments=arguments,
        observation=state["observation"],
        answer=f"{call_text(api, arguments)} gives {state['observation']}",
    )
    trail = [*state["trail"], step]
    lists = [*state["tool_lists"], state["pool"]]
    return {"trail": trail, "tool_lists": lists, "history": [step], **_next(calls, trail)}


async def _begun(state: ExecutorState, run: Run) -> Update:
    """The calls and the first of them; none where the model writes none that can be made."""
    apis, sources = await choosable(state, run), known_texts(state)
    calls, spent = await _by_script(apis, sources, state, run)
    if calls:
        return {"formula": calls, **_next(calls, []), **spent}
    for shape in (Explained, Formula):
        messages = _PROMPT.messages(
            tools=[api_line(api) for api in apis],
            signs=signs(apis),
            known=remembered(state["known"]),
            task=current_task(state),
            explained=shape is Explained,
        )
        asked = _of(shape, apis, sources, run.context.max_calls)
        decision, cost = await run.decide("calculate", asked, messages, after(state, spent))
        spent = both(spent, cost)
        if decision is not None:
            calls = _calls(formula(decision.formula), apis, sources, run.context.max_calls)
            return {"formula": calls, **_next(calls, []), **spent}
    return {"chosen": None, **spent}


async def _by_script(
    apis: Sequence[API], sources: Sequence[str], state: ExecutorState, run: Run
) -> tuple[list[Operation], Update]:
    """The calls of a script, and what asking for it cost; none where it does what they cannot."""
    own, task = [api_line(api) for api in apis if not is_pythons(api)], current_task(state)
    messages = _SCRIPT.messages(own=own, more=bool(own), known=remembered(state["known"]), task=task)
    meant = {api.function for api in apis} & set(_WORD.findall(task))
    written, cost = await run.turn("calculate", [], messages, state)
    if written is None:
        return [], cost
    try:
        return _calls(script_formula(str(written.text), meant), apis, sources, run.context.max_calls), cost
    except ValueError:
        return [], cost


def _calls(sum_: ast.expr, apis: Sequence[API], sources: Sequence[str], most: int) -> list[Operation]:
    """The calls that compute it.

    Raises:
        ValueError: these APIs cannot, or not in so many calls; the message is for who wrote it.
    """
    calls = operations(sum_, apis, sources)
    if len(calls) > most:
        raise ValueError(f"That takes more than {most} calls.")
    return calls


def _of(shape: type[Formula], apis: Sequence[API], sources: Sequence[str], most: int) -> type[Formula]:
    """A formula that these APIs can compute in at most so many calls, with no numbers but known ones."""

    def wrong(given: Formula) -> list[str]:
        try:
            _calls(formula(given.formula), apis, sources, most)
        except ValueError as error:
            return [str(error)]
        return []

    schema = shape.model_json_schema()
    fields = schema["properties"]
    fields["formula"] = fields.pop("formula") | {"pattern": pattern(apis)}  # after its explanation
    return shaped(shape, schema, wrong)


def _next(calls: Sequence[Operation], trail: Sequence[Step]) -> Update:
    """The call that comes next; none where a result that it takes is no number."""
    operation = calls[len(trail)]
    arguments = filled(operation, [step["observation"] for step in trail])
    if arguments is None:
        return {"chosen": None, "formula": []}
    return {"chosen": operation["api"], "arguments": arguments, "thought": ""}


def after_calculate(state: ExecutorState) -> Literal["to be computed", "no formula", "out of budget"]:
    """Without a formula the tools are chosen one by one."""
    if state["chosen"] is not None:
        return "to be computed"
    return "out of budget" if state["stopped"] else "no formula"

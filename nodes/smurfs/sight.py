"""What models are shown: tools, memories, and the calls that failed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from toolquiver.catalog import API
from toolquiver.catalog.text import shortened
from toolquiver.contexts import SmurfsContext
from toolquiver.nodes.run import Run
from toolquiver.nodes.smurfs.state import Known, Made, SmurfsState, Step
from toolquiver.registration import Registration, callable_ids

_LINE = 400  # characters of a description in a list
_FAILURE = 300  # characters of a failure's message


def tool_lines(apis: Iterable[API], state: SmurfsState, context: SmurfsContext) -> list[str]:
    """The tool list: a line for each with its name, its provider and what it is for (Smurfs, 3.2).

    With registration on demand (EcoAct) a tool is listed by its name until it is chosen.
    """
    known = callable_ids(state["registered"])
    hidden = Registration(mode=context.registration)
    in_full = context.registration == "all"
    return [_line(api) if in_full or api.id in known else hidden.line(api) for api in apis]


def _line(api: API) -> str:
    return f"{api.function} ({api.tool}): {shortened(api.whole_description, _LINE)}"


def before(known: Sequence[Known]) -> list[dict[str, Any]]:
    """What the subtasks before came to, by number: questions and answers (least-to-most, 3.3)."""
    return [{"number": number, **one} for number, one in enumerate(known, start=1)]


def memory(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Memory elements as pairs of thought and answer, by number."""
    return [
        {"number": number, "thought": step["thought"], "answer": step["answer"]}
        for number, step in enumerate(steps, start=1)
    ]


async def failures(calls: Sequence[Made], run: Run[SmurfsContext]) -> list[str]:
    """The calls that failed, a line for each: the tool, the arguments, and why."""
    failed = [call for call in calls if not call["ok"]]
    names = {api.id: api.function for api in await run.apis([call["api"] for call in failed])}
    return [
        f"{names.get(call['api'], call['api'])}({_inputs(call['arguments'])}): {call['failure']},"
        f" {shortened(call['message'], _FAILURE)}"
        for call in failed
    ]


def _inputs(arguments: dict[str, Any]) -> str:
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())

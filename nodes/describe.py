"""How APIs, calls and results read in a prompt."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.feeds import output_fields
from toolquiver.catalog.fits import Fit, feeding
from toolquiver.catalog.text import shortened
from toolquiver.marks import as_data
from toolquiver.nodes.records import Found, Step, is_told
from toolquiver.nodes.state import ExecutorState, built_on, current_task
from toolquiver.nodes.texts.parts import names_in, stands_alone
from toolquiver.nodes.texts.substitution import LONGEST_VALUE
from toolquiver.registration import Registration, callable_ids

_LONGEST_NAME = 80
_LONGEST_TYPE = 600  # of an enumeration; two of all time zones would fill a small model's context
_LONGEST_DATA = 300
_LONGEST_SAID = 400  # of a digest
_LONGEST_MEANING = 400
_OUTPUTS_SHOWN = 8


def api_line(api: API, *, in_full: bool = False) -> str:
    """An API in a list: its function name and inputs, what it is for, what it returns; the first of that, or all."""
    inputs = ", ".join(f"{_named(p.name)}{'' if p.required else '?'}" for p in api.parameter_list())
    fields = output_fields(api.output)
    outputs = [_named(field) for field in fields[: None if in_full else _OUTPUTS_SHOWN]]
    more = ["..."] if len(fields) > len(outputs) else []
    returns = f" -> {', '.join([*outputs, *more])}" if outputs else ""
    description = " ".join(api.description.split()) if in_full else shortened(api.description)
    return f"{api.function}({inputs}): {description}{returns}"


def offer_line(api: API) -> str:
    """An API in a list of those that may give something: it is said where that stands in its description only."""
    return api_line(api) + (" (it is not documented what it returns)" if api.output is None else "")


def function_lines(api: API) -> dict[str, object]:
    """An API and each of its inputs as lines, as the prompt for nested calls lists it."""
    return {"line": offer_line(api), "inputs": [parameter_line(parameter) for parameter in api.parameter_list()]}


def feeds_line(api: API, apis: Sequence[API]) -> str:
    """Which of the APIs return what this one needs, by name: `; code comes from find_airport`; empty where none do."""
    found = []
    for parameter in api.parameter_list():
        names = [other.function for other in apis if other.id != api.id and _feeds(other, api, parameter)]
        if parameter.required and names:
            found.append(f"; {parameter.name} comes from {' or '.join(names)}")
    return "".join(found)


def _feeds(producer: API, consumer: API, parameter: Parameter) -> bool:
    return feeding(producer, consumer, parameter).fit >= Fit.NAMED


def described(name: str, description: str) -> str:
    """A name in a list with a line on what it stands for, where that is known."""
    line = shortened(description)
    return f"{name}: {line}" if line else name


def parameter_line(parameter: Parameter) -> str:
    """A parameter in a list: name, type, whether it may be left out, what it means."""
    optional = "" if parameter.required else ", optional"
    meaning = f": {shortened(parameter.description, _LONGEST_MEANING)}" if parameter.description else ""
    return f"{_named(parameter.name)} ({shortened(parameter.type, _LONGEST_TYPE)}{optional}){meaning}"


def _named(name: str) -> str:
    """A name that a document gives, which is to stay on its line."""
    return shortened(name, _LONGEST_NAME)


def call_text(api: API, arguments: dict[str, Any]) -> str:
    """A call as it is written in code, with the arguments as JSON values."""
    inputs = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())
    return f"{api.function}({inputs})"


def step_view(state: ExecutorState, apis: Sequence[API], registering: Registration) -> dict[str, Any]:
    """What the executor sees when it thinks and when it chooses: the same, so that the prompt's beginning is too.

    The likeliest tool comes last, next to the task: a small model then chooses it more often.
    """
    known = {api.id for api in apis} if registering.mode == "all" else callable_ids(state["registered"])
    return {
        "tools": [api_line(api) if api.id in known else registering.line(api) for api in reversed(apis)],
        "in_full": registering.mode == "all",
        "aim": next((api.function for api in apis if api.id == state["aim"]), ""),
        "known": remembered(state["known"]),
        "task": current_task(state),
        "steps": remembered(state["trail"]),
        "hint": state["hint"],
    }


def remembered(memory: Sequence[Found] | Sequence[Step]) -> list[dict[str, Any]]:
    """What was found out, with the beginning of the data it stands on: a later call may need another field."""
    return [entry | {"answer": said(entry), "data": _data(entry)} for entry in memory]


def said(entry: Found | Step) -> str:
    """An answer as it is shown to a model: in the marks of data where a tool has written it, and no model.

    That is a response as it came, which may only look like a digest, and what a call failed with; not a bare value.
    """
    answer = entry["answer"]
    is_digest = len(answer) <= _LONGEST_SAID and len(answer.splitlines()) <= 1
    if is_digest and (len(answer.split()) <= LONGEST_VALUE or not _is_a_tools(entry)):
        return answer
    return f"<result>{as_data(answer)}</result>"


def _is_a_tools(entry: Found | Step) -> bool:
    return entry["answer"] == entry["observation"] or ("solved" in entry and not is_told(cast("Found", entry)))


def _data(entry: Found | Step) -> str:
    same = entry["observation"] == entry["answer"]
    return "" if same else as_data(shortened(entry["observation"], _LONGEST_DATA))


def known_texts(state: ExecutorState) -> list[str]:
    """Every text that a value of the next call can come from."""
    memory = [*known_here(state), *state["trail"]]
    return [state["query"], current_task(state), *(entry[key] for entry in memory for key in ("answer", "observation"))]


def known_here(state: ExecutorState) -> list[Found]:
    """What this subtask may build on: all found before; if it stands alone, what was looked up, or names the same."""
    task, given = state["subtasks"][state["current"]], built_on(state)
    if not stands_alone(task, state["query"]):
        return state["known"]
    named = names_in(task)
    return [
        one
        for one in state["known"]
        if one["question"] in given or (bool(named) and named <= names_in(one["question"]))
    ]

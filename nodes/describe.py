"""How APIs, calls and results read in a prompt."""

from __future__ import annotations

import json
from typing import Any

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.feeds import output_fields
from toolquiver.catalog.text import shortened

_LONGEST_NAME = 80
_LONGEST_TYPE = 600  # of an enumeration; two of all time zones would fill a small model's context
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

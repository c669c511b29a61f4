"""How APIs, calls and results read in a prompt."""

from __future__ import annotations

import json
from typing import Any

from toolquiver.catalog import API, JsonSchema, Parameter

_LONGEST_LINE = 160
_OUTPUTS_SHOWN = 8


def api_line(api: API) -> str:
    """An API in a list: its function name and inputs, what it is for, what it returns."""
    inputs = ", ".join(p.name if p.required else f"{p.name}?" for p in api.parameter_list())
    outputs = output_names(api.output)
    returns = f" -> {', '.join(outputs)}" if outputs else ""
    return f"{api.function}({inputs}): {shortened(api.description)}{returns}"


def parameter_line(parameter: Parameter) -> str:
    """A parameter in a list: name, type, whether it may be left out, what it means."""
    optional = "" if parameter.required else ", optional"
    meaning = f": {parameter.description}" if parameter.description else ""
    return f"{parameter.name} ({parameter.type}{optional}){meaning}"


def output_names(schema: JsonSchema | None) -> list[str]:
    """The names of what an API returns: the fields of its object, or of the objects in its list."""
    if schema is None:
        return []
    if schema.get("type") == "array":
        return output_names(schema.get("items"))
    return list(schema.get("properties", {}))[:_OUTPUTS_SHOWN]


def call_text(api: API, arguments: dict[str, Any]) -> str:
    """A call as it is written in code, with the arguments as JSON values."""
    inputs = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())
    return f"{api.function}({inputs})"


def as_data(observation: str) -> str:
    """A tool's output so that it cannot close the `<result>` it is shown in."""
    return observation.replace("</result", "<\\/result")


def shortened(text: str, limit: int = _LONGEST_LINE) -> str:
    """`text` on one line, cut at a word with an ellipsis when it is longer than `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[:limit].rsplit(" ", 1)[0] + " ..."

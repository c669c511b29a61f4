"""Decision types of argument completion: each input by value, by an API, or by nobody (Reverse Chain, 2.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import RootModel

from toolquiver.calling.arguments import misfits
from toolquiver.catalog import API, Parameter
from toolquiver.models import shaped
from toolquiver.nodes.sources import NOBODY, REQUEST

Outcomes = Literal["any", "values", "apis"]
"""Which outcomes a decision may have besides `NOBODY`: both at once, or one of them (the ablation three-step)."""


class Completion(RootModel[dict[str, dict[str, Any]]]):
    """For each input where its value comes from: `{"from": ..., "value": ...}`."""


def completion_of(
    api: API, parameters: Sequence[Parameter], offered: Mapping[str, Sequence[str]], outcomes: Outcomes = "any"
) -> type[Completion]:
    """A `Completion` of these parameters that can name no API but those `offered` for each, by function name.

    A required parameter must be there; another one may be left out by `NOBODY`.
    """
    schema = {key: api.parameters[key] for key in ("$defs", "definitions") if key in api.parameters} | {
        "type": "object",
        "properties": {p.name: {"anyOf": _outcomes(p, offered.get(p.name, ()), outcomes)} for p in parameters},
        "required": [parameter.name for parameter in parameters],
        "additionalProperties": False,
    }

    return shaped(Completion, schema, lambda given: misfits(schema, given.root))


def _outcomes(parameter: Parameter, offered: Sequence[str], outcomes: Outcomes) -> list[dict[str, Any]]:
    found = []
    if outcomes != "apis":
        found.append(_outcome({"const": REQUEST}, value=parameter.schema_))
    if outcomes != "values" and offered:
        found.append(_outcome({"enum": list(offered)}))
    return [*found, _outcome({"const": NOBODY})]


def _outcome(source: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"from": {"type": "string", **source}, **more},
        "required": ["from", *more],
        "additionalProperties": False,
    }

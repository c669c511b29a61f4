"""NESTFUL: sequences of calls, later ones with results of earlier ones, in three parts with APIs of their own.

Calls cannot be made: the data have no answers, and the APIs are not called here. The set is for plans; a simulator can
make answers up. Golds hold values that no question gives, so beside exact match of the plan look at the F1 of API names
and of reference edges.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from pydantic import BaseModel, ConfigDict

from toolquiver.catalog import API, ApiId, Source
from toolquiver.evaluation.datasets.described import ids_by_name, named_api, output_of, parameters_of, replayed
from toolquiver.evaluation.datasets.gold import gold_by_name
from toolquiver.evaluation.datasets.loaded import Loaded, Options
from toolquiver.evaluation.datasets.nested import Step, nested_plan
from toolquiver.evaluation.datasets.reading import data_folder, document, part, rows
from toolquiver.evaluation.datasets.scoring import nested_score, path_score
from toolquiver.evaluation.records import Metric, Question, Result

_RESULT = "var_result"  # no API: it says which results are the answer
_REFERENCE = re.compile(r"\$(var\d+)(?:[.\[][^$]*)?\$")
_Described = dict[str, dict[str, Any]]


class _Called(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: str
    arguments: dict[str, Any]
    label: str = ""


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: int
    input: str
    output: list[_Called]


class _Spec(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: str
    description: str = ""
    host: str = ""
    query_parameters: _Described = {}
    path_parameters: _Described = {}
    parameters: _Described = {}
    arguments: _Described = {}
    output_parameters: _Described = {}


def nestful(name: str, options: Options, *, group: str) -> Loaded:
    """The questions of one part: `executable`, `glaive` or `sgd`.

    Raises:
        InputError: the data are not there, or broken; the message names the line.
    """
    folder = data_folder(options.folder)
    source = Source(key=f"nestful:{group}", kind="nestful")
    specs = document(part(folder, f"nestful/{group}_spec.json"), list[_Spec])
    different = {spec.name: spec for spec in reversed(specs)}  # some stand there twice, in other words
    apis = [_api(spec, group, source.key) for spec in reversed(different.values())]
    names = ids_by_name(apis)
    questions = [_question(row, group, names) for _, row in rows(part(folder, f"nestful/{group}.jsonl"), _Row, "id")]
    return Loaded(name, questions, partial(replayed, apis, source, None, options.simulator), partial(_score, names))


def _api(spec: _Spec, group: str, source: str) -> API:
    described = spec.query_parameters | spec.path_parameters | spec.parameters | spec.arguments
    required = [name for name, one in described.items() if one.get("required") is True]
    tool = spec.host.partition(".")[0] or spec.name.partition(".")[0] if spec.host or "." in spec.name else group
    return named_api(
        "NESTFUL",
        tool,
        spec.name,
        source,
        description=spec.description,
        parameters=parameters_of({name: _with_choices(one) for name, one in described.items()}, required),
        output=output_of(spec.output_parameters),
    )


def _with_choices(described: Mapping[str, Any]) -> dict[str, Any]:
    """With the allowed values in the description: golds have others too."""
    choices = described.get("allowed_values")
    text = described.get("description") or ""
    return {**described, "description": f"{text} Allowed: {choices}".strip() if choices else text}


def _question(row: _Row, group: str, names: Mapping[str, ApiId]) -> Question:
    calls = [one for one in row.output if one.name != _RESULT]
    gold = gold_by_name((one.name for one in calls), names)
    return Question(
        id=str(row.id),
        query=row.input.strip(),
        group=group,
        gold_apis=gold.apis,
        gold_path=gold.path,
        gold_plan=_plan(calls),
        labels=gold.labels,
    )


def _plan(calls: Sequence[_Called]) -> str | None:
    places = {one.label: place for place, one in enumerate(calls)}

    def refers(text: str) -> int | None:
        if found := _REFERENCE.fullmatch(text):
            return places[found[1]]
        if _REFERENCE.search(text) or re.match(r"\$?var\d", text):
            raise LookupError(text)
        return None

    return nested_plan([Step(one.name, one.arguments) for one in calls], refers)


def _score(names: Mapping[str, ApiId], question: Question, result: Result) -> Metric:
    return {**path_score(question, result, names), **nested_score(question, result, names)}

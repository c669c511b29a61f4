"""Seal-Tools, the questions whose gold calls are nested, over its 4,076 tools.

Calls cannot be made: neither answers nor services are there. The set is for plans; a simulator can make answers up.
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
from toolquiver.evaluation.datasets.reading import data_folder, part, rows
from toolquiver.evaluation.datasets.scoring import found_score, nested_score, path_score
from toolquiver.evaluation.records import Metric, Question, Result

SPLITS = ("test_in_domain", "test_out_domain", "dev")
_SOURCE = Source(key="seal-tools", kind="seal-tools")
_REFERENCE = re.compile(r"API_call_\d+")


class _Tool(BaseModel):
    model_config = ConfigDict(extra="ignore")

    api_name: str
    api_description: str
    field: str
    parameters: dict[str, dict[str, Any]]
    required: list[str]
    responses: dict[str, dict[str, Any]]


class _Called(BaseModel):
    model_config = ConfigDict(extra="ignore")

    api: str
    parameters: dict[str, Any]
    responses: list[str] = []


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str
    query: str
    calling: list[_Called]


def seal_tools_nested(name: str, options: Options) -> Loaded:
    """The questions of the two tests and of dev in which a call takes the result of another; `group` is the split.

    Raises:
        InputError: the data are not there, or broken; the message names the line.
    """
    folder = data_folder(options.folder)
    apis = [_api(tool) for _, tool in rows(part(folder, "seal_tools/tool.jsonl"), _Tool)]
    names = ids_by_name(apis)
    questions = [
        _question(row, split, names)
        for split in SPLITS
        for _, row in rows(part(folder, f"seal_tools/{split}.jsonl"), _Row, "id")
        if _is_nested(row)
    ]
    return Loaded(name, questions, partial(replayed, apis, _SOURCE, None, options.simulator), partial(_score, names))


def _is_nested(row: _Row) -> bool:
    return any(_REFERENCE.search(str(value)) for one in row.calling for value in one.parameters.values())


def _api(tool: _Tool) -> API:
    category, _, group = tool.field.partition("/")
    return named_api(
        category,
        group or category,
        tool.api_name,
        _SOURCE.key,
        description=tool.api_description,
        parameters=parameters_of(tool.parameters, tool.required),
        output=output_of(tool.responses),
    )


def _question(row: _Row, split: str, names: Mapping[str, ApiId]) -> Question:
    gold = gold_by_name((one.api for one in row.calling), names)
    return Question(
        id=row.id,
        query=row.query.strip(),
        group=split,
        gold_apis=gold.apis,
        gold_path=gold.path,
        gold_plan=_plan(row.calling),
        labels=gold.labels,
    )


def _plan(calls: Sequence[_Called]) -> str | None:
    places = {response: place for place, one in enumerate(calls) for response in one.responses}

    def refers(text: str) -> int | None:
        if _REFERENCE.fullmatch(text):
            return places[text]
        if _REFERENCE.search(text):
            raise LookupError(text)
        return None

    return nested_plan([Step(one.api, one.parameters) for one in calls], refers)


def _score(names: Mapping[str, ApiId], question: Question, result: Result) -> Metric:
    return {
        **path_score(question, result, names),
        **nested_score(question, result, names),
        **found_score(question, result),
    }

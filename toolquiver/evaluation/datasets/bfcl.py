"""BFCL's multi-turn dialogues in which one request leaves a parameter out (Berkeley Function-Calling Leaderboard v4).

A question is what the user says up to the request that lacks something. Right is to do what comes before, and to ask
instead of calling what cannot be called yet. `labels` have what the user answers (`reply`) and the calls that are right
then (`apis_after`). Calls cannot be made: the states behind the functions are not here. A simulator can make answers
up; otherwise the set is for plans.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from toolquiver.catalog import API, ApiId, Source
from toolquiver.evaluation.datasets.described import ids_by_name, named_api, parameters_of, replayed, schema_of
from toolquiver.evaluation.datasets.loaded import Loaded, Options
from toolquiver.evaluation.datasets.reading import data_folder, document, part, rows, wrong
from toolquiver.evaluation.datasets.scoring import path_of, path_score
from toolquiver.evaluation.metrics import parse_plan
from toolquiver.evaluation.records import Metric, Question, Result

SOURCE = Source(key="bfcl", kind="bfcl")
CLASSES = {
    "GorillaFileSystem": "gorilla_file_system",
    "MathAPI": "math_api",
    "MessageAPI": "message_api",
    "TwitterAPI": "posting_api",
    "TicketAPI": "ticket_api",
    "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking",
    "VehicleControlAPI": "vehicle_control",
}
"""The names of the functions' documents by those of the classes."""


class _Function(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: str
    description: str
    parameters: dict[str, Any]
    response: dict[str, Any] = {}


class _Said(BaseModel):
    model_config = ConfigDict(extra="ignore")

    content: str


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str
    question: list[list[_Said]]
    involved_classes: list[str]
    excluded_function: list[str] = []
    ground_truth: list[list[str]]


def miss_param(name: str, options: Options) -> Loaded:
    """The dialogues with a missing parameter; of one with several requests that lack something, the first counts.

    Raises:
        InputError: the data are not there, or broken; the message names the line.
    """
    folder = data_folder(options.folder)
    documents = document(part(folder, "bfcl/multi_turn_func_doc.json"), dict[str, list[_Function]])
    apis = [_api(owner, one) for owner, file in CLASSES.items() for one in documents.get(file, [])]
    path = part(folder, "bfcl/multi_turn_miss_param.jsonl")
    questions = [_question(path, line, row, apis) for line, row in rows(path, _Row)]
    make = partial(replayed, apis, SOURCE, None, options.simulator)
    return Loaded(name, questions, make, partial(_score, ids_by_name(apis)))


def _api(owner: str, one: _Function) -> API:
    return named_api(
        "BFCL",
        owner,
        one.name,
        SOURCE.key,
        description=one.description,
        parameters=parameters_of(one.parameters.get("properties") or {}, one.parameters.get("required") or []),
        output=schema_of(one.response) or None,
    )


def _question(path: Path, line: int, row: _Row, apis: Sequence[API]) -> Question:
    if len(row.question) != len(row.ground_truth):
        raise wrong(path, line, "there must be as many lists in ground_truth as turns in question")
    lacking = next((turn for turn, calls in enumerate(row.ground_truth) if not calls), None)
    if lacking is None:
        raise wrong(path, line, "no turn lacks a parameter: one list in ground_truth must be empty")
    turns = ["\n".join(one.content.strip() for one in turn) for turn in row.question]
    usable = [api for api in apis if api.tool in row.involved_classes and api.name not in row.excluded_function]
    names = {api.name: api.id for api in usable}
    try:
        gold = tuple(names[name] for calls in row.ground_truth[:lacking] for name in _names(calls))
        after = [names[name] for calls in row.ground_truth[lacking + 1 : lacking + 2] for name in _names(calls)]
    except (KeyError, ValueError) as error:
        raise wrong(path, line, f"{error} in ground_truth is no call of the classes' functions") from error
    return Question(
        id=row.id,
        query="\n".join(turns[: lacking + 1]),
        candidates=tuple(names.values()),
        gold_apis=tuple(dict.fromkeys(gold)),
        gold_path=gold,
        labels={"reply": turns[lacking + 1] if lacking + 1 < len(turns) else None, "apis_after": list(after)},
    )


def _names(calls: Sequence[str]) -> list[str]:
    return [call.name for text in calls for call in parse_plan(text)]


def _score(names: Mapping[str, ApiId], question: Question, result: Result) -> Metric:
    """`refrained`: nothing was called that is right only once the user has answered.

    Our own: BFCL compares states after the user's answer, which is not asked for here.
    """
    early = set(_texts(question.labels.get("apis_after"))) - set(question.gold_apis or ())
    done = set(path_of(result, names))
    return {
        "refrained": float(not early & done) if early else None,
        **path_score(question, result, names),
    }


def _texts(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []

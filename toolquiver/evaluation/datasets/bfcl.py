"""BFCL's multi-turn dialogues in which one request leaves a parameter out (Berkeley Function-Calling Leaderboard v4).

A question is what the user says up to the request that lacks something. Right is to do what comes before, and to ask
instead of calling what cannot be called yet. `labels` have what the user answers (`reply`) and the calls that are right
then (`apis_after`). Calls cannot be made: the functions' states are not here. A simulator can make answers
up; otherwise the set is for plans.
"""

from __future__ import annotations

import re
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
from toolquiver.evaluation.records import ASKS, Metric, Question, Result

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


_QUESTION = re.compile(r"[^.!?\n]*\?|[^.!?\n]*\b(?i:please|provide|specify|let me know|tell me)\b[^.!?\n]*")
_COMMON = frozenset(
    "the that this you your yours and for are was can could should would will with from have has here there its use it "
    "not one all any but how what which who please want need like just make sure let".split()
)


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
    questions = [_question(path, line, row, apis) for line, row in rows(path, _Row, "id")]
    make = partial(replayed, apis, SOURCE, None, options.simulator)
    return Loaded(name, questions, make, partial(_score, ids_by_name(apis), {api.id: _words_of(api) for api in apis}))


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


def _score(
    names: Mapping[str, ApiId], words: Mapping[str, frozenset[str]], question: Question, result: Result
) -> Metric:
    """`asked_and_refrained`: the user was asked for what is missing, and nothing was called that needs the reply.

    `refrained` is the second alone, which silence has too. `asked`: a graph has stopped to ask, or ends with what only
    the user can give (`unfilled`); or the answer has a question with a word of the parameters that the calls after the
    reply have, or of the reply. Our own: BFCL compares states after the user's reply, which is not given here.
    """
    early = set(_texts(question.labels.get("apis_after"))) - set(question.gold_apis or ())
    refrained = not early & set(path_of(result, names))
    wanted = _words(str(question.labels.get("reply") or "")).union(*(words.get(api, frozenset()) for api in early))
    asked = _graph_asks(result) or any(wanted & _words(one) for one in _QUESTION.findall(result.answer))
    return {
        "asked_and_refrained": float(asked and refrained) if early else None,
        "asked": float(asked),
        "refrained": float(refrained) if early else None,
        **path_score(question, result, names),
    }


def _graph_asks(result: Result) -> bool:
    """Whether a graph has asked the user, or would have."""
    told = [step[1]["unfilled"] for step in result.trace if _has_unfilled(step)]
    return result.outcome in {"partial", "failed"} and (result.reason == ASKS or bool(told and told[-1]))


def _has_unfilled(step: Any) -> bool:
    return isinstance(step, list | tuple) and len(step) == 2 and isinstance(step[1], dict) and "unfilled" in step[1]  # noqa: PLR2004


def _words_of(api: API) -> frozenset[str]:
    return _words(" ".join(parameter.name for parameter in api.parameter_list()))


def _words(text: str) -> frozenset[str]:
    """What a text is about: its longer words but for those that every reply may have."""
    return frozenset(word for word in re.findall(r"[^\W\d_]{3,}", text.lower()) if word not in _COMMON)


def _texts(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []

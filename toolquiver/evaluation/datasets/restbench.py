"""RestBench: questions over TMDB's and Spotify's REST APIs, with the gold way of calls (easytool.txt, 5.2).

The services themselves are not asked. A call of TMDB gives the example that its document has for the API, whatever the
arguments: the way of calls can be right, no answer can. Only what a search finds first is called what was searched for,
because an agent that is shown another film would be right to search again. Spotify's document has no examples: its
calls fail as `not_recorded`, so it is for plans. In both a simulator makes answers up instead, if one is given.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from toolquiver.calling import CallError, Observation
from toolquiver.catalog import API, ApiId, Source
from toolquiver.catalog.openapi import Document, Settings, document_uri
from toolquiver.errors import InputError
from toolquiver.evaluation.datasets.described import ids_by_name, replayed
from toolquiver.evaluation.datasets.gold import gold_of
from toolquiver.evaluation.datasets.loaded import Loaded, Options
from toolquiver.evaluation.datasets.reading import data_folder, part, plain_json, rows
from toolquiver.evaluation.datasets.scoring import called_score, path_score
from toolquiver.evaluation.records import Metric, Question, Resources, Result

_PARAMETER = re.compile(r"\{[^}]*\}")
_SEARCHED, _TITLES = "query", ("title", "original_title", "name", "original_name")
_TRUTHS = {"required", "additionalProperties", "explode", "nullable", "deprecated"}


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: int
    query: str
    solution: list[str]


class ExampleCaller:
    """Answers each API with the same example, whatever the arguments but `query`: the first result is called that."""

    def __init__(self, examples: Mapping[ApiId, str]) -> None:
        self._examples = examples

    async def call(self, api: API, arguments: dict[str, Any]) -> Observation:
        """The example.

        Raises:
            CallError: there is none.
        """
        if api.id not in self._examples:
            raise CallError("not_recorded", f"There is no example for {api.name}. Try another tool.")
        example = json.loads(self._examples[api.id])
        if _SEARCHED in arguments and isinstance(example, dict) and example.get("results"):
            first = example["results"][0]
            first |= {name: arguments[_SEARCHED] for name in _TITLES if name in first}
        return Observation(text=json.dumps(example, ensure_ascii=False))


def restbench(name: str, options: Options, *, service: str) -> Loaded:
    """The questions of one service, `tmdb` or `spotify`.

    Raises:
        InputError: the data are not there, or broken; the message names the line.
        CatalogError: the service's document is broken.
    """
    folder = data_folder(options.folder)
    document = part(folder, f"restbench/{service}_oas.json")
    raw = _repaired(plain_json(document))
    source = Source(key=f"openapi:restbench_{service}", kind="restbench")
    apis = _apis(raw, service, source.key)
    places = {_place(f"{api.binding['method']} {api.binding['path']}"): api.id for api in apis}
    given = tuple(api.id for api in apis) if options.pool == "given" else None
    read = rows(part(folder, f"restbench/{service}.jsonl"), _Row, "id")
    questions = [_question(row, places, given) for _, row in read]
    try:
        examples = _examples(raw, places)
    except _NoExample as error:
        raise InputError(f"{str(document)!r}: {error}. Correct it there.") from error

    def resources() -> Resources:
        made = replayed(apis, source, simulator=options.simulator)
        if not examples or options.simulator:
            return made
        return Resources(
            catalog=made.catalog,
            callers={**made.callers, source.key: ExampleCaller(examples)},
            recorded=lambda: (text for example in examples.items() for text in example),
        )

    return Loaded(name, questions, resources, partial(_score, ids_by_name(apis)))


def _apis(raw: Any, service: str, source: str) -> list[API]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{service}.json"
        path.write_text(json.dumps(raw), "utf-8")
        document = Document(document_uri(str(path)), Settings(category="RestBench", tool=service.upper()))
        return list(document.apis(source))


def _repaired(value: Any) -> Any:
    """The document with `"required": "true"` and the like as true: Spotify's writes truth as text."""
    if isinstance(value, list):
        return [_repaired(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        name: one == "true" if name in _TRUTHS and one in ("true", "false") else _repaired(one)
        for name, one in value.items()
    }


def _question(row: _Row, places: Mapping[str, ApiId], given: tuple[ApiId, ...] | None) -> Question:
    gold = gold_of((place, places.get(_place(place))) for place in row.solution)
    return Question(
        id=str(row.id),
        query=row.query.strip(),
        candidates=given,
        gold_apis=gold.apis,
        gold_path=gold.path,
        labels=gold.labels,
    )


def _place(text: str) -> str:
    """`METHOD /path` without the names of its parameters, which golds and documents write differently."""
    method, _, path = text.strip().partition(" ")
    return f"{method.upper()} {_PARAMETER.sub('{}', path.strip())}"


class _NoExample(ValueError):
    """What stands where the document's examples should be is not an example; the text names the place."""


def _examples(raw: Any, places: Mapping[str, ApiId]) -> dict[ApiId, str]:
    found = {}
    for path, item in raw["paths"].items():
        for method, operation in _mapping(item, path).items():
            id_ = places.get(_place(f"{method} {path}"))
            if id_ and (shown := _shown(operation, f"{method} {path}")):
                found[id_] = json.dumps(_mapping(next(iter(shown.values())), path).get("value"), ensure_ascii=False)
    return found


def _shown(operation: Any, place: str) -> dict[str, Any]:
    """The examples of an operation's answer, none where it has none."""
    for step in ("responses", "200", "content", "application/json", "examples"):
        operation = _mapping(operation.get(step, {}), f"{place}: {step}")
    return dict(operation)


def _mapping(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _NoExample(f"{place} is no object")
    return value


def _score(names: Mapping[str, ApiId], question: Question, result: Result) -> Metric:
    return {**path_score(question, result, names), **called_score(question, result)}

"""API-Bank: dialogues with calls of 101 APIs (Li et al. 2023), as questions.

A question is what the user of a dialogue says, up to its last call; the gold is the calls of the dialogue. Calls give
what the dialogues have for them; otherwise they fail as `not_recorded`, or a simulator makes answers up. Level 3 has no
answers. The calls of ToolSearcher in level 2 are left out: finding tools is the work of the system here. Some golds
have values that nobody has said, such as a password: `calls_right` cannot reach 1.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from toolquiver.calling import Observation, normalised
from toolquiver.calling.replay import Recording, Recordings, Simulator
from toolquiver.catalog import API, ApiId
from toolquiver.evaluation.datasets.api_bank_apis import SOURCE, Call, read_apis
from toolquiver.evaluation.datasets.api_bank_scenes import Scene, read_scenes
from toolquiver.evaluation.datasets.described import ids_by_name, replayed
from toolquiver.evaluation.datasets.gold import gold_by_name
from toolquiver.evaluation.datasets.loaded import Loaded, Options
from toolquiver.evaluation.datasets.reading import data_folder, part, rows
from toolquiver.evaluation.datasets.scoring import called_score, path_score
from toolquiver.evaluation.metrics import same_value
from toolquiver.evaluation.records import Metric, Question, Resources, Result

_FILES = {1: "level_1_given_desc", 2: "level_2_toolsearcher"}
_SEARCH = "ToolSearcher"


class _Returned(BaseModel):
    model_config = ConfigDict(extra="ignore")

    output: Any = None


class _Turn(BaseModel):
    model_config = ConfigDict(extra="ignore")

    role: Literal["User", "AI", "API"]
    text: str = ""
    api_name: str = ""
    param_dict: dict[str, Any] = {}
    result: _Returned = _Returned()


class _Dialogue(BaseModel):
    model_config = ConfigDict(extra="ignore")

    file: str
    turns: list[_Turn]


def api_bank(name: str, options: Options, *, level: int) -> Loaded:
    """The dialogues of a level, 1 to 3; one without a word of the user is left out.

    Raises:
        InputError: the data are not there, or broken; the message names the line.
    """
    folder = data_folder(options.folder)
    told = {at: _dialogues(folder, at) for at in _FILES}
    recorded = [pair for dialogues in told.values() for one in dialogues for pair in _calls(one)]
    apis = read_apis(part(folder, "api_bank/all_apis.csv"), [call for call, _ in recorded])
    names = ids_by_name(apis)
    if level in told:
        questions = [_question(one, names) for one in told[level] if any(turn.role == "User" for turn in one.turns)]
    else:
        scenes = read_scenes(part(folder, "api_bank/level_3_scenarios.jsonl"))
        questions = [_of_scene(one, names) for one in scenes]
    make = partial(_resources, apis, recorded, options.simulator)
    return Loaded(name, questions, make, partial(_score, names))


def _dialogues(folder: Path, level: int) -> list[_Dialogue]:
    return [row for _, row in rows(part(folder, f"api_bank/{_FILES[level]}.jsonl"), _Dialogue, "file")]


def _calls(dialogue: _Dialogue) -> Iterator[tuple[Call, Any]]:
    """The calls with what they returned."""
    for turn in dialogue.turns:
        if turn.role == "API" and turn.api_name != _SEARCH:
            yield Call(turn.api_name, turn.param_dict), turn.result.output


def _question(dialogue: _Dialogue, names: Mapping[str, ApiId]) -> Question:
    last = max((place for place, turn in enumerate(dialogue.turns) if turn.role == "API"), default=len(dialogue.turns))
    said = [turn.text.strip() for turn in dialogue.turns[:last] if turn.role == "User"]
    return _asked(dialogue.file, "\n".join(said), [call for call, _ in _calls(dialogue)], names)


def _of_scene(scene: Scene, names: Mapping[str, ApiId]) -> Question:
    return _asked(scene.file, scene.request, scene.calls, names)


def _asked(id_: str, query: str, calls: Sequence[Call], names: Mapping[str, ApiId]) -> Question:
    gold = gold_by_name((call.name for call in calls), names)
    made: list[Any] = [{"api": names.get(call.name, call.name), "arguments": dict(call.arguments)} for call in calls]
    return Question(
        id=id_,
        query=query,
        gold_apis=gold.apis,
        gold_path=gold.path,
        labels={"calls": made} | gold.labels,
    )


def _resources(apis: Sequence[API], recorded: Sequence[tuple[Call, Any]], simulator: Simulator | None) -> Resources:
    known = {api.name: api for api in apis}
    recordings = Recordings.create()
    recordings.put(
        Recording(
            api=known[call.name].id,
            arguments=normalised(known[call.name], dict(call.arguments)),
            outcome=Observation(text=output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)),
        )
        for call, output in recorded
        if call.name in known
    )
    return replayed(apis, SOURCE, recordings, simulator)


def _score(names: Mapping[str, ApiId], question: Question, result: Result) -> Metric:
    """`calls_right`: the share of the gold calls that were made with the gold arguments, in any order.

    Our own, after API-Bank's accuracy of calls, which looks at one call at a time with the gold ones before it.
    """
    gold: Any = question.labels.get("calls") or []
    rest = list(result.calls)
    for one in gold:
        fits = (call for call in rest if call.api == one["api"] and same_value(call.arguments, one["arguments"]))
        if (made := next(fits, None)) is not None:
            rest.remove(made)
    return {
        "calls_right": (len(result.calls) - len(rest)) / len(gold) if gold else None,
        **path_score(question, result, names),
        **called_score(question, result),
    }

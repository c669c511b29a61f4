"""Recorded calls of ToolBench's trajectories, as recordings of the APIs of a catalogue."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from toolquiver.calling.normal import normalised
from toolquiver.calling.replay.recordings import Recording, Recordings
from toolquiver.calling.replay.toolbench_names import by_function, parameter_name
from toolquiver.calling.replay.toolbench_outcome import outcome_of
from toolquiver.catalog.records import API
from toolquiver.catalog.toolbench_files import lines
from toolquiver.errors import RecordingError


@dataclass
class Imported:
    """What became of a file's lines.

    `lines` is their number, `calls` that of different calls among the lines that were taken. `repeated` lines say again
    what an earlier one says; `differing` ones have another outcome for the same call. Not taken were: `unknown`, whose
    function is no API given; `ambiguous`, whose function may be several; `unreadable`, whose arguments are no JSON
    object; `unanswered`, which no API answered. `outcomes` counts the lines taken by `observation` or kind of failure.
    """

    lines: int = 0
    calls: int = 0
    repeated: int = 0
    differing: int = 0
    unknown: int = 0
    ambiguous: int = 0
    unreadable: int = 0
    unanswered: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore")

    function: str
    arguments: str
    response: str


def import_toolbench(path: str | Path, recordings: Recordings, apis: Iterable[API]) -> Imported:
    """Put the calls of a file in JSON Lines, packed or not, among the recordings: all of them, or none.

    A line has a `function` by ToolBench's rule, `arguments` as JSON text and the `response` as ToolBench's wrapper gave
    it. `apis` are those that the functions may stand for.

    Raises:
        RecordingError: the file cannot be read, a line has another form (the message names it), or the recordings
            cannot be written.
    """
    counts = Imported()
    recordings.put(_counted(_recordings(Path(path), by_function(apis), counts), counts))
    return counts


def _recordings(path: Path, apis: dict[str, API | None], counts: Imported) -> Iterator[Recording]:
    for line in _lines(path):
        counts.lines += 1
        arguments = _arguments(line.arguments)
        api = apis.get(line.function)
        if line.function not in apis:
            counts.unknown += 1
        elif api is None:
            counts.ambiguous += 1
        elif arguments is None:
            counts.unreadable += 1
        elif (outcome := outcome_of(line.response)) is None:
            counts.unanswered += 1
        else:
            yield Recording(api=api.id, arguments=normalised(api, _own_names(api, arguments)), outcome=outcome)


def _counted(recordings: Iterable[Recording], counts: Imported) -> Iterator[Recording]:
    """The recordings, counted as they pass."""
    seen: dict[bytes, set[bytes]] = {}
    for recording in recordings:
        outcomes = seen.setdefault(_digest(f"{recording.api} {recording.arguments}"), set())
        outcome = _digest(recording.outcome.model_dump_json())
        counts.calls += not outcomes
        counts.repeated += outcome in outcomes
        counts.differing += bool(outcomes - {outcome}) and outcome not in outcomes
        counts.outcomes[recording.outcome.model_dump().get("kind", "observation")] += 1
        outcomes.add(outcome)
        yield recording


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _arguments(text: str) -> dict[str, Any] | None:
    """The arguments as the model wrote them; None when they are not a JSON object."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _own_names(api: API, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments under the names that the API itself gives them, where it has them."""
    own = {parameter_name(parameter.name): parameter.name for parameter in api.parameter_list()}
    return {own.get(name, name): value for name, value in arguments.items()}


def _lines(path: Path) -> Iterator[_Line]:
    for number, line in enumerate(lines(path, RecordingError), 1):
        if line.strip():
            try:
                yield _Line.model_validate_json(line)
            except ValidationError as error:
                first = error.errors(include_url=False)[0]
                place = ".".join(str(part) for part in first["loc"]) or "the line"
                raise RecordingError(
                    f"{str(path)!r}, line {number}: is no recorded call of ToolBench: {place}: {first['msg']}. "
                    "Correct it there."
                ) from error

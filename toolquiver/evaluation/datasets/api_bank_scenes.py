"""API-Bank's scenes of level 3: a request, what is known, and the gold calls, as free text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from toolquiver.evaluation.datasets.api_bank_apis import Call
from toolquiver.evaluation.datasets.reading import rows, wrong
from toolquiver.evaluation.metrics import parse_plan

_REQUEST = re.compile(r"First Utter[ae]nce:(.*?)\n\s*(?:- )?(?:GT )?API Calls?:(.*)", re.DOTALL)
_CALL = re.compile(r"^\s*(\w+\(.*\))", re.MULTILINE)


class Scene(NamedTuple):
    """What is asked, with what is known, and the calls that do it."""

    file: str
    request: str
    calls: list[Call]


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore")

    file: str
    text: str


def read_scenes(path: Path) -> list[Scene]:
    """The scenes of a file.

    Raises:
        InputError: the file cannot be read, or a line is no scene; the message names it.
    """
    return [_scene(path, line, row) for line, row in rows(path, _Row, "file")]


def _scene(path: Path, line: int, row: _Row) -> Scene:
    found = _REQUEST.search(row.text)
    if found is None:
        raise wrong(path, line, "a scene needs 'First Utterance:' and 'API Call:'")
    try:
        calls = [call for text in _CALL.findall(found[2]) for call in parse_plan(text)]
    except ValueError as error:
        raise wrong(path, line, error) from error
    return Scene(row.file, found[1].strip(), [Call(call.name, call.arguments) for call in calls])

"""YAML as JSON understands it: version 1.2's core, where `on` and `2020-01-01` are text and `010` is ten.

Built from PyYAML's events rather than by its loaders: those follow version 1.1, make dates out of text, and overflow
the stack on what is nested deeply.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import yaml

MOST_VALUES = 10_000_000  # with every alias written out; the largest real documents have a tenth
_DEEPEST = 500
_TOO_DEEP = "it is nested too deeply"
_LONGEST_NUMBER = 400  # digits; Python reads ten times as many, and no schema needs them
_TAG = "tag:yaml.org,2002:"
_FASTEST = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_PLAIN: tuple[tuple[re.Pattern[str], Callable[[str], Any]], ...] = (
    (re.compile(r"(?:~|null|Null|NULL|)\Z"), lambda _: None),
    (re.compile(r"(?:true|True|TRUE)\Z"), lambda _: True),
    (re.compile(r"(?:false|False|FALSE)\Z"), lambda _: False),
    (re.compile(r"[-+]?[0-9]+\Z"), int),
    (re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z"), lambda text: int(text, 0)),
    (re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z"), float),
)
_TAGGED: dict[str, Callable[[str], Any]] = {
    "str": str,
    "int": int,
    "float": float,
    "null": lambda _: None,
    "bool": lambda text: text.lower() == "true",
}
_FIRST = frozenset("~nNtTfF-+.0123456789")


class YamlError(ValueError):
    """The text is no YAML, or says more than JSON can; the message begins with the place."""


def load_yaml(text: str) -> Any:
    """The only value that a text of YAML holds, as JSON could hold it; keys are always text.

    Raises:
        YamlError: it is no YAML, has two documents, a key twice, a tag of its own, or too many values.
    """
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=_FASTEST):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        problem = str(error.problem or error.context)
        if "nesting depth" in problem:  # libyaml's own bound, which long rows of brackets reach before `_DEEPEST`
            problem = _TOO_DEEP
        raise YamlError(_place(error.problem_mark) + problem) from error
    except yaml.YAMLError as error:
        raise YamlError(" ".join(str(error).split())) from error
    return builder.value


@dataclass
class _Open:
    """A list or an object that is not complete yet; `key` waits for its value, `merged` are the objects to merge."""

    value: Any
    anchor: str | None
    key: str | None = None
    merged: list[Any] = field(default_factory=list)
    size: int = 1


class _Builder:
    def __init__(self) -> None:
        self.value: Any = None
        self._open: list[_Open] = []
        self._anchors: dict[str, tuple[Any, int]] = {}  # with the number of values in each
        self._documents = 0

    def take(self, event: Any) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.MappingStartEvent):
            self._begin({}, event)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._begin([], event)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self._end(event)
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise YamlError(f"{_place(event.start_mark)}nothing is called {event.anchor!r} before here")
            self._add(*self._anchors[event.anchor], event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise YamlError(f"{_place(event.start_mark)}a second document begins")

    def _begin(self, value: Any, event: Any) -> None:
        if len(self._open) >= _DEEPEST:
            raise YamlError(_place(event.start_mark) + _TOO_DEEP)
        if self._open and isinstance(self._open[-1].value, dict) and self._open[-1].key is None:
            raise YamlError(f"{_place(event.start_mark)}a key must be text")
        self._open.append(_Open(value, event.anchor))

    def _end(self, event: Any) -> None:
        done = self._open.pop()
        for merged in done.merged:
            for part in merged if isinstance(merged, list) else [merged]:
                if not isinstance(part, dict):
                    raise YamlError(f"{_place(event.start_mark)}'<<' can only merge objects")
                done.value = part | done.value
        if done.anchor:
            self._anchors[done.anchor] = (done.value, done.size)
        self._add(done.value, done.size, event)

    def _scalar(self, event: Any) -> None:
        top = self._open[-1] if self._open else None
        if top is not None and isinstance(top.value, dict) and top.key is None:
            top.key = event.value
            if event.value in top.value:
                raise YamlError(f"{_place(event.start_mark)}the key {event.value!r} is here a second time")
            return
        value = _resolved(event)
        if event.anchor:
            self._anchors[event.anchor] = (value, 1)
        self._add(value, 1, event)

    def _add(self, value: Any, size: int, event: Any) -> None:
        if not self._open:
            self.value = value
            return
        top = self._open[-1]
        top.size += size
        if top.size > MOST_VALUES:
            raise YamlError(f"{_place(event.start_mark)}more than {MOST_VALUES:,} values, with the aliases written out")
        if isinstance(top.value, list):
            top.value.append(value)
        elif top.key is None:
            raise YamlError(f"{_place(event.start_mark)}a key must be text")
        else:
            if top.key == "<<":
                top.merged.append(value)
            else:
                top.value[top.key] = value
            top.key = None


def _resolved(event: Any) -> Any:
    """A scalar's value: by its tag, or by how it is written."""
    text: str = event.value
    if event.tag in {None, "!"}:
        if event.style or event.tag or (text and text[0] not in _FIRST) or len(text) > _LONGEST_NUMBER:
            return text
        return next((read(text) for pattern, read in _PLAIN if pattern.match(text)), text)
    made = _TAGGED.get(event.tag.removeprefix(_TAG))
    try:
        if made is not None:
            return made(text)
    except ValueError:
        pass
    raise YamlError(f"{_place(event.start_mark)}the tag {event.tag!r} cannot be read")


def _place(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""

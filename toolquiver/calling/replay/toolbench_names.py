"""The names that ToolBench gives to APIs and parameters, to find those of a catalogue by them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from toolquiver.catalog.records import API

_LONGEST = 64  # characters; longer names lose their beginning
_RESERVED = {"from", "class", "return", "false", "true", "id", "and"}
_OTHER = re.compile(r"[^\u4e00-\u9fa5a-zA-Z0-9_^]")


def function_name(api: API) -> str:
    """The function that stands for the API in ToolBench's trajectories."""
    return f"{parameter_name(api.name)}_for_{_standard(api.tool)}"[-_LONGEST:]


def parameter_name(name: str) -> str:
    """The name of a parameter in ToolBench's trajectories; the part of a function's name that is the API's, too."""
    standard = _standard(name)
    return f"is_{standard}" if standard in _RESERVED else standard


def by_function(apis: Iterable[API]) -> dict[str, API | None]:
    """The APIs by their function names; None where several APIs share one."""
    found: dict[str, API | None] = {}
    for api in apis:
        name = function_name(api)
        found[name] = None if name in found else api
    return found


def _standard(name: str) -> str:
    plain = re.sub(r"_+", "_", _OTHER.sub("_", name)).lower().strip("_")
    return f"get_{plain}" if plain[:1].isdigit() else plain

"""IDs, which are no names: an artist's ID is not `Miles Davis`."""

from __future__ import annotations

import re
from typing import Any

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.stems import stems

_NAME = re.compile(r"[^\W\d_]+(?:[ .'-]+[^\W\d_]+)*[.!?]?")
_WORDS = re.compile(r"(?<!\S)[^\W\d_]{3,}(?!\S)")


def is_id(parameter: Parameter) -> bool:
    """Whether the parameter's name says that it is an ID."""
    return stems(parameter.name)[-1:] == ["id"]


def ids_of(api: API) -> list[Parameter]:
    """The IDs that an API needs."""
    return [parameter for parameter in api.parameter_list() if parameter.required and is_id(parameter)]


def is_name(value: Any) -> bool:
    """Whether the value is nothing but words, or has several: `LH 400` may be an ID, `Galaxy S21 Ultra` is not."""
    return isinstance(value, str) and bool(_NAME.fullmatch(value) or len(_WORDS.findall(value)) > 1)

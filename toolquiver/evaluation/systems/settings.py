"""Settings as they are written on a command line: `key=value`, by the fields of a graph's context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, TypeVar

from pydantic import JsonValue, TypeAdapter, ValidationError

from toolquiver.context import Context
from toolquiver.errors import InputError

_JSON: TypeAdapter[JsonValue] = TypeAdapter(JsonValue)
Settings = TypeVar("Settings", bound=Context)


def settings_of(written: Sequence[str]) -> dict[str, JsonValue]:
    """Values by name from texts `key=value`; a value is JSON where it reads as such, else text.

    Raises:
        InputError: a text has no `=`, or a name comes twice.
    """
    found: dict[str, JsonValue] = {}
    for text in written:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise InputError(f"The setting {text!r} is not written key=value, such as max_steps=3. Write it so.")
        if name.strip() in found:
            raise InputError(f"The setting {name.strip()!r} is given twice. Give it once.")
        found[name.strip()] = _value(value.strip())
    return found


def context_with(settings: dict[str, JsonValue], kind: type[Settings], **more: Any) -> Settings:
    """A context of this kind with these settings.

    Raises:
        InputError: `kind` has no setting of a name, or its value does not fit.
    """
    known = {setting.name for setting in fields(kind)}
    if unknown := sorted(set(settings) - known):
        raise InputError(f"There is no setting {unknown[0]!r}. There are: {', '.join(sorted(known))}.")
    try:
        return TypeAdapter(kind).validate_python({**settings, **more})
    except ValidationError as error:
        wrong = error.errors()[0]
        name = ".".join(str(part) for part in wrong["loc"])
        raise InputError(f"The setting {name} cannot be {wrong['input']!r}: {wrong['msg']}.") from error


def _value(text: str) -> JsonValue:
    try:
        return _JSON.validate_json(text)
    except ValidationError:
        return text

"""The option `--set`: every setting that has no option of its own."""

from collections.abc import Mapping
from typing import Annotated

import typer
from pydantic import JsonValue

from toolquiver.errors import InputError
from toolquiver.evaluation.systems.settings import settings_of

SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help="Any other setting, key=value, such as verifier=false or documentation=raw; docs/limits.md lists all.",
    ),
]


def other_settings(written: list[str] | None, options: Mapping[str, str]) -> dict[str, JsonValue]:
    """The settings that are given as key=value.

    Raises:
        InputError: one is not written so, is given twice, or is one of those that have an option of their own.
    """
    settings = settings_of(written or [])
    if taken := [name for name in settings if name in options]:
        raise InputError(f"The setting {taken[0]!r} is given by {options[taken[0]]}. Use that option.")
    return settings

"""Decision types that are made for one call: a choice among names, a text that is to be short."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field, create_model

_MUCH = 10


def brief(most: int, least: int | None = None) -> Any:
    """A text of a decision that a model is asked to keep to `most` characters; who says a little more is not refused.

    A grammar keeps to it, a hosted model need not: an answer that was one letter too long was asked for again.
    """
    return Field(min_length=least, max_length=_MUCH * most, json_schema_extra={"maxLength": most})


class Choice(BaseModel):
    """The tool to call next, by its function name."""

    tool: str


def one_of(names: Sequence[str]) -> Any:
    """The type of a field that can only be one of `names`: a name that does not exist cannot come out."""
    return Literal[tuple(names)]


def choice_among(names: Sequence[str]) -> type[Choice]:
    """A `Choice` that can only be one of `names`."""
    return create_model("Choice", __base__=Choice, tool=(one_of(names), ...))

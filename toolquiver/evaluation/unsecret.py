"""Records without the secrets of the environment, to be written into a journal, and how one is known again."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, JsonValue

from toolquiver.masking import MASK, masked_values

_NAMES = frozenset("asked dataset id kind model outcome question system verdict".split())
"""Fields by which journals and lines are told apart. They stay: a password may be a word that stands in such a name."""


def without_secrets(record: BaseModel) -> dict[str, Any]:
    """The record as JSON data in which secrets are masked, but for the names that it goes by."""
    told = record.model_dump(mode="json")
    parts = {name: without_secrets(part) for name, part in record if isinstance(part, BaseModel)}
    names = {name: told[name] for name in told.keys() & _NAMES}
    return {**masked_values(told), **names, **parts}


def may_be(there: JsonValue, mine: JsonValue) -> bool:
    """Whether what is there is `mine`, as it was written where other secrets may have been masked."""
    text, now = (json.dumps(value, ensure_ascii=False, sort_keys=True) for value in (there, mine))
    first, *between = text.split(MASK)
    if not between or not now.startswith(first):
        return there == mine
    *between, last = between
    at, end = len(first), len(now) - len(last)
    for part in between:  # the nearest place of each is as good as any other
        at = now.find(part, at, end) + len(part)
        if at < len(part):
            return False
    return at <= end and now.endswith(last)

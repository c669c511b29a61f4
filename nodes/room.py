"""How much of a text a model is shown: whole as far as there is room, and what is cut says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Budgeted

_CHARACTERS = 3  # a token has at least so many in most texts
_CONTEXT = 32_000  # tokens, where the model's profile does not say
_PART = 4  # a text may take one in so many tokens of the context and of the budget
_LEAST, _LEAST_EACH = 500, 300


async def room(role: str, state: Budgeted, run: Run[Any], most: int | None = None) -> int:
    """How many characters of one text the model of a role is shown; of `most` tokens at most, where that is said."""
    profile = (await run.model(role)).profile or {}
    context = profile.get("max_input_tokens") or most or _CONTEXT
    return max(_LEAST, min(context, most or context, run.left(state)) * _CHARACTERS // _PART)


async def room_each(role: str, state: Budgeted, run: Run[Any], texts: Sequence[str]) -> int:
    """How many characters of each of these texts the model of a role is shown: together twice as much as of one text.

    Short ones are whole, and where there is no room the longest are cut.
    """
    return max(_LEAST_EACH, longest_whole([*map(len, texts)], await room(role, state, run) * 2))


def longest_whole(lengths: Sequence[int], most: int) -> int:
    """The length up to which texts of these lengths are shown, so that all together have `most` characters."""
    for place, length in enumerate(sorted(lengths)):
        each = most // (len(lengths) - place)
        if length > each:
            return each
        most -= length
    return max(lengths, default=0)


def cut(text: str, most: int, how_to_see: str = "") -> str:
    """The text, or its beginning with a mark that says how much is missing, and how to see it."""
    if len(text) <= most:
        return text
    more = f"; {how_to_see}" if how_to_see else ""
    return f"{text[:most]}\n[cut: {len(text) - most} more characters{more}]"

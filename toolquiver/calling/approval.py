"""Which calls a person wants to see before they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from toolquiver.catalog.records import API

Approval = Literal["never", "writes", "always"]
"""When to ask before a call; `writes`: before all that is not known to only read."""

_READING = {"GET", "HEAD", "OPTIONS"}  # a Python tool may act, and its thread be at work still when it is given up


def stricter(one: Approval, other: Approval) -> Approval:
    """Of two settings the one that asks about more calls."""
    return max(one, other, key=get_args(Approval).index)


def needs_approval(api: API, setting: Approval) -> bool:
    """Whether a call of this API waits for a person."""
    return setting == "always" or (setting == "writes" and not reads(api))


def reads(api: API) -> bool:
    """Whether the API is known to only read, by its method."""
    return api.method.upper() in _READING

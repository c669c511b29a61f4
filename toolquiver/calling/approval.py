"""Which calls a person wants to see before they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from toolquiver.catalog.sources import PYTHON

if TYPE_CHECKING:
    from toolquiver.catalog.records import API

Approval = Literal["never", "auto", "writes", "always"]
"""When to ask before a call.

`writes` asks before a call that may write. `auto` is `writes` where the run can wait for a person, and `never`
elsewhere.
"""

_ORDER: tuple[Approval, ...] = ("auto", "never", "writes", "always")


def stricter(one: Approval, other: Approval) -> Approval:
    """Of two settings the one that asks about more calls; `auto`, the default, gives way to any other."""
    return max(one, other, key=_ORDER.index)


def needs_approval(api: API, setting: Approval) -> bool:
    """Whether a call of this API waits for a person; `auto` counts as `writes` here.

    With `writes` it does if the API writes. It does too where the effect is unknown, but for a Python tool of the
    program, which its user has passed in.
    """
    if setting in ("never", "always"):
        return setting == "always"
    return api.effect == "write" or (api.effect == "unknown" and api.source != PYTHON)


def reads(api: API) -> bool:
    """Whether the API is known to only read."""
    return api.effect == "read"

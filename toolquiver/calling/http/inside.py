"""The credentials that stand in a body: put where they belong, whatever a model has put there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolquiver.catalog.operation import Credential, HttpOperation, Placement
from toolquiver.catalog.outputs import ITEM

Placed = list[tuple[Placement, Any]]
"""The arguments that were given, each with its place; nulls are kept, they may be meant in JSON."""

Inside = tuple[Credential, str]
"""A credential in a body, and its value."""


def with_keys(operation: HttpOperation, placed: Placed, keys: Sequence[Inside]) -> Placed:
    """The arguments with the credentials of the operation's body that are set, and without what else stands there.

    An argument that was not given is made where one belongs into it; the items of a list are not.
    """
    given, values = dict(placed), {credential.key: value for credential, value in keys}
    found: Placed = []
    for key in operation.keys:
        if key.location not in {"body", "form"}:
            continue
        if place := _around(operation, key):
            steps = (*key.path, key.name)[bool(place.name) :]
            value = _put(given.get(place), steps, values.get(key.key))
            if value is not None or place in given:
                given[place] = value
        elif key.key in values:
            found.append((Placement(argument=key.key, name=key.name, location=key.location), values[key.key]))
    return [*given.items(), *found]


def _around(operation: HttpOperation, key: Credential) -> Placement | None:
    """The argument that a credential stands in, if it is not one beside them."""
    wanted = {"", *key.path[:1]}
    return next(
        (place for place in operation.placements if place.location == key.location and place.name in wanted), None
    )


def _put(value: Any, steps: Sequence[str], secret: str | None) -> Any:
    """`value` with the secret where the steps lead to, or, without one, with nothing there."""
    step, *further = steps
    if step == ITEM:
        return [_put(item, further, secret) for item in value] if isinstance(value, list) else value
    if value is None and secret is not None and ITEM not in further:
        value = {}
    if not isinstance(value, dict):
        return value
    if further:
        inner = _put(value.get(step), further, secret)
        return value if inner is None else value | {step: inner}
    left = {name: member for name, member in value.items() if name != step}
    return left if secret is None else left | {step: secret}

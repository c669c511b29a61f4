"""A draft as a tree: its calls, and the draft with some of them changed. None is changed in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from toolquiver.nodes.state import Draft


def calls_of(*drafts: Draft) -> list[Draft]:
    """The calls of the drafts, each once, an outer one before those whose output it takes."""
    found = list[Draft]()
    for call in _every(drafts):
        if call not in found:
            found.append(call)
    return found


def _every(drafts: Iterable[Draft]) -> Iterator[Draft]:
    for draft in drafts:
        yield draft
        yield from _every(draft["calls"].values())


def fed(call: Draft, name: str, inner: Draft) -> Draft:
    """The call with this argument from another one's output."""
    values = {key: value for key, value in call["values"].items() if key != name}
    return Draft(api=call["api"], values=values, calls=call["calls"] | {name: inner})


def replaced(draft: Draft, call: Draft, other: Draft) -> Draft:
    """The draft with this call, wherever it stands, replaced."""
    if draft == call:
        return other
    inner = {name: replaced(one, call, other) for name, one in draft["calls"].items()}
    return Draft(api=draft["api"], values=draft["values"], calls=inner)


def through(call: Draft, change: Callable[[Draft], Draft]) -> Draft:
    """The draft with each of its calls changed, the inner ones first."""
    inner = {name: through(one, change) for name, one in call["calls"].items()}
    return change(Draft(api=call["api"], values=call["values"], calls=inner))

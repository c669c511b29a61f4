"""Which calls are made again: one that reads is, after something was changed; one that may have worked is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from toolquiver.calling import Failure, FailureKind, normalised
from toolquiver.catalog import API, ApiId
from toolquiver.nodes.apis.changing import changes
from toolquiver.nodes.records import Call
from toolquiver.nodes.run import Run

_UNANSWERED: frozenset[FailureKind] = frozenset(["timeout", "network"])  # it may have worked all the same
_UNTOLD = _UNANSWERED | {"server_error"}  # less likely: enough to not do it twice, and too little to read all again
_IN_DOUBT = "It may have been carried out already although no answer came, so it is not made again."


def in_doubt(api: API, arguments: dict[str, Any], made: Iterable[Call]) -> Failure | None:
    """Why a call that changes something is not made once more by itself; None where it is."""
    if not changes(api):
        return None
    if any(call["failure"] in _UNTOLD for call in made_before(api, arguments, made)):
        return Failure(kind="blocked", message=_IN_DOUBT)
    return None


def made_before(api: API, arguments: dict[str, Any], made: Iterable[Call]) -> Iterator[Call]:
    """The calls of this API with the same arguments."""
    same = normalised(api, arguments)
    return (call for call in made if call["api"] == api.id and normalised(api, call["arguments"]) == same)


async def is_stale(api: API, arguments: dict[str, Any], made: Iterable[Call], run: Run) -> bool:
    """Whether something was changed, or may have been, after the last such call, which reads: what came may be old."""
    if changes(api):
        return False
    same, after = normalised(api, arguments), list[ApiId]()
    for call in made:
        if call["ok"] and call["api"] == api.id and normalised(api, call["arguments"]) == same:
            after = []
        elif call["ok"] or call["failure"] in _UNANSWERED:
            after.append(call["api"])
    return any(map(changes, await run.apis(after)))

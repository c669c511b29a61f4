"""Where a request speaks of an API, and where an API can stand in a draft."""

from __future__ import annotations

import re

from toolquiver.catalog import API
from toolquiver.catalog.fits import feeding
from toolquiver.catalog.stems import stems
from toolquiver.nodes.apis.words import SAYING_NOTHING
from toolquiver.nodes.scripts.drafts import Apis
from toolquiver.nodes.scripts.nested_calls import calls_of
from toolquiver.nodes.state import Draft


def said_at(api: API, task: str) -> list[tuple[int, int]]:
    """Where the task has words of the API's name and description."""
    own = set(stems(f"{api.name} {api.description}")) - SAYING_NOTHING
    return [match.span() for match in re.finditer(r"[^\W\d_]+", task) if set(stems(match[0])) & own]


def counted_by(number: float | str, task: str) -> re.Match[str] | None:
    """The number in the task with the word behind it, its first group: `45 days`."""
    return re.search(rf"(?<![\w.]){re.escape(str(number))}\s+([^\W\d]+)", task)


def can_replace(draft: Draft, call: Draft, api: API, apis: Apis) -> bool:
    """Whether what takes the call's output can take the API's as well."""
    fits = [
        (feeding(api, apis[one["api"]], p).fit, feeding(apis[call["api"]], apis[one["api"]], p).fit)
        for one in calls_of(draft)
        for p in apis[one["api"]].parameter_list()
        if one["calls"].get(p.name) == call
    ]
    return all(fit and fit >= before for fit, before in fits)

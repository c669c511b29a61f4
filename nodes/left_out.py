"""What speaks against a draft: APIs and values of the request that it leaves out, and values that it makes up."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from toolquiver.catalog import API, ApiId
from toolquiver.catalog.stems import stems
from toolquiver.nodes.chain import Draft
from toolquiver.nodes.doubts import SAYING_NOTHING, words_of
from toolquiver.nodes.givens import unused
from toolquiver.nodes.origins import stands_in
from toolquiver.nodes.parts import NAMED

Apis = Mapping[ApiId, API]


def faults(draft: Draft, apis: Apis, task: str, texts: Sequence[str]) -> int:
    """How many APIs and values of the task the draft leaves out, how many required arguments, and what it makes up."""
    left = [*left_out(draft, apis, task), *_untaken(draft, apis, task), *_open(draft, apis)]
    return len(left) + len(made_up(draft, apis, texts))


def left_out(draft: Draft, apis: Apis, task: str, *, described: bool = True) -> list[API]:
    """The APIs of which the task speaks as it does of no call; with `described` by their descriptions too."""
    made = {call["api"] for call in calls_of(draft)}
    spoken = set(stems(_without_values(task, draft))) - _covered(made, apis) - SAYING_NOTHING
    own = {api.id: set(stems(f"{api.name} {api.description}" if described else api.name)) for api in apis.values()}
    return [api for api in apis.values() if api.id not in made and own[api.id] & spoken]


def made_up(draft: Draft, apis: Apis, texts: Sequence[str]) -> list[tuple[ApiId, str]]:
    """The arguments, by API and name, whose values stand in no text."""
    return [
        (call["api"], parameter.name)
        for call in calls_of(draft)
        for parameter in apis[call["api"]].parameter_list()
        if parameter.name in call["values"] and not stands_in(call["values"][parameter.name], parameter, texts)
    ]


def calls_of(draft: Draft) -> Iterator[Draft]:
    """All calls of the draft, an outer one before those whose output it takes."""
    yield draft
    for call in draft["calls"].values():
        yield from calls_of(call)


def _open(draft: Draft, apis: Apis) -> list[str]:
    return [
        parameter.name
        for call in calls_of(draft)
        for parameter in apis[call["api"]].parameter_list()
        if parameter.required and parameter.name not in {**call["values"], **call["calls"]}
    ]


def _untaken(draft: Draft, apis: Apis, task: str) -> list[str]:
    """Numbers and names of the task that no call takes, and that say nothing of one."""
    taken = json.dumps([call["values"] for call in calls_of(draft)], ensure_ascii=False)
    covered = _covered({call["api"] for call in calls_of(draft)}, apis) | SAYING_NOTHING
    said = [name.strip("\"'(") for name in NAMED.findall(task) if not any(map(str.isdigit, name))]
    names = [name for name in said if name.lower() not in taken.lower()]
    return unused(task, [taken]) + [name for name in names if not set(stems(name)) <= covered]


def _covered(made: set[ApiId], apis: Apis) -> set[str]:
    return {word for api_id in made for word in [*words_of(apis[api_id]), *stems(apis[api_id].description)]}


def _without_values(task: str, draft: Draft) -> str:
    for value in (value for call in calls_of(draft) for value in call["values"].values()):
        task = re.sub(rf"(?<!\w){re.escape(str(value))}(?!\w)", " ", task)
    return task

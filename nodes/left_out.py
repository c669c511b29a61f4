"""What speaks against a draft: APIs and values of the request that it leaves out, and values that it makes up."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from toolquiver.catalog import API
from toolquiver.catalog.stems import stems
from toolquiver.nodes.chain import Draft
from toolquiver.nodes.doubts import SAYING_NOTHING, words_of
from toolquiver.nodes.drafts import Apis
from toolquiver.nodes.givens import unused
from toolquiver.nodes.origins import stands_in
from toolquiver.nodes.parts import NAMED

Texts = Sequence[str] | None
"""Where values have to stand; None where they need not stand anywhere."""


def omissions(draft: Draft, apis: Apis, task: str, *, described: bool) -> int:
    """How many APIs and values of the task the draft leaves out, and how many required arguments."""
    return len([*left_out(draft, apis, task, described=described), *_untaken(draft, apis, task), *_open(draft, apis)])


def left_out(draft: Draft, apis: Apis, task: str, *, described: bool) -> list[API]:
    """The APIs of which the task speaks as it does of no call; with `described` by their descriptions too."""
    made, spoken = {call["api"] for call in calls_of(draft)}, set(stems(" ".join(unsaid(draft, apis, task))))
    own = {api.id: set(stems(f"{api.name} {api.description}" if described else api.name)) for api in apis.values()}
    return [api for api in apis.values() if api.id not in made and own[api.id] & spoken]


def unsaid(draft: Draft, apis: Apis, task: str) -> list[str]:
    """The words of the task that are no value of the draft, and that none of its calls speaks of."""
    for value in (value for call in calls_of(draft) for value in call["values"].values()):
        task = re.sub(rf"(?<!\w){re.escape(str(value))}(?!\w)", " ", task)
    covered = _covered(draft, apis)
    return [word for word in re.findall(r"[^\W\d_]+", task) if set(stems(word)) - covered]


def made_up(draft: Draft, apis: Apis, texts: Texts) -> int:
    """How many of the draft's values stand in no text."""
    return sum(
        texts is not None and not stands_in(call["values"][parameter.name], parameter, texts)
        for call in calls_of(draft)
        for parameter in apis[call["api"]].parameter_list()
        if parameter.name in call["values"]
    )


def calls_of(draft: Draft) -> list[Draft]:
    """The calls of the draft, each once, an outer one before those whose output it takes."""
    found = list[Draft]()
    for call in _every(draft):
        if call not in found:
            found.append(call)
    return found


def _every(draft: Draft) -> Iterator[Draft]:
    yield draft
    for call in draft["calls"].values():
        yield from _every(call)


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
    said = [name.strip("\"'(") for name in NAMED.findall(task) if not any(map(str.isdigit, name))]
    covered, names = _covered(draft, apis), [name for name in said if name.lower() not in taken.lower()]
    return unused(task, [taken]) + [name for name in names if not set(stems(name)) <= covered]


def _covered(draft: Draft, apis: Apis) -> frozenset[str]:
    """What the calls speak of, and what says nothing."""
    made = {call["api"] for call in calls_of(draft)}
    words = (word for api_id in made for word in [*words_of(apis[api_id]), *stems(apis[api_id].description)])
    return SAYING_NOTHING.union(words)

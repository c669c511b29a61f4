"""What speaks against a draft: APIs and values of the request that it leaves out, and values that it makes up."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import pairwise

from toolquiver.catalog import API, ApiId, Parameter
from toolquiver.catalog.stems import stems
from toolquiver.nodes.apis.words import SAYING_NOTHING, told_by
from toolquiver.nodes.scripts.drafts import Apis
from toolquiver.nodes.scripts.nested_calls import calls_of
from toolquiver.nodes.state import Draft
from toolquiver.nodes.texts.givens import unused
from toolquiver.nodes.texts.origins import stands_in
from toolquiver.nodes.texts.parts import NAMED

Texts = Sequence[str] | None
"""Where values have to stand; None where they need not stand anywhere."""


def omissions(drafts: Sequence[Draft], apis: Apis, task: str, *, described: bool) -> int:
    """How many APIs and values of the task the drafts leave out, and how many required arguments."""
    open_ = sum(len(open_arguments(call, apis)) for call in calls_of(*drafts))
    return unspoken(drafts, apis, task, described=described) + open_


def unspoken(drafts: Sequence[Draft], apis: Apis, task: str, *, described: bool) -> int:
    """How many APIs and values of the task the drafts leave out.

    Of a catalogue the words count that speak of APIs, each once: many are called something of `word`.
    """
    left = _left_out(drafts, apis, task, described=described)
    return len(left if described else set[str]().union(*left.values())) + len(_values_left(drafts, apis, task))


def left_out(drafts: Sequence[Draft], apis: Apis, task: str, *, described: bool) -> list[API]:
    """The APIs of which the task speaks as it does of no call; with `described` by their descriptions too."""
    return [apis[api_id] for api_id in _left_out(drafts, apis, task, described=described)]


def _left_out(drafts: Sequence[Draft], apis: Apis, task: str, *, described: bool) -> dict[ApiId, set[str]]:
    """The APIs that are left out, each with the words that speak of it."""
    made, spoken = {call["api"] for call in calls_of(*drafts)}, set(stems(" ".join(unsaid(drafts, apis, task))))
    own = {api.id: set(stems(f"{api.name} {api.description}" if described else api.name)) for api in apis.values()}
    return {api_id: words for api_id in apis if api_id not in made and (words := own[api_id] & spoken)}


def unsaid(drafts: Sequence[Draft], apis: Apis, task: str) -> list[str]:
    """The words of the task that are no value of the drafts, and that none of its calls speaks of.

    Two words may be one of a call's: the sun sets at sunset.
    """
    for value in (value for call in calls_of(*drafts) for value in call["values"].values()):
        task = re.sub(rf"(?<!\w){re.escape(str(value))}(?!\w)", " ", task)
    covered, words = _covered(drafts, apis), re.findall(r"[^\W\d_]+", task)
    joined = {word for pair in pairwise(words) if covered.intersection(stems("".join(pair))) for word in pair}
    return [word for word in words if word not in joined and set(stems(word)) - covered]


def made_up(drafts: Sequence[Draft], apis: Apis, texts: Texts) -> int:
    """How many of the draft's values stand in no text."""
    return sum(
        texts is not None and not stands_in(call["values"][parameter.name], parameter, texts)
        for call in calls_of(*drafts)
        for parameter in apis[call["api"]].parameter_list()
        if parameter.name in call["values"]
    )


def open_arguments(call: Draft, apis: Apis) -> list[Parameter]:
    """The required arguments of the call itself for which nothing is written."""
    given = {**call["values"], **call["calls"]}
    return [p for p in apis[call["api"]].required_list() if p.name not in given]


def _values_left(drafts: Sequence[Draft], apis: Apis, task: str) -> list[str]:
    """Numbers and names of the task that no call takes, and that say nothing of one."""
    taken = _taken(drafts)
    said = [name.strip("\"'(") for name in NAMED.findall(task) if not any(map(str.isdigit, name))]
    covered, names = _covered(drafts, apis), [name for name in said if name.lower() not in taken.lower()]
    return numbers_left(drafts, task) + [name for name in names if not set(stems(name)) <= covered]


def numbers_left(drafts: Sequence[Draft], task: str) -> list[str]:
    """The numbers of the task that no call takes."""
    return unused(task, [_taken(drafts)])


def _taken(drafts: Sequence[Draft]) -> str:
    return json.dumps([call["values"] for call in calls_of(*drafts)], ensure_ascii=False)


def _covered(drafts: Sequence[Draft], apis: Apis) -> frozenset[str]:
    """What the calls speak of, and what says nothing."""
    made = {call["api"] for call in calls_of(*drafts)}
    return SAYING_NOTHING.union(*(told_by(apis[api_id]) for api_id in made))

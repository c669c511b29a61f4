"""What lines of calls come to: one goal, or several where calls stand side by side of which the request speaks."""

from __future__ import annotations

from collections.abc import Sequence

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.fits import feeding
from toolquiver.nodes.chain import Written, calls_of
from toolquiver.nodes.drafts import Apis
from toolquiver.nodes.left_out import Texts, left_out, open_arguments, untaken
from toolquiver.nodes.mending import fed, replaced, sound


def goals_of(written: Sequence[Written], apis: Apis, task: str, texts: Texts, *, described: bool) -> list[Written]:
    """The calls that no other takes from, but for those without which nothing of the task is left out.

    Where one lacks an argument, it takes what a call before it gives, if it can: `the ID from the last step` is no
    value that a text has.
    """
    goals = list[Written]()
    for one in written:
        draft = sound(one.draft, apis, task, texts)
        for call in calls_of(draft):
            for parameter in open_arguments(call, apis):
                if giving := _giving(goals, apis[call["api"]], parameter, apis):
                    goals.remove(giving)
                    whole = fed(call, parameter.name, giving.draft)
                    draft, call = replaced(draft, call, whole), whole  # noqa: PLW2901
        goals.append(one._replace(draft=draft))

    def missing(chosen: Sequence[Written]) -> int:
        drafts = [one.draft for one in chosen]
        return len(left_out(drafts, apis, task, described=described)) + len(untaken(drafts, apis, task))

    for one in goals[:-1]:
        others = [other for other in goals if other is not one]
        goals = others if missing(others) <= missing(goals) else goals
    return goals


def _giving(before: Sequence[Written], api: API, parameter: Parameter, apis: Apis) -> Written | None:
    """The call whose output fits the parameter of the API best, of several the last."""
    fits = {place: feeding(apis[one.draft["api"]], api, parameter).fit for place, one in enumerate(before)}
    best = max(fits, key=lambda place: (fits[place], place), default=None)
    return before[best] if best is not None and fits[best] else None

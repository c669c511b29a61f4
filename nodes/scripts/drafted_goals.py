"""What lines of calls come to: one goal, or several where calls stand side by side of which the request speaks."""

from __future__ import annotations

from collections.abc import Sequence

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.fits import Fit, feeding
from toolquiver.nodes.scripts.drafts import Apis, Written
from toolquiver.nodes.scripts.left_out import Texts, open_arguments, unspoken
from toolquiver.nodes.scripts.mending import sound
from toolquiver.nodes.scripts.nested_calls import calls_of, fed, replaced
from toolquiver.nodes.state import Draft
from toolquiver.nodes.texts.parts import refers


def goals_of(written: Sequence[Written], apis: Apis, task: str, texts: Texts, *, described: bool) -> list[Written]:
    """The outermost calls, without those that add nothing from the task that the others do not cover.

    A missing argument is taken from an earlier call: by name; if the task refers back, because it is that call's only
    result; or, with `described`, by type alone. A phrase such as `the ID from the last step` is not a value.
    """
    goals, least = list[Written](), (Fit.TYPE if described else Fit.RESULT) if refers(task) else Fit.HELD
    for one in written:
        draft, before = sound(one.draft, apis, task, texts), calls_of(*(goal.draft for goal in goals))
        for call in calls_of(draft):
            whole = call
            for parameter in open_arguments(call, apis):
                if giving := _giver(parameter, apis[call["api"]], before, apis, least):
                    whole = fed(whole, parameter.name, giving)
            draft = replaced(draft, call, whole)
        goals = [goal for goal in goals if goal.draft not in calls_of(draft)]
        goals.append(one._replace(draft=draft))
    return _needed(goals, apis, task, described=described)


def _giver(parameter: Parameter, api: API, before: Sequence[Draft], apis: Apis, least: Fit) -> Draft | None:
    """The call whose output fits the parameter of the API best, at least so well; of several the last."""
    fits = [(feeding(apis[call["api"]], api, parameter).fit, place) for place, call in enumerate(before)]
    fit, place = max(fits, default=(Fit.NOT, 0))
    return before[place] if fit >= least else None


def _needed(goals: Sequence[Written], apis: Apis, task: str, *, described: bool) -> list[Written]:
    """The goals without those that have no value of their own, and without which the task is spoken of as well."""
    kept = list(goals)
    for one in goals:
        others = [other for other in kept if other is not one]
        if not others or _values([one]) - _values(others):
            continue
        without, whole = (
            unspoken([goal.draft for goal in way], apis, task, described=described) for way in (others, kept)
        )
        kept = others if without <= whole else kept
    return kept


def _values(goals: Sequence[Written]) -> set[str]:
    return {str(value) for call in calls_of(*(one.draft for one in goals)) for value in call["values"].values()}

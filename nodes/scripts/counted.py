"""A number that a draft leaves out, where an API that no call is of counts what it is a number of."""

from __future__ import annotations

import re

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.fits import Fit, feeding
from toolquiver.catalog.stems import stems
from toolquiver.nodes.scripts.drafts import Apis
from toolquiver.nodes.scripts.nested_calls import calls_of, fed, replaced
from toolquiver.nodes.scripts.places import can_replace, counted_by, said_at
from toolquiver.nodes.state import Draft


def counted(draft: Draft, number: str, apis: Apis, task: str) -> Draft:
    """The draft with one more API, where one alone has an input called as the number's unit: `days` for `45 days`.

    It is put around the call that the task names behind the number: in `33 business days after the date 45 days after
    Easter` the days are added to Easter's date. The draft as it is where there is no such place.
    """
    unit = counted_by(number, task)
    made = {call["api"] for call in calls_of(draft)}
    found = [
        (call, fed(Draft(api=api.id, values={counts.name: int(number)}, calls={}), taking.name, call))
        for api in apis.values()
        if unit and number.isdigit() and api.id not in made and (counts := _counting(api, unit[1]))
        for taking in [p for p in api.required_list() if p != counts][:1]
        for call in _behind(draft, unit.start(), apis, task)
        if feeding(apis[call["api"]], api, taking).fit >= Fit.HELD and can_replace(draft, call, api, apis)
    ]
    return replaced(draft, *found[0]) if len(found) == 1 else draft


def _counting(api: API, unit: str) -> Parameter | None:
    """The parameter that is called as the unit is: `days` of `45 days`."""
    return next((p for p in api.parameter_list() if stems(p.name) == stems(unit)), None)


def _behind(draft: Draft, place: int, apis: Apis, task: str) -> list[Draft]:
    """The call that the task names behind a place, if it names the call that takes it before."""
    return [
        inner
        for call in calls_of(draft)
        for inner in call["calls"].values()
        if _named_at(call, apis, task) < place < _named_at(inner, apis, task)
    ][:1]


def _named_at(call: Draft, apis: Apis, task: str) -> int:
    """Where the task has the call's first value, or else a word of its API; 0 where it has neither."""
    values = "|".join(re.escape(str(value)) for value in call["values"].values())
    found = re.search(rf"(?<![\w.])(?:{values})(?!\w)", task) if values else None
    return found.start() if found else next((start for start, _ in said_at(apis[call["api"]], task)), 0)

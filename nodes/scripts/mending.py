"""What a draft leaves out, put in where the words of the request and what can feed what leave one place for it.

A small model writes a nested call that holds, and forgets one of the calls: `sunset(city('Oslo'))` for the capital of
the country where Oslo lies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from toolquiver.calling.arguments import misfits
from toolquiver.catalog import API, Parameter
from toolquiver.catalog.fits import Fit, feeding
from toolquiver.catalog.stems import stems
from toolquiver.nodes.apis.dated import gives_no_day, takes_a_day
from toolquiver.nodes.apis.ids import ids_of, is_id, is_name
from toolquiver.nodes.apis.words import SAYING_NOTHING
from toolquiver.nodes.scripts.counted import counted
from toolquiver.nodes.scripts.drafts import Apis
from toolquiver.nodes.scripts.left_out import Texts, left_out, numbers_left
from toolquiver.nodes.scripts.nested_calls import calls_of, fed, replaced, through
from toolquiver.nodes.scripts.places import can_replace, counted_by, said_at
from toolquiver.nodes.state import Draft
from toolquiver.nodes.texts.origins import stands_in

_RELATIVE = r"\s+(?:in\s+)?(?:that|which|where|whose)\b"
"""What makes `country` mean a country that is not named: the country where Oslo lies."""
_OF = re.compile(r"(?i)\s+(?:[^\W\d]+\s+){0,2}?(?:of|after|from|behind|following)\s+(?:(?:the|a|an|\d+\w*)\s+)*\d*")
"""What stands between the name of a call and that of the call whose output it takes."""
_OF_A_TEXT = re.compile(r"(?i)[^.,;:!?]*\b(?:of|after|from|behind|following)\b[^.,;:!?]*")


def mended(draft: Draft, apis: Apis, task: str, texts: Texts, *, described: bool) -> Draft:
    """The sound draft with what it leaves out where that can be put in."""
    draft = sound(draft, apis, task, texts)
    for api in left_out([draft], apis, task, described=described):
        draft = _exchanged(draft, api, apis, task) or _put_in(draft, api, apis, task)
    for number in numbers_left([draft], task):
        draft = counted(draft, number, apis, task)
    return draft


def sound(draft: Draft, apis: Apis, task: str, texts: Texts) -> Draft:
    """The draft without values that stand in no text, and with a lookup for what is not named."""
    draft = through(draft, lambda call: _kept(call, apis, task, texts))
    return through(draft, lambda call: _looked_up(call, apis, task))


def _kept(call: Draft, apis: Apis, task: str, texts: Texts) -> Draft:
    """The call without what was made up, and without calls for what may be left out and is not spoken of.

    A call that gives no day where one is wanted gives way to the one that it takes from.
    """
    api, said = apis[call["api"]], set(stems(task))
    kept = Draft(api=api.id, values={}, calls={})
    for parameter in api.parameter_list():
        name, inner = parameter.name, call["calls"].get(parameter.name)
        while inner and takes_a_day(parameter) and gives_no_day(apis[inner["api"]]):
            inner = next(iter(inner["calls"].values()), None)
        by_name = inner is not None and feeding(apis[inner["api"]], api, parameter).fit >= Fit.HELD
        if inner and (parameter.required or (by_name and not said.isdisjoint(stems(name)))):
            kept["calls"][name] = inner
        value = call["values"].get(name)
        if value is not None and (texts is None or stands_in(value, parameter, texts)):
            kept["values"][name] = value
    return kept


def _looked_up(call: Draft, apis: Apis, task: str) -> Draft:
    """The call with a lookup where a name stands for an ID, or nothing for `the country where Oslo lies`."""
    api = apis[call["api"]]
    for parameter in api.parameter_list():
        value = call["values"].get(parameter.name)
        if not parameter.required or parameter.name in call["calls"]:
            continue
        if not (_unnamed(parameter, task) or (is_id(parameter) and is_name(value))):
            continue
        for other, taking in givers(api, parameter, apis.values()):
            if value is None or not misfits(taking.whole_schema, value):
                values = {} if value is None else {taking.name: value}
                return fed(call, parameter.name, Draft(api=other.id, values=values, calls={}))
    return call


def givers(api: API, parameter: Parameter, apis: Iterable[API]) -> list[tuple[API, Parameter]]:
    """The APIs that give the parameter by name and are asked with no ID themselves, with what they are asked with."""
    others = {other.id: other for other in apis if other.id != api.id}
    fits = {other_id: feeding(other, api, parameter).fit for other_id, other in others.items()}
    fitting = sorted((one for one in others if fits[one] >= Fit.HELD), key=lambda one: -fits[one])
    free = (others[one] for one in fitting if not ids_of(others[one]))
    return [(other, taking) for other in free if (taking := _first_required(other))]


def _exchanged(draft: Draft, api: API, apis: Apis, task: str) -> Draft | None:
    """The API in the place of another whose number it speaks of: `58 business days` are not `dateAdd`'s days."""
    names = {parameter.name for parameter in api.parameter_list()}
    for call in calls_of(draft):
        for name, value in call["values"].items():
            if name in names and isinstance(value, int | float) and _counts(value, api, apis[call["api"]], task):
                made = _as_call_of(api, call, apis)
                return replaced(draft, call, made) if made else None
    return None


def _put_in(draft: Draft, api: API, apis: Apis, task: str) -> Draft:
    """The API around the call that the task names after it, where the one text is that it can take, or around all."""
    for call in calls_of(draft):
        around = _around(call, api, apis)
        if around and _is_said_of(api, apis[call["api"]], task) and can_replace(draft, call, api, apis):
            return replaced(draft, call, around)
    first = _is_said_before(api, apis[draft["api"]], task)
    around, takes = _around(draft, api, apis, by_type=first), _first_required(api)
    places = [(call, name) for call in calls_of(draft) for name in _places(call, api, apis, task)]
    if len(places) == 1 and takes and not (around and first):
        call, name = places[0]
        inner = Draft(api=api.id, values={takes.name: call["values"][name]}, calls={})
        return replaced(draft, call, fed(call, name, _looked_up(inner, apis, task)))
    return around or draft


def _places(call: Draft, api: API, apis: Apis, task: str) -> list[str]:
    """The arguments of the call that are texts without digits, which the API could take and give another one for.

    The task has to say the API of that text: `the capital of the country where Oslo lies`.
    """
    takes, consumer = _first_required(api), apis[call["api"]]
    return [
        p.name
        for p in consumer.parameter_list()
        if isinstance(value := call["values"].get(p.name), str)
        and not re.search(r"\d", value)
        and takes
        and not misfits(takes.whole_schema, value)
        and feeding(api, consumer, p).fit
        and any(_OF_A_TEXT.fullmatch(between) for between in _between(api, value, task))
    ]


def _around(draft: Draft, api: API, apis: Apis, *, by_type: bool = True) -> Draft | None:
    """The API with what the draft gives; what another one first makes of that the chain puts in."""
    root, required = apis[draft["api"]], api.required_list()
    fits = {parameter.name: feeding(root, api, parameter).fit for parameter in required}
    fed = [name for name, fit in fits.items() if fit >= Fit.HELD or fit == Fit.RESULT or (fit and by_type)][:1]
    made = [p.name for p in required if by_type and any(_makes(other, api, p, root) for other in apis.values())]
    return Draft(api=api.id, values={}, calls=dict.fromkeys(fed or made, draft)) if fed or made else None


def _makes(other: API, api: API, parameter: Parameter, root: API) -> bool:
    """Whether another API makes the parameter by name of what the root gives."""
    taking = _first_required(other)
    return bool(taking and feeding(other, api, parameter).fit >= Fit.HELD and feeding(root, other, taking).fit)


def _as_call_of(api: API, call: Draft, apis: Apis) -> Draft | None:
    """The call with this API instead: arguments of the same name, and what feeds the other for a required one."""
    made, left = Draft(api=api.id, values={}, calls={}), {**call["calls"], **call["values"]}
    for parameter in sorted(api.parameter_list(), key=lambda p: p.name not in left):
        fitting = [parameter.name] if parameter.name in left else []
        if not fitting and parameter.required:
            fitting = [name for name, given in left.items() if can_be(given, parameter, api, apis)]
        if fitting:
            given = left.pop(fitting[0])
            made["calls" if given in call["calls"].values() else "values"][parameter.name] = given
        elif parameter.required:
            return None
    return made


def can_be(given: Any, parameter: Parameter, api: API, apis: Apis) -> bool:
    """Whether the value, or the output of the call, that is given can be the parameter by its type."""
    if isinstance(given, dict) and given.get("api") in apis:
        return bool(feeding(apis[given["api"]], api, parameter).fit)
    return not misfits(parameter.whole_schema, given)


def _first_required(api: API) -> Parameter | None:
    return next(iter(api.required_list()), None)


def _unnamed(parameter: Parameter, task: str) -> bool:
    words = "|".join(re.escape(word) for word in re.findall(r"[^\W\d_]+", parameter.name))
    return bool(words) and bool(re.search(rf"\b(?:{words}){_RELATIVE}", task, re.IGNORECASE))


def _counts(value: float, api: API, other: API, task: str) -> bool:
    """Whether the number counts, in the task, what the API's name speaks of and the other's does not."""
    following = counted_by(value, task)
    own = set(stems(api.name)) - set(stems(other.name)) - SAYING_NOTHING
    return following is not None and not own.isdisjoint(stems(following[1]))


def _is_said_of(api: API, other: API, task: str) -> bool:
    """Whether the task says `the API of the other`: what stands between words of both is `of`."""
    others = said_at(other, task)
    alone = [place for place in said_at(api, task) if place not in others]
    return any(_OF.fullmatch(task[end:start]) for _, end in alone for start, _ in others if end < start)


def _is_said_before(api: API, other: API, task: str) -> bool:
    """Whether the task speaks of the API first, and then, in the same sentence, of the other."""
    own, others = said_at(api, task)[:1], said_at(other, task)[:1]
    return bool(own < others and own) and not re.search(r"[.;!?]\s", task[own[0][0] : others[0][0]])


def _between(api: API, text: str, task: str) -> list[str]:
    """What stands in the task between words of the API and the text."""
    places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(text)}(?!\w)", task)]
    return [task[end:start] for _, end in said_at(api, task) for start in places if end < start]

"""What APIs are called where things stand for their IDs: `movie_credits(movie)` for `GET_movie-movie_id-credits`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.feeds import output_fields
from toolquiver.catalog.fits import LOOSE
from toolquiver.catalog.records import slug
from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import shortened
from toolquiver.nodes.apis.ids import ids_of, is_id
from toolquiver.nodes.scripts.entity_kinds import RESULTS
from toolquiver.nodes.scripts.mending import givers

MOST_LISTED = 80
"""APIs that a script is told of at most."""
_METHOD = re.compile(r"(?i)^(?:get|post|put|patch|delete)_(?=\w)")
_TITLE = re.compile(r"^[A-Z][\w']*(?: [A-Z][\w']*)+\.? (?=[A-Z]\w* [a-z])")
_OPTIONAL_SHOWN = 4
_OPTIONS_SHOWN = 6
_COMMON = 0.1  # of the functions
_PURPOSE = 90
_OUTPUTS_SHOWN = 6


def about_things(apis: Sequence[API], shown: int) -> bool:
    """Whether a script about things is to be written: one of the APIs needs an ID that another one gives.

    Only where they are more than the other drafts are `shown`, which know less of IDs, and not too many for one list.
    """
    if not shown < len(apis) <= MOST_LISTED:
        return False
    wanted = {parameter.name: (api, parameter) for api in apis for parameter in ids_of(api)}
    return any(givers(api, parameter, apis) for api, parameter in wanted.values())


def short_names(apis: Iterable[API]) -> dict[str, API]:
    """The APIs by the names that they have in a script, sorted by these."""
    found = dict[str, API]()
    for api in apis:
        name = _short(api)
        found[slug(api.function) if name in found else name] = api
    return dict(sorted(found.items()))


def entity_lines(functions: Mapping[str, API]) -> list[str]:
    """A line for each function: its name, the things and values it takes, what it is for, what it returns.

    What many take that nobody needs, as a page or a language, is not told.
    """
    optional = Counter(p.name for api in functions.values() for p in api.parameter_list() if not p.required)
    common = {name for name, count in optional.items() if count > max(_COMMON * len(functions), 1)}
    return [_line(name, api, common) for name, api in functions.items()]


def thing(parameter: Parameter) -> str:
    """What a parameter is called in a script: a `movie_id` is a `movie`."""
    return re.sub(r"(?i)_?ids?$", "", parameter.name) or parameter.name if is_id(parameter) else parameter.name


def in_order(api: API) -> list[Parameter]:
    """The parameters of a function in a script, the required ones first."""
    return sorted(api.parameter_list(), key=lambda parameter: not parameter.required)


def _short(api: API) -> str:
    """The function's name without a method and the names of what it needs; what is known of a thing are its details."""
    name, ends = _METHOD.sub("", api.function), False
    for parameter in api.parameter_list():
        if parameter.required and (left := name.replace(parameter.name, "").strip("_-")):
            own = set(stems(parameter.name)) - LOOSE
            ends = (name.endswith(parameter.name) and not own.isdisjoint(stems(left))) or (ends and left == name)
            name = left
    return slug(f"{name} details" if ends else name)


def _line(name: str, api: API, common: Collection[str]) -> str:
    shown = [p for p in in_order(api) if p.required or p.name not in common]
    most = sum(p.required for p in shown) + _OPTIONAL_SHOWN
    inputs = ", ".join(_input(p) for p in shown[:most])
    outputs = output_fields(api.output)
    wrapped = any(RESULTS.issuperset(stems(field)) for field in outputs)
    telling = [] if wrapped else [field for field in outputs if not LOOSE.issuperset(stems(field))]
    returns = f" -> {', '.join(telling[:_OUTPUTS_SHOWN])}" if telling else ""
    return f"{name}({inputs}): {_purpose(api)}{returns}"


def _input(parameter: Parameter) -> str:
    """What an input is called, with its options where it needs one of a few."""
    options = [str(option) for option in parameter.schema_.get("enum", ())]
    if parameter.required and 0 < len(options) <= _OPTIONS_SHOWN:
        return f"{thing(parameter)}={'|'.join(options)}"
    return thing(parameter) if parameter.required else f"{thing(parameter)}=None"


def _purpose(api: API) -> str:
    """The first sentence of what the API is for, without a title in front of it."""
    told = _TITLE.sub("", " ".join(api.description.split()))
    return shortened(re.split(r"(?<=\w)[.:;] | [(#]", told)[0].rstrip("."), _PURPOSE)

"""Of which kind the things are that an API returns: films in the `cast` of a person, people in that of a film.

Where names leave it open, the fields say it: what has a gender and a profile like a person's details is a person.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from toolquiver.catalog import API
from toolquiver.catalog.fits import LOOSE, Fit, feeding
from toolquiver.catalog.outputs import ITEM, fields_of, kinds
from toolquiver.catalog.stems import stems
from toolquiver.nodes.apis.ids import ids_of

_LEAST_SHARED = 1.5  # fields that no other kind has
Details = Mapping[str, set[str]]
"""By the name of the parameter for its ID, what is told of a thing of each kind."""
RESULTS = frozenset(stems("results items data list"))
"""What lists are called that say nothing of what lies in them."""


def things_in(source: API, apis: Iterable[API], details: Details) -> list[str]:
    """The names of the parameters of the APIs that take a thing which the source returns, what lies in lists first."""
    named = [p.name for api in apis for p in ids_of(api) if feeding(source, api, p).fit >= Fit.HELD]
    return list(dict.fromkeys([*_alike(source, details), *named]))


def tells_of_itself(api: API) -> bool:
    """Whether what an API returns are mostly values of one thing, and not lists of other things."""
    own = [field for field in fields_of(api.output) if len(field.path) == 1]
    held = [field for field in own if kinds(field.schema) & {"array", "object"}]
    return len(held) < len(own) / 2 and not any(RESULTS.issuperset(stems(field.name)) for field in held)


def details_of(apis: Iterable[API]) -> Details:
    """For each kind of thing the fields that it has where it is asked for by its ID alone."""
    found = dict[str, set[str]]()
    for api in apis:
        if len(own := ids_of(api)) == sum(p.required for p in api.parameter_list()) == 1 and tells_of_itself(api):
            fields = {field.name for field in fields_of(api.output) if len(field.path) == 1}
            found[own[0].name] = max(found.get(own[0].name, set()), _telling(fields), key=len)
    return found


def _alike(source: API, known: Details) -> list[str]:
    """The kinds whose details have most of the fields of a thing in a list of the source; what few have tells most.

    Of several those first that have the most in all lists.
    """
    found, total = set[str](), Counter[str]()
    for item in _items(source).values():
        told = {name: [kind for kind, own in known.items() if name in own] for name in item}
        shared = {kind: sum(1 / len(told[name]) for name in item & own) for kind, own in known.items()}
        best = max(shared.values(), default=0)
        found |= {kind for kind, much in shared.items() if much == best >= _LEAST_SHARED}
        total.update(shared)
    return sorted(found, key=lambda kind: (-total[kind], kind))


def _items(source: API) -> dict[tuple[str, ...], set[str]]:
    """The telling fields of the things in each list that have an `id`."""
    found = dict[tuple[str, ...], set[str]]()
    for field in fields_of(source.output):
        if len(field.path) > 1 and field.path[-2] == ITEM:
            found.setdefault(field.path[:-1], set()).add(field.name)
    return {path: _telling(names) for path, names in found.items() if "id" in names}


def _telling(names: Iterable[str]) -> set[str]:
    return {name for name in names if not LOOSE.issuperset(stems(name))}

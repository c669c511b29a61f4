"""How well an output's field fits a parameter: by type first, then by name, then by description."""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from toolquiver.catalog.field_names import same, stem
from toolquiver.catalog.outputs import Field, can_become, can_hold, fields_of
from toolquiver.catalog.records import API, Parameter
from toolquiver.catalog.stems import stems

LOOSE = frozenset(stems("id name code number key type value title label text query data"))
"""Names that say nothing without the thing they belong to."""
RESULTS = {"", "result", "value", "output", "answer", "text", "response"}
"""What an API calls its output when that has no name of its own."""
_WRAPPERS = frozenset(stems("results result items data list response output records rows entries values content body"))
"""What lists and objects are called that say nothing of what lies in them: that is what their API is about."""


class Fit(IntEnum):
    """How a field fits a parameter, the better the greater."""

    NOT = 0
    TYPE = 1  # its type does, nothing else speaks for it
    RESULT = 2  # it is the API's one result, of this type
    CONVERTED = 3  # as SAME, but of its type it is a text where a number is wanted, or one of a list
    DESCRIBED = 4  # a description speaks of it
    HELD = 5  # as NAMED, but it lies in something that has a name of its own: a film is in the `cast` of a person
    NAMED = 6  # its name says the same in more or fewer words
    SAME = 7


_ECHOED = {
    Fit.SAME: Fit.DESCRIBED,
    Fit.NAMED: Fit.RESULT,
    Fit.HELD: Fit.RESULT,
    Fit.DESCRIBED: Fit.TYPE,
    Fit.CONVERTED: Fit.NOT,
}


class Feeding(NamedTuple):
    """An API that can feed a parameter: how well, and by which fields. None of them where its output is not known."""

    api: API
    fit: Fit
    fields: tuple[Field, ...]


def feeding(producer: API, consumer: API, parameter: Parameter) -> Feeding:
    """How an API can feed a parameter of another one.

    Where the output's schema is missing, its name and description have to do; they speak of what the producer needs
    itself too, which it does not give then. A parameter with options takes only a field of its own name.
    """
    if producer.output is None:
        speaks = _speaks_of(producer, parameter) and not _requires(producer, {stem(parameter.name)})
        return Feeding(producer, Fit.DESCRIBED if speaks and "enum" not in parameter.schema_ else Fit.NOT, ())
    fits = [(field_fit(field, producer, parameter, consumer), field) for field in fields_of(producer.output)]
    best = max((fit for fit, _ in fits), default=Fit.NOT)
    return Feeding(producer, best, tuple(field for fit, field in fits if fit == best) if best else ())


def of_its_tool(parameter: Parameter) -> bool:
    """Whether a parameter's name means something within its own tool only: an ID, `number`, `text`."""
    names = stems(parameter.name)
    return names[-1:] == ["id"] or LOOSE.issuperset(names)


def field_fit(field: Field, producer: API, parameter: Parameter, consumer: API) -> Fit:
    """How this field of the producer's output fits the parameter. What the producer needs itself fits less."""
    fit = _by_name(field, producer, parameter, consumer)
    if not can_hold(field, parameter.schema_):
        alike = fit == Fit.SAME and stem(field.name) == stem(parameter.name) and not _words(parameter.name) <= LOOSE
        fit = Fit.CONVERTED if alike and can_become(field, parameter.schema_) else Fit.NOT
    if "enum" in parameter.schema_:
        return fit if fit == Fit.SAME else Fit.NOT
    echo = _requires(producer, {stem(field.name), stem(parameter.name)})
    return _ECHOED.get(fit, fit) if echo else fit


def _requires(producer: API, names: set[str]) -> bool:
    return any(p.required and any(same(stem(p.name), name) for name in names) for p in producer.parameter_list())


def _by_name(field: Field, producer: API, parameter: Parameter, consumer: API) -> Fit:
    given, wanted = _words(field.name), _words(parameter.name)
    of_producer = _words(producer.name) | _words(producer.tool)
    about = _words(field.holder) - _WRAPPERS or _asked_for(field, producer) or of_producer
    told = _words(parameter.description or consumer.description)
    if wanted <= LOOSE:
        told |= _words(consumer.name) | _words(consumer.tool)
    known = not wanted <= LOOSE or bool(((given | about) & told) - LOOSE)
    if field.name and known and _same_name(stem(field.name), stem(parameter.name)):
        return Fit.SAME
    if known and given and wanted and _says_the_same(given, wanted, about):
        return Fit.NAMED
    if given and given <= LOOSE and about.isdisjoint(of_producer) and wanted <= given | of_producer:
        return Fit.HELD
    if _told_of(given, about & wanted, told) or (wanted - LOOSE) & _words(str(field.schema.get("description", ""))):
        return Fit.DESCRIBED
    return Fit.RESULT if field.name.lower() in RESULTS else Fit.TYPE


def _asked_for(field: Field, producer: API) -> frozenset[str]:
    """The words of the argument that a field gives back: the `id` of what is asked for by `person_id` is a person's."""
    own = _words(field.name)
    if field.holder or not own <= LOOSE:
        return frozenset()
    return next((_words(p.name) for p in producer.parameter_list() if p.required and own < _words(p.name)), frozenset())


def _told_of(given: frozenset[str], about: frozenset[str], told: frozenset[str]) -> bool:
    """Whether what is told of a parameter has the field's words; a loose one counts where both are about one thing."""
    return bool(given & told if about - LOOSE else (given - LOOSE) & told)


def _same_name(given: str, wanted: str) -> bool:
    return same(given, wanted) or given.replace("_", "") == wanted.replace("_", "")


def _says_the_same(given: frozenset[str], wanted: frozenset[str], about: frozenset[str]) -> bool:
    """Whether a field's name and a parameter's are one in more or fewer words.

    The words of what it lies in, or of its API, belong to the field; a film's `genre_id` is not the film's own ID.
    """
    if not given <= LOOSE and (given <= wanted or wanted <= given):
        return True
    return bool(given & wanted) and given - LOOSE <= wanted and wanted <= given | about


def _speaks_of(producer: API, parameter: Parameter) -> bool:
    """Whether name or description of an API have a word of the parameter's name that says something."""
    own = _words(parameter.name)
    return bool((own - LOOSE or own) & (_words(producer.name) | _words(producer.description)))


@lru_cache(maxsize=20_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(stems(text))

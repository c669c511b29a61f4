"""The values in a response that an argument can be, each with its path: taken over as they are, never written anew."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from toolquiver.calling.arguments import misfits
from toolquiver.catalog import API, JsonSchema, Parameter
from toolquiver.catalog.fits import LOOSE, Fit, feeding, field_fit
from toolquiver.catalog.outputs import ITEM, Field, Path, kinds
from toolquiver.catalog.stems import stems
from toolquiver.json_texts import is_number, parsed
from toolquiver.nodes.apis.ids import is_id

_MOST = 2_000  # values of one response that are looked at
_NAMES = ("name", "title", "label")
_SHORT = 60  # characters of a text that says who or what something is; a longer one has any word
_LONGEST_PLAIN = 200  # characters of a response in plain text that can be a value


class Part(NamedTuple):
    """A value of a response, where it is, and how well it fits."""

    path: Path
    value: Any
    fit: Fit


def parts_for(observation: str, parameter: Parameter, producer: API, consumer: API) -> list[Part]:
    """The values that fit best: by type, then by their names. Equal values are one, the first of them.

    None where a field that is declared for the argument by name is empty or missing here: no other stands in for it, as
    a latitude would for a longitude, or the text "not found" for an ID.
    """
    found = [part for part in _parts(observation, parameter, producer, consumer) if part.fit]
    best = max((part.fit for part in found), default=Fit.NOT)
    if best <= Fit.RESULT and feeding(producer, consumer, parameter).fit >= Fit.HELD:
        return []
    distinct = {json.dumps(part.value, sort_keys=True): part for part in reversed(found) if part.fit == best}
    return list(distinct.values())[::-1]


def telling(parts: list[Part], producer: API, given: Mapping[str, Any], parameter: Parameter) -> list[Part]:
    """The parts that the producer was called for, where only their type speaks for any; `given` are its arguments.

    Echoed arguments do not count. A field that shares a word with the API's name, and no argument does, wins: the
    `capital` of `country_capital`, not its `country_code`. For an ID parameter only fields named `id` count, if there
    are any: the `id` of an actor, not the place in a list.
    """
    if any(part.fit > Fit.RESULT for part in parts):
        return parts
    own = [part for part in parts if not any(_alike(part.value, value) for value in given.values())] or parts
    if is_id(parameter):
        own = [part for part in own if _field(part).name.lower() == "id"] or own
    asked = frozenset(stems(producer.name)) - LOOSE - frozenset(stems(" ".join(given)))
    named = [part for part in own if asked & frozenset(stems(_field(part).name))]
    return named or own


def hit(parts: list[Part], observation: str, given: Mapping[str, Any], parameter: Parameter, asked: str) -> Part | None:
    """Whose ID it is, where a list was searched by a text: of what is called that, else of the first.

    None where no ID is looked for, nothing was searched by a text, or the parts are not those of one list; and where
    what was `asked` has a word besides the text that another hit has too, and the first one has not: a pilot of that
    name is meant, say, and the first is a cook.
    """
    texts = _texts(given)
    if not (texts and _are_one_list(parts) and is_id(parameter)):
        return None
    data = _data(observation)
    told = [_told_of(data, part.path[:-1]) for part in parts]
    if of_it := next((part for part, said in zip(parts, told, strict=True) if texts & said), None):
        return of_it
    first, *others = (_short_words(said) for said in told)
    besides = frozenset(stems(asked)) - LOOSE - _short_words(texts) - first
    return None if any(besides & words for words in others) else parts[0]


def called(parts: list[Part], observation: str, given: Mapping[str, Any]) -> Part | None:
    """The first part of a list's items whose name or title is what was searched for; None where there is none."""
    texts, data = _texts(given), _data(observation)
    of_it = (part for part in parts if texts & _names_of(lying(data, part.path[:-1])))
    return next(of_it, None) if _are_one_list(parts) else None


def _names_of(row: Any) -> set[str]:
    fields = row.items() if isinstance(row, dict) else ()
    return {value.casefold() for key, value in fields if isinstance(value, str) and key.lower().endswith(_NAMES)}


def _texts(given: Mapping[str, Any]) -> set[str]:
    return {value.casefold() for value in given.values() if isinstance(value, str)}


def _are_one_list(parts: list[Part]) -> bool:
    return len({_field(part).path for part in parts}) == 1 and _field(parts[0]).path.count(ITEM) == 1


def likeliest(parts: list[Part], observation: str, asked: str, most: int) -> list[Part]:
    """Of more parts than can be shown those beside which most words of what was `asked` stand, in their order."""
    if len(parts) <= most:
        return parts
    words, data = frozenset(stems(asked)) - LOOSE, _data(observation)
    beside = [frozenset(stems(" ".join(_told_of(data, part.path[:-1])))) for part in parts]
    places = sorted(range(len(parts)), key=lambda place: -len(words & beside[place]))[:most]
    return [parts[place] for place in sorted(places)]


def _short_words(texts: set[str]) -> frozenset[str]:
    """The words of the texts that name or describe in a few words."""
    return frozenset(word for text in texts if len(text) <= _SHORT for word in stems(text))


def _told_of(data: Any, path: Path) -> set[str]:
    """The texts of the object that lies there."""
    found = lying(data, path)
    return {text.casefold() for text in found.values() if isinstance(text, str)} if isinstance(found, dict) else set()


def lying(data: Any, path: Path) -> Any:
    """What lies there in a response; None of all items of a list together, and where nothing does."""
    for key in path:
        number = key.strip("[]")
        if isinstance(data, list):
            data = data[int(number)] if number else None
        else:
            data = data.get(key) if isinstance(data, dict) else None
    return data


def beside(part: Part, observation: str) -> dict[str, Any]:
    """The object of a response that a part lies in; empty where it lies in none."""
    found = lying(_data(observation), part.path[:-1]) if part.path else None
    return found if isinstance(found, dict) else {}


def _alike(value: Any, given: Any) -> bool:
    return str(value).casefold() == str(given).casefold()


def _field(part: Part) -> Field:
    return Field(tuple(ITEM if key.startswith("[") else key for key in part.path), {})


def _parts(observation: str, parameter: Parameter, producer: API, consumer: API) -> Iterator[Part]:
    wanted = parameter.whole_schema
    whole = producer.output is None or kinds(producer.output) != {"object"}
    for path, value in _values(_data(observation)):
        if not path and not whole:  # a message, where fields were to come
            continue
        fitting = _as_wanted(value, wanted)
        if fitting is not None:
            part = Part(path, fitting, Fit.NOT)
            yield part._replace(fit=field_fit(_field(part), producer, parameter, consumer))
        elif _is_plain(value) and (several := _as_wanted([value], wanted)) is not None:
            part = Part(path, several, Fit.NOT)  # one thing is a list only where its name says so
            fit = field_fit(_field(part), producer, parameter, consumer)
            yield part._replace(fit=Fit.CONVERTED if fit == Fit.SAME else Fit.NOT)


def _is_plain(value: Any) -> bool:
    return value not in (None, "") and not isinstance(value, dict | list)


def _data(observation: str) -> Any:
    try:
        return parsed(observation)
    except ValueError:
        return observation.strip() if len(observation) <= _LONGEST_PLAIN else None


def _values(data: Any) -> Iterator[tuple[Path, Any]]:
    """Every value in the data, with what leads to it; of lists also the values that all items have under one key."""
    waiting: list[tuple[Path, Any]] = [((), data)]
    for path, value in waiting:
        yield path, value
        if isinstance(value, dict):
            inner = [((*path, str(key)), part) for key, part in value.items()]
        elif isinstance(value, list):
            inner = [((*path, f"[{number}]"), part) for number, part in enumerate(value)]
            yield from _columns(path, value)
        else:
            inner = []
        waiting += inner[: max(0, _MOST - len(waiting))]


def _columns(path: Path, items: list[Any]) -> Iterator[tuple[Path, list[Any]]]:
    rows = [item for item in items if isinstance(item, dict)]
    if rows and len(rows) == len(items):
        for key in rows[0]:
            if all(key in row for row in rows):
                yield (*path, ITEM, str(key)), [row[key] for row in rows]


def _as_wanted(value: Any, wanted: JsonSchema) -> Any:
    """The value as the parameter takes it, a number as a text if need be; None where it does not."""
    if value is None or value in ("", [], {}):
        return None
    number = is_number(value)
    ways = [value]
    if number and isinstance(value, float) and value.is_integer():
        ways.append(int(value))
    if number and kinds(wanted) == {"string"}:
        ways = [str(way) for way in reversed(ways)]
    if isinstance(value, str) and kinds(wanted) & {"integer", "number"}:
        ways += _numbers(value)
    return next((way for way in ways if not misfits(wanted, way)), None)


def _numbers(text: str) -> list[Any]:
    if "e" in text.lower():  # a code such as 12E4 is not the number 120000
        return []
    try:
        number = json.loads(text)
    except ValueError:
        return []
    return [number] if is_number(number) else []

"""Requests that need chains of the demo's APIs two, three and four deep, made by program, in the form of the paper.

A template is a chain with gaps, and phrases written by hand, which take turns; pools fill the gaps. As in the paper
(3, data set), the candidates of a request are the APIs of its chain. Level 1 has two levels of nesting, level 3 four.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tests.bench.nested import Nested, calls_of
from toolquiver.calling import Limits, Observation, callers_of, perform
from toolquiver.catalog import Catalog

SEED = 7
_EACH = 7  # requests a template

Pools = Mapping[str, list[Any]]

POOLS: dict[str, list[Any]] = {
    "city": ["Lisbon", "Nairobi", "Lima", "Oslo", "Hanoi", "Dakar", "Quito", "Tallinn", "Perth", "Riga"],
    "country": ["Portugal", "Kenya", "Peru", "Norway", "Ghana", "Estonia", "Chile", "Latvia", "Japan", "Egypt"],
    "state": ["Texas", "Ohio", "Iowa", "Utah", "Maine", "Georgia", "Oregon", "Vermont", "Nevada", "Kansas"],
    "date": ["2031-06-01", "2029-11-15", "2030-02-20", "2027-08-09", "2028-12-03", "2032-04-18", "2026-10-27"],
    "year": [2027, 2029, 2031, 2033, 2034, 2036, 2038, 2041],
    "days": [17, 25, 33, 41, 58, 64, 76, 90],
    "more": [14, 19, 23, 37, 45],
    "n": [15, 18, 21, 24, 26, 28],
    "z": [14, 17, 26, 29, 47, 50, 74, 79],
    "colour": ["red", "navy", "gold", "teal", "olive", "purple", "orange", "salmon"],
    "other": ["white", "black", "silver", "green", "blue"],
    "word": ["planet", "harbour", "lantern", "meadow", "thunder", "violin", "glacier"],
}


class Gap(str):
    """The name of the pool that fills it."""

    __slots__ = ()


class Template(NamedTuple):
    """A chain with gaps and the phrases that ask for it; in them `{n_th}` is the ordinal of a number `{n}`."""

    level: int
    phrases: tuple[str, ...]
    chain: Nested


class Composition(NamedTuple):
    """A request, its chain, and the APIs to choose from, by function name."""

    id: str
    level: int
    query: str
    gold: Nested
    candidates: list[str]


def c(api: str, field: str = "", /, **arguments: Any) -> Nested:
    """A call, of whose output the one above takes this field."""
    return Nested(api, arguments, field)


G = Gap
_CITY = Gap("city")
_EASTER = c("easter_date", "date", year=G("year"))
NEW_YEAR = c("chineseNewYear", "date", year=G("year"))
_ELEMENT = c("element_by_number", "name", z=G("z"))
_PRIME = c("nth_prime", "result", n=G("n"))
_MIX = c("mix_colors", "hex", color1=G("colour"), color2=G("other"))
_REVERSED = c("reverse_text", "text", text=G("word"))


def _city(field: str, name: Any = _CITY) -> Nested:
    return c("city_lookup", field, name=name)


def _sun(api: str, city: Any) -> Nested:
    """When the sun rises or sets in a city: told in UTC, or with its time zone in its own time."""
    call = c(api, **on_city(city), date=G("date"))
    return call._replace(also={"timezone": _city("timezone", city)})


def on_city(name: Any, latitude: str = "latitude", longitude: str = "longitude") -> dict[str, Nested]:
    """The arguments of these names, from where the city of this name lies."""
    return {latitude: _city("latitude", name), longitude: _city("longitude", name)}


CAPITAL = c("get_country_capital", "capital", country=G("country"))
STATE_CAPITAL = c("us_state_capital", "capital", state=G("state"))
CAPITAL_OF_CITY = c("get_country_capital", "capital", country=_city("country_code"))
_LATER = c("dateAdd", "date", date=_EASTER, days=G("days"))
_SOON = c("dateAdd", "date", date=_EASTER, days=G("more"))
_WORKDAY = c("add_business_days", "date", start=NEW_YEAR, days=G("days"))

TEMPLATES = [
    Template(
        1,
        ("On which day of the week does Chinese New Year {year} fall?", "What weekday is Chinese New Year in {year}?"),
        c("day_of_week", date=NEW_YEAR),
    ),
    Template(
        1,
        ("What phase is the moon in on Easter Sunday {year}?", "Which phase of the moon falls on Easter {year}?"),
        c("moon_phase", date=_EASTER),
    ),
    Template(
        1,
        ("When does the sun set in {city} on {date}?", "What time is sunset in {city} on {date}?"),
        _sun("get_sunset", _CITY),
    ),
    Template(
        1, ("What is the geohash of {city}?", "Give me the geohash of {city}."), c("geohash_encode", **on_city(_CITY))
    ),
    Template(
        1,
        (
            "What is the electron configuration of element number {z}?",
            "How are the electrons of the element with atomic number {z} configured?",
        ),
        c("electronConfiguration", element=_ELEMENT),
    ),
    Template(
        1,
        ("Write the {n_th} prime number as a Roman numeral.", "What is the {n_th} prime in Roman numerals?"),
        c("to_roman", number=_PRIME),
    ),
    Template(
        1,
        ("What hue do you get when you mix {colour} and {other}?", "Mix {colour} with {other}: what is the hue?"),
        c("colorToHSL", color=_MIX),
    ),
    Template(
        1,
        ("Spell {word} backwards in Morse code.", "How is the word {word}, written backwards, sent in Morse code?"),
        c("to_morse", text=_REVERSED),
    ),
    Template(
        2,
        (
            "On which day of the week is the date {days} days after Easter {year}?",
            "What weekday comes {days} days after Easter {year}?",
        ),
        c("day_of_week", date=_LATER),
    ),
    Template(
        2,
        (
            "What is the Hijri date {days} business days after Chinese New Year {year}?",
            "Which date of the Islamic calendar lies {days} working days after Chinese New Year {year}?",
        ),
        c("gregorian_to_hijri", date=_WORKDAY),
    ),
    Template(
        2,
        (
            "When does the sun rise in the capital of {country} on {date}?",
            "What time is sunrise in the capital of {country} on {date}?",
        ),
        _sun("get_sunrise", CAPITAL),
    ),
    Template(
        2,
        (
            "What is the UTC offset in the capital of {state} on {date}?",
            "How far from UTC are clocks in the state capital of {state} on {date}?",
        ),
        c("tz_offset", timezone=_city("timezone", STATE_CAPITAL), at=G("date")),
    ),
    Template(
        2,
        (
            "Write the next prime after the {n_th} prime in words.",
            "Spell out in words the prime that follows the {n_th} prime number.",
        ),
        c("number_to_words", number=c("next_prime", "result", n=_PRIME)),
    ),
    Template(
        3,
        (
            "What is the UTC offset on {date} in the capital of the country where {city} lies?",
            "How far from UTC are clocks on {date} in the capital of the country that {city} is in?",
        ),
        c("tz_offset", timezone=_city("timezone", CAPITAL_OF_CITY), at=G("date")),
    ),
    Template(
        3,
        (
            "When does the sun set on {date} in the capital of the country where {city} lies?",
            "What time is sunset on {date} in the capital of the country that {city} belongs to?",
        ),
        _sun("get_sunset", CAPITAL_OF_CITY),
    ),
    Template(
        3,
        (
            "What phase is the moon in {days} business days after the date {more} days after Easter {year}?",
            "Take the date {more} days after Easter {year}: which phase is the moon in {days} business days later?",
        ),
        c("moon_phase", date=c("add_business_days", "date", start=_SOON, days=G("days"))),
    ),
    Template(
        3,
        (
            "Write the next prime after the totient of the {n_th} prime as a Roman numeral.",
            "In Roman numerals, which prime comes next after the totient of the {n_th} prime number?",
        ),
        c("to_roman", number=c("next_prime", "result", n=c("euler_phi", "result", n=_PRIME))),
    ),
    Template(
        2,
        ("What is the geohash of the capital of {country}?", "Give me the geohash of {country}'s capital."),
        c("geohash_encode", **on_city(CAPITAL)),
    ),
    Template(
        2,
        (
            "Spell out the totient of the {n_th} prime number in words.",
            "How is the totient of the {n_th} prime written in words?",
        ),
        c("number_to_words", number=c("euler_phi", "result", n=_PRIME)),
    ),
    Template(
        3,
        (
            "What is the geohash of the capital of the country where {city} lies?",
            "Give me the geohash of the capital of the country that {city} is in.",
        ),
        c("geohash_encode", **on_city(CAPITAL_OF_CITY)),
    ),
    Template(
        3,
        (
            "Write the totient of the next prime after the {n_th} prime as a Roman numeral.",
            "What is the totient of the prime that follows the {n_th} prime number, as a Roman numeral?",
        ),
        c("to_roman", number=c("euler_phi", "result", n=c("next_prime", "result", n=_PRIME))),
    ),
]


def compositions() -> list[Composition]:
    """All requests, the same in every run."""
    return composed(TEMPLATES, POOLS, _EACH)


def composed(templates: Sequence[Template], pools: Pools, each: int, mark: str = "") -> list[Composition]:
    """So many requests of each template, whose ids begin with the mark."""
    return [
        one._replace(id=mark + one.id)
        for number, template in enumerate(templates)
        for one in _filled(number, template, pools, each)
    ]


def _filled(number: int, template: Template, pools: Pools, each: int) -> Iterator[Composition]:
    names = sorted(
        {str(value) for call in calls_of(template.chain) for value in call.arguments.values() if isinstance(value, Gap)}
    )
    chance = random.Random(SEED * 100 + number)
    longest = max(len(pools[name]) for name in names)
    columns = {name: chance.sample(pools[name], len(pools[name])) for name in names}
    for place in range(min(each, longest)):
        values = {name: column[place % len(column)] for name, column in columns.items()}
        gold = _with(template.chain, values)
        apis = list(dict.fromkeys(call.api for call in calls_of(gold)))
        random.Random(place).shuffle(apis)
        phrase = template.phrases[place % len(template.phrases)]
        ordinals = {f"{name}_th": _ordinal(value) for name, value in values.items() if isinstance(value, int)}
        query = phrase.format(**values, **ordinals)
        yield Composition(f"{template.level}-{number}-{place}", template.level, query, gold, apis)


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number // 10 % 10 == 1 else ending}"


def _with(call: Nested, values: dict[str, Any]) -> Nested:
    arguments, also = ({k: _value(v, values) for k, v in of.items()} for of in (call.arguments, call.also))
    return call._replace(arguments=arguments, also=also)


def _value(part: Any, values: dict[str, Any]) -> Any:
    if isinstance(part, Nested):
        return _with(part, values)
    return values[part] if isinstance(part, Gap) else part


async def executed(call: Nested, catalog: Catalog) -> tuple[dict[str, Any], str]:
    """What the chain's own call is made with, and what it returns, when the chain is run as it stands.

    Raises:
        AssertionError: a call fails: the template is wrong.
    """
    arguments = await values_of(call.arguments, catalog)
    api = catalog.by_function(call.api)
    assert api, call.api
    outcome = await perform(api, arguments, callers_of(catalog), Limits(characters=20_000))
    assert isinstance(outcome, Observation), (call.api, arguments, outcome)
    return arguments, outcome.text


async def values_of(arguments: Mapping[str, Any], catalog: Catalog) -> dict[str, Any]:
    """The arguments of a call with what its nested calls return, when they are run.

    Raises:
        AssertionError: a call fails: the template is wrong.
    """
    values = dict(arguments)
    for name, value in arguments.items():
        if isinstance(value, Nested):
            _, text = await executed(value, catalog)
            values[name] = json.loads(text)[value.field]
    return values

"""Compositions of other APIs than those of `compositions`, written before anything was measured on them.

What was improved by looking at the first is shown by these for what it is worth elsewhere.
"""

from __future__ import annotations

from tests.bench.compositions import (
    CAPITAL,
    CAPITAL_OF_CITY,
    NEW_YEAR,
    POOLS,
    STATE_CAPITAL,
    Composition,
    G,
    Template,
    c,
    composed,
    on_city,
)

_EACH = 4  # requests a template
_POOLS = POOLS | {
    "roman": ["XIV", "XXIX", "CDXL", "MCMXCIX"],
    "language": ["Finnish", "Georgian", "Hindi", "Armenian"],
    "state": ["Texas", "Ohio", "Utah", "Georgia", "Oregon", "Kansas"],  # with capitals that the gazetteer has
}
_BACKWARDS = c("reverse_text", "text", text=c("element_by_number", "name", z=G("z")))

TEMPLATES = [
    Template(
        1,
        (
            "How many hours of daylight does {city} have on {date}?",
            "For how many hours is it light in {city} on {date}?",
        ),
        c("day_length", **on_city(G("city"), "lat", "lon"), date=G("date")),
    ),
    Template(
        1,
        ("Spell out the Roman numeral {roman} in words.", "Which number is {roman}, written in words?"),
        c("number_to_words", number=c("from_roman", "number", numeral=G("roman"))),
    ),
    Template(
        1,
        ("What is the Maya long count of Easter Sunday {year}?", "How would the Maya count the day of Easter {year}?"),
        c("maya_long_count", date=c("easter_date", "date", year=G("year"))),
    ),
    Template(
        1,
        ("How many speakers does {language} have worldwide?", "How many people in the world speak {language}?"),
        c("languageSpeakers", code=c("language_code", "alpha_2", name=G("language"))),
    ),
    Template(
        2,
        (
            "What is the antipode of the capital of {country}?",
            "Which point lies on the opposite side of the globe from the capital of {country}?",
        ),
        c("geo_antipode", **on_city(CAPITAL)),
    ),
    Template(
        2,
        (
            "In which ISO week is the date {days} days after Chinese New Year {year}?",
            "What is the ISO week of the day {days} days after Chinese New Year {year}?",
        ),
        c("iso_week", date=c("dateAdd", "date", date=NEW_YEAR, days=G("days"))),
    ),
    Template(
        2,
        (
            "Write the name of element number {z} backwards in Morse code.",
            "Spell the element with atomic number {z} backwards in Morse code.",
        ),
        c("to_morse", text=_BACKWARDS),
    ),
    Template(
        2,
        (
            "How many hours of daylight are there in the state capital of {state} on {date}?",
            "How long is the day of {date} in the capital of {state}?",
        ),
        c("day_length", **on_city(STATE_CAPITAL, "lat", "lon"), date=G("date")),
    ),
    Template(
        3,
        (
            "What is the antipode of the capital of the country where {city} lies?",
            "Which point is opposite on the globe to the capital of the country that {city} belongs to?",
        ),
        c("geo_antipode", **on_city(CAPITAL_OF_CITY)),
    ),
    Template(
        3,
        (
            "Which day of the year is it {days} business days after the day {more} days after Chinese New Year {year}?",
            "From the day {more} days after Chinese New Year {year}, {days} business days on: which day of the year?",
        ),
        c(
            "day_of_year",
            date=c(
                "add_business_days", "date", start=c("dateAdd", "date", date=NEW_YEAR, days=G("more")), days=G("days")
            ),
        ),
    ),
    Template(
        3,
        (
            "Spell out in words the totient of the next prime after the Roman numeral {roman}.",
            "In words, what is the totient of the prime that follows the Roman numeral {roman}?",
        ),
        c(
            "number_to_words",
            number=c(
                "euler_phi", "result", n=c("next_prime", "result", n=c("from_roman", "number", numeral=G("roman")))
            ),
        ),
    ),
    Template(
        3,
        (
            "Encode in Base64 the Morse code of the name of element number {z} written backwards.",
            "Spell the element with atomic number {z} backwards in Morse code and encode that in Base64.",
        ),
        c("base64Encode", text=c("to_morse", "text", text=_BACKWARDS)),
    ),
]


def fresh_compositions() -> list[Composition]:
    """All requests, the same in every run."""
    return composed(TEMPLATES, _POOLS, _EACH, mark="fresh-")

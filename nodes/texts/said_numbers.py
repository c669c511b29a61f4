"""The numbers that a text says: with what stands beside them, as in `15%`, `2 million` or `9 pm`.

What a tool returns is told in other words: there 0.042 may be 4.2 percent, and `grounding` allows it. What a request
says is what is meant, so a number in it is no other one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

from toolquiver.nodes.texts.grounding import numbers_of, unknown_numbers
from toolquiver.nodes.texts.number_words import LETTERS, MAGNITUDES, NUMBER_WORDS
from toolquiver.nodes.texts.time_spans import in_other_units

_TIMES = {name.lower(): times for name, times in (MAGNITUDES | LETTERS).items()} | {
    "%": "0.01",
    "percent": "0.01",
    "dozen": "12",
    "hundred": "100",
    "km": "1000",
    "kg": "1000",
    "grand": "1000",
}
"""What a number is multiplied by where this follows it."""
_WORDS = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_LARGE = "|".join(sorted((name for name in _TIMES if len(name) > 1 and name.isalpha()), key=len, reverse=True))
_TIMED = re.compile(
    rf"(?<![\w.])((?<!,)(?>\d[\d,]*(?:\.\d+)?)|(?:{_WORDS})(?:\sand\sa\shalf)?(?!\w))"
    r"(?:((?<=\d)(?:k|\s?(?-i:M)|(?-i:[BT])))"
    r"|(?:[\s-]?|(?:(?<=half)|(?<=quarter))\s(?:of\s)?an?\s)"
    rf"(%|per ?cent|kilo\w*|{_LARGE}))s?(?!\w)",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"(?<![\w.])(\d\d?)(?::\d\d)?\s?"
    r"(?:p\.?\s?m\b|o'clock|in the (?:afternoon|evening)|at night|tonight|this (?:afternoon|evening))"
    r"|(?<!\w)(?:tonight|afternoon|evening|night),? (?:at|from) (\d\d?)(?!\d|[.,]\d|\s?(?:%|a\.?\s?m\b))",
    re.IGNORECASE,
)
_NOON = 12
# Else 10s is how long one waits, and `in his 80s` how old one is.
_DECADE = re.compile(
    r"(?<![\w.])(?:(1\d|20)|(?<=the )|(?<=from )|(?<=early )|(?<=late )|(?<=mid[ -])|(?<=['\u2018\u2019])"
    r"|(?=\d0s (?:music|songs?|hits?|films?|movies?|rock|pop)\b))(\d)0s(?!\w)",
    re.IGNORECASE,
)
_CENTURIES = ("19", "20")  # of the decades that say none


def unsaid_numbers(text: str, sources: Iterable[str], *, lasting: bool = False) -> list[str]:
    """The numbers of `text` that the sources do not say, nor are theirs rounded.

    A share, a multiple or an hour after noon is said where a word beside a number says so: 0.15 by `15%`, 21 by `9 pm`.
    So are the years of a decade, by `the 80s`. With `lasting`, so is how long something lasts in other units of time,
    300 by `5 minutes`; else the day of a date would be said by a length.
    """
    given = list(sources)
    readers = (read_beside, in_other_units) if lasting else (read_beside,)
    meant = " ".join(f"{number:f}" for source in given for read in readers for _, number in read(source))
    return unknown_numbers(text, [*given, meant], counts=False, shares=False)


def read_beside(source: str) -> Iterator[tuple[str, Decimal]]:
    """The numbers that a text says with what stands beside them, each with how it is written: `15%` is 0.15."""
    for match in _TIMED.finditer(source):
        times = (match[2] or match[3]).lower()
        times = "".join(times.split())
        times = "k" if times.startswith("kilo") else times
        yield from ((match[0], number * Decimal(_TIMES[times])) for number in numbers_of([match[1]]))
    for match in _DECADE.finditer(source):
        centuries = [match[1]] if match[1] else _CENTURIES
        yield from ((match[0], Decimal(f"{century}{match[2]}{year}")) for century in centuries for year in range(10))
    for match in _LATER.finditer(source):
        hour = Decimal(match[1] or match[2])
        if hour <= _NOON:
            yield match[0], hour + _NOON

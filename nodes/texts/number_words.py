"""Numbers that are written in words, or in digits as other languages write them: `thirty-three`, `1.234,56`, `3/4`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

# Numbers as small as these are counted, or written as words.
COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_NAMES = """
thirteen 13 fourteen 14 fifteen 15 sixteen 16 seventeen 17 eighteen 18 nineteen 19 twenty 20 thirty 30 forty 40
fifty 50 sixty 60 seventy 70 eighty 80 ninety 90 hundred 100 thousand 1000 million 1000000 dozen 12 half 0.5
quarter 0.25 twice 2 double 2 triple 3 decade 10 century 100 fortnight 14 binary 2 octal 8 decimal 10 hexadecimal 16
""".split()
NUMBER_WORDS = {name: Decimal(n) for names in (COUNTS, _ORDINALS) for n, name in enumerate(names)} | {
    name: Decimal(number) for name, number in zip(_NAMES[::2], _NAMES[1::2], strict=True)
}
CARDINALS = [*COUNTS, *_NAMES[: _NAMES.index("half") : 2]]
"""The words that answer how many there are."""

MAGNITUDES = {
    "k": 10**3,
    "thousand": 10**3,
    "mn": 10**6,
    "million": 10**6,
    "bn": 10**9,
    "billion": 10**9,
    "trillion": 10**12,
}
"""What a number is multiplied by where this follows it, whatever is counted."""

MAGNITUDES_ELSEWHERE = {
    **dict.fromkeys(("mil", "mille", "mila", "tausend"), 10**3),
    **dict.fromkeys("millón millones milhão milhões milione milioni millionen mio".split(), 10**6),
    **dict.fromkeys(("milliarden", "milliards", "miliardi", "mrd"), 10**9),
}
"""The same in Spanish, Portuguese, French, Italian and German."""

_LARGE = {"hundred": 100} | {name: MAGNITUDES[name] for name in ("thousand", "million", "billion")}
_SMALL = {name: int(NUMBER_WORDS[name]) for name in CARDINALS if name not in {*_LARGE, "dozen"}}
_UNIT = "|".join(COUNTS[1:10])
_TEN = "|".join(name for name, number in _SMALL.items() if number >= 20)  # noqa: PLR2004 - twenty
_PART = rf"(?:(?:{_TEN})(?:[\s-](?:{_UNIT}))?|{'|'.join(name for name, number in _SMALL.items() if number < 20)})\b"  # noqa: PLR2004
_GROUP = rf"(?:(?:(?:{_UNIT})[\s-])?hundred\b(?:\s(?:and\s)?{_PART})?|{_PART})"
_SPELLED = re.compile(
    rf"\b{_GROUP}(?:\s(?:thousand|million|billion)\b(?:,?\s(?:and\s)?{_GROUP})?)*(\sand\sa\shalf\b)?", re.IGNORECASE
)
_WORD = re.compile(r"[a-z]+")
BLANKS = " \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}"
# One group after a dot is a fraction: 3.725.
_GROUPED = re.compile(
    rf"(?<![\d.,])\d{{1,3}}(?:([{BLANKS}])\d{{3}}(?:\1\d{{3}})*(?:,\d+)?|(\.)\d{{3}}(?:(?:\.\d{{3}})+(?:,\d+)?|,\d+))(?![\d.,]*\d)"
)
_DAY = re.compile(r"(?<![\d./])(\d{1,2})([./])(\d{1,2})\2(\d{4}|\d\d)(?![\d./]*\d)")
_FRACTION = re.compile(r"(?<![\d./])(\d{1,4})/([1-9]\d{0,3})(?![\d./]*\d)")


def in_words(text: str) -> Iterator[Decimal]:
    """The numbers that a text has in words, each word and what they make together: 30, 3 and 33."""
    lower = text.lower()
    yield from (NUMBER_WORDS[word] for word in _WORD.findall(lower) if word in NUMBER_WORDS)
    for match in _SPELLED.finditer(lower):
        yield _made_of(_WORD.findall(match[0])) + (Decimal("0.5") if match[1] else 0)


def in_other_digits(text: str) -> Iterator[Decimal]:
    """The numbers of digits that are grouped by dots or blanks, the parts of days, and what fractions come to."""
    return (number for _, numbers in read_otherwise(text) for number in numbers)


def read_otherwise(text: str) -> Iterator[tuple[str, list[Decimal]]]:
    """The same numbers with how each is written; those of a day begin with day and month, in either order."""
    for match in _GROUPED.finditer(text):
        yield match[0], [Decimal(match[0].replace(match[1] or match[2], "").replace(",", "."))]
    for match in _DAY.finditer(text):
        years = [match[4]] if len(match[4]) > len("24") else [match[4], f"19{match[4]}", f"20{match[4]}"]
        yield match[0], [Decimal(part) for part in (match[1], match[3], *years)]
    for match in _FRACTION.finditer(text):
        if int(match[1]) < int(match[2]):  # not 24/7
            yield match[0], [Decimal(match[1]) / Decimal(match[2])]


def _made_of(words: list[str]) -> Decimal:
    """`two thousand three hundred and four` as 2304."""
    whole = part = 0
    for word in words:
        if word == "hundred":
            part = (part or 1) * _LARGE[word]
        elif word in _LARGE:
            whole, part = whole + (part or 1) * _LARGE[word], 0
        else:
            part += _SMALL.get(word, 0)  # `and`, `a`, `half`
    return Decimal(whole + part)

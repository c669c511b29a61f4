"""Numbers that are written in words, or in digits as other languages write them: `thirty-three`, `1.234,56`, `3/4`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from decimal import Decimal

from toolquiver.nodes.texts.languages import is_foreign

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

_LATER_ORDINALS = {
    name: int(NUMBER_WORDS[name.removesuffix("ieth") + "y" if name.endswith("ieth") else name.removesuffix("th")])
    for name in """
    thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth fortieth fiftieth
    sixtieth seventieth eightieth ninetieth
    """.split()
}
NUMBER_WORDS |= {name: Decimal(number) for name, number in _LATER_ORDINALS.items()}

MAGNITUDES = {
    "k": 10**3,
    "thousand": 10**3,
    "mn": 10**6,
    "million": 10**6,
    "bn": 10**9,
    "billion": 10**9,
    "trillion": 10**12,
    "lakh": 10**5,
    "crore": 10**7,
    # In Spanish, Portuguese, French, Italian and German.
    **dict.fromkeys(("mil", "mille", "mila", "tausend"), 10**3),
    **dict.fromkeys("millón millones milhão milhões milione milioni millionen mio".split(), 10**6),
    **dict.fromkeys(("milliarden", "milliards", "miliardi", "mrd"), 10**9),
}
"""What a number is multiplied by where this follows it, whatever is counted."""

LETTERS = {"M": 10**6, "B": 10**9, "T": 10**12}
"""The same, where it follows without a blank: 34M people."""

_LARGE = {"hundred": 100} | {name: MAGNITUDES[name] for name in ("thousand", "million", "billion")}
_SMALL = {name: int(NUMBER_WORDS[name]) for name in CARDINALS if name not in {*_LARGE, "dozen"}}
_UNIT = "|".join(COUNTS[1:10])
_TEN = "|".join(name for name, number in _SMALL.items() if number >= 20)  # noqa: PLR2004 - twenty
_BELOW = "|".join(name for name, number in _SMALL.items() if number < 20)  # noqa: PLR2004
_PART = rf"(?:(?:{_TEN})(?:[\s-](?:{_UNIT}|{'|'.join(_ORDINALS[1:10])}))?|{_BELOW}|{'|'.join(_LATER_ORDINALS)})\b"
_GROUP = rf"(?:(?:(?:{_UNIT})[\s-])?hundred\b(?:\s(?:and\s)?{_PART})?|{_PART})"
_SPELLED = re.compile(
    rf"\b{_GROUP}(?:\s(?:thousand|million|billion)\b(?:,?\s(?:and\s)?{_GROUP})?)*(\sand\sa\shalf\b)?", re.IGNORECASE
)
_MEANT = _SMALL | {name: int(NUMBER_WORDS[name]) for name in (*_ORDINALS, *_LATER_ORDINALS)}
_WORD = re.compile(r"[a-z]+")
BLANKS = " \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}"
# One group after a dot is a fraction: 3.725.
_GROUPED = re.compile(
    rf"(?<![\d.,])\d{{1,3}}(?:([{BLANKS}])\d{{3}}(?:\1\d{{3}})*(?:,\d+)?|(\.)\d{{3}}(?:(?:\.\d{{3}})+(?:,\d+)?|,\d+))(?![\d.,]*\d)"
)
_DAY = re.compile(r"(?<![\d./])(\d{1,2})([./])(\d{1,2})\2(\d{4}|\d\d)(?![\d./]*\d)")
_FRACTION = re.compile(r"(?<![\d./])(?:(\d{1,6}) )?(\d{1,4})/([1-9]\d{0,3})(?![\d./]*\d)")
_PARTS = {"third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_SHARE = re.compile(rf"\b(an?|{_UNIT})[\s-]({'|'.join(_PARTS)})s?\b")
_SIGN = re.compile(r"(?<!\d)(\d{0,6})\s?([\u00bc-\u00be\u2150-\u215e])")  # 2\u00bd
_RAISED = str.maketrans("\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "-0123456789")
_POWER = re.compile(
    r"(?:(?<![\d.])(\d{1,15}(?:\.\d{1,15})?)\s?[x*\u00d7\u00b7]\s?)?"
    r"(?<![\d.])10(?:\s?(?:\^|\*\*)\s?(-?\d{1,2})(?!\d)|(\u207b?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]{1,2}))"
)
# 12,5 as most languages write it, 1,50,000 as one does in India, 1'234 as in Switzerland.
_COMMA = re.compile(r"(?<![\d.,])\d+,\d{1,2}(?![\d.,]*\d)")
_AMOUNT = re.compile(r"\s?[\u20ac%\u00b0]")  # without such a sign 15,20 is a list in English
_INDIAN = re.compile(r"(?<![\d.,])\d{1,2}(?:,\d\d)+,\d{3}(?![\d,]*\d)")
_SWISS = re.compile(r"(?<![\d.,])\d{1,3}(?:['\u2019]\d{3})+(?:\.\d+)?")
# In another language 1.500 may be 1500, and 1,505 a little more than one.
_EITHER = re.compile(r"(?<![\d.,])\d{1,3}[.,]\d{3}(?![\d.,]*\d)")


def in_words(text: str) -> Iterator[Decimal]:
    """The numbers that a text has in words, each word and what they make together: 30, 3 and 33."""
    lower = text.lower()
    yield from (NUMBER_WORDS[word] for word in _WORD.findall(lower) if word in NUMBER_WORDS)
    for match in _SPELLED.finditer(lower):
        yield _made_of(_WORD.findall(match[0])) + (Decimal("0.5") if match[1] else 0)
    for match in _SHARE.finditer(lower):
        yield NUMBER_WORDS.get(match[1], Decimal(1)) / _PARTS[match[2]]


def in_other_digits(text: str) -> Iterator[Decimal]:
    """The numbers of digits as other places write them, the parts of days, what fractions and powers of ten come to."""
    return (number for _, numbers in read_otherwise(text) for number in numbers)


def read_otherwise(text: str) -> Iterator[tuple[str, list[Decimal]]]:
    """The same numbers with how each is written; those of a day begin with day and month, in either order."""
    for match in _GROUPED.finditer(text):
        yield match[0], [Decimal(match[0].replace(match[1] or match[2], "").replace(",", "."))]
    for match in _DAY.finditer(text):
        years = [match[4]] if len(match[4]) > len("24") else [match[4], f"19{match[4]}", f"20{match[4]}"]
        yield match[0], [Decimal(part) for part in (match[1], match[3], *years)]
    for match in _FRACTION.finditer(text):
        if int(match[2]) < int(match[3]):  # not 24/7
            share = Decimal(match[2]) / Decimal(match[3])
            if match[1]:
                yield match[0], [Decimal(match[1]) + share]
            yield match[0], [share]
    for match in _SIGN.finditer(text):
        yield match[0], [int(match[1] or 0) + Decimal(str(unicodedata.numeric(match[2])))]
    for match in _POWER.finditer(text):
        yield match[0], [_power(match)]
    yield from _elsewhere(text)


def without_powers(text: str, is_known: Callable[[Decimal], bool]) -> str:
    """The text without the numbers in powers of ten, as 1.99 x 10^30, that are known."""
    return _POWER.sub(lambda match: " " if is_known(_power(match)) else match[0], text)


def _power(match: re.Match[str]) -> Decimal:
    return Decimal(match[1] or 1).scaleb(int(match[2] or match[3].translate(_RAISED)))


def _elsewhere(text: str) -> Iterator[tuple[str, list[Decimal]]]:
    """The numbers with a decimal comma, or grouped in a way of one country, with how each is written."""
    for match in (*_INDIAN.finditer(text), *_SWISS.finditer(text)):
        yield match[0], [Decimal(re.sub("[,'\u2019]", "", match[0]))]
    decimals, either = [*_COMMA.finditer(text)], [*_EITHER.finditer(text)]
    foreign = bool(decimals or either) and is_foreign(text)
    told = [*decimals, *either] if foreign else [one for one in decimals if _AMOUNT.match(text, one.end())]
    for match in told:
        yield match[0], [Decimal(match[0].replace(".", "").replace(",", "."))]


def _made_of(words: list[str]) -> Decimal:
    """`two thousand three hundred and four` as 2304."""
    whole = part = 0
    for word in words:
        if word == "hundred":
            part = (part or 1) * _LARGE[word]
        elif word in _LARGE:
            whole, part = whole + (part or 1) * _LARGE[word], 0
        else:
            part += _MEANT.get(word, 0)  # `and`, `a`, `half`
    return Decimal(whole + part)

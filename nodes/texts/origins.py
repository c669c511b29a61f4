"""Where the value of an argument comes from: it must stand in the request, or in what was said or found out before."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from toolquiver.catalog import Parameter
from toolquiver.catalog.stems import stems
from toolquiver.nodes.texts.grounding import invented, unknown_numbers
from toolquiver.nodes.texts.invented import code_known, codes, date_known, is_days_away, month_known
from toolquiver.nodes.texts.known_codes import stands_grouped
from toolquiver.nodes.texts.leaves import Leaf, leaves
from toolquiver.nodes.texts.said_numbers import unsaid_numbers
from toolquiver.nodes.texts.signs import says_less
from toolquiver.nodes.texts.units import mentioned

# A day stands for its beginning, and a moment need not say that it is in UTC.
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T(?:00:00(?::00)?(?![\d:]))?)?|(?<=\d)(?:Z|[+-]00:00)$")
_TIME = re.compile(r"(\d{1,2}):(\d\d)(?::\d\d)?")
_NUMBER = re.compile(r"\d")
_HALF_OF_DAY = re.compile(r"(?<![\d:.])(\d{1,2})(?:[:.](\d\d))?\s?([ap])\.?\s?m\b", re.IGNORECASE)
_NOON = 12
_LONG = 8  # digits
_SAYING_NOTHING = frozenset("an and are as at be by for from in is of or that the this to with".split())
_SWITCHED = frozenset("true false yes no on off".split())
_ALIKE = 3  # letters: as few say nothing of a longer word
# Letters that stand beside others of the next word: Thai to Khmer, Japanese, Chinese, and Korean with its particles.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_COUNTED = re.compile(r"\d+[a-z]{0,3}")  # 26km and 9am are judged by their numbers, R2D2 as a word


def stands_in(value: Any, parameter: Parameter, sources: Iterable[str]) -> bool:
    """Whether a value is one of the sources', and not the model's own.

    Numbers may be rounded or written in words there, dates and times in another form, units by another name. What the
    schema itself gives, an option or a default, is nobody's invention, nor is a switch: see `is_spoken_of`; nor is
    `None` where a schema has null. An empty list stands nowhere, nor does a number below zero where nothing is said of
    less (`says_less`). An object without anything in it makes nothing up.
    """
    given = [_one_form(source) for source in sources]
    if value == parameter.schema_.get("default", object()):
        return True
    parts = leaves(value, parameter)
    return bool(parts or isinstance(value, dict)) and all(_leaf_stands_in(part, given) for part in parts)


def _leaf_stands_in(leaf: Leaf, sources: list[str]) -> bool:
    if isinstance(leaf.value, bool) or leaf.is_listed():
        return True
    if leaf.value is None and leaf.may_be_nothing():
        return True
    return _part_stands_in(leaf.value, sources)


def is_spoken_of(value: Any, parameter: Parameter, sources: Iterable[str]) -> bool:
    """Whether the sources speak of the option or the switch that a value is; true of any other value.

    They need not say it word for word: `metric` is spoken of by `in metres`. One word is enough that begins as a word
    of the option does, or of what the parameter's description says of it (`C: Celsius`), or, for a switch, as one of
    the parameter's name. A default and an only option are what is meant where nothing is said.

    A model knows more than that: that basketball is a sport. So where this says no, that is no mistake of the model's,
    but a reason to ask somebody who knows, if there is somebody.
    """
    given = [_one_form(source) for source in sources]
    if value == parameter.schema_.get("default", object()):
        return True
    return all(_leaf_is_spoken_of(leaf, parameter, given) for leaf in leaves(value, parameter))


def _leaf_is_spoken_of(leaf: Leaf, parameter: Parameter, sources: list[str]) -> bool:
    value, is_switch = leaf.value, isinstance(leaf.value, bool)
    options = leaf.options() or ([True, False] if is_switch else [value])
    if leaf.is_default() or len(options) <= 1 or value not in options:
        return True
    if not is_switch and _part_stands_in(value, sources):
        return True
    switch = str(value).lower() in _SWITCHED
    told = re.search(rf"(?<!\w){re.escape(str(value))}\W{{1,3}}([^,;.()]+)", parameter.description)
    own = stems(leaf.name if switch else f"{value} {told[1] if told else ''}")
    said = {word for source in sources for word in stems(source)}
    return any(_begin_alike(word, other) for word in own for other in said)


def _begin_alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= _ALIKE and long.startswith(short))


def _one_form(text: str) -> str:
    """The text with letters and their marks in one, however it was typed."""
    return unicodedata.normalize("NFC", text)


def _stands_as_it_is(text: str, sources: list[str]) -> bool:
    """Whether a source has the text, between blanks and signs, or beside letters of a script without blanks."""
    begins = "" if _UNSPACED.match(text[:1]) else rf"(?:(?<!\w)|(?<={_UNSPACED.pattern}))"
    ends = "" if _UNSPACED.match(text[-1:]) else rf"(?=\W|$|{_UNSPACED.pattern})"
    same = re.compile(f"{begins}{re.escape(text.casefold())}{ends}")
    return bool(text) and any(same.search(source.casefold()) for source in sources)


def _part_stands_in(value: Any, sources: list[str]) -> bool:
    if isinstance(value, int | float):
        number = f"{Decimal(repr(abs(value))):f}"
        known = not unsaid_numbers(number, sources, lasting=True) or _is_known_code(str(value), sources)
        return known and (value >= 0 or says_less(sources))
    text = _one_form(str(value).strip())
    if text in _SAYING_NOTHING:  # unless it is a word that is spoken about, or a unit, as in "3 in"
        return any(re.search(rf"[^\w\s]{text}[^\w\s]|\d\s?{text}\b", source) for source in sources)
    if _stands_as_it_is(text, sources) or _is_known_code(text, sources):
        return True
    if not ((date_known(text, sources) and month_known(text, sources)) or is_days_away(text, sources)):
        return False
    if not all(code_known(code, sources) for code in codes(text)):
        return False
    dateless = _DATE.sub(" ", text)
    timeless = _TIME.sub(" ", dateless)
    return (
        all(_time_known(match, sources) for match in _TIME.finditer(dateless))
        and not unsaid_numbers(timeless, sources)
        and _words_known(timeless, sources, needed=not _NUMBER.search(text))
    )


def _is_known_code(text: str, sources: list[str]) -> bool:
    """Whether the text is one code, and a source has all of it, grouped in another way; 123.45 is no code there."""
    if codes(text) != [text] or (text.isdigit() and len(text) < _LONG):  # "5 10 20" are three numbers
        return False
    return stands_grouped(text, sources)


def _time_known(time: re.Match[str], sources: list[str]) -> bool:
    """`9:00` is known where `9 am` is written, and not where only `9 pm` is."""
    exact = len(time[1]) > 1  # beside a 9:00 another input may say AM or PM
    if exact and _is_other_half(int(time[1]), int(time[2]), sources):
        return False
    whole = not int(time[2]) and not unknown_numbers(time[1], sources, counts=False)
    return whole or not invented(time[0], sources)


def _is_other_half(hour: int, minute: int, sources: list[str]) -> bool:
    """Whether the sources have this time in the other half of the day, and nowhere so."""
    halves = {
        match[3].lower()
        for source in sources
        for match in _HALF_OF_DAY.finditer(source)
        if (int(match[1]) % _NOON, int(match[2] or 0)) == (hour % _NOON, minute)
    }
    if not halves or ("p" if hour >= _NOON else "a") in halves:
        return False
    exact = re.compile(rf"(?<![\d:])0?{hour}:{minute:02}(?!\s?[ap]\.?\s?m\b)", re.IGNORECASE)
    return not any(exact.search(source) for source in sources)


def _words_known(text: str, sources: list[str], *, needed: bool) -> bool:
    """Whether the words of a text are in the sources, as they are or as a unit in another spelling."""
    own = mentioned(f"1 {text}").items()
    spoken = [mentioned(source) for source in sources] if own else []
    if own and all(any(names & units.get(kind, set()) for units in spoken) for kind, names in own):
        return True
    known = {word for source in sources for word in stems(source)}
    words = [word for word in stems(text) if not _COUNTED.fullmatch(word)]
    return all(word in known for word in words) and bool(words or not needed)

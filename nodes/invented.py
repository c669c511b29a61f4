"""Arguments that come from nowhere: numbers, dates, codes and switches against what the model was given.

Other words are left alone: a model may know that Portugal is PT.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.text import spaced
from toolquiver.nodes.constants import computes, is_constant
from toolquiver.nodes.grounding import unknown_numbers

_WORD = re.compile(r"[a-z]+")
_CODE = re.compile(r"[+#]?\w[\w.-]*\w")
_CODE_DIGITS = 5  # as few as a postal code has; years and small products are shorter
_DATE_LIKE = re.compile(r"\d{4}-\d\d(?!\d)|\b\d\d?([./-])\d\d?\1\d{4}|^\d{8}(?:T|$)|^\d+\.\d+$")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_MONTHS, _CHRISTMAS = 12, (24, 25, 26)
_POINTS = ".,:;!?()[]'\""
_GROUPING = re.compile(r"[^\w+#]|_")


def invented_arguments(api: API, arguments: dict[str, Any], sources: Iterable[str]) -> list[str]:
    """The names of the arguments that hold what the sources do not have: a number, date or code, a switch turned on.

    Small counts may be a model's own where one is required, but no measure: what an API takes as a `number` must be
    known, and what may be left out too. What only computes may be given a formula's own constants (`constants.py`). A
    parameter's default is never invented.
    """
    given, formula = list(sources), computes(api)
    return [
        parameter.name
        for parameter in api.parameter_list()
        if (value := arguments.get(parameter.name)) is not None
        and value != parameter.schema_.get("default")
        and (
            any(_far(text, given, counts=_may_count(parameter), formula=formula) for text in _numeric(value))
            or any(not code_known(code, given) for code in codes(value))
            or (isinstance(value, str) and not date_known(value, given))
            or (value is True and not parameter.required and not _spoken_of(parameter, api, given))
        )
    ]


def _far(number: str, sources: list[str], *, counts: bool, formula: bool) -> bool:
    """Whether the number is not even half or twice a known one: a radius may come from a diameter.

    Of a `formula` it may be a constant as well.
    """
    value = Decimal(number)
    if formula and is_constant(value, sources):
        return False
    return all(unknown_numbers(f"{near:f}", sources, counts=counts) for near in (value, value * 2, value / 2))


def code_known(code: str, sources: Iterable[str]) -> bool:
    """Whether the sources have the code, however it is grouped by spaces, dots and hyphens."""
    return any(_plain(code) in _plain(source) for source in sources)


def date_known(text: str, sources: list[str]) -> bool:
    """Whether the day and the year of an ISO date are in the sources; true of a text that is none.

    The ends of months and Christmas have names, so their day may stand nowhere as a number.
    """
    match = _DATE.match(text)
    if match is None:
        return True
    year, month, day = (int(part) for part in match.groups())
    last = calendar.monthrange(year, month)[1] if 1 <= month <= _MONTHS and year else 0
    named = day in (1, last) or (month == _MONTHS and day in _CHRISTMAS)
    written = [str(year)] if named else [str(year), str(day)]
    return not any(unknown_numbers(number, sources, counts=False) for number in written)


def codes(value: Any) -> list[str]:
    """The words with many digits in a text: identifiers, which a model can only copy. Dates and sums are none."""
    if isinstance(value, list):
        return [code for part in value for code in codes(part)]
    words = [word.strip(_POINTS) for word in value.split()] if isinstance(value, str) else []
    return [
        word
        for word in words
        if _CODE.fullmatch(word) and sum(map(str.isdigit, word)) >= _CODE_DIGITS and not _DATE_LIKE.search(word)
    ]


def _plain(text: str) -> str:
    return _GROUPING.sub("", text).lower()


def _spoken_of(parameter: Parameter, api: API, sources: list[str]) -> bool:
    """Whether a word of the switch's name, that no other parameter has in its name, is in the sources."""
    others = {word for other in api.parameter_list() if other.name != parameter.name for word in _name_words(other)}
    own = [word for word in _name_words(parameter) if word not in others]
    said = {word for source in sources for word in _WORD.findall(source.lower())}
    return not own or any(word.startswith(name) for name in own for word in said)


def _name_words(parameter: Parameter) -> list[str]:
    return _WORD.findall(spaced(parameter.name).lower())


def _may_count(parameter: Parameter) -> bool:
    return parameter.required and "integer" in str(parameter.schema_)


def _numeric(value: Any) -> list[str]:
    if isinstance(value, list):
        return [text for part in value for text in _numeric(part)]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return []
    return [format(Decimal(repr(abs(value))), "f")]

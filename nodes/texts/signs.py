"""The sign of numbers: what speaks of less than zero, and a minus that a model has dropped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from toolquiver.nodes.texts.parts import sentences

_LESS = re.compile(
    r"(?<!\w)(?:minus|negative|below|under|south\w*|west\w*|los[est]|losing|loss(?:es)?|less|fewer|lower\w*|fall\w*|fell"
    r"|drop\w*|decreas\w*|reduc\w*|subtract\w*|deduct\w*|refund\w*|withdr[ae]w\w*|remov\w*|down\w*|back\w*|ago|before"
    r"|earlier|prior|previous\w*|past|last|behind|debts?|owe[sd]?|debit\w*|deficit|cold\w*|bce?|sur|sud|süd\w*|oeste|ouest"
    r"|menos|moins|hace|vor|antes|avant)(?!\w)|(?<=[\d°])\s?(?-i:[SW])(?!\w)"
    r"|(?<!\w)[-\N{MINUS SIGN}\N{EN DASH}]\s?\d",
    re.IGNORECASE,
)
# A temperature: of most other numbers a word says that they are below zero, and there are too many such words.
_TEMPERATURE = re.compile(
    r"(?<![\w.,-])([-\N{MINUS SIGN}]?)(\d+(?:\.\d+)?)\s?"
    r"(?:\u00b0\s?[CF]|degrees?(?: (?:celsius|fahrenheit))?|celsius|fahrenheit)(?!\w)",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"\b(?:minus|negative|below|under|less|lower\w*|cold\w*|cool\w*|f[ae]ll\w*|dropp?\w*|declin\w*|decreas\w*|chang\w*|differ\w*"
    r"|north|south|east|west|latitude|longitude|angle|[NSEW])\b|\u00b0\s?[NSEW]\b",
    re.IGNORECASE,
)
_DATE_OR_TIME = re.compile(r"(?<!\d)(?:\d{1,4}([-/])\d{1,2}\1\d{1,4}|\d{1,2}(?::\d\d)+)(?!\d)")
# Neither a range, 3-5, nor a part of a name.
_SIGNED = re.compile(r"(?<![\w.,])([-\N{MINUS SIGN}]?)(\d+(?:\.\d+)?)(?![\w-]|[.,]\d)")


def says_less(sources: Iterable[str]) -> bool:
    """Whether the sources speak of a number below zero: by a minus, or as south, west, before, below, a loss."""
    return any(_LESS.search(source) for source in sources)


def without_minus(text: str, given: Iterable[str], observations: Iterable[str]) -> list[str]:
    """Temperatures in `text` that the observations give only as negative, in sentences that do not say so.

    A number that is `given` without a minus is known as it is.
    """
    told = [one for observation in observations for one in _signed(observation)]
    plain = [number for source in given for sign, number in _signed(source) if not sign]
    plain += [number for sign, number in told if not sign]
    below = {Decimal(number) for sign, number in told if sign} - set(map(Decimal, plain)) - {Decimal(0)}
    said = [sentence for sentence in sentences(text) if not _BELOW.search(sentence)] if below else []
    found = (match for sentence in said for match in _TEMPERATURE.findall(sentence))
    return [number for sign, number in found if not sign and Decimal(number) in below]


def _signed(source: str) -> list[tuple[str, str]]:
    """The numbers of a source, each after its sign; those of dates and times of day are none that a text could mean."""
    return _SIGNED.findall(_DATE_OR_TIME.sub(" ", source))

"""Names that come from nowhere: what a model wrote against what it was given.

A response of numbers and dates names nobody. Where it holds a code, a model may know what that stands for: IT is Italy.
"""

from __future__ import annotations

import calendar
import re
import unicodedata
from collections.abc import Iterable

from toolquiver.nodes.texts.languages import in_other_letters, is_foreign
from toolquiver.nodes.texts.units import units_in_name

_NAME = re.compile(r"(?<!\w)[A-Z][a-z]+(?!\w)")
_SENTENCE_END = re.compile(r"(?:^|[.:;!?|\n])[\s\"'(*#\u2022-]*$")
_CODE = re.compile(r"(?<!\w)[A-Z]{2,4}(?!\w)|(?<=\")[a-z]{2,3}(?=\"(?!\s*:))")  # CH, or ch where a value is no more
_CALENDAR = {
    *("sept", "tues", "thurs"),
    *(
        name.lower()
        for names in (calendar.month_name, calendar.day_name, calendar.month_abbr, calendar.day_abbr)
        for name in names
    ),
}


def invented_names(text: str, sources: Iterable[str], observations: Iterable[str]) -> list[str]:
    """The names of `text` that neither sources nor observations have; none where one of them holds a code.

    None either where one is in another language, some of which write every noun so, and where an observation is in
    other letters. Names of months, days and units are known, and so is the first word of a sentence, which is written
    so anyhow.
    """
    observed = list(observations)
    told = [*sources, *observed]
    if not observed or any(map(is_foreign, [text, *told])) or any(map(_has_code, told)):
        return []
    if any(map(in_other_letters, observed)):
        return []
    given = _plain(" ".join(told))
    return [name for name in _names(text) if _plain(name) not in given]


def _has_code(text: str) -> bool:
    return any(not units_in_name(code) for code in _CODE.findall(text))


def _names(text: str) -> list[str]:
    named = (match for match in _NAME.finditer(text) if not _SENTENCE_END.search(text[: match.start()]))
    found = dict.fromkeys(match[0] for match in named)
    return [name for name in found if name.lower() not in _CALENDAR and not units_in_name(name)]


def _plain(text: str) -> str:
    """Lower-case letters and digits alone, without accents and apostrophes of any kind."""
    letters = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in letters if letter.isalnum())

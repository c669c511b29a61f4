"""Names that come from nowhere: what a model wrote against what it was given.

A response of numbers and dates names nobody. Where it holds a code, a model may know what that stands for: IT is Italy.
So it may of the codes that a call takes and of two capitals of a request, but NASA there stands for its letters alone.
"""

from __future__ import annotations

import calendar
import re
import unicodedata
from collections.abc import Iterable, Iterator

from toolquiver.nodes.texts.languages import in_other_letters, is_foreign
from toolquiver.nodes.texts.units import units_in_name

_NAME = re.compile(r"(?<!\w)[A-Z][a-z]+(?!\w)")
_SENTENCE_END = re.compile(r"(?:^|[.:;!?|\n])[\s\"'(*#\u2022-]*$")
_CODE = re.compile(r"(?<!\w)[A-Z]{2,4}(?!\w)")
_NO_CODES = frozenset("ai am asap id no ok pc pm tv yes".split())  # as a text has them in capitals
_BEHIND_NUMBER = re.compile(r"\d\s?$")
_TAKEN = re.compile(r"\"[A-Z]{2,4}\"(?!\s*:)")  # all of a value
_FIELD = re.compile(
    r"(?<!\w)(?:\w*(?:country|currency|nation|region|locale|lang|code|iso)\w*|to|from|source|target)\"?\s*[:=]\s*"
    r"\"([A-Z]{2,3})\"",
    re.IGNORECASE,
)
_IN_ANY_RESPONSE = {"en", "ok"}  # a field's language or status, whatever it is about
_SHORT = 2
_CALENDAR = {
    *("sept", "tues", "thurs"),
    *(
        name.lower()
        for names in (calendar.month_name, calendar.day_name, calendar.month_abbr, calendar.day_abbr)
        for name in names
    ),
}


def invented_names(text: str, sources: Iterable[str], observations: Iterable[str]) -> list[str]:
    """The names of `text` that neither sources nor observations have; none where a code may stand for any.

    A longer abbreviation of the sources may stand for what begins with one of its letters: USD for dollars. None where
    one is in another language, some of which write every noun so, and where an observation is in other letters. Names
    of months, days and units are known, and so is the first word of a sentence, which is written so anyhow.
    """
    sources, observed = list(sources), list(observations)
    told = [*sources, *observed]
    if not observed or any(map(is_foreign, [text, *told])) or any(map(in_other_letters, observed)):
        return []
    in_fields = {code.lower() for one in told for code in _FIELD.findall(one)}
    said = [code for source in sources for code in _codes(source)]
    if in_fields - _IN_ANY_RESPONSE or any(len(code) == _SHORT for code in said):
        return []
    if any(map(_TAKEN.search, sources)) or any(code for one in observed for code in _codes(one)):
        return []
    given, initials = _plain(" ".join(told)), "".join([*said, *in_fields]).upper()
    return [name for name in _names(text) if _plain(name) not in given and name[0] not in initials]


def _codes(text: str) -> Iterator[str]:
    """The codes that a text has in capitals: `AU`, unless it is a unit right behind a number."""
    for match in _CODE.finditer(text):
        numbered = _BEHIND_NUMBER.search(text, max(0, match.start() - _SHORT), match.start())
        if match[0].lower() not in _NO_CODES and not (numbered and units_in_name(match[0])):
            yield match[0]


def _names(text: str) -> list[str]:
    named = (match for match in _NAME.finditer(text) if not _SENTENCE_END.search(text[: match.start()]))
    found = dict.fromkeys(match[0] for match in named)
    return [name for name in found if name.lower() not in _CALENDAR and not units_in_name(name)]


def _plain(text: str) -> str:
    """Lower-case letters and digits alone, without accents and apostrophes of any kind."""
    letters = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in letters if letter.isalnum())

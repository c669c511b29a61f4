"""Whether a text is in English or in another language, as far as its little words tell."""

from __future__ import annotations

import re

# In German, Spanish, French, Portuguese and Italian; none that is an English word, or stands in names.
_FUNCTION_WORDS = frozenset(
    """
    auf das dem ein eine einen für gibt haben ich ist mit nicht sind und viel viele wann warum welche welcher wer wie
    wieviel wird wo woher wohin wurde
    cuando cuanta cuantas cuanto cuantos cuál cuándo cuánta cuántas cuánto cuántos cómo dónde está por que qué quién
    tiene una
    avec combien dans est ils où pour quand quel quelle quelles quels qui sont une
    não onde quais qual quando quantas quantos são tem têm
    della delle gli quale quali quante quanti quanto sono
    """.split()
)
# In English, and neither in a language above nor, as far as we know, in another one written in Latin letters.
_ENGLISH_WORDS = frozenset(
    """
    could does doing from how many much please should show the their there these this those were what when where which
    who whose why with would you your
    """.split()
)
_ABBREVIATIONS = frozenset(["dem", "est", "ils", "ist", "mit"])  # in capitals: currencies, time zones, an institute
_MARKS = frozenset("¿¡")
_BEYOND_LATIN = 0x400  # where Cyrillic begins; Greek letters stand in formulas


def is_foreign(text: str) -> bool:
    """Whether a text has a little word or a mark of another language, or letters of one not written in Latin ones."""
    if in_other_letters(text) or not _MARKS.isdisjoint(text):
        return True
    words = re.findall(r"[^\W\d_]+", text)
    if text.isupper():
        return not (_FUNCTION_WORDS - _ABBREVIATIONS).isdisjoint(map(str.lower, words))
    little = (word.lower() for place, word in enumerate(words) if word.islower() or (word.istitle() and not place))
    return not _FUNCTION_WORDS.isdisjoint(little)


def in_other_letters(text: str) -> bool:
    """Whether a text has letters that are no Latin ones."""
    return not text.isascii() and any(ord(letter) >= _BEYOND_LATIN and letter.isalpha() for letter in text)


def is_english(text: str) -> bool:
    """Whether a text has a little word of English, and none of another language; false where neither is known."""
    words = {word.lower() for word in re.findall(r"[^\W\d_]+", text)}
    return bool(words & _ENGLISH_WORDS) and not is_foreign(text)

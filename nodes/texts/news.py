"""Whether an answer tells anything of a response, or only says the task again."""

from __future__ import annotations

import re

from toolquiver.catalog.text import content_words
from toolquiver.nodes.texts.languages import is_foreign
from toolquiver.nodes.texts.parts import OF_TIME

_OF_TIME = set(map(str.lower, OF_TIME))
_WHEN = re.compile(r"\b(?:when|(?:what|which) (?:date|day|month|time|year))\b", re.IGNORECASE)
_YES_OR_NO = re.compile(r"\W*(?:yes|no)\b", re.IGNORECASE)
_KEY = re.compile(r"\"[^\"]*\"\s*:|'[^']*'\s*:")
_RICH = 200  # characters of a response, of which an answer has a word, if it tells anything of it


def has_news(answer: str, observation: str, task: str) -> bool:
    """Whether an answer has a number, which was checked when it was digested, or a word of the response besides.

    To when something is, that is a number or the name of a day or month.
    """
    new = set(content_words(answer)) - set(content_words(task))
    told = {word for word in new if not word.isalpha()}
    if _WHEN.search(task):
        return bool(told or new & _OF_TIME)
    return bool(told or new & set(content_words(observation)))


def evades(answer: str, observation: str, task: str) -> bool:
    """Whether an answer only says that a rich response has what is asked for, and under which names, but no value."""
    if len(observation) < _RICH or _YES_OR_NO.match(answer) or is_foreign(observation):
        return False
    values = set(content_words(_KEY.sub(" ", observation)))
    return not set(content_words(answer)) & (values - set(content_words(task)))

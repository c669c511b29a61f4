"""Whether an answer tells anything of a response, or only says the task again."""

from __future__ import annotations

import re

from toolquiver.catalog.text import content_words
from toolquiver.nodes.texts.denials import denies
from toolquiver.nodes.texts.languages import is_foreign
from toolquiver.nodes.texts.parts import OF_TIME

_OF_TIME = set(map(str.lower, OF_TIME))
_WHEN = re.compile(r"\b(?:when|(?:what|which) (?:date|day|month|time|year))\b", re.IGNORECASE)
_SPEAKS_OF_IT = re.compile(
    r"\b(?:api|data|function|response|result|tool)s?\b(?:\W+\w+){0,3}?\W+(?:contain|giv|ha[sd]\b|have\b|includ|list|provid"
    r"|return|show|tell)",
    re.IGNORECASE,
)
_KEY = re.compile(r"\"[^\"]*\"\s*:|'[^']*'\s*:")
_RICH = 200  # characters; an answer to a shorter response may be right without a word of it


def has_news(answer: str, observation: str, task: str) -> bool:
    """Whether an answer has a number, which was checked when it was digested, or a word of the response besides.

    To when something is, that is a number or the name of a day or month.
    """
    new = _new(answer, task)
    told = {word for word in new if not word.isalpha()}
    if _WHEN.search(task):
        return bool(told or new & _OF_TIME)
    return bool(told or new & set(content_words(observation)))


def evades(answer: str, observation: str, task: str) -> bool:
    """Whether an answer only says that a rich response has what is asked for, and under which names, but no value."""
    if len(observation) < _RICH or is_foreign(observation) or denies(answer) or not _SPEAKS_OF_IT.search(answer):
        return False
    new = _new(answer, task)
    return all(map(str.isalpha, new)) and not new & _values(observation)


def tells_values(answer: str, observation: str, task: str) -> bool:
    """Whether an answer has a value of the response that is not in the task."""
    return bool(_new(answer, task) & _values(observation))


def _new(answer: str, task: str) -> set[str]:
    return set(content_words(answer)) - set(content_words(task))


def _values(observation: str) -> set[str]:
    return set(content_words(_KEY.sub(" ", observation)))

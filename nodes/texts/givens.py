"""Numbers that a task gives and no call took: a sign that what was found answers something else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from decimal import Decimal

from toolquiver.nodes.records import Step
from toolquiver.nodes.texts.grounding import is_count, times_of_day, without_clocks
from toolquiver.nodes.texts.known_codes import without_codes
from toolquiver.nodes.texts.number_words import read_otherwise
from toolquiver.nodes.texts.parts import NAMED, names_in, sentences
from toolquiver.nodes.texts.said_numbers import read_beside
from toolquiver.nodes.texts.time_spans import in_other_units

_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?")
# Behind these a number is a part of a name: C8, CRC-32, #1f77b4, 2001:db8, 18:30, ISO 15924.
_IN_A_NAME = re.compile(r"(?:[\w#:/.-]|[A-Z]{2,} )$")
_ALWAYS = re.compile(r"\b24/7\b")
_NAME_END = len("SO ")  # characters that tell
_SHARES = (Decimal(1), Decimal(100), Decimal("0.01"))  # 15 percent may be taken as 0.15
_NAME = re.compile(r'"([A-Z][a-z]+(?: [A-Z][a-z]+)*)"(?!:)')  # all of a value
_DESCRIBED = re.compile(
    r"\b(?:capital|city|country|largest|state|town) (?:of|that|the|in|where|with|which)\b|\b(?:near\w*|closest)\b",
    re.IGNORECASE,
)
_JOINED = re.compile(r"-[A-Za-z]|:\w*[A-Za-z]")  # a 13-digit code, 2001:db8


def untaken(task: str, steps: Iterable[Step]) -> list[str]:
    """The numbers of `task` that the calls neither took nor gave back, in its order.

    Small counts are left out, which may be said in passing ("to two decimals", "the 3 largest"), and what is a part
    of a name. A number that was converted or rounded on the way has been taken where it was converted.
    """
    return unused(task, (text for step in steps for text in (json.dumps(step["arguments"]), step["observation"])))


def unused(task: str, texts: Iterable[str]) -> list[str]:
    """The same numbers of `task` that stand in none of the texts."""
    given_to = list(texts)
    task = without_codes(without_clocks(_ALWAYS.sub(" ", task), times_of_day(given_to)), given_to)
    told = {_value(found) for text in given_to for found in _NUMBER.findall(text)}
    taken = {number * share for number in told for share in _SHARES}
    spans = [*in_other_units(task)]
    apart = {_value(found) for found in _NUMBER.findall(_without(task, (written for written, _ in spans)))}
    beside = ((written, [number]) for written, number in read_beside(task))
    read = [written for written, numbers in (*read_otherwise(task), *beside) if taken.issuperset(numbers[:2])]
    # 2 guests are no 14 days: a number that the task says elsewhere was taken from there.
    task = _without(task, [*read, *(written for written, number in spans if number in told - apart)])
    given = [
        match[0]
        for match in _NUMBER.finditer(task)
        if not _IN_A_NAME.search(task[max(0, match.start() - _NAME_END) : match.start()])
        and not _JOINED.match(task, match.end())
    ]
    return [number for number in dict.fromkeys(given) if not is_count(_value(number)) and _value(number) not in taken]


def _without(task: str, written: Iterable[str]) -> str:
    """The task without what is written so in it, the longest first: `1 hour and 30 minutes` before `1 hour`."""
    longest_first = "|".join(map(re.escape, sorted({*written}, key=len, reverse=True)))
    return re.sub(rf"(?<![\d.,])(?:{longest_first})(?![\d.,]*\d)", " ", task) if longest_first else task


def named_in(task: str, step: Step) -> set[str]:
    """The names and numbers of `task` that the step's call took."""
    taken = json.dumps(step["arguments"], ensure_ascii=False).lower()
    return {name for name in NAMED.findall(task) if name.strip("\"'(").lower() in taken}


def passed_over_for_another(task: str, step: Step, known: str = "") -> list[str]:
    """The names of `task` that an answer tells of, though its call took none of them, and another name instead.

    29 cities of Kenya are not what is asked of Nairobi. For a name a model may take a code, what is `known` by then, or
    what the task describes: the capital of Kenya. Abbreviations have other names.
    """
    arguments = json.dumps(step["arguments"], ensure_ascii=False)
    others = [name for name in _NAME.findall(arguments) if name.lower() not in f"{task} {known}".lower()]
    named = {name for sentence in sentences(task) for name in names_in(sentence) if not name.isupper()}
    told = f"{arguments} {step['observation']}".lower()
    if not others or _DESCRIBED.search(task) or any(name.lower() in told for name in named):
        return []
    said = step["answer"].lower()
    return sorted(name for name in named if name.lower() in said and not any(other.lower() in said for other in others))


def _value(number: str) -> Decimal:
    return Decimal(number.replace(",", ""))

"""The kind of answer that a question asks for, as far as its words tell: a time of day, a number, a yes or no."""

from __future__ import annotations

import json
import re
from collections import Counter
from decimal import Decimal

from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import content_words, spaced
from toolquiver.json_texts import is_number
from toolquiver.nodes.records import Step
from toolquiver.nodes.texts.field_units import named_values
from toolquiver.nodes.texts.grounding import clocks
from toolquiver.nodes.texts.languages import is_foreign
from toolquiver.nodes.texts.number_words import CARDINALS, COUNTS
from toolquiver.nodes.texts.parts import NAMED, QUESTION_WORD, sentences
from toolquiver.nodes.texts.units import units_in_name

# Neither a time zone or a time difference, nor what a run takes: in what time was it run?
_TIME = re.compile(
    r"\b(?<!\bin )(?:what|which) time\b(?![\s-]?(?:of|commitment|complexity|constants?|constraints?|differences?"
    r"|formats?|frames?|horizons?|intervals?|lapse|limits?|loops?|machines?|management|periods?|ranges?|scales?|series"
    r"|servers?|signatures?|slots?|spans?|stamps?|standards?|steps?|track\w+|travel\w*|trials?|units?|windows?|zones?)\b)",
    re.IGNORECASE,
)
# Of what is high or heavy by degrees, words tell how much it is; but Snowdon, snow leopards and counts have numbers.
_BY_DEGREES = (
    r"(?:index|levels?|odds|risks?|chances?|uv"
    r"|(?-i:(?:rain|snow)(?:fall|storm|ing)?s?|counts?|traffic)(?=\W*$|[?.,!;]|\s(?:in|of|on|at|near|around|over|for|from"
    r"|to|between|during|along|be|get|is|there|here|now|right|today|tonight|tomorrow|this|next|expected)\b))"
)
_NUMBER = re.compile(
    rf"\bhow (?:many|much|far(?! along\b)|tall|(?:high|heavy)(?![^?.]*\b{_BY_DEGREES}(?!\w)))\b", re.IGNORECASE
)
_COUNTED = re.compile(
    r"\d|\b(?:no|none|nobody|never|once|twice|half|an? (?:third|quarter|fifth|tenth)|(?:most|all) of|both|a single|pair"
    rf"|uninhabited|unlimited|infinite\w*|(?:{'|'.join(CARDINALS)})s?)\b",
    re.IGNORECASE,
)
_OPENS = re.compile(r"\b(?:open|clos|shut)", re.IGNORECASE)
_SHUT = re.compile(r"\b(?:closed|shut|around the clock|all day|sold out)\b", re.IGNORECASE)
_NEGATED = re.compile(r"(?:\b(?:not|never)|n['\u2019]t)\b((?: \w+){1,3})", re.IGNORECASE)
_COSTS = re.compile(r"\b(?:costs?|prices?|charges?|fees?|pay|paid|how much (?:is|are|was|were))\b", re.IGNORECASE)
_FREE = re.compile(r"\bfree\b(?! to\b)", re.IGNORECASE)
_WORDS = "|".join(COUNTS)
_HOUR = re.compile(
    r"(?<![\d:.])\d{1,2}\s?(?:[ap]\.?\s?m\b|uhr\b|h\b|o['\u2019]?clock\b)|\b(?:noon|midnight)\b"
    rf"|\b(?:(?:half|quarter) (?:past|to)|(?:{_WORDS}) o['\u2019]?clock)\b"
    rf"|\b(?:\d{{1,2}}|twenty(?:[ -]five)?|{_WORDS}) (?:minutes? )?(?:past|to) (?:\d{{1,2}}|{_WORDS})\b"
    rf"|(?<![\d:.])\b(?:\d{{1,2}}(?:[.:][0-5]\d)?|{_WORDS}) (?:in the (?:morning|afternoon|evening)|at night)\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?<![\d:])\d{1,2}:[0-5]\d(?:\s?[ap]\.?m\b)?", re.IGNORECASE)
# As tools write it: with seconds, or with its zone.
_EXACT = re.compile(r"\b\d{1,2}:[0-5]\d:[0-5]\d\b|\d{1,2}:[0-5]\d(?::[0-5]\d)?\s?[+-]\d\d:?\d\d\b")
_FORM = re.compile(r"\b(?:12|24|twelve|twenty-four)[ -]?hours?\b|\bformat\b|\bmilitary\b", re.IGNORECASE)
# The second of two questions that only a yes or no answers: "What is 2 + 3, and is it a prime?"
_WHETHER = re.compile(
    r"\band ((?:is|are|was|were|does|do|did|has|have|can) (?:it|he|she|they|this|that)\b[^?.!]*\?)", re.IGNORECASE
)
# What else an order wants: "Encode it in Base64 and give its SHA-1 hash."
_AND_TELL = re.compile(
    r"\band (?:also |then )?(?:give|list|name|provide|show|tell)(?: me| us)? (?:its|their|the|all) ([^?.!,;]+)",
    re.IGNORECASE,
)
_YES_OR_NO = re.compile(r"\b(?:yes|no|not|never|nor|neither|true|false|correct|un\w+|\w+n['\u2019]t)\b", re.IGNORECASE)
_PLAIN = re.compile(r"(?:yes|no)[,.;:]", re.IGNORECASE)
_DOUBTS = re.compile(r"(?:is|are|was|were|do|does|did|has|have|can|check|validate|verify)\b", re.IGNORECASE)
# What a digest says where a response lacks what the task asks for.
_LACKS = re.compile(
    r"\b(?:api|response|result|tool)s? (?:[^\s.?!]\S* ){0,2}?(?:do(?:es)?|did)(?: not|n['\u2019]t) (?:\w+ )?"
    r"(?:answer|contain|find|generate|give|have|include|indicate|know|list|mention|offer|provide|return|say|show|specify"
    r"|state|tell)\b"
    r"|\bno (?:data|details|information|results?) (?:\w+ ){0,4}(?:available|found|given|provided|returned)\b",
    re.IGNORECASE,
)
# What a question asks to be named: "Which public holidays are in May?"
_WHICH = re.compile(
    r"\W*(?:which|what (?:are|were)|list|name)(?: (?:the|all|its|their|of))* (?:[\w-]+ ){0,2}?([\w-]{2,}(?<![suia])s)"
    r"(?=\W*$|[?.,]| (?:are|at|can|do|does|for|ha[sd]|have|in|of|on|there|were|will)\b)",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"\b(?:how many|number of|counts?|total|amount)\b", re.IGNORECASE)
_ASKS_HOW_MANY = re.compile(r"\bhow many\b", re.IGNORECASE)
_COUNT = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,.]*\d)|(?<![\d.,])\d{1,15}(?![\d,.]*\d)")
_PLURAL = re.compile(r"[a-z]{2}(?<![suia])s$")
_NO_NEWS = frozenset("altogether are count exist have has in number of overall the there total totals".split())
_MEASURES = frozenset("seconds minutes hours days weeks months years times".split())
_ANYTHING = frozenset(
    stems(
        "counts elements entries hits items matches numbers records results rows totals values " + " ".join(_MEASURES)
    )
)
HAS_NO = "That has no"
"""What every hint about the kind of an answer begins with that says nothing of a tool for it."""

ANOTHER_COUNT = f"{HAS_NO} number of what the task asks for: it counts"
"""What a hint says of an answer that counts something else."""

OPEN = "It does not say:"
"""What a hint begins with that goes on with the question which the answer leaves open."""


def other_kind(task: str, answer: str) -> str:
    """What the answer does not have that the task asks for; empty when nothing shows.

    A time of day that the task gives itself is not the one it asks for.
    """
    if _TIME.search(task) and not _tells_time(task, answer):
        return f"{HAS_NO} time of day; the task asks for one."
    if _NUMBER.search(task) and not _tells_number(task, answer):
        return f"{HAS_NO} number; the task asks for one."
    if counted := _only_counted(task, answer):
        return f"{HAS_NO} {counted}; the task asks which they are."
    if _only_lacks(task, answer):
        return f"{HAS_NO} answer; the task asks for one."
    return next((f"{OPEN} {asked}" for asked in _whether(task) if not _says(answer, asked)), "")


def left_open(task: str, step: Step) -> str:
    """What a task wants told besides, by a name that neither a call nor its answer has; else empty."""
    function, arguments = step["api"].rpartition("/")[2], json.dumps(step["arguments"], ensure_ascii=False)
    texts = [*map(spaced, (function, arguments, step["observation"])), step["answer"]]
    said = set(stems(" ".join(texts)))
    wanted = ((told, set(stems(" ".join(NAMED.findall(f" {told}"))))) for told in _AND_TELL.findall(task))
    return next((told for told, named in wanted if named and not set(stems(told)) & said), "")


def counts_other(task: str, step: Step) -> str:
    """What a step's answer counts by its response, where the task asks how many of something else; else empty.

    `{"cities": 29}` does not say how many people live there. A field is named by what it counts in the plural; what
    could be anything (`results`), and units, say nothing.
    """
    if not _ASKS_HOW_MANY.search(task) or is_foreign(task):
        return ""
    fields = [(spaced(name).lower(), value) for name, value in named_values(step["observation"]) if is_number(value)]
    told = [Decimal(number.replace(",", "")) for number in _COUNT.findall(step["answer"])]
    first = next((number for number in told if any(value == number for _, value in fields)), None)
    named = {name for name, value in fields if value == first and _PLURAL.search(name) and not units_in_name(name)}
    (name,) = named if len(named) == 1 else ("",)
    return "" if {*stems(name)} & (_ANYTHING | {*stems(task)}) else name


def _tells_number(task: str, answer: str) -> bool:
    """Whether an answer has a number, or says that there is none of what is counted, or that it costs nothing.

    The numbers of other languages may be words that nobody knows here.
    """
    none = _happens_not(task, answer) and bool(re.search(r"\bany\b", answer, re.IGNORECASE))
    return none or is_foreign(answer) or bool(_COUNTED.search(answer) or (_COSTS.search(task) and _FREE.search(answer)))


def _happens_not(task: str, answer: str) -> bool:
    """Whether an answer says that what the task asks about does not happen: the sun that does not set."""
    asked = set(stems(task))
    return any(asked & set(stems(match[1])) for match in _NEGATED.finditer(answer))


def _tells_time(task: str, answer: str) -> bool:
    """Whether an answer has a time of day that the task has not, or says that there is none.

    It may be the task's own: in another form that is asked for, said of another place, so once more than there, or as
    exactly as only a tool says it.
    """
    if clocks(answer) - clocks(task) or _happens_not(task, answer):
        return True
    if _OPENS.search(task) and _SHUT.search(answer):
        return True
    said, given = (Counter(match.lower() for match in _CLOCK.findall(text)) for text in (answer, task))
    again = any(count > given[clock] > 0 for clock, count in said.items())
    exact = bool(_EXACT.search(answer)) and not _EXACT.search(task)
    hours, known = ({match.lower() for match in _HOUR.findall(text)} for text in (answer, task))
    return again or exact or bool(hours - known) or bool(_FORM.search(task) and said.keys() - given.keys())


def _only_counted(task: str, answer: str) -> str:
    """What the task asks to be named, where the answer only says how many of it there are; else empty."""
    asked = None if _HOW_MANY.search(task) else _WHICH.match(task)
    if not asked or asked[1].lower() in _MEASURES or units_in_name(asked[1]):
        return ""
    said, told = content_words(answer), set(content_words(task))
    numbers = [word for word in said if (word.isdigit() or word in CARDINALS) and word not in told]
    if len(numbers) != 1 or numbers[0] in ("0", "zero"):
        return ""
    counted = re.search(rf"\b{numbers[0]} (?:(?!are\b|were\b)[\w-]+ ){{0,3}}?{asked[1]}\b", answer, re.IGNORECASE)
    news = {*said} - told - {*numbers, *_NO_NEWS}
    return asked[1] if counted and not news else ""


def _only_lacks(task: str, answer: str) -> bool:
    """Whether an answer says that a response lacks something, and nothing else that the task does not say.

    To a question of yes or no that may be the answer.
    """
    if _DOUBTS.match(task) or _PLAIN.match(answer):
        return False
    said = sentences(answer)
    told = [sentence for sentence in said if not _LACKS.search(sentence)]
    return len(told) < len(said) and not set(stems(" ".join(told))) - set(stems(task))


def _whether(task: str) -> list[str]:
    """The questions of yes or no that are joined to another question: `is it a prime?`"""
    found = ((sentence, match) for sentence in sentences(task) for match in _WHETHER.finditer(sentence))
    return [
        match[1]
        for sentence, match in found
        if QUESTION_WORD.search(sentence[: match.start()]) and not QUESTION_WORD.search(match[1])
    ]


def _says(answer: str, asked: str) -> bool:
    """Whether an answer has a yes, a no, or a word of what is asked."""
    about = set(stems(asked))
    return not about or bool(about & set(stems(answer)) or _YES_OR_NO.search(answer))

"""The parts of a request that stand side by side: sentences that ask, and what is joined to them by `, and how ...`.

A sentence asks that ends in a question mark, or that is an order: `Find ...`, `Also, could you show me ...`,
`I want to know ...`, `It would be nice if you could also list ...`. What one wants else is said beside: `I want to
watch a film.`
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence

from toolquiver.catalog.stems import stems

_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[\"'(]?[A-Z\d])")
# An inch (24") and an apostrophe (it's, the users' data, '90s) open nothing.
QUOTED = re.compile(
    r"(?<!\w)\"[^\"]*\"(?!\w)|\u201c[^\u201c\u201d]*\u201d"
    r"|\u201e[^\u201c\u201d\u201e]*[\u201c\u201d]|\u00ab[^\u00ab\u00bb]*\u00bb"
    r"|(?<!\S)'(?!\s|\d\ds\b)[^']*(?:(?<=\S)'(?=\w)[^']*)*'(?!\w)"
)
_ABBREVIATION = re.compile(r"\b(?:[A-Z]|e\.g|i\.e|St|Mr|Mrs|Ms|Dr|Prof|No|Nr|[Ff]ig|[Vv]ol|pp|vs|etc|approx|ca)\.$")
_LONGEST_END = len(" approx.")
# After a comma alone, `which` and `who` are relative; after `, and` they ask.
_JOINT = re.compile(
    r"(?:[,;]\s+(?:and|then|also)\s+(?=(?:(?:at|by|for|from|in|on|to|with)\s+)?(?:which|who|whose)\b)"
    r"|(?:[,;]\s+|\s+)(?:and|then|also)\s+(?=(?:(?:at|by|for|from|in|on|to|with)\s+)?(?:what|how|when|where)\b)"
    r"|[,;]\s+(?=(?:what|how)\b))",
    re.IGNORECASE,
)
OF_TIME = {*calendar.day_name, *calendar.month_name}
"""The names of days and months."""

_SHORTEST = 3  # words of a question: `when and where` and `on which date and at what time` ask of one thing
NAMED = re.compile(r"(?<=\s)\W?[A-Z]\w+|(?<!\w)\w*\d(?:[.,]?\w+)*")
"""Names, and what has a digit. The first word of a text is no name: it would be written so anyhow."""

QUESTION_WORD = re.compile(r"\b(?:what|which|how|when|where|who|whose)\b", re.IGNORECASE)
_ALSO = r"(?:also|additionally|moreover|furthermore|finally|lastly|then|next|besides|and)\b,?\s+"
_VERBS = (
    "add|analy[sz]e|book|calculate|check|compare|compute|convert|count|create|delete|describe|determine|display"
    "|download|explain|extract|fetch|find|generate|get|give|help|identify|list|look up|make|obtain|provide"
    "|recommend|remove|retrieve|search|send|share|show|suggest|summari[sz]e|tell|track|translate|update|validate"
    "|verify"
)
# These are nouns as well, and speak of an answer's form: `Name: Ada`, `Write them in a table`.
_WRITES = (
    r"(?:decode|encode|figure out|name|solve|spell(?: out)?|work out|write(?: out)?)\s+"
    r"(?:(?:the|an?|all|me|this|that|these|those)\b|['\"\u2018\u201c]|\d)"
)
_POLITELY = r"(?:please,?\s+)?(?:(?:can|could|would|will)\s+you\s+)?(?:(?:also|kindly|please)\s+)*"
_WANTS = r"(?:i|we)(?:['\u2019]d)?\s+(?:(?:also|would|really)\s+)*(?:like|need|want)\b"
_I_AM = r"i(?:['\u2019]m|\s+am)\s+"
_DO = rf"(?:know|see|{_VERBS})\b"
_INTERESTED = r"(?:interested|curious)\b"
_WOULD_BE = r"it\s+would\s+(?:also\s+)?be\s+(?:\w+\s+)?(?:great|good|nice|helpful|useful|wonderful|interesting)\s+"
_WISH = (
    rf"(?:{_WOULD_BE}|(?:i(?:['\u2019]d|\s+would)\s+)?(?:also\s+)?appreciate\s+it\s+)"
    r"(?:if\s+you\s+(?:can|could|would)|to)\s+"
)
_ORDERS = (
    rf"(?:{_ALSO})*+{_POLITELY}(?:(?:{_VERBS}|let me know)\b|{_WRITES})",  # Then could you please list ...
    rf"(?:{_ALSO})++(?:{_WANTS}|{_I_AM}(?:\w+\s+)?{_INTERESTED})",  # Also, I'm very curious ...
    rf"(?:{_ALSO})++{_WISH}(?:also\s+)?{_DO}",  # Moreover, it would be nice to see ...
    rf"(?:{_ALSO})++please,?\s+(?:include|mention)\b",  # And please mention ...
    rf"{_I_AM}also\s+(?:\w+\s+)?{_INTERESTED}",  # I am also interested ...
    rf"{_WISH}also\s+{_DO}",  # I'd appreciate it if you could also check ...
    rf"(?:{_ALSO})*+(?:please,?\s+)?(?:don['\u2019]t|do\s+not)\s+forget\s+to\s+{_DO}",  # Don't forget to add ...
    rf"{_WANTS}\s+(?:you\s+)?to\s+{_DO}",  # I want you to find ...
)
_ORDER = re.compile(rf"[\"'(]*(?:{'|'.join(_ORDERS)})", re.IGNORECASE)
# An order that says itself that it comes on top: `Also, ...`, `Could you also list ...`, `I would also like ...`.
_ADDED = re.compile(
    rf"{_ALSO}|(?:\S+\s+){{0,7}}?also\s+(?:like|need|want|{_INTERESTED}|{_DO})|(?:\S+\s+){{0,2}}forget\b", re.IGNORECASE
)
_IN_TURN = re.compile(r"(?:and\s+)?(?:then|next|finally)\b", re.IGNORECASE)
_WISHES = re.compile(rf"[\"'(]*(?:{_ALSO})*+(?:{_WANTS}|{_I_AM})", re.IGNORECASE)
_ALIKE = 2  # words that a wish and the order that says it again have in common
_OF_FORM = re.compile(r"\b(?:answers?|decimals?|digits?|rounded)\b", re.IGNORECASE)  # it asks for nothing else
_CONDITION = re.compile(
    r"\W*(?:if|when|assuming|given|suppose)\b[^?]*?,\s*(?:then\s+)?(?=(?:what|which|how|who|where)\b)", re.IGNORECASE
)
_REFERS = re.compile(
    r"\b(?:it|its|this|that|these|those|they|them|their|there|then|he|him|his|she|her|hers|same|such|both|result|former"
    r"|latter|above|previous|together|total|sum|difference|average|ratio)\b",
    re.IGNORECASE,
)


def stands_alone(part: str, request: str) -> bool:
    """Whether a part of a request asks for something of its own: in the request's words, referring to nothing else."""
    words, all_words = " ".join(part.split()), " ".join(request.split())
    inside = words.lower().rstrip(".?! ") in all_words.lower() and words != all_words
    return inside and not refers(part) and bool(NAMED.search(part))


def lacks_its_condition(question: str, request: str) -> bool:
    """Whether a question is a request without what it begins with: `If it is noon here, what time is it there?`"""
    condition = _CONDITION.match(request)
    return condition is not None and stems(question) == stems(request[condition.end() :])


def names_in(text: str) -> set[str]:
    """The proper names of a text, without those of days and months; its first word is none."""
    named = (found.strip("\"'(\u201c") for found in NAMED.findall(text))
    return {name for name in named if not any(map(str.isdigit, name)) and name not in OF_TIME}


def refers(text: str) -> bool:
    """Whether a word of the text stands for something that is said elsewhere: it, that, the previous one."""
    return bool(_REFERS.search(text))


def is_order(sentence: str) -> bool:
    """Whether a sentence is an order, also a polite one (`Can you find ...?`), and not one about the answer's form."""
    return bool(_ORDER.match(sentence)) and not _OF_FORM.search(sentence)


def asks(sentence: str) -> bool:
    """Whether a sentence wants something: it is a question, or an order."""
    return sentence.endswith("?") or is_order(sentence)


def orders(part: str) -> bool:
    """Whether what a part asks for is an order, and no question."""
    said = sentences(part)
    return any(map(is_order, said)) and not any(one.endswith("?") and not is_order(one) for one in said)


def parts_of(request: str) -> list[str]:
    """The request's questions in its own words, each with the statements before it; one where nothing is joined.

    A question without a name or number of its own speaks of what stands before it, so it stays there, but not an order
    that is added (`Also, ...`): it is a task of its own, and what stands between belongs to the one before. A
    wish and the order that only says it again are one.
    """
    found: list[str] = []
    said: list[str] = []
    wish = ""
    for sentence in sentences(request):
        if not asks(sentence):
            said.append(sentence)
            continue
        if wish and not said and _says_again(sentence, wish):
            found[-1] += f" {sentence}"
            wish = ""
            continue
        wish = sentence if is_order(sentence) and _WISHES.match(sentence) else ""
        if found and _is_added(sentence):
            found[-1], said = " ".join([found[-1], *said]), []
        for joint, piece in _asked(sentence):
            whole = " ".join([*said, piece])
            said = []
            if found and not NAMED.search(whole) and not _is_added(whole):
                found[-1] += (joint or " ") + whole
            else:
                found.append(whole)
    if said and found:
        found[-1] = " ".join([found[-1], *said])
    return found or [request.strip()]


def pieces_of(request: str) -> list[str]:
    """Every question of a request by itself, those too that refer to what stands before them: `how old is it?`"""
    return [piece for sentence in filter(asks, sentences(request)) for _, piece in _asked(sentence)]


def _asked(sentence: str) -> list[tuple[str, str]]:
    """The questions joined in a sentence, each after what joins it to the one before.

    What comes before the first question word belongs to that question.
    """
    joints = [match for match in _JOINT.finditer(_closed_up(sentence)) if _is_question(sentence[: match.start()])]
    return [*zip(["", *(joint[0] for joint in joints)], _between(joints, sentence), strict=True)]


def _says_again(order: str, wish: str) -> bool:
    """Whether an order only says how the wish before it is met: `I need a map of Oslo. Can you find me this map?`

    They have words in common, and neither names what the other has another name for.
    """
    if _is_added(order) or not is_order(order) or _WISHES.match(order):
        return False
    named, others = (set(NAMED.findall(text)) for text in (order, wish))
    alike = set(stems(order)) & set(stems(wish))
    return len(alike) >= _ALIKE and (not named or not others or bool(named & others))


def _is_added(sentence: str) -> bool:
    """Whether it is an order that is added to what stands before, and not one that works on what that gives."""
    added = is_order(sentence) and bool(_ADDED.match(sentence))
    return added and not (_IN_TURN.match(sentence) and refers(sentence))


def _is_question(text: str) -> bool:
    words = [*QUESTION_WORD.finditer(text)]
    return bool(words) and len(text[words[-1].start() :].split()) >= _SHORTEST


def sentences(text: str) -> list[str]:
    """The sentences of a text. What is quoted is of one sentence, whatever it says."""
    found: list[str] = []
    for piece in _between([*_SENTENCE.finditer(_closed_up(text.strip()))], text.strip()):
        if found and _ABBREVIATION.search(found[-1][-_LONGEST_END:]):
            found[-1] = f"{found[-1]} {piece}"
        else:
            found.append(piece)
    return found


def _between(cuts: Sequence[re.Match[str]], text: str) -> list[str]:
    """What stands in a text before, between and after the cuts."""
    begins, ends = [0, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(text)]
    return [text[begin:end] for begin, end in zip(begins, ends, strict=True)]


def _closed_up(text: str) -> str:
    """The text, as long as it is, without blanks in what is quoted: nothing ends there, and nothing is joined."""
    return QUOTED.sub(lambda quoted: "_".join(re.split(r"\s", quoted[0])), text)

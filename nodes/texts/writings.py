"""How a number is to be written: in words, as a Roman numeral. In digits it is another answer."""

from __future__ import annotations

import re

from toolquiver.nodes.texts.number_words import CARDINALS

_DIGITS = re.compile(r"(?<![\w.,:/-])\d+(?:[.,]\d+)*(?![\w:/-])")
_ROMAN = re.compile(r"\b(?:[IVXLCDM]{2,}|[VXLCDM]|I(?=\W*$))\b", re.MULTILINE)
_WRITINGS = (
    (
        re.compile(r"\bin(?:to)? words\b|\b(?:spell(?:ed|t)?|writ(?:e|ten)) out\b", re.IGNORECASE),
        re.compile(rf"\b(?:{'|'.join(CARDINALS)})", re.IGNORECASE),
        "in words",
    ),
    (re.compile(r"\b(?:as|in(?:to)?) (?:an? )?roman num(?:er|b)", re.IGNORECASE), _ROMAN, "as a Roman numeral"),
)


def unwritten(task: str, answer: str) -> str:
    """The number that an answer has only in digits, and how the task wants it written; empty where nothing shows.

    What the task writes so itself is not asked for: which number is XIV in Roman numerals?
    """
    told = [number for number in _DIGITS.findall(answer) if number not in _DIGITS.findall(task)]
    wanted = (
        how for asked, written, how in _WRITINGS if asked.search(task) and not written.search(f"{answer}\n{task}")
    )
    return next((f"{told[-1]} {how}" for how in wanted if told), "")

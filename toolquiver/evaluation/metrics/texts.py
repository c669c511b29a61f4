"""Short answers as texts: HotpotQA's exact match and F1."""

from __future__ import annotations

import re
import string
from collections import Counter

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_CLOSED = {"yes", "no", "noanswer"}


def normalised(answer: str) -> str:
    """Lower case, without articles, punctuation and double blanks, as HotpotQA and SQuAD compare answers."""
    return " ".join(_ARTICLES.sub(" ", answer.lower().translate(_PUNCTUATION)).split())


def exact_match(answer: str, gold: str) -> bool:
    """Whether the two are the same when normalised (HotpotQA, 5.1)."""
    return normalised(answer) == normalised(gold)


def word_f1(answer: str, gold: str) -> float:
    """The harmonic mean of precision and recall of words, 0 to 1 (HotpotQA, 5.1; the reward of smurfs.txt, 4.2).

    `yes` and `no` are right only by themselves.
    """
    one, other = normalised(answer), normalised(gold)
    if one != other and _CLOSED & {one, other}:
        return 0.0
    shared = (Counter(one.split()) & Counter(other.split())).total()
    return 2 * shared / (len(one.split()) + len(other.split())) if shared else 0.0

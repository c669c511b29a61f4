"""Which sentences of a documentation are for the people who may buy it, and say nothing of what it does."""

from __future__ import annotations

import re

_LONGEST = 150  # characters: a longer sentence with such a phrase in it says more besides

_BEGINNING = (
    r"^\W*(?:(?:please|and|or|also|but|yes|no|instead|simply|just|then|so|note)[,:]?\s+)*"
    r"(?:(?:if|for|to|in case|in order|any|need|free)\b[^.]*?\s)?(?:(?:please|you can(?: also)?),?\s+)?"
)
"""What comes before an order to the reader: nothing, polite words, or the case that it is for."""
_PAPERS = r"(?:docs?|documentation|tutorials?|guides?|readme|faq|github|repo(?:sitory)?|swagger)"
_PLACES = r"(?:web ?site|site|home ?page|page|link|channel|blog)"
_LOOK = r"(?:see|read|check|visit|view|refer to|consult|follow)(?: out)?"
_MORE = r"(?:for )?(?:more|further|additional|full) (?:info(?:rmation)?|details?|help|examples?)"

_ENDING = r"(?:\W*$|,| (?:for|at|on|here|to (?:learn|get|know)|of (?:the|our|this) api)\b)"
_ASKED = r",? (?:please |you can )?(?:see|visit|check|click|read|refer|consult|contact|go to|follow)\b"

_ORDERS = (
    r"sign[ -]?up (?:here|now|today|at|and (?:get|receive)|to get|for (?:(?:a|an|our|your) )?(?:free|our)\b)",
    r"subscribe (?:here|now|today|to (?:our|my)|and get)",
    rf"{_LOOK} (?:(?:the|our|my|this|full|api|available) ){{0,2}}{_PAPERS}{_ENDING}",
    rf"{_LOOK} (?:our|my) (?:\w+ )?(?:{_PAPERS}|{_PLACES})\b",
    rf"(?:{_LOOK}|click|go)(?: here| below| the \w+ (?:tab|page)| our \w+)? {_MORE}",
    rf"{_LOOK} .{{1,60}} {_MORE}\W*$",
    r"click (?:here|(?:on )?(?:the|this) (?:link|button))\b",
    r"(?:contact|e-?mail|text|message|write(?: to)?|dm|chat|ask|support|follow) (?:us|me)\b",
    r"(?:join|follow|rate) (?:us|our|my)\b",
    (
        r"(?:learn|read|find out) more(?:\W*$| (?:at|on|here|in (?:the|our|about)|about (?:us|our|it|the api))\b"
        r"| about this(?:\W*$| (?:here|api|endpoint|method|service)\b))"
    ),
    r"(?:reach out|get in touch|buy me a|let (?:us|me) know|(?:do not|don'?t) hesitate|consider donating)\b",
    r"feel free to (?:contact|reach|ask|e-?mail|message|drop|try|play|join|let)\b",
)
_OPENINGS = (
    rf"{_MORE}(?: (?:about|on|of|regarding) [^,]*)?(?:\W*$|{_ASKED})",
    r"(?:welcome to|thank(?:s(?! to)| you)|powered by|free trial|free \w+ plan|please (?:rate|report))\b",
    r"(?:for |if you have )?any (?:other |further )?(?:questions?|issues?|problems?|suggestions?|feedback)\b",
)
_PHRASES = (
    r"\ball rights reserved\b|\bcopyright (?:\(c\)|©|\d{4})|©",
    r"\bx-rapidapi-|\b(?:available|used?) (?:on|via) rapidapi\b",
    r"\b(?:our|my|i.m on|via) (?:official )?(?:telegram|discord)\b|\btelegram dm\b",
    r"\b(?:our (?:basic|pro|ultra|mega|paid|premium)|(?:our|the|a) free) (?:plan|tier)s?\b|\b(?:your|a) free trial\b",
    r"\b(?:our|flexible|custom|competitive|affordable|friendly) pricing\b|\bpricing (?:plans?|page|tab|tiers?)\b",
    r"\bupgrade (?:to (?:our|pro|ultra|mega)|your plan)\b",
    r"\b(?:see|agree to|accept) (?:the|our) terms of (?:use|service)\b",
)
_WHOLE = re.compile(rf"{_BEGINNING}(?:{'|'.join(_ORDERS)})|^\W*(?:{'|'.join(_OPENINGS)})", re.IGNORECASE)
_WITHIN = re.compile("|".join(_PHRASES), re.IGNORECASE)


def is_boilerplate(sentence: str) -> bool:
    """Whether a sentence advertises, thanks, or sends the reader elsewhere."""
    return bool(_WHOLE.search(sentence) or (len(sentence) < _LONGEST and _WITHIN.search(sentence)))

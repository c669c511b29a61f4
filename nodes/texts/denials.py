"""Whether an answer says that something was not found."""

from __future__ import annotations

import re

# What an answer says that has not found what was asked for; "2100 is not a leap year" has, and so has "No, ...".
_DENIES = re.compile(
    r"\b(?:cannot|insufficient|lacks?|missing|no|none|nothing|n/a|unable|unavailable|unclear|undefined|unknown"
    r"|unspecified)\b|\bfail(?:s|ed)? to\b"
    r"|(?:\bnot|n['\u2019]t)\s+(?:\w+\s+){0,2}?(?:able|answer|available|clear|contain|cover|determin|disclos|exist|find|"
    r"found|giv|ha(?:d|s|ve)\b|identif|in the (?:answer|data|respon|result)|includ|know|list|locat|mention|offer|"
    r"possible|present|provid|publish|recogni[sz]|report|retriev|return|say|show|speci|stat|support|sure|tell)",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"\b(?:there (?:is|are|was|were)|ha[sd]|have) no(?:ne|thing|body)?\b(?! (?:\w+ )?(?:data|information|results?)\b)",
    re.IGNORECASE,
)
_PLAINLY = re.compile(r"\W*no[,.:;]", re.IGNORECASE)
_QUOTED = re.compile(r"(?<!\w)['\"\u201c\u2018][^'\"\u201d\u2019]*['\"\u201d\u2019](?!\w)")


def denies(answer: str) -> bool:
    """Whether an answer says that something was not found."""
    return bool(_DENIES.search(_PLAINLY.sub("", _QUOTED.sub("", answer), count=1)))


def leaves_untold(answer: str) -> bool:
    """Whether an answer denies, and not by telling that there is none: `There are no recurring characters.`"""
    return denies(_NONE.sub("", answer))

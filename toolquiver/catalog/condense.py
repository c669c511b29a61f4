"""Documentation made short by rule: without markup, links, boilerplate, defaults and what is said twice.

The floor under EasyTool's instructions (easytool.txt, 3.2): it needs no model, and stands in where no model wrote one.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from functools import lru_cache

LONGEST = 300
"""Characters of what a tool or an API is for."""
LONGEST_MEANING = 120
"""Characters of what a parameter means."""

_PLAIN = re.compile(r"[\w ,;'()/+-]*[.]?")  # most texts: one sentence without anything to strip
_BLOCKS = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<(script|style|pre)\b.*?</\1\s*>|<!--.*?-->", re.DOTALL)
_BREAKS = re.compile(r"<\s*/?\s*(?:br|p|div|li|ul|ol|tr|table|h[1-6])\b[^>]*>", re.IGNORECASE)
_TAGS = re.compile(r"</?[a-zA-Z][^<>]{0,300}>")
_IMAGES = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINKS = re.compile(r"\[([^\]]*)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")
_ADDRESSES = re.compile(r"<?\b(?:https?://|www\.)[^\s<>()\"']*[^\s<>()\"'.,;:!?]>?|\b[\w.+-]+@[\w-]+\.[\w.]*\w")
_BEGINNINGS = re.compile(r"^\s*(?:#{1,6}\s+|>+\s*|\|)", re.MULTILINE)
_BULLETS = re.compile(r"(?:^|\n)[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+")
_FIRST_ITEMS, _ITEMS = re.compile(r":\s*\x1f"), re.compile(r"(?<=[^.!?:,;\s])\s*\x1f")
_RULES = re.compile(r"^\s*[-=_*|:\s]{3,}$", re.MULTILINE)
_EMPHASIS = re.compile(r"(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1|(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])|`+([^`\n]+)`+")
_EMPTY = re.compile(r"\(\s*[,;:]?\s*\)|\[\s*\]")
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[\"'(]?[A-Z0-9])|\s*\n\s*")
_ENDS = ".!?;:,"

_DEFAULTS = re.compile(
    r"\s*[(\[]\s*(?:(?:the\s+)?defaults?\b[^)\]]*|required|optional)\s*[)\]]"
    r"|(?:^|[,;]\s*)(?:the\s+)?default(?:s to|(?: value)? is|(?: value)?\s*[:=])\s*(?:\"[^\"]*\"|'[^']*'|[^\s,;]+)",
    re.IGNORECASE,
)
_BOILERPLATE = re.compile(
    r"\bsign(?:ed)?[ -]?up\b|\bsubscri(?:be|ption) (?:to|plan|for)\b|\bpricing\b|\bfree (?:plan|tier|trial)\b"
    r"|\bupgrade (?:to|your)\b|\bclick (?:here|on|the)\b|\bcontact us\b|\bfeel free\b|\bdo not hesitate\b"
    r"|\bterms of (?:use|service)\b|\brapidapi\b|\ball rights reserved\b|\bcopyright\b|\bfollow us\b"
    r"|\bjoin (?:our|us)\b"
    r"|\bfor (?:more|further) (?:info|details|help|examples)"
    r"|\b(?:see|read|check|visit|refer to|consult) (?:out )?(?:the|our|this|full|also)?\s*(?:\w+\s)?(?:docs?"
    r"|documentation|website|site|page|homepage|faq|link|tutorial|guide|github|repo(?:sitory)?|here|below)\b"
    r"|\b(?:learn|read) more\b|\bbuy me\b|\bdonat|\bpowered by\b|\bthank(?:s| you)\b|\bwelcome to\b"
    r"|\bif you have any\b"
    r"|\bplease (?:note that you|rate|report|let (?:us|me) know|email)\b|\b(?:e-?mail|support) (?:us|me|at)\b"
    r"|\btelegram\b|\bdiscord\b",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W_]+")


@lru_cache(maxsize=32_768)
def condensed(text: str, longest: int = LONGEST, name: str = "") -> str:
    """`text` on one line, at most `longest` characters of what it says; empty where that is no more than `name`."""
    if len(text) > longest or not _PLAIN.fullmatch(text) or _BOILERPLATE.search(text):
        text = _cut(_told(_stripped(text)), longest)
    text = " ".join(text.split())
    return "" if _words(text) == _words(name) else text


def _stripped(text: str) -> str:
    """The words alone: no code, no markup, no addresses; a list in its sentence, each paragraph on its own line."""
    text = _BREAKS.sub("\n", _BLOCKS.sub("\n", text))
    text = html.unescape(_TAGS.sub("", text)).replace("\N{NO-BREAK SPACE}", " ")
    text = _LINKS.sub(r"\1", _IMAGES.sub("", text))
    text = _ADDRESSES.sub("", text)
    text = _BULLETS.sub("\x1f", _BEGINNINGS.sub("", _RULES.sub("", text)))
    text = _ITEMS.sub(", ", _FIRST_ITEMS.sub(": ", text)).replace("\x1f", "\n")
    text = _EMPHASIS.sub(lambda found: found[2] or found[3] or found[4], text)
    return _EMPTY.sub("", text.replace("|", " "))


def _told(text: str) -> list[str]:
    """The sentences that say something, each once; one that only repeats a part of an earlier one is left out."""
    kept = list[str]()
    said = list[str]()
    for sentence in _SENTENCES.split(text):
        plain = " ".join(_DEFAULTS.sub("", sentence).split()).strip(" ,;:")
        words = _words(plain)
        if not words or _BOILERPLATE.search(plain) or any(f" {words} " in f" {one} " for one in said):
            continue
        said.append(words)
        kept.append(plain)
    return kept


def _cut(sentences: Iterable[str], longest: int) -> str:
    """As many whole sentences as fit; of the first, if it alone is too long, as many words."""
    text = ""
    for sentence in sentences:
        end = "" if not text or text[-1] in _ENDS else "."
        longer = f"{text}{end} {sentence}".lstrip()
        if len(longer) > longest:
            return text or sentence[: longest - 3].rsplit(" ", 1)[0].rstrip(" ,;:.") + "..."
        text = longer
    return text


def _words(text: str) -> str:
    return " ".join(_WORDS.findall(text.lower()))

"""Documentation made short by rule: without markup, links, boilerplate, defaults and what is said twice.

The floor under EasyTool's instructions (easytool.txt, 3.2): it needs no model, and stands in where no model wrote one.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from toolquiver.catalog.boilerplate import is_boilerplate
from toolquiver.catalog.stems import stems

LONGEST = 300
"""Characters of what a tool or an API is for."""
LONGEST_MEANING = 120
"""Characters of what a parameter means."""

_LONGEST_READ = 10_000  # characters: of signs that open without end each costs as many steps
_BLANKS = re.compile(r"[^\S\n]{2,}")
_PLAIN = re.compile(r"[\w ,;'()/+-]*[.]?")  # most texts: one sentence without anything to strip
_BLOCKS = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<(script|style|pre)\b.*?</\1\s*>|<!--.*?-->", re.DOTALL)
_ATTRIBUTES = r"(?:[\s/]+[\w:-]+\s*=[^<>]{0,300})?\s*/?>"
_BREAKS = re.compile(rf"<\s*/?\s*(?:br|p|div|li|ul|ol|tr|table|h[1-6]){_ATTRIBUTES}", re.IGNORECASE)
_TAGS = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|body|center|dd|del|dl|dt|em|font|head|hr|html|i|iframe|img|ins|kbd|mark|meta|nobr"
    rf"|pre|s|small|span|strike|strong|sub|sup|svg|tbody|td|th|thead|tt|u|var|wbr){_ATTRIBUTES}",
    re.IGNORECASE,
)
_PAIRS = re.compile(  # alone, each of these may be the place of a value
    rf"<(address|button|cite|code|data|details|form|label|link|object|q|section|summary|time|title){_ATTRIBUTES}"
    r"(.*?)</\1\s*>",
    re.IGNORECASE | re.DOTALL,
)
_IMAGES = re.compile(r"!\[[^\]]*\]\([^)]*\)|\[?!\[[^\]]*\]\([^)]*\Z")
_LINKS = re.compile(r"\[([^\]]*)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")
_ADDRESSES = re.compile(  # an e-mail address in quotes is a value
    r"<?\b(?:https?://|www\.)[^\s<>()\"']*[^\s<>()\"'.,;:!?]>?|(?<![\w.+\-\"'`“‘])[\w.+-]+@[\w-]+\.[\w.]*\w"  # noqa: RUF001
)
_BEGINNINGS = re.compile(r"^\s*(?:#{1,6}\s+|>+\s*|\|)", re.MULTILINE)
_BULLETS = re.compile(r"(?:^|\n)[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+")
_FIRST_ITEMS, _ITEMS = re.compile(r":\s*\x1f"), re.compile(r"(?<=[^.!?:,;\s])\s*\x1f")
_RULES = re.compile(r"^\s*[-=_*|:\s]{3,}$", re.MULTILINE)
_EMPHASIS = re.compile(  # but `price__gte`, `*.txt` and `image/*` are what they are
    r"\*\*(?=\S)(.+?)(?<=\S)\*\*|(?<!\w)(__|~~)(?=\S)(.+?)(?<=\S)\2(?!\w)"
    r"|(?<![\w*.\\/])\*(?![\s.\\/])([^*\n]+?)(?<=\S)\*(?![\w*\\/]|\.\w)|`+([^`\n]+)`+"
)
_EMPTY = re.compile(r"\(\s*[,;:]?\s*\)|\[\s*\]")
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[\"'(]?[A-Z0-9])|\s*\n\s*")
_ENDS = ".!?;:,"

_DEFAULTS = re.compile(
    r"\s*[(\[]\s*(?:(?:the\s+)?defaults?\b[^)\],;]*|required|optional)\s*[)\]]"
    r"|(?:^|[,;]\s*)(?:the\s+)?default(?:s to|(?: value)? is|(?: value)?\s*[:=])\s*"
    r"(?:\"[^\"]*\"|'[^']*'|[^\s,;]+(?:,[^\s,;]+)*)",
    re.IGNORECASE,
)
_TELLS_DEFAULT = r"(?:the |with )?(?:a )?defaults?(?: value)?(?: is| of| to|\s*[:=])?"
_WORDS = re.compile(r"[^\W_]+")
_CHANGES = re.compile(  # a heading, and the rows, the items and the versions below it
    r"^[ \t]*#{1,6}[ \t]*(?:recent changes|change ?log|release notes|version history)[ \t:#*]*$"
    r"(?:\n[ \t]*(?:$|\|.*|[*+-][ \t].*|\d+[.)][ \t].*|#{1,6}[ \t]*v?\d.*))*",
    re.IGNORECASE | re.MULTILINE,
)
_LONGEST_TITLE = 5  # words
_ARTICLES = {"a", "an", "the"}
_DENIES = re.compile(r"\b(?:no|not|never|only|without)\b|n't\b", re.IGNORECASE)


@lru_cache(maxsize=32_768)
def condensed(text: str, longest: int = LONGEST, name: str = "") -> str:
    """`text` on one line, at most `longest` characters of what it says; empty where that is no more than `name`.

    Boilerplate is left out where something else is said as well: what nothing else stands beside may be the meaning. So
    is a title that the next sentence says again.
    """
    sentences = _sentences(text, longest)
    telling = [one for one in sentences if not is_boilerplate(one)] if len(sentences) > 1 else sentences
    if len(telling) > 1 and _is_title(*telling[:2]):
        telling = telling[1:]
    return _line(telling or sentences, longest, name)


def cleaned(text: str, longest: int = LONGEST, name: str = "") -> str:
    """What a model wrote itself as one line: stripped and cut as documentation is, with every sentence of it."""
    return _line(_sentences(text, longest), longest, name)


def without_default(line: str, default: Any) -> str:
    """A condensed line without the words that only tell this default, which the schema has."""
    if default == "":
        return line
    value = re.escape(default if isinstance(default, str) else json.dumps(default))
    words = rf"{_TELLS_DEFAULT}\s*[\"']?{value}[\"']?"
    told = rf"\s*[(\[]{words}[)\]]|[,;.]?\s*(?<![(\[])\b{words}(?=\s*(?:[,;)\]]|\.(?!\w)|$))"
    return re.sub(told, "", line, flags=re.IGNORECASE).lstrip(" ,;:.")


def _sentences(text: str, longest: int) -> list[str]:
    if len(text) <= longest and _PLAIN.fullmatch(text) and not _DEFAULTS.search(text):
        return [" ".join(text.split())]
    # What was rows of a table, or addresses, is blanks once it is stripped.
    return _told(_BLANKS.sub(" ", _stripped(_BLANKS.sub(" ", text)[:_LONGEST_READ])))


def _line(sentences: list[str], longest: int, name: str) -> str:
    """As much as fits; without the name alone, after which what does not fit is cut instead."""
    only = _words(name)
    for begin in (0, 1):
        line = _cut(sentences[begin:], longest)
        if _words(line) != only:
            return line
    return ""


def _stripped(text: str) -> str:
    """The words alone: no code, markup, addresses, lists of changes; a list in its sentence, a line a paragraph."""
    text = _BREAKS.sub("\n", _BLOCKS.sub("\n", text))
    text = _CHANGES.sub("", text).strip() or text
    text = html.unescape(_TAGS.sub("", _PAIRS.sub(r"\2", text))).replace("\N{NO-BREAK SPACE}", " ")
    text = _LINKS.sub(r"\1", _IMAGES.sub("", text))
    text = _ADDRESSES.sub("", text)
    text = _BULLETS.sub("\x1f", _BEGINNINGS.sub("", _RULES.sub("", text)))
    text = _ITEMS.sub(", ", _FIRST_ITEMS.sub(": ", text)).replace("\x1f", "\n")
    text = _EMPHASIS.sub(lambda found: found[1] or found[3] or found[4] or found[5], text)
    return _EMPTY.sub("", text.replace("|", " "))


def _told(text: str) -> list[str]:
    """The sentences that say something, each once; one that only repeats a part of an earlier one is left out."""
    kept = list[str]()
    said = list[str]()
    for sentence in _SENTENCES.split(text):
        plain = " ".join(_DEFAULTS.sub("", sentence).split()).strip(" ,;:")
        words = _words(plain)
        if not words or any(f" {words} " in f" {one} " for one in said):
            continue
        said.append(words)
        kept.append(plain)
    return kept


def _is_title(sentence: str, following: str) -> bool:
    """Whether what follows begins as a few words do, and has them all in their order (`Get Fish. Get all fish.`)."""
    title, words = _words(sentence).split(), _words(following).split()
    if not 1 < len(title) <= _LONGEST_TITLE or title[0] != words[0] or ":" in sentence or _DENIES.search(sentence):
        return False
    rest = iter(words)
    return all(word in _ARTICLES or any(_alike(word, other) for other in rest) for word in title)


def _alike(word: str, other: str) -> bool:
    return word == other or (bool(stems(word)) and stems(word) == stems(other)) or f"{other}s" == word


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

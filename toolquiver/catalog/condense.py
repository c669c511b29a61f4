"""Documentation without markup, addresses and repeated sentences. What it means is not judged.

It needs no model, and stands in where EasyTool has written no instruction.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache

LONGEST = 1_000
"""Characters of one text, unless a caller sets another limit. What is cut ends in an ellipsis."""

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
_BOLD = re.compile(r"(?<![\w/\\])\*\*(?![/\\])|(?<![/\\])\*\*(?![\w/\\])")  # its ends may be in two sentences
_EMPHASIS = re.compile(  # but `price__gte`, `*.txt` and `image/*` are what they are
    r"(?<!\w)(__|~~)(?=\S)(.+?)(?<=\S)\1(?!\w)"
    r"|(?<![\w*.\\/])\*(?![\s.\\/])([^*\n]+?)(?<=\S)\*(?![\w*\\/]|\.\w)|`+([^`\n]+)`+"
)
_EMPTY = re.compile(r"\(\s*[,;:]?\s*\)|\[\s*\]")
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[\"'(]?[A-Z0-9])|\s*\n\s*")
_ENDS = ".!?;:,"

_WORDS = re.compile(r"[^\W_]+")


@lru_cache(maxsize=32_768)
def condensed(text: str, longest: int = LONGEST, name: str = "") -> str:
    """`text` on one line of at most `longest` characters, each sentence once; empty where it only repeats `name`."""
    sentences = _sentences(text, longest)
    if sentences and _words(sentences[0]) == _words(name):
        del sentences[0]
    return _cut(sentences, longest)


def _sentences(text: str, longest: int) -> list[str]:
    if len(text) <= longest and _PLAIN.fullmatch(text):
        return [" ".join(text.split())]
    # What was rows of a table, or addresses, is blanks once it is stripped.
    return _each_once(_BLANKS.sub(" ", _stripped(_BLANKS.sub(" ", text)[:_LONGEST_READ])))


def _stripped(text: str) -> str:
    """The words alone, without code, markup and addresses; a list in its sentence, a line a paragraph."""
    text = _BREAKS.sub("\n", _BLOCKS.sub("\n", text))
    text = html.unescape(_TAGS.sub("", _PAIRS.sub(r"\2", text))).replace("\N{NO-BREAK SPACE}", " ")
    text = _LINKS.sub(r"\1", _IMAGES.sub("", text))
    text = _ADDRESSES.sub("", text)
    text = _BULLETS.sub("\x1f", _BEGINNINGS.sub("", _RULES.sub("", text)))
    text = _ITEMS.sub(", ", _FIRST_ITEMS.sub(": ", text)).replace("\x1f", "\n")
    text = _EMPHASIS.sub(lambda found: found[2] or found[3] or found[4], _BOLD.sub("", text))
    return _EMPTY.sub("", text.replace("|", " "))


def _each_once(text: str) -> list[str]:
    """The sentences; one that stands in an earlier one word for word is left out."""
    kept, said = list[str](), list[str]()
    for sentence in _SENTENCES.split(text):
        plain = " ".join(sentence.split()).strip(" ,;:")
        words = _words(plain)
        if not words or any(f" {words} " in f" {one} " for one in said):
            continue
        said.append(words)
        kept.append(plain)
    return kept


def _cut(sentences: list[str], longest: int) -> str:
    """The sentences as one text, cut at a word with an ellipsis where it is longer than allowed."""
    text = ""
    for sentence in sentences:
        end = "" if not text or text[-1] in _ENDS else "."
        text = f"{text}{end} {sentence}".lstrip()
    return text if len(text) <= longest else text[: longest - 3].rsplit(" ", 1)[0].rstrip(" ,;:.") + "..."


def _words(text: str) -> str:
    return " ".join(_WORDS.findall(text.lower()))

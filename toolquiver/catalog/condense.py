"""Documentation without markup and without sentences that stand in it twice. What it means is not judged.

Words, values, code and addresses stay. It needs no model, and stands in where EasyTool has written no instruction.
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
_ATTRIBUTES = r"(?:[\s/]+[\w:-]+\s*=[^<>]{0,300})?\s*/?>"

_VERBATIM = re.compile(  # what looks like markup in code and addresses is none
    r"(?P<fence>```|~~~)(?:[\w+-]*\n)?(?P<block>.*?)(?:(?P=fence)|\Z)"
    r"|<(?P<unseen>script|style)\b.*?</(?P=unseen)\s*>|<!--.*?-->"
    rf"|<pre{_ATTRIBUTES}(?P<pre>.*?)</pre\s*>"
    r"|(?<!`)(?P<ticks>`+)(?P<span>[^`\n]+)(?P=ticks)"
    r"|(?P<address>\b(?:https?://|www\.)[^\s<>()[\]\"'`*|]*[^\s<>()[\]\"'`*|.,;:!?])",
    re.DOTALL | re.IGNORECASE,
)
_PLACES = re.compile(r"\x00(\d+)\x00")  # where a verbatim text stands while the rest is stripped

_BREAKS = re.compile(rf"<\s*/?\s*(?:br|p|div|li|ul|ol|tr|table|h[1-6]){_ATTRIBUTES}", re.IGNORECASE)
_ANCHORS = re.compile(
    r"<a\s+(?:[^<>]*\s)?href\s*=\s*[\"']?(?P<target>[^\"'<>\s]*)[^<>]*>(?P<text>.*?)</a\s*>", re.IGNORECASE | re.DOTALL
)
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
_LINKS = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]*)(?:\s+\"[^\"]*\")?\)")
_IN_ANGLES = re.compile(r"<(\x00\d+\x00)>")
_BEGINNINGS = re.compile(r"^\s*(?:#{1,6}\s+|>+\s+)", re.MULTILINE)
_BULLETS = re.compile(r"(?:^|\n)[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+")
_FIRST_ITEMS, _ITEMS = re.compile(r":\s*\x1f"), re.compile(r"(?<=[^.!?:,;\s])\s*\x1f")
_ROWS = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_RULES = re.compile(r"^\s*[-=_*|:\s]{3,}$", re.MULTILINE)
_BOLD = re.compile(r"(?<![\w/\\])\*\*(?![/\\])|(?<![/\\])\*\*(?![\w/\\])")  # its ends may be in two sentences
_EMPHASIS = re.compile(  # but `price__gte`, `*.txt` and `image/*` are what they are
    r"(?<!\w)(__|~~)(?=\S)(.+?)(?<=\S)\1(?!\w)|(?<![\w*.\\/])\*(?![\s.\\/])([^*\n]+?)(?<=\S)\*(?![\w*\\/]|\.\w)"
)
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[\"'(]?[A-Z0-9\x00])|\s*\n\s*")
_ENDS = ".!?;:,"
_BETWEEN_WORDS = re.compile(r"[\s_]+")


@lru_cache(maxsize=32_768)
def condensed(text: str, longest: int = LONGEST, name: str = "") -> str:
    """`text` on one line of at most `longest` characters, each sentence once; empty where it only repeats `name`."""
    sentences = _sentences(text, longest)
    if sentences and _spelled(sentences[0].removesuffix(".")) == _spelled(name):
        del sentences[0]
    return _cut(sentences, longest)


def _sentences(text: str, longest: int) -> list[str]:
    if len(text) <= longest and _PLAIN.fullmatch(text):
        return [" ".join(text.split())]
    numbers: dict[str, int] = {}  # of verbatim texts: the same has the same number

    def set_aside(found: re.Match[str]) -> str:
        said = found["block"] or found["pre"] or found["span"] or found["address"] or ""
        if found["pre"]:
            said = html.unescape(_TAGS.sub("", _PAIRS.sub(r"\2", said)))
        if not (said := " ".join(said.split())):
            return "\n"  # a comment, say
        place = f"\0{numbers.setdefault(said, len(numbers))}\0"
        return f" {place} " if found["fence"] or found["pre"] else place

    read = _BLANKS.sub(" ", text.replace("\0", ""))[:_LONGEST_READ]
    # What was a row of a table is blanks once it is stripped.
    once = _each_once(_BLANKS.sub(" ", _stripped(_VERBATIM.sub(set_aside, read))))
    verbatim = list(numbers)
    return [_PLACES.sub(lambda found: verbatim[int(found[1])], sentence) for sentence in once]


def _stripped(text: str) -> str:
    """The words alone, without markup; a list in its sentence, a line a paragraph."""
    text = _ANCHORS.sub(_link, _BREAKS.sub("\n", text))
    text = html.unescape(_TAGS.sub("", _PAIRS.sub(r"\2", text))).replace("\N{NO-BREAK SPACE}", " ")
    text = _IN_ANGLES.sub(r"\1", _LINKS.sub(_link, _IMAGES.sub("", text)))
    text = _ROWS.sub(lambda row: row[0].replace("|", " "), _RULES.sub("", text))
    text = _BULLETS.sub("\x1f", _BEGINNINGS.sub("", text))
    text = _ITEMS.sub(", ", _FIRST_ITEMS.sub(": ", text)).replace("\x1f", "\n")
    return _EMPHASIS.sub(lambda found: found[2] or found[3], _BOLD.sub("", text))


def _link(found: re.Match[str]) -> str:
    """A link as its text with its address."""
    text, target = found["text"], found["target"]
    return f"{text} ({target})" if text.strip() and target and target != text else text


def _each_once(text: str) -> list[str]:
    """The sentences, each the first time that it stands there."""
    once: dict[str, str] = {}
    for sentence in _SENTENCES.split(text):
        if plain := " ".join(sentence.split()):
            once.setdefault(plain.removesuffix("."), plain)
    return list(once.values())


def _cut(sentences: list[str], longest: int) -> str:
    """The sentences as one text, cut at a word with an ellipsis where it is longer than allowed."""
    text = ""
    for sentence in sentences:
        end = "" if not text or text[-1] in _ENDS else "."
        text = f"{text}{end} {sentence}".lstrip()
    return text if len(text) <= longest else text[: longest - 3].rsplit(" ", 1)[0].rstrip(" ,;:.") + "..."


def _spelled(text: str) -> str:
    """A name or a sentence in words, whatever their case and what joins them."""
    return _BETWEEN_WORDS.sub(" ", text).strip().lower()

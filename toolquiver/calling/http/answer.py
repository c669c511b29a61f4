"""What a reply says, as text: JSON compact, pages without their markup, what is no text by type and size."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable
from contextlib import suppress
from html.parser import HTMLParser
from typing import Any

from toolquiver.calling.http.exchange import Reply
from toolquiver.calling.http.styles import as_json
from toolquiver.calling.outcome import CallError

_SEVERAL = 2  # lines: one alone would be plain JSON
_LONGEST_PAGE = 100_000  # characters of a page that are looked through
_TEXTUAL = ("json", "xml", "javascript", "yaml", "csv", "x-www-form-urlencoded", "graphql")
_BEGINNING = 1024  # bytes, as browsers do it
_NAMED_INSIDE = re.compile(
    rb"<\?xml[^>]*\bencoding=[\"']([A-Za-z0-9._:-]+)|<meta[^>]*\bcharset=[\"']?([A-Za-z0-9._:-]+)", re.IGNORECASE
)
_WIDE = ("utf-16", "utf-32", "ucs-")  # in which no such name could be read
_PYTHONS = {  # codecs that are no character sets of pages: they take for ever, or give half surrogates
    "idna",
    "punycode",
    "raw-unicode-escape",
    "unicode-escape",
    "utf-7",
}
_BESIDE_HEAD = ("content-type", "content-length", "last-modified", "etag")
_SILENT = {"script", "style", "template", "noscript", "svg"}
_WHERE = ("location", "operation-location")  # of what was made, or is being made
_NAME_ENDS = r"(?=[\s/>]|$)"  # so that `<svg-icon>` is none of them
_OPENED = re.compile(rf"<(?:({'|'.join(sorted(_SILENT))}){_NAME_ENDS}|!(?=--))", re.IGNORECASE)
_CLOSED = {tag: re.compile(rf"</{tag}{_NAME_ENDS}[^>]*>?", re.IGNORECASE) for tag in _SILENT} | {"": re.compile("-->")}
_EMPTY = re.compile(r"""(?:[^<>"'/]|"[^"]*"|'[^']*'|/(?!>))*+/>""")  # the rest of a tag that closes itself
_LEFT_OPEN = re.compile(r"<(?![^<>]*>)")  # of these the parser looks for the end again and again
_APART = re.compile(
    r"address|article|aside|blockquote|br|caption|d[dlt]|details|dialog|div|fieldset|figcaption|figure|footer|form|"
    r"h[1-6]|header|hr|legend|li|main|nav|ol|optgroup|option|p|pre|section|select|summary|table|title|tr|ul"
)
_BLANKS = re.compile(r"\s+")
_BESIDE = " | "  # between the cells of a row


def answer(reply: Reply, hide: Callable[[str], str] = str) -> str:
    """The answer of a call that succeeded; `hide` takes secrets out of a text before it is cut.

    Raises:
        CallError: `tool_error`, when it is too large; `server_error`, when it is JSON that ends too early.
    """
    if reply.method == "HEAD":
        told = [f"{name}: {reply.headers[name]}" for name in _BESIDE_HEAD if name in reply.headers]
        return "\n".join([f"There it is (status {reply.status}).", *told])
    if not reply.content and reply.whole:
        place = next((reply.headers[name] for name in _WHERE if name in reply.headers), "")
        return f"Done (status {reply.status}); {f'it is at {hide(place)}' if place else 'the server returned nothing'}."
    text = text_of(reply)
    if text is None:
        return described(reply)
    if not reply.whole:
        raise CallError("tool_error", "The answer is too large to be read. Ask for a smaller part.")
    try:
        return compact(text)
    except ValueError as error:
        if (lines := _json_lines(text, media_type(reply))) is not None:
            return lines
        if text.lstrip()[:1] in {"{", "["} and "json" in media_type(reply):
            raise CallError("server_error", f"The answer is broken JSON ({error}): {excerpt(hide(text))}") from error
    return page_text(text, is_xml="xml" in media_type(reply)) if "html" in media_type(reply) else text


def parsed(reply: Reply) -> Any:
    """The JSON value of a reply; None when it has none."""
    try:
        return json.loads(text_of(reply) or "")
    except (ValueError, RecursionError):
        return None


def compact(text: str) -> str:
    """A JSON text without what separates its parts, and with nothing escaped that need not be.

    Raises:
        ValueError: it is no JSON, or deeper than can be read.
    """
    try:
        return as_json(json.loads(text)).encode("utf-8", "replace").decode()
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _json_lines(text: str, kind: str) -> str | None:
    """Values of JSON, one in each line and compact; None where that is not what the text is."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < _SEVERAL or not (lines[0].lstrip()[:1] in {"{", "["} or "json" in kind):
        return None
    try:
        return "\n".join(map(compact, lines))
    except ValueError:
        return None


def text_of(reply: Reply) -> str | None:
    """The content as text, by its character set; None when it is no text."""
    kind, content = media_type(reply), reply.content
    is_text = not kind or kind.startswith("text/") or any(word in kind for word in _TEXTUAL)
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    if not wide and (b"\0" in content[:1000] or (not is_text and content.lstrip()[:1] not in {b"{", b"["})):
        return None
    named = reply.headers.get("content-type", "").lower().partition("charset=")[2].split(";")[0].strip("\"' ")
    for charset in ("utf-16" if wide else named or _named_inside(content, kind) or "utf-8", "utf-8"):
        with suppress(LookupError, ValueError):  # it is none, or not that of the content
            if codecs.lookup(charset).name not in _PYTHONS:
                return content.decode(charset).removeprefix("\ufeff")
    return content.decode("utf-8-sig" if not reply.whole else "cp1252", "replace") if is_text else None


def _named_inside(content: bytes, kind: str) -> str:
    """The character set that a page, or a document of XML, names at its beginning; "" where it names none."""
    found = _NAMED_INSIDE.search(content[:_BEGINNING]) if "xml" in kind or "html" in kind else None
    charset = (found[1] or found[2]).decode().lower() if found else ""
    return "" if charset.startswith(_WIDE) else charset


def media_type(reply: Reply) -> str:
    """Such as `application/json`; "" when the reply does not say."""
    return str(reply.headers.get("content-type", "")).partition(";")[0].strip().lower()


def described(reply: Reply) -> str:
    """What cannot be shown: its type and its size in bytes."""
    size = reply.headers.get("content-length", "") if "content-encoding" not in reply.headers else ""
    if not size.isdecimal():
        size = str(len(reply.content)) if reply.whole else f"more than {len(reply.content)}"
    return f"The answer is {media_type(reply) or 'no text'}, {size} bytes; it is not shown."


def excerpt(text: str, length: int = 300) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text[: length * 4].split())
    return line if len(line) <= length else f"{line[:length]}..."


def page_text(html: str, *, is_xml: bool = False) -> str:
    """The readable text of a page, a line for each block and each row; of a very long one its beginning."""
    parser = _Page()
    parser.feed(_LEFT_OPEN.sub("&lt;", _spoken(html, is_xml=is_xml)[:_LONGEST_PAGE]))
    parser.close()
    lines = (" ".join(line.split()) for line in "".join(parser.pieces).splitlines())
    return "\n".join(line for line in lines if line.strip(_BESIDE))


def _spoken(html: str, *, is_xml: bool) -> str:
    """The page without scripts, styles, drawings and comments, which may be longer than all that it says."""
    parts, at = list[str](), 0
    for opened in _OPENED.finditer(html):
        if opened.start() >= at:
            parts.append(html[at : opened.start()])
            tag = (opened[1] or "").lower()
            closes_itself = tag == "svg" or (tag and is_xml)  # all others in HTML do not, whatever they end with
            closed = _EMPTY.match(html, opened.end()) if closes_itself else None
            closed = closed or _CLOSED[tag].search(html, opened.end())
            at = closed.end() if closed else len(html)
    return "".join([*parts, html[at:]])


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._inside: list[str] = []
        self._in_row = False

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """Pass over the beginning of a section that nobody knows, such as `<![foo[`; the rest of it is text."""
        try:
            return super().parse_marked_section(i, report)
        except AssertionError:
            return i + len("<![")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in _SILENT:
            self._inside.append(tag)
        self.pieces.append("\n" if _APART.fullmatch(tag) else "")
        if tag in {"td", "th"}:
            self.pieces.append(_BESIDE if self._in_row else "")
            self._in_row = True
        elif tag in {"table", "tr"}:
            self._in_row = False

    def handle_endtag(self, tag: str) -> None:
        if tag in self._inside:
            del self._inside[self._inside.index(tag) :]
        self.pieces.append("\n" if _APART.fullmatch(tag) else "")

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.pieces.append(_BLANKS.sub(" ", data))

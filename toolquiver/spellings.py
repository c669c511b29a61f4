"""How a secret can be written in what comes back: each of its characters as it is, in a URL, in JSON, in a page."""

from __future__ import annotations

import html
import re

_SHORT = {"\b": "b", "\t": "t", "\n": "n", "\f": "f", "\r": "r"}  # JSON's letters for what is not seen
_MOST = 8  # backslashes that one becomes where JSON stands in JSON in JSON


def spellings(secret: str) -> str:
    """A pattern of all spellings; escapes are matched in upper and lower case."""
    # With the backslashes before it, for it may get more of them: patterns apart would share them out in many ways.
    parts = re.findall(r"(\\*)(.?)", secret, re.DOTALL)
    return "".join(_part(char, len(run)) for run, char in parts)


def _part(char: str, slashes: int) -> str:
    if not slashes:
        return _one(char)
    escaped = "|".join(_escaped("\\"))
    return rf"(?:{_one(char, slashes)}|(?i:{escaped}){{{slashes}}}{_one(char)})"


def _one(char: str, slashes: int = 0) -> str:
    """A character, or none, after so many backslashes that are not escaped but for JSON."""
    if not char or (char.isascii() and char.isalnum()):
        return (_run(slashes, 0) if slashes else "") + char
    return f"(?:(?i:{'|'.join(_escaped(char, slashes))})|{_run(slashes) + re.escape(char)})"


def _escaped(char: str, slashes: int = 0) -> list[str]:
    """The same where it does not stand for itself; whoever writes JSON chooses: .NET escapes `+` and `&`, Go `&`."""
    first, *more = re.findall("....", char.encode("utf-16-be", "surrogatepass").hex())
    ways = [_run(slashes + 1) + "u" + first + "".join(f"{_run(1)}u{half}" for half in more)]
    if char in _SHORT:
        ways.append(_run(slashes + 1) + _SHORT[char])
    before = _run(slashes, 0) if slashes else ""
    ways.append(before + "".join(f"%{byte:02x}" for byte in char.encode("utf-8", "replace")))
    ways.append(f"{before}&#(?:0*{ord(char)}|x0*{ord(char):x});")
    if char == " ":
        ways.append(rf"{before}\+")
    if (named := html.escape(char)) != char:
        ways.append(before + named)
    return ways


def _run(least: int, more: int = _MOST - 1) -> str:
    """Backslashes, each as often as JSON in JSON makes it, and some more that belong to what follows."""
    return rf"\\{{{least},{least * _MOST + more}}}"

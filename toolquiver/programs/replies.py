"""The program in a model's reply: a code block, plain code, or calls that are written as JSON."""

from __future__ import annotations

import ast
import json
import string
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from langchain_core.utils.json import parse_json_markdown

from toolquiver.programs.functions import OWN, UNKNOWN, Function
from toolquiver.programs.source import tree_of

_FENCE = "```"
_PYTHON = ("", "python", "py", "python3", "tool_code")
_LANGUAGE_SIGNS = frozenset(string.ascii_letters + string.digits + "_+#-")  # of a name
_DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_WRITTEN = 50  # JSON objects that are read in a reply


def program_in(reply: str, known: Mapping[str, Function]) -> str:
    """The program in a reply: its Python blocks, or all of it where it is code that calls something; "" where none.

    Blocks of another language, and such as only define something, are part of a text. A call that is written down as
    JSON, as some models do, is a program of one call.
    """
    names = [*known, *OWN]
    blocks = [_block(one) for one in reply.split(_FENCE)[1::2]]
    shown = "\n".join(text for _, text in blocks).strip()
    if (not blocks or shown.startswith("{")) and (call := _written_calls(shown or reply, names)):
        return call
    if blocks:
        written = "\n".join(text for language, text in blocks if language in _PYTHON).strip()
        return "" if _only_defines(written) else written
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        tree = ast.parse(reply)
        called = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        if called & {*names, "print"}:
            return reply.strip()
    return ""


def _block(text: str) -> tuple[str, str]:
    """The language of a code block, "" where it names none, and the block without that name."""
    first, newline, rest = text.partition("\n")
    named = newline and (not first.strip() or _LANGUAGE_SIGNS.issuperset(first.strip()))
    return (first.strip().lower(), rest) if named else ("", text)


def _only_defines(program: str) -> bool:
    """Whether nothing would come of a program, since it only imports and defines."""
    body = tree_of(program).body
    return bool(body) and all(isinstance(one, _DEFINITIONS) for one in body)


def _written_calls(reply: str, names: list[str]) -> str:
    """The calls in a reply that are written as JSON objects, as code; several are a list of their results."""
    calls: list[str] = []
    begins = reply.find("{")
    for first in range(_WRITTEN):
        if begins < 0:
            break
        read, ends = _object_at(reply, begins, lenient=not first)
        given = read.get("arguments", read.get("parameters", {}))
        if isinstance(given, dict) and read.get("name") in names:
            calls.append(_as_code(read["name"], given))
        begins = reply.find("{", ends)
    return f"[{', '.join(calls)}]" if len(calls) > 1 else "".join(calls)


def _object_at(text: str, begins: int, *, lenient: bool) -> tuple[dict[str, Any], int]:
    """The JSON object that begins there, and where it ends; an empty one, of one character, where there is none."""
    with suppress(ValueError, RecursionError):
        read, ends = json.JSONDecoder().raw_decode(text, begins)
        return read, ends
    whole = text[begins : text.rfind("}") + 1] if lenient else ""
    for reader in (partial(parse_json_markdown, parser=json.loads), ast.literal_eval):
        with suppress(ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            read = reader(whole)
            if isinstance(read, dict):
                return read, len(text)
    return {}, begins + 1


def _as_code(name: str, given: dict[str, Any]) -> str:
    given = {key: value for key, value in given.items() if value != UNKNOWN}  # which is no text in code
    if all(key.isidentifier() for key in given):
        return f"{name}({', '.join(f'{key}={value!r}' for key, value in given.items())})"
    return f"{name}(**{given!r})"

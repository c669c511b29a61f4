"""The program in a model's reply: a code block, plain code, or calls that are written as JSON."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from langchain_core.utils.json import parse_json_markdown

from toolquiver.programs.functions import OWN, Function

_FENCE = "```"
_WRITTEN = 50  # JSON objects that are read in a reply


def program_in(reply: str, known: Mapping[str, Function]) -> str:
    """The program in a reply: its code blocks, or all of it where it is code that calls something; "" where none.

    A call that is written down as JSON, as some models do, is a program of one call.
    """
    names = [*known, *OWN]
    blocks = reply.split(_FENCE)[1::2]
    written = "\n".join(_without_language(block) for block in blocks).strip()
    if (not blocks or written.startswith("{")) and (call := _written_calls(written or reply, names)):
        return call
    if blocks:
        return written
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        tree = ast.parse(reply)
        called = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        if called & {*names, "print"}:
            return reply.strip()
    return ""


def _without_language(block: str) -> str:
    """A code block without the name of its language."""
    first, newline, rest = block.partition("\n")
    return rest if newline and (not first.strip() or first.strip().isidentifier()) else block


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
    if all(key.isidentifier() for key in given):
        return f"{name}({', '.join(f'{key}={value!r}' for key, value in given.items())})"
    return f"{name}(**{given!r})"

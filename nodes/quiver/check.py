"""The check of a program before anything is called: syntax, names, parameters, and the types of values."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence

from pydantic_monty import CollectString, Monty, MontyError, MontyTypingError

from toolquiver.nodes.quiver.functions import OWN, UNKNOWN, Function, stubs
from toolquiver.nodes.quiver.sandbox import PRINTED, session_of
from toolquiver.nodes.quiver.source import runnable

# What the checker may refuse. It knows no more of values than their types, so that all else is found at the call.
_REFUSED = frozenset(
    "invalid-argument-type invalid-key invalid-syntax parameter-already-assigned positional-only-parameter-as-kwarg"
    " too-many-positional-arguments unknown-argument unresolved-reference".split()
)
_ANY_TEXT = "found `str`"  # where one of a list of texts is wanted, a text that is computed may be one


def problem(program: str, known: Mapping[str, Function], variables: Sequence[str]) -> str:
    """Why a program cannot run, with the line; empty where it can. Nothing is called.

    Refused are what is no Python, names and parameters that do not exist, and values of another type than the
    parameter's. `variables` are names that earlier programs have assigned.
    """
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"It is no Python: {error}"
    defined = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    if own := [node for node in defined if node.name in known or node.name in OWN]:
        return f"Line {own[0].lineno}: {own[0].name} is there already. Call it, do not define it."
    with Monty() as pool, session_of(pool, stubs=stubs(known, variables)) as session:
        try:
            session.feed_start(runnable(program), inputs={UNKNOWN: UNKNOWN}, print_callback=CollectString(PRINTED))
        except MontyTypingError as error:
            return _refused(error.display(), program, known)
        except MontyError:
            pass  # found again when it runs, with the calls before it made
    return ""


def _refused(report: str, program: str, known: Mapping[str, Function]) -> str:
    """The first findings of the checker that count, a line each."""
    told, lines = [], program.splitlines()
    for finding in json.loads(report):
        said, row = finding["message"], finding["location"]["row"]
        of_gather = "gather" in said and finding["code"] == "invalid-argument-type"
        may_fit = _ANY_TEXT in said and "Literal" in said
        if finding["code"] in _REFUSED and not of_gather and not may_fit:
            shown = lines[row - 1].strip() if row <= len(lines) else ""
            told.append(f"Line {row}: {said}: {shown}")
    if told and any("unresolved" in finding["code"] for finding in json.loads(report)):
        told.append(f"The functions that there are: {', '.join([*known, *OWN])}.")
    return "\n".join(told[:5])

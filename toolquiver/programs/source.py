"""The source of a program: what it assigns, what of it can run, and which of its calls run side by side."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from toolquiver.programs.functions import OWN

ANSWER = "answer"
# What the sandbox can import; other imports are left out, since functions need none.
_MODULES = frozenset(
    "asyncio base64 bisect collections copy dataclasses datetime decimal functools hashlib itertools json math random"
    " re time typing unicodedata".split()
)


def tree_of(program: str) -> ast.Module:
    """The syntax tree of a program; an empty one of what is no Python."""
    try:
        return ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def looks_only(program: str) -> bool:
    """Whether the last line of a program only looks something up, for the planner to read."""
    last = tree_of(program).body[-1:]
    call = last[0].value if last and isinstance(last[0], ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in OWN


def runnable(program: str) -> str:
    """The program with each import that the sandbox has not replaced by blanks, so that all lines stay in place."""
    lines = program.splitlines()
    for node in ast.walk(tree_of(program)):
        if isinstance(node, ast.Import):
            modules = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [node.module or ""]
        else:
            continue
        if not all(module.split(".")[0] in _MODULES for module in modules):
            first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
            indent = lines[first][: node.col_offset]
            lines[first : last + 1] = [f"{indent}pass", *[""] * (last - first)]
    return "\n".join(lines)


def awaited(tree: ast.Module, program: str) -> Iterator[tuple[int, int]]:
    """The places, as bytes from and to, in which calls run side by side: what is awaited, or gathered by name."""
    at = _bytes_at(program)
    named: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Await):
            yield at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)
            parts = node.value.args if isinstance(node.value, ast.Call) else [node.value]
            names = [part.value if isinstance(part, ast.Starred) else part for part in parts]
            named |= {part.id for part in names if isinstance(part, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id in named for to in node.targets):
            yield at(node.value.lineno, node.value.col_offset), at(node.value.end_lineno, node.value.end_col_offset)


def _bytes_at(program: str) -> Callable[[int | None, int | None], int]:
    """From a line and a byte in it, as the syntax tree has them, to a byte of the program."""
    starts = [0]
    for line in program.split("\n"):
        starts.append(starts[-1] + len(line.encode()) + 1)
    return lambda line, column: starts[(line or 1) - 1] + (column or 0)


def assigned(programs: Sequence[str]) -> list[str]:
    """The names that these programs assign or import at any place."""
    found: dict[str, None] = {}
    for program in programs:
        tree = tree_of(program)
        found |= {
            node.id: None for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        found |= {node.name: None for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        found |= {(one.asname or one.name).partition(".")[0]: None for node in imports for one in node.names}
    return list(found)

"""The source of a program: what it names, what of it can run, and which of its calls run side by side."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from toolquiver.programs.functions import OWN

ANSWER = "answer"
# What the sandbox can import; other imports are left out, since functions need none. It has an `asyncio` of its own.
_MODULES = frozenset(
    "base64 bisect collections copy dataclasses datetime decimal functools hashlib itertools json math random"
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


def reads(program: str, name: str) -> bool:
    """Whether a program uses this variable, and does not only assign it."""
    names = (node for node in ast.walk(tree_of(program)) if isinstance(node, ast.Name) and node.id == name)
    return any(isinstance(node.ctx, ast.Load) for node in names)


def lines_of(program: str) -> list[str]:
    """The lines as Python counts them: other signs that end a line elsewhere stand in texts."""
    return program.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def runnable(program: str) -> str:
    """The program without the imports that the sandbox does not have. All lines stay in place."""
    lines = [line.encode() for line in lines_of(program)]
    imports = [node for node in ast.walk(tree_of(program)) if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in sorted(imports, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
        here = [module.partition(".")[0] in _MODULES for module in modules]
        if all(here):
            continue
        if isinstance(node, ast.Import):
            node.names = [name for name, there in zip(node.names, here, strict=True) if there]
        kept = ast.unparse(node) if any(here) else "pass"
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        changed = lines[first][: node.col_offset] + kept.encode() + lines[last][node.end_col_offset :]
        lines[first : last + 1] = [changed, *[b""] * (last - first)]
    return b"\n".join(lines).decode()


def awaited(program: str) -> set[tuple[int, int]]:
    """The calls, as bytes from and to, that run side by side: those that are awaited or gathered as they are.

    A list that is only there to be gathered may have a name.
    """
    tree, at = tree_of(program), _bytes_at(program)
    loads = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    values = {
        to.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for to in node.targets
        if isinstance(to, ast.Name) and loads[to.id] == 1
    }
    found = [one for node in ast.walk(tree) if isinstance(node, ast.Await) for one in _calls_in(node.value, values)]
    return {(at(one.lineno, one.col_offset), at(one.end_lineno, one.end_col_offset)) for one in found}


def _calls_in(node: ast.expr, values: Mapping[str, ast.expr]) -> Iterator[ast.Call]:
    """The calls whose results are what is awaited here: one call, and those that `gather` is given."""
    starred = isinstance(node, ast.Starred)
    node = node.value if isinstance(node, ast.Starred) else node
    if isinstance(node, ast.Name) and node.id in values:
        others = {name: value for name, value in values.items() if name != node.id}
        node, values = values[node.id], others
    parts: list[ast.expr] = []
    if isinstance(node, ast.Call):
        yield node
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        parts = node.args if name == "gather" else []
    elif starred and isinstance(node, ast.ListComp | ast.GeneratorExp):
        parts = [node.elt]
    elif starred and isinstance(node, ast.List | ast.Tuple):
        parts = node.elts
    for part in parts:
        yield from _calls_in(part, values)


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

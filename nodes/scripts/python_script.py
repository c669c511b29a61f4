"""A Python script as one formula: a name stands for what was assigned to it. Read by `ast`, never run.

A small model that was trained on code reasons best in the comments and names of a script. What it computes is told
here in the few words of formulas, so that the tools' calls can be made of it.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from itertools import islice
from typing import cast

_FENCED = re.compile(r"```\w*\n(.*?)(?:```|\Z)", re.DOTALL)
_MOST_NODES = 400
_MOST_INLINED = 50  # calls of a script's own functions, which may double from one to the next
_IN_FORMULAS = {
    ("exp", 1): "e ** a",
    ("pow", 2): "a ** b",
    ("log", 1): "ln(a)",
    ("log", 2): "ln(a) / ln(b)",
    ("log2", 1): "ln(a) / ln(2)",
    ("hypot", 2): "sqrt(a ** 2 + b ** 2)",
    ("factorial", 1): "perm(a, a)",
    ("float", 1): "a",
    ("round", 2): "a",
    ("int", 1): "floor(a)",
    ("trunc", 1): "floor(a)",
}
"""Python's functions, by how many arguments they are given, in the words of formulas."""


def script_formula(text: str, meant: Collection[str] = ()) -> ast.expr:
    """What a script prints last, or assigns last where it prints nothing, with all names put in.

    Functions of the script's own are put in too. `math`'s are told by their last name: `sqrt`, `ln`, `comb`. Those that
    are `meant` keep theirs: who is asked for a `log` writes `math.log`, which is the natural one.

    Raises:
        ValueError: it is no script, or does more than compute: it has loops or conditions, or is too long.
    """
    script = _Script({}, {}, meant, [])
    try:
        script.read(ast.parse(unfenced(text)).body)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError("That is no Python.") from error
    if script.result is None:
        raise ValueError("That computes nothing.")
    return script.result


def unfenced(text: str) -> str:
    """The script alone, without what is said around it."""
    fenced = _FENCED.search(text)
    return fenced[1] if fenced else text


def is_long(tree: ast.AST) -> bool:
    """Whether an expression is too long for a sum or a call; names that were put in may have doubled it many times."""
    return len([*islice(ast.walk(tree), _MOST_NODES)]) == _MOST_NODES


class _PutIn(ast.NodeTransformer):
    """Puts what names stand for in their places."""

    def __init__(self, names: dict[str, ast.expr]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.names.get(node.id, node)


class _Script(_PutIn):
    """Reads lines one after the other; expressions come out with names put in."""

    def __init__(
        self,
        names: dict[str, ast.expr],
        functions: dict[str, ast.FunctionDef],
        meant: Collection[str],
        inlined: list[str],
    ) -> None:
        super().__init__(names)
        self.functions, self.meant = functions, meant
        self._names_inlined = inlined  # of the whole script
        self.result: ast.expr | None = None
        self._printed = False

    def read(self, lines: Sequence[ast.stmt]) -> None:
        """Take up lines in their order, until one returns.

        Raises:
            ValueError: a line does more than compute.
        """
        for line in lines:
            match line:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                ):
                    self._assign(name, value)
                case ast.AugAssign(target=ast.Name(id=name), op=sign, value=value):
                    self._assign(name, ast.BinOp(ast.Name(name), sign, value))
                case ast.FunctionDef(name=name):
                    self.functions[name] = line
                case ast.Return(value=ast.expr() as value):
                    self.result = self._put_in(value)
                    return
                case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=shown)):
                    self._print(shown)
                case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
                    pass
                case _:
                    raise ValueError(f"This is no sum: {ast.unparse(line).splitlines()[0]}")

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return ast.Name(node.attr)  # math.pi

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.FloorDiv):
            return _called("floor", [ast.BinOp(node.left, ast.Div(), node.right)])
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        arguments = [self.visit(argument) for argument in node.args]
        named = {keyword.arg: self.visit(keyword.value) for keyword in node.keywords if keyword.arg}
        if name in self.functions and isinstance(node.func, ast.Name):
            return self._inlined(self.functions[name], arguments, named)
        arguments += named.values()
        return _called(name, arguments) if name in self.meant else _in_formulas(name, arguments)

    def _assign(self, name: str, value: ast.expr) -> None:
        self.names[name] = self._put_in(value)
        if not self._printed:
            self.result = self.names[name]

    def _print(self, shown: Sequence[ast.expr]) -> None:
        parts = [part for one in shown for part in (one.values if isinstance(one, ast.JoinedStr) else [one])]
        values = [part.value if isinstance(part, ast.FormattedValue) else part for part in parts]
        computed = [one for one in values if not (isinstance(one, ast.Constant) and isinstance(one.value, str))]
        if computed:
            self.result, self._printed = self._put_in(computed[-1]), True

    def _inlined(
        self, function: ast.FunctionDef, arguments: Sequence[ast.expr], named: Mapping[str, ast.expr]
    ) -> ast.expr:
        if len(self._names_inlined) == _MOST_INLINED:
            raise ValueError("That is too long for a sum.")
        self._names_inlined.append(function.name)
        given = dict(zip((argument.arg for argument in function.args.args), arguments, strict=False))
        others = {name: one for name, one in self.functions.items() if one is not function}  # no recursion
        body = _Script({**self.names, **given, **named}, others, self.meant, self._names_inlined)
        body.read(copy.deepcopy(function.body))
        if body.result is None:
            raise ValueError(f"{function.name} returns nothing.")
        return body.result

    def _put_in(self, value: ast.expr) -> ast.expr:
        made: ast.expr = self.visit(value)
        if is_long(made):
            raise ValueError("That is too long for a sum.")
        return made


def _in_formulas(name: str, arguments: Sequence[ast.expr]) -> ast.expr:
    """A call in Python's words, in those of formulas."""
    match name, arguments:
        case ("sum" | "prod", [ast.List(elts=[first, *rest]) | ast.Tuple(elts=[first, *rest])]):
            sign = ast.Add() if name == "sum" else ast.Mult()
            return reduce(lambda left, right: ast.BinOp(left, sign, right), rest, first)
    if template := _IN_FORMULAS.get((name, len(arguments))):
        given = dict(zip("ab", arguments, strict=False))
        return cast("ast.expr", _PutIn(given).visit(ast.parse(template, mode="eval").body))
    return _called(name, arguments)


def _called(name: str, arguments: Sequence[ast.expr]) -> ast.Call:
    return ast.Call(ast.Name(name), [*arguments], [])

"""A formula as calls: `535323 * (1 - 0.03)^3` or `lcm(38, 49, 28)`, read by `ast` and never run.

What a model would have to carry from call to call is carried by code: an operation takes the results of others by their
place, so no number is retyped on the way. Rounding is code's too, where no tool does it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from toolquiver.catalog import API, Parameter
from toolquiver.nodes.apis.converters import only_number
from toolquiver.nodes.scripts.computing import called, sign_of, that_does
from toolquiver.nodes.scripts.constants import NAMED, is_constant
from toolquiver.nodes.scripts.rounding import ROUNDING, rounded, to_whole
from toolquiver.nodes.state import Computed, Number, Operation, Term
from toolquiver.nodes.texts.grounding import unknown_numbers

_LONGEST = 200
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)%(?=\s*(?:[-+*/^),\]]|$))")  # 3% of something; 1899 % 18 is a remainder


def formula(text: str) -> ast.expr:
    """A formula as it is written, read.

    Raises:
        ValueError: it is not one; the message is for who wrote it.
    """
    try:
        return ast.parse(_as_python(text), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(
            "That is no formula: solve for what is asked, and write numbers, brackets, signs and functions alone."
        ) from error


def operations(formula: ast.expr, apis: Sequence[API], sources: Sequence[str]) -> list[Operation]:
    """The calls that compute the formula, the innermost first, each once; the last one's result is the formula's.

    Raises:
        ValueError: these APIs cannot compute it, or it has a number that neither the sources nor formulas have; the
            message is for who wrote it.
    """
    reader = _Reader(apis, sources)
    result = reader.term(formula)
    if not reader.found:
        raise ValueError("That computes nothing: write the formula, not its result.")
    if isinstance(result, dict) and "rounding" in result:
        reader.found[-1]["rounding"] = result["rounding"]
    return reader.found


def pattern(apis: Sequence[API]) -> str:
    """A regular expression for formulas of these APIs: numbers with a sign between any two, functions with a bracket.

    Written without backslashes and groups that are not captured: where llama.cpp meets some of these, it lets any text
    through.
    """
    calls = "".join(f"|{api.function}[(]" for api in apis)
    number = f"([(]|-{calls}){{0,5}}([0-9]{{1,15}}([.][0-9]{{1,15}})?|{'|'.join(NAMED)})[)]{{0,5}}"
    return f"^{number}( ?[-+*/%^,] ?{number}){{0,14}}$"


def filled(operation: Operation, observations: Sequence[str]) -> dict[str, Any] | None:
    """The arguments of an operation, with the results of those before; None where one of these has no number."""
    values: dict[str, Any] = {}
    for name, given in operation["arguments"].items():
        terms = [_value(term, observations) for term in (given if isinstance(given, list) else [given])]
        if None in terms:
            return None
        values[name] = terms if isinstance(given, list) else terms[0]
    return values


class _Reader:
    """Turns a syntax tree into operations."""

    def __init__(self, apis: Sequence[API], sources: Sequence[str]) -> None:
        self.apis, self.sources = apis, list(sources)
        self.found: list[Operation] = []

    def term(self, node: ast.expr) -> Term:
        """What this part of the formula stands for.

        Raises:
            ValueError: it stands for nothing that can be computed.
        """
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                return self._known(value)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.term(operand)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._negative(self.term(operand))
            case ast.Name(id=name) if name in NAMED:
                return float(NAMED[name])
            case ast.BinOp(left=left, op=sign, right=right):
                return self._made(self._of_sign(type(sign)), [self.term(left), self.term(right)])
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self._called(name, [self.term(part) for arg in args for part in _parts(arg)])
        raise ValueError(f"{ast.unparse(node)} cannot be computed with these functions.")

    def _known(self, value: Number) -> Number:
        written = Decimal(repr(value))
        if not written.is_finite() or (
            unknown_numbers(f"{written:f}", self.sources, counts=True) and not is_constant(written, self.sources)
        ):
            raise ValueError(
                f"{value} is not in the task: write in its place how it comes from the numbers of the task."
            )
        return value

    def _negative(self, term: Term) -> Term:
        if isinstance(term, int | float):
            return -term
        return self._made(self._of_sign(ast.Sub), [0, term])

    def _called(self, name: str, terms: list[Term]) -> Term:
        if api := called(name, self.apis):
            return self._made(api, terms)
        if name in ROUNDING and len(terms) == 1:  # no tool does it
            return to_whole(terms[0], ROUNDING[name])
        raise ValueError(f"There is no function {name}.")

    def _of_sign(self, kind: type[ast.operator]) -> API:
        if api := that_does(kind, self.apis):
            return api
        raise ValueError(f"No function does {sign_of(kind)}.")

    def _made(self, api: API, terms: list[Term]) -> Computed:
        operation = Operation(api=api.id, arguments=_bound(api, terms))
        if operation not in self.found:
            self.found.append(operation)
        return Computed(result=self.found.index(operation))


def _bound(api: API, terms: list[Term]) -> dict[str, Term | list[Term]]:
    parameters = api.parameter_list()
    required = [parameter for parameter in parameters if parameter.required]
    if len(required) == 1 and required[0].schema_.get("type") == "array":
        return {required[0].name: terms}
    if not len(required) <= len(terms) <= len(parameters):
        names = ", ".join(parameter.name for parameter in required)
        raise ValueError(f"{api.function} takes {names}.")
    ordered = [*required, *(parameter for parameter in parameters if not parameter.required)]
    return {parameter.name: _fitting(parameter, term) for parameter, term in zip(ordered, terms, strict=False)}


def _fitting(parameter: Parameter, term: Term) -> Term:
    whole = parameter.schema_.get("type") == "integer" and isinstance(term, float) and term.is_integer()
    return int(term) if whole and isinstance(term, float) else term


def _parts(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.List | ast.Tuple) else [node]


def _value(term: Term, observations: Sequence[str]) -> Number | str | None:
    if isinstance(term, int | float | str):  # a text is a number too large for the state
        return term
    number = only_number(observations[term["result"]])
    if number is not None and (way := term.get("rounding")):
        return rounded(number, way)
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _as_python(text: str) -> str:
    """The formula in Python's spelling: `^` is a power there, and `3%` nothing."""
    if len(text) > _LONGEST:
        raise ValueError("That is too long for a formula.")
    shares = _PERCENT.sub(lambda match: f"{Decimal(match[1]).scaleb(-2):f}", text)
    return shares.replace("^", "**").strip()

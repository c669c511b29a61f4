"""Nested calls as text, such as `BookRoom(person=Name2ID(name='Jack'), hours=2)`, read and written.

The text is Python's grammar of calls, read by `ast` and never run. Several calls on lines of their own are a plan of
several answers.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "none": None}


@dataclass(frozen=True)
class PlanCall:
    """A call with its arguments by name: JSON values, other calls, and lists and objects of both.

    An argument without a name goes by its place: `#0`.
    """

    name: str
    arguments: Mapping[str, Any]


Plan = tuple[PlanCall, ...]


def parse_plan(text: str) -> Plan:
    """The calls of a plan's text, outermost ones only; each has the others inside.

    Raises:
        ValueError: it is no plan.
    """
    try:
        body = ast.parse(text.strip()).body
        calls = [_value(statement.value) for statement in body if isinstance(statement, ast.Expr)]
    except (SyntaxError, MemoryError, RecursionError) as error:  # models write a thousand terms of a sum
        raise ValueError(f"This is no nested call: {error}") from error
    if len(calls) != len(body) or not calls or not all(isinstance(call, PlanCall) for call in calls):
        raise ValueError("A plan has nothing but calls.")
    return tuple(calls)


def render_plan(plan: Plan) -> str:
    """The plan as text, a line an outermost call; `parse_plan` reads it back."""
    return "\n".join(_text(call) for call in plan)


def inner_calls(value: Any) -> Iterator[PlanCall]:
    """The calls in an argument's value, not those inside of them."""
    if isinstance(value, PlanCall):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from inner_calls(part)
    elif isinstance(value, dict):
        yield from inner_calls(list(value.values()))


def renamed_plan(plan: Plan, names: Mapping[str, str]) -> Plan:
    """The plan with each API under the name that stands for it in `names`; others keep theirs."""
    return tuple(_renamed(call, names) for call in plan)


def call_order(plan: Plan) -> list[str]:
    """The names in the order in which the calls can be made: what gives an argument comes before what takes it."""
    order: list[str] = []
    for call in plan:
        for value in call.arguments.values():
            order += call_order(tuple(inner_calls(value)))
        order.append(call.name)
    return order


def plan_edges(plan: Plan) -> list[tuple[str, str, str]]:
    """Who gives what to whom: (the API that gives, the API that takes, the argument), for every nested call."""
    found: list[tuple[str, str, str]] = []
    for call in plan:
        for argument, value in call.arguments.items():
            inner = tuple(inner_calls(value))
            found += [(giver.name, call.name, argument) for giver in inner] + plan_edges(inner)
    return found


def plan_level(plan: Plan) -> int:
    """How deep the calls are nested: 0 for calls alone, 1 where one takes another's output (reverse_chain.txt, 3)."""
    inner = [tuple(inner_calls(value)) for call in plan for value in call.arguments.values()]
    return max((plan_level(calls) + 1 for calls in inner if calls), default=0)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, PlanCall):
        arguments = {name: _renamed(part, names) for name, part in value.arguments.items()}
        return PlanCall(names.get(value.name, value.name), arguments)
    if isinstance(value, list):
        return [_renamed(part, names) for part in value]
    if isinstance(value, dict):
        return {name: _renamed(part, names) for name, part in value.items()}
    return value


def _value(node: ast.expr) -> Any:
    found: Any
    match node:
        case ast.Constant(value=str() | int() | float() | bool() | None as found):
            pass
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            found = -number
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            found = [_value(part) for part in parts]
        case ast.Dict():
            found = _object(node)
        case ast.Name(id=name):
            found = _WORDS.get(name.lower(), name)  # models leave quotes out
        case ast.Call():
            found = PlanCall(_name(node.func), _arguments(node))
        case ast.BinOp(left=left, op=ast.Sub(), right=ast.Call() as call):
            found = PlanCall(f"{_name(left)}-{_name(call.func)}", _arguments(call))
        case _:
            raise ValueError(f"{ast.unparse(node)[:80]!r} is neither a value nor a call.")
    return found


def _object(node: ast.Dict) -> dict[str, Any]:
    if not all(isinstance(key, ast.Constant) for key in node.keys):
        raise ValueError("The keys of an object must be texts.")
    return {str(_value(key)): _value(value) for key, value in zip(node.keys, node.values, strict=True) if key}


def _name(node: ast.expr) -> str:
    """A name with dots and hyphens: catalogues have both."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=owner, attr=name):
            return f"{_name(owner)}.{name}"
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return f"{_name(left)}-{_name(right)}"
    raise ValueError(f"{ast.unparse(node)[:80]!r} is no name of an API.")


def _arguments(node: ast.Call) -> dict[str, Any]:
    found = {f"#{place}": _value(part) for place, part in enumerate(node.args)}
    for argument in node.keywords:
        value = _value(argument.value)
        if argument.arg is None and not isinstance(value, dict):
            raise ValueError("Only an object can follow `**`.")
        found |= value if argument.arg is None else {argument.arg: value}
    return found


def _text(value: Any) -> str:
    if isinstance(value, PlanCall):
        return f"{value.name}({', '.join(_argument(name, part) for name, part in value.arguments.items())})"
    if isinstance(value, list):
        return f"[{', '.join(_text(part) for part in value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_text(part)}" for key, part in value.items()) + "}"
    return repr(value)


def _argument(name: str, value: Any) -> str:
    if name.startswith("#"):
        return _text(value)
    # Python takes some letters for others in names, but not in texts.
    plain = name.isascii() and name.isidentifier() and not keyword.iskeyword(name)
    return f"{name}={_text(value)}" if plain else f"**{{{name!r}: {_text(value)}}}"

"""A script about things that have IDs, as calls: it speaks of a film, and code knows whose ID that is and who gives it.

A small model writes `movie_credits(movie).crew` after `movie = search_movie('Dune')`, and loses its way where it is to
write IDs. It also takes from a result what that does not have, and calls what is not there: `entity_meanings` says what
is meant. The script is read by `ast`, never run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import NamedTuple

from toolquiver.catalog import API
from toolquiver.nodes.apis.ids import ids_of, is_id
from toolquiver.nodes.scripts.entity_meanings import Meanings, Told, Unknown
from toolquiver.nodes.scripts.entity_names import in_order, thing
from toolquiver.nodes.scripts.entity_searches import Searches
from toolquiver.nodes.scripts.python_script import is_long, unfenced


class Reading(NamedTuple):
    """The calls that nothing else takes from, each on a line with its comment above it; and what was not understood."""

    text: str
    unknown: list[Unknown]


def read_script(text: str, functions: Mapping[str, API], told: Told, request: str) -> Reading:
    """The calls of a script with all that they take put in, by the APIs' own names and with named arguments.

    Lines of loops and conditions count as lines. What is no call of one of the functions, by the names that they have
    in the script, and cannot be meant for one either, is left out.

    Raises:
        ValueError: it is no script, or too long.
    """
    meanings, text = Meanings(functions, told, request), unfenced(text)
    script = _Script(meanings, Searches(meanings, request))
    try:
        for line in ast.parse(text).body:
            script.take(line)
        return Reading("\n".join(script.goals(text.splitlines())), list(meanings.unknown.values()))
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError("That is no Python.") from error


class _Script(ast.NodeTransformer):
    """Takes in lines one after the other; expressions come out as calls with named arguments, and names put in."""

    def __init__(self, meanings: Meanings, searches: Searches) -> None:
        self._meanings, self._searches = meanings, searches
        self._lines = list[tuple[ast.expr, int]]()  # the value, and where it stands
        self._latest = dict[str, int]()  # by the name of a result, which can be given again: the last line that gave it
        self._used = set[int]()
        self._result = ""  # what the line that is taken in calls its result

    def goals(self, text: Sequence[str]) -> Iterator[str]:
        """The comment and the call of each line that no other takes from."""
        for index, (value, number) in enumerate(self._lines):
            above = text[number - 2].strip() if number > 1 else ""
            for call in self._calls_in(value) if index not in self._used else ():
                yield f"{above if above.startswith('#') else ''}\n{self._written(self._searches.unsaid(call))}"

    def take(self, line: ast.stmt) -> None:
        """Take in a line, and those within it."""
        match line:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                self._result = ast.unparse(target)
                self._keep(self._result, self.visit(value), line.lineno)
            case ast.For(target=target, iter=value):
                self._keep(ast.unparse(target), self.visit(value), line.lineno)
            case ast.Expr(value=value):
                self._lines.append((_short(self.visit(value)), line.lineno))
            case _:
                pass
        for part in ("body", "orelse"):
            for inner in getattr(line, part, ()):
                self.take(inner)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._latest:
            return node
        self._used.add(self._latest[node.id])
        return self._lines[self._latest[node.id]][0]

    def visit_ListComp(self, node: ast.ListComp | ast.GeneratorExp) -> ast.expr:
        for one in node.generators:
            self._used.add(self._keep(ast.unparse(one.target), self.visit(one.iter), 0))
        made: ast.expr = self.visit(node.elt)
        return made

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        return self.visit_ListComp(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return self._part(self.visit(node.value), node.attr)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        value: ast.expr = self.visit(node.value)
        match node.slice:
            case ast.Constant(value=str(name)):
                return self._part(value, name)
        return value

    def visit_Call(self, node: ast.Call) -> ast.expr:
        given: list[ast.expr] = [self.visit(one) for one in node.args]
        named: dict[str, ast.expr] = {one.arg: self.visit(one.value) for one in node.keywords if one.arg}
        match node.func:
            case ast.Name(id=name) if api := self._meanings.functions.get(name):
                return self._called(api, given, named)
            case ast.Name(id=name):
                pass
            case ast.Attribute(value=owner, attr=name):
                given = [self.visit(owner), *given]
            case _:
                return node
        subject = next((one for one in [*given, *named.values()] if self._meanings.api(one)), None)
        if subject:
            meant = self._meanings.function(name, subject, self._result)
            return self._meanings.called_on(meant, subject, *given[1:]) if meant else subject
        match given:
            case [ast.Constant(value=str(text))] if found := self._searches.missing(name, text):
                return found
        nearest = self._meanings.nearest(name) if isinstance(node.func, ast.Name) else None
        return self._called(nearest, given, named) if nearest else ast.Call(node.func, given, [])

    def _keep(self, name: str, value: ast.expr, number: int) -> int:
        """Keep what a name stands for from here on, and say which of the lines that is."""
        self._latest[name] = len(self._lines)
        self._lines.append((_short(value), number))
        return self._latest[name]

    def _part(self, value: ast.expr, name: str) -> ast.expr:
        """The value where its API returns what is called so, else the call that does, of the thing that it is about."""
        if dedicated := self._meanings.dedicated(name, value):
            return self._meanings.called_on(dedicated, value)
        if self._meanings.holds(value, name):
            return value
        meant = self._meanings.field(name, value) or self._meanings.further(name, value)
        meant = meant or self._meanings.told(name, value)
        return self._meanings.called_on(meant, value) if meant else self._meanings.part(value, name)

    def _called(self, api: API, given: Sequence[ast.expr], named: Mapping[str, ast.expr]) -> ast.expr:
        """The call with named arguments; of a thing of another kind that of the API which is for such things."""
        names = {thing(parameter): parameter for parameter in in_order(api)}
        own = {parameter.name: name for name, parameter in names.items()}
        arguments = dict(zip(names, given, strict=False)) | {own.get(name, name): v for name, v in named.items()}
        for name, parameter in names.items():
            value = arguments.get(name)
            if value is None or not self._meanings.api(value):
                continue
            if not is_id(parameter):
                if not ids_of(api) and value in given:  # what is found already is not searched for
                    return value
            elif not self._meanings.gives(value, parameter):
                if other := self._meanings.for_kind(api, parameter, value):
                    rest = [arguments[one] for one in names if one in arguments and one != name]
                    return self._meanings.called_on(other, value, *rest)
                if between := self._meanings.between(api, parameter, value):
                    arguments[name] = self._meanings.called_on(between, value)
            else:
                self._meanings.is_known(value)
        own_names = {names[n].name: v for n, v in arguments.items() if n in names}
        return self._searches.meant(api, own_names) or self._meanings.call(api, own_names)

    def _calls_in(self, value: ast.AST) -> Iterator[ast.expr]:
        """The outermost calls within an expression."""
        if isinstance(value, ast.expr) and self._meanings.api(value):
            yield value
            return
        for part in ast.iter_child_nodes(value):
            yield from self._calls_in(part)

    def _written(self, call: ast.expr) -> str:
        own = _Renamed({name: api.function for name, api in self._meanings.functions.items()})
        return ast.unparse(own.visit(deepcopy(_short(call))))


def _short(value: ast.expr) -> ast.expr:
    """The expression.

    Raises:
        ValueError: it is too long for a call.
    """
    if is_long(value):
        raise ValueError("That is too long for a call.")
    return value


class _Renamed(ast.NodeTransformer):
    """The functions by their own names: no names in Python, but only written."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._names.get(node.id, node.id))

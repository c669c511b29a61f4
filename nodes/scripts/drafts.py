"""A nested call that a model has written, as a draft: read by `ast`, never run, and only as good as it is checked.

A small model writes `to_morse(reverse_text('planet'))` where, asked step by step which API comes next, it is lost. But
it leaves out links, and takes from an API what that does not return: so a chain takes of a draft what holds.
"""

from __future__ import annotations

import ast
import json
import re
import textwrap
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from toolquiver.calling.arguments import misfits
from toolquiver.catalog import API, ApiId, Parameter
from toolquiver.catalog.fits import LOOSE, Feeding, Fit, feeding
from toolquiver.catalog.stems import stems
from toolquiver.nodes.scripts.nested_calls import calls_of
from toolquiver.nodes.sources import REQUEST, Sources
from toolquiver.nodes.state import Draft

Apis = Mapping[ApiId, API]

_LARGEST = 60  # calls
_CALLED = re.compile(  # a text in quotes, closed or not, is matched first, so that no name is found in it
    r"('{3}|\"{3})(?:\\[\s\S]|[^\\])*?\1|'(?:\\.|[^'\\\n])*'?|\"(?:\\.|[^\"\\\n])*\"?"
    r"|(?<![\w.'\"-])(?P<name>\w[\w-]*)(?=\s*\()"
)


class Written(NamedTuple):
    """A call as it is written down, and what is said of it."""

    draft: Draft
    words: str


def read_drafts(text: str, apis: Sequence[API], task: str = "") -> list[Written]:
    """The calls as drafts, without defaults, and with numbers under the names that the task gives them.

    One nested call, or lines of which each gives its result a name that the later ones take: then those calls that no
    other takes from, with the comments above them; where there is none, with the names of their APIs.

    Raises:
        ValueError: it is no call of these APIs; the message is for who wrote it.
    """
    functions = {f"f{number}": api for number, api in enumerate(apis)}
    text = textwrap.dedent(text).strip().strip("`")
    reader = _Reader(text, functions, task)
    try:
        for line in ast.parse(_as_python(text, functions)).body:
            reader.take(line)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError("That is no nested call.") from error
    if not reader.found:
        raise ValueError("That is no call of one of the functions.")
    return reader.found


def told_apart(words: Sequence[str]) -> list[str]:
    """What is said of each goal, with a number where that is said of one before."""
    return [
        f"{said} ({times})" if (times := list(words[: place + 1]).count(said)) > 1 else said
        for place, said in enumerate(words)
    ]


def held(
    draft: Draft, parameters: Sequence[Parameter], offered: Mapping[str, Sequence[Feeding]], apis: Apis
) -> Sources:
    """Where a draft says that arguments come from, as far as that can be: values that fit, and APIs that are offered.

    Whether a value stands in a text is not looked at here; a default is not written down. `apis` are those of the
    draft's calls.
    """
    found = Sources()
    for parameter in parameters:
        name, value = parameter.name, draft["values"].get(parameter.name)
        giving = _giving(draft["calls"].get(name), parameter, offered[name], apis)
        if giving:
            found[name] = {"from": giving.function}
        elif value not in (None, parameter.schema_.get("default")) and not misfits(parameter.whole_schema, value):
            found[name] = {"from": REQUEST, "value": value}
    return found


def carried(call: Draft | None, producer: API, apis: Apis) -> Draft | None:
    """What was written for an argument, as a draft of the API that gives it.

    `sunset(latitude=capital('Latvia'))` leaves out a link: what makes coordinates of a city's name takes the capital's.
    """
    if call is None or call["api"] == producer.id:
        return call
    fits = {p.name: feeding(apis[call["api"]], producer, p).fit for p in producer.required_list()}
    taking = max(fits, key=lambda name: fits[name], default="")
    return Draft(api=producer.id, values={}, calls={taking: call}) if taking and fits[taking] else None


def calls_in(draft: Draft) -> list[ApiId]:
    """The APIs whose output a draft's call takes."""
    return list(dict.fromkeys(call["api"] for call in draft["calls"].values()))


def _giving(call: Draft | None, parameter: Parameter, offered: Sequence[Feeding], apis: Apis) -> API | None:
    """The API that was written; where its type alone fits, rather one that fits by name and can take its output.

    That an airport has a `name` too does not speak for it where a capital was written for the `name` of a city.
    """
    if call is None:
        return None
    written = [fed for fed in offered if fed.api.id == call["api"]]
    telling = not (call.get("meant") or LOOSE.issuperset(stems(parameter.name)))
    if not written or (telling and not any(fed.fit > Fit.TYPE for fed in written)):
        written = [fed for fed in offered if fed.fit >= Fit.HELD and carried(call, fed.api, apis)] or written
    return written[0].api if written else None


def _as_python(text: str, functions: Mapping[str, API]) -> str:
    """The text with short names for functions: a name of the catalogue need not be one in Python."""
    known = {api.function: short for short, api in functions.items()}

    def short(match: re.Match[str]) -> str:
        name = match["name"]
        return known.get(name) or _meant(name, known) if name else match[0]

    return _CALLED.sub(short, text)


def _meant(name: str, known: Mapping[str, str]) -> str:
    """The short name of the one function that has all words of an unknown name, or whose words the name has all.

    A model writes `find_city_lookup` for `city_lookup`. One word in common is too little.
    """
    words = set(stems(name))
    if len(words) <= 1:
        return name
    own = {function: set(stems(function)) for function in known}
    meant = [one for one in known if len(own[one]) > 1 and (own[one] <= words or words <= own[one])]
    return known[meant[0]] if len(meant) == 1 else name


class _Reader:
    """Takes in the lines of a text one after the other, with what their results are called.

    Raises:
        ValueError: a call has too many others within it.
    """

    def __init__(self, text: str, functions: Mapping[str, API], task: str) -> None:
        self.found = list[Written]()
        self._lines = text.splitlines()
        self._sizes = dict[int, int]()  # by the identity of a draft, how many calls it stands for
        self._functions, self._task = functions, task
        self._named = dict[str, Draft | ast.Constant]()

    def take(self, line: ast.stmt) -> None:
        """Take in a line; what is neither a call nor a value says nothing."""
        if not isinstance(line, ast.Expr | ast.Assign):
            return
        call = self._call(line.value)
        if call and call not in calls_of(*(one.draft for one in self.found)):
            self.found = [one for one in self.found if one.draft not in calls_of(call)]
            name = next(api.name for api in self._functions.values() if api.id == call["api"])
            self.found.append(Written(call, self._above(line) or name))
        for target in line.targets if isinstance(line, ast.Assign) else ():
            if named := call or (line.value if isinstance(line.value, ast.Constant) else None):
                self._named[ast.unparse(target)] = named
            else:
                self._named.pop(ast.unparse(target), None)

    def _above(self, line: ast.stmt) -> str:
        """The comment above a line, if there is one."""
        above = self._lines[line.lineno - 2].strip() if line.lineno > 1 else ""
        return above.lstrip("# ") if above.startswith("#") else ""

    def _call(self, part: ast.expr) -> Draft | None:
        """A call of one of the functions, whatever is taken of its output; None for anything else."""
        while isinstance(part, ast.Attribute | ast.Subscript):
            part = part.value
        if isinstance(part, ast.Name) and isinstance(named := self._named.get(part.id), dict):
            return named
        if not isinstance(part, ast.Call) or not isinstance(part.func, ast.Name):
            return None
        return self._made(self._functions[part.func.id], part) if part.func.id in self._functions else None

    def _made(self, api: API, call: ast.Call) -> Draft:
        given = dict(zip((parameter.name for parameter in api.parameter_list()), call.args, strict=False))
        given |= {word.arg: word.value for word in call.keywords if word.arg}
        given = _by_known_names(given, api)
        draft = Draft(api=api.id, values={}, calls={})
        for name, value in given.items():
            if inner := self._call(value):
                draft["calls"][name] = inner
            elif (literal := self._literal(value)) is not None:
                draft["values"][_as_said(name, literal, api, self._task, given)] = literal
        self._sizes[id(draft)] = 1 + sum(self._sizes[id(inner)] for inner in draft["calls"].values())
        if self._sizes[id(draft)] > _LARGEST:  # a few lines that take each other twice are thousands of calls
            raise ValueError("These are too many calls in one.")
        defaults = {parameter.name: parameter.schema_["default"] for parameter in _optional(api)}
        draft["values"] = {n: v for n, v in draft["values"].items() if n not in defaults or v != defaults[n]}
        return draft

    def _literal(self, part: ast.expr) -> Any:
        named = self._named.get(part.id) if isinstance(part, ast.Name) else None
        try:
            literal = ast.literal_eval(named if isinstance(named, ast.Constant) else part)
            json.dumps(literal)
        except (ValueError, TypeError):  # a name, something to be computed, a set
            return None
        return literal


def _by_known_names(given: dict[str, ast.expr], api: API) -> dict[str, ast.expr]:
    """The arguments that the API has; one of another name is for the only required one that is not given."""
    names = {parameter.name: parameter.required for parameter in api.parameter_list()}
    found = {name: value for name, value in given.items() if name in names}
    open_, others = [n for n, required in names.items() if required and n not in found], given.keys() - names.keys()
    return found | ({open_[0]: given[others.pop()]} if len(open_) == len(others) == 1 else {})


def _optional(api: API) -> list[Parameter]:
    return [p for p in api.parameter_list() if not p.required and "default" in p.schema_]


def _as_said(name: str, value: Any, api: API, task: str, given: Collection[str]) -> str:
    """The parameter that a number is for: `days` of `90 days`, if there is one that is free, and not `years`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return name
    following = re.search(rf"(?<![\w.]){re.escape(str(value))}((?:\s+[^\W\d]+){{1,2}})", task)
    said = set(stems(following[1])) if following else set[str]()
    meant = [p.name for p in api.parameter_list() if p.name not in given and said.issuperset(stems(p.name))]
    return meant[0] if meant and not said & set(stems(name)) else name

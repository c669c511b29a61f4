"""Which API is meant where a script about things takes what a result does not have, or calls what is not there.

What can feed what, and what each API returns, says it; where these leave it open, somebody has to.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from copy import copy
from typing import NamedTuple

from toolquiver.catalog import API, ApiId, Parameter
from toolquiver.catalog.feeds import output_fields
from toolquiver.catalog.field_names import same, stem
from toolquiver.catalog.fits import LOOSE, Fit, feeding
from toolquiver.catalog.outputs import fields_of
from toolquiver.catalog.records import slug
from toolquiver.catalog.stems import stems
from toolquiver.nodes.apis.ids import ids_of
from toolquiver.nodes.scripts.entity_kinds import details_of, tells_of_itself, things_in
from toolquiver.nodes.scripts.entity_names import in_order, thing

Told = Mapping[tuple[ApiId, str], ApiId | None]
"""Which API is meant, as somebody has said, by a field of the result of an API, or by a function (then of none: "")."""


class Unknown(NamedTuple):
    """A field that no API returns under this name (of `thing`), or a function that does not exist; what may be meant.

    Where `named` is set it is a name in the request, and the options are the searches that may find it.
    """

    source: ApiId
    name: str
    thing: str
    options: list[API]
    named: bool = False


class Taking(NamedTuple):
    """An API that takes a thing, the parameter for its ID, and what says which thing it is."""

    api: API
    parameter: Parameter
    subject: ast.expr


class Meanings:
    """What is meant among these functions, by their names in a script.

    `heard` is what somebody has told, `unknown` what nobody has told yet.
    """

    def __init__(self, functions: Mapping[str, API], told: Told, request: str) -> None:
        self.functions, self.unknown = functions, dict[tuple[ApiId, str], Unknown]()
        self.heard, self._request = told, set(stems(request))
        self._things, self._details = dict[ApiId, list[str]](), details_of(functions.values())
        self._short = {api.id: name for name, api in functions.items()}
        self._open = list[tuple[ast.expr, tuple[ApiId, str]]]()  # results of which a part is not known

    def api(self, call: ast.expr) -> API | None:
        """The API of a call; None for anything else."""
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            return self.functions.get(call.func.id)
        return None

    def call(self, api: API, arguments: Mapping[str, ast.expr]) -> ast.Call:
        """A call of the API with named arguments."""
        return ast.Call(ast.Name(self._short[api.id]), [], [ast.keyword(n, v) for n, v in arguments.items()])

    def called_on(self, taking: Taking, value: ast.expr, *more: ast.expr) -> ast.Call:
        """The call of what takes a thing, with more arguments in their order, or those of the same names as before."""
        asked, wanted = _arguments(value), taking.api.required_list()
        others = [parameter.name for parameter in in_order(taking.api) if parameter.name != taking.parameter.name]
        kept = {parameter.name: asked[parameter.name] for parameter in wanted if parameter.name in asked}
        given = kept | dict(zip(others, more, strict=False)) | {taking.parameter.name: taking.subject}
        return self.call(taking.api, given)

    def holds(self, value: ast.expr, name: str) -> bool:
        """Whether what a call returns has a field of this name, or is what its API is called for.

        Of what is listed for a thing, the parts are called as one likes.
        """
        api = self.api(value)
        if api is None or (ids_of(api) and not tells_of_itself(api)) or _has(api, name):
            return True
        lacking = {parameter.name for parameter in api.required_list()} - _arguments(value).keys()
        return not lacking and set(stems(name)) <= self.words(api)

    def field(self, name: str, value: ast.expr, *, exactly: bool = False) -> Taking | None:
        """What takes the thing that a value is or is about and returns a field of this name, or is called so."""
        for one in self._taking(value):
            if any(slug(f) == name if exactly else same(stem(f), stem(name)) for f in output_fields(one.api.output)):
                return one
        wanted = set(stems(name))
        return next((one for one in self._taking(value) if wanted and self._own_words(one) == wanted), None)

    def further(self, name: str, value: ast.expr) -> Taking | None:
        """What takes a thing that the details of the value's thing name: the reviews of a film of a collection."""
        for one in self._taking(value):
            if tells_of_itself(one.api) and (found := self.field(name, self.called_on(one, value))):
                return found
        return None

    def told(self, name: str, value: ast.expr) -> Taking | None:
        """What somebody has said that it tells the field; where nobody has, it is unknown.

        What tells of one thing by its ID was asked for a field of that thing, not of those that it names.
        """
        source, every = self.api(value), self._taking(value)
        taking = [one for one in every if not tells_of_itself(one.api) and len(one.api.required_list()) == 1]
        if source and ids_of(source) and tells_of_itself(source):
            taking = [one for one in taking if one.subject is not value and one.api.id != source.id]
        kinds = LOOSE.union(*(stems(one.parameter.name) for one in every))
        if not source or not taking or kinds.issuperset(stems(name)):
            return None
        key = source.id, name
        if key in self.heard:
            return next((one for one in taking if one.api.id == self.heard[key]), None)
        options = list({one.api.id: one.api for one in taking if one.subject is taking[0].subject}.values())
        if options[1:]:
            self.unknown[key] = Unknown(*key, thing(taking[0].parameter), options)
        return None

    def function(self, name: str, value: ast.expr, result: str = "") -> Taking | None:
        """What takes the thing and returns what a function's name ends with, or has all of its words.

        Else what returns things of the kind that the `result` is called, or has most of the words.
        """
        kinds = set(stems(result))
        taking, words, last = self._taking(value), set(stems(name)), slug(name).split("_")[-1]
        if field := self.field(last, value, exactly=True):
            return field
        if found := [one for one in taking if words <= self.words(one.api)]:
            return found[0]
        if further := self.further(last, value):
            return further
        wanted = [one for one in taking if any(set(stems(kind)) - {"id"} == kinds for kind in self.kinds(one.api))]
        if kinds and wanted:
            return wanted[0]
        counted = [(len(words & self.words(one.api)), one) for one in taking]
        best = max((count for count, _ in counted), default=0)
        return next((one for count, one in counted if count == best), None) if best else None

    def nearest(self, name: str) -> API | None:
        """The function that somebody has said is meant by one that is not there; else it is unknown."""
        key, words = (ApiId(""), name), set(stems(name))
        if key in self.heard:
            return next((api for api in self.functions.values() if api.id == self.heard[key]), None)
        options = [api for short, api in self.functions.items() if words & set(stems(short))]
        described = [api for api in options if words <= set(stems(f"{self._short[api.id]} {api.description}"))]
        if len(described) == 1:
            return described[0]
        if options and not hasattr(builtins, name):
            self.unknown[key] = Unknown(*key, "", options)
        return None

    def part(self, value: ast.expr, name: str) -> ast.expr:
        """A result of which a part is taken that is not known yet: of which kind it is, what it is given to may say."""
        source = self.api(value)
        if source is None or (source.id, name) not in self.unknown:
            return value
        self._open.append((part := copy(value), (source.id, name)))
        return part

    def is_known(self, value: ast.expr) -> None:
        """A part of this result is of the kind that is needed: nobody has to say what it is."""
        for part, key in self._open:
            if part is value:
                self.unknown.pop(key, None)

    def dedicated(self, name: str, value: ast.expr) -> Taking | None:
        """What returns just that of which the request speaks, where the details of a thing have it among the others."""
        source, words = self.api(value), set(stems(name))
        if not source or not ids_of(source) or not tells_of_itself(source):
            return None
        asked = [word for word in stems(name) if word in self._request][:1] if words - self._request else []
        for one in self._taking(value) if asked else ():
            if one.subject is not value and any(stems(f) == asked for f in output_fields(one.api.output)):
                return one
        return None

    def gives(self, value: ast.expr, parameter: Parameter) -> bool:
        """Whether a value has things of the parameter's kind."""
        api = self.api(value)
        return api is not None and parameter.name in self.kinds(api)

    def for_kind(self, api: API, parameter: Parameter, value: ast.expr) -> Taking | None:
        """The API that does the same with things of another kind: of a person `person_movie_credits`."""
        wanted = self.words(api) - set(stems(parameter.name))
        return next((one for one in self._taking(value) if wanted <= self.words(one.api)), None)

    def between(self, api: API, parameter: Parameter, value: ast.expr) -> Taking | None:
        """The one API that gives the ID and takes a thing of the kind that the value has or was asked for."""
        texts = [str(one.value) for one in _arguments(value).values() if isinstance(one, ast.Constant)]
        said = set(stems(" ".join(texts)))
        found = [
            Taking(other, own[0], value)
            for other in self.functions.values()
            if len(own := ids_of(other)) == 1
            and feeding(other, api, parameter).fit >= Fit.HELD
            and (self.gives(value, own[0]) or said & set(stems(thing(own[0]))))
        ]
        return found[0] if len(found) == 1 else None

    def _taking(self, value: ast.expr) -> list[Taking]:
        """The APIs that take a thing which the value is or is about, those first that need the fewest arguments."""
        if (source := self.api(value)) is None:
            return []
        asked = _arguments(value)
        inside = [kind for kind in self.kinds(source) if kind not in asked]
        found = list(self._takers(value, asked, inside))
        kinds = {kind: place for place, kind in enumerate(inside)}
        return sorted(found, key=lambda one: (kinds.get(one.parameter.name, len(kinds)), len(in_order(one.api))))

    def _takers(self, value: ast.expr, asked: Mapping[str, ast.expr], inside: list[str]) -> Iterator[Taking]:
        for api in self.functions.values():
            for parameter in ids_of(api):
                if parameter.name in inside:
                    yield Taking(api, parameter, value)
                elif parameter.name in asked:
                    yield Taking(api, parameter, asked[parameter.name])

    def kinds(self, source: API) -> list[str]:
        """The kinds of things that an API returns; finding them takes long."""
        if source.id not in self._things:
            self._things[source.id] = things_in(source, self.functions.values(), self._details)
        return self._things[source.id]

    def _own_words(self, one: Taking) -> set[str]:
        """What an API's name says besides the kind of thing that it takes."""
        return self.words(one.api) - set(stems(one.parameter.name))

    def words(self, api: API) -> set[str]:
        """The words of the name that an API has in a script."""
        return set(stems(self._short[api.id]))


def _arguments(value: ast.expr) -> dict[str, ast.expr]:
    return {word.arg: word.value for word in value.keywords if word.arg} if isinstance(value, ast.Call) else {}


def _has(api: API, name: str) -> bool:
    """Whether the API returns a field of this name, at any depth."""
    return any(same(stem(field.name), stem(name)) for field in fields_of(api.output))

"""What a search in a script is for: the kind of thing that the request names, or a list.

A small model writes `search_movie('Cate Blanchett')` to get an actress's films. Where the request shows that the name
has films rather than is one, it is searched for among the things that have films.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from toolquiver.catalog import API, ApiId, Parameter
from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import content_words
from toolquiver.nodes.apis.ids import ids_of
from toolquiver.nodes.scripts.entity_meanings import Meanings, Unknown
from toolquiver.nodes.scripts.entity_names import thing

_OWNER = re.compile(r"\s*['\u2019]s?\s")
_MADE_BY = re.compile(r"\b(?:by|from|starring|featuring|with)\s+(?:the\s+)?$", re.IGNORECASE)
_WHICH = re.compile(r"\s+(?:that|which|who)\s+(?!is\b|are\b|was\b|were\b)[^.?!]*$", re.IGNORECASE)
_LIKE = re.compile(r"\b(?:to|like|as|than)\s+(?:the\s+)?$", re.IGNORECASE)
_BESIDE = 2  # words before a name that can say of which kind it is: the TV show Dark


class Searches:
    """What the searches among some functions are meant for, in a script for a request."""

    def __init__(self, meanings: Meanings, request: str) -> None:
        self._meanings, self._request, self._said = meanings, request, set(stems(request))
        self._apis = list(meanings.functions.values())
        self._by_kind = {kind: api for api in self._apis if (kind := self._kind(api))}

    def meant(self, api: API, arguments: Mapping[str, ast.expr]) -> ast.expr | None:
        """What a search is meant for where not for what it says: a list, or the things that something has."""
        text, kind = _text_of(api), self._kind(api)
        if not (text and kind):
            return None
        match arguments.get(text.name):
            case None | ast.Constant(value=None):
                name = ""
            case ast.Constant(value=str(name)):
                pass
            case _:
                return None
        listing = self._listing(api, name)
        return self._meanings.call(listing, {}) if listing else self._had(kind, name)

    def missing(self, function: str, name: str) -> ast.expr | None:
        """What a function is called for that is not there: of a kind that no search finds, those that the named has."""
        kinds = {parameter.name: set(stems(thing(parameter))) for api in self._apis for parameter in ids_of(api)}
        kind = next((kind for kind, words in kinds.items() if words <= set(stems(function))), "")
        return self._had(kind, name) if kind and kind not in self._by_kind else None

    def unsaid(self, call: ast.expr) -> ast.expr:
        """The call, then one for the things that it lists, if the request has a word for that and no call does."""
        said, source = set(stems(ast.unparse(call).replace("_", " "))), self._meanings.api(call)
        for kind in self._meanings.kinds(source) if source else ():
            for api in self._taking(kind):
                own = self._meanings.words(api) - set(stems(kind))
                if own and own <= self._said and not own & said:
                    return self._meanings.call(api, {kind: call})
        return call

    def _kind(self, api: API) -> str:
        """Which kind of things an API searches by a text; empty where it is no search."""
        return next(iter(self._meanings.kinds(api)), "") if _text_of(api) else ""

    def _listing(self, api: API, text: str) -> API | None:
        """The list that is meant by a search for nothing, or for words such as `popular`: one of which these speak."""
        if text and (
            re.search(rf"\b{re.escape(text)}\b", self._request) or not set(stems(text)) <= self._said
        ):  # a name
            return None
        for other in self._apis:
            own = self._meanings.words(other) - _words(self._kind(api))
            spoken_of = not other.required_list() and own and own <= self._said
            if spoken_of and self._kind(api) in self._meanings.kinds(other):
                return other
        return None

    def _had(self, kind: str, name: str) -> ast.expr | None:
        """The things of a kind that has what is called so; where that can be several things, it is unknown which."""
        holders = [*self._holders(kind, name)]
        searches = {self._by_kind[holder].id: holder for holder in holders}
        key = ApiId(""), name
        if len(searches) > 1 and key not in self._meanings.heard:
            options = [self._by_kind[holder] for holder in holders]
            self._meanings.unknown[key] = Unknown(*key, thing="", options=options, named=True)
            return None
        told = self._meanings.heard.get(key) or ApiId("")
        holder = holders[0] if len(holders) == 1 else searches.get(told, "")
        if not holder or not (text := _text_of(self._by_kind[holder])):
            return None
        value = self._meanings.call(self._by_kind[holder], {text.name: ast.Constant(name)})
        for step in self._way(holder, kind):
            value = self._meanings.call(step, {ids_of(step)[0].name: value})
        return value

    def _holders(self, kind: str, name: str) -> list[str]:
        """The kinds of things that `name` can be where the request says that it is not of this kind; else nothing.

        What stands before a name says what it is. Else it has things of this kind where they are `its`, or `by` it, or
        do something to it: the company that made it.
        """
        place = self._request.lower().find(name.lower())
        if not name or place < 0:
            return []
        before, after = self._request[:place], self._request[place + len(name) :]
        words, follows = _words(kind), set(stems(" ".join(re.findall(r"\w+", after)[:1])))
        named = [other for other in self._by_kind if _words(other) & _beside(before)]
        if named or words & follows:
            return [] if kind in named or words & follows else named[:1]
        if kind in self._by_kind and (_LIKE.search(before) or not _has(words, before, after)):
            return []
        ways = {other: len(self._way(other, kind)) for other in self._by_kind if other != kind}
        nearest = min((steps for steps in ways.values() if steps), default=0)
        return [other for other, steps in ways.items() if steps and steps == nearest]

    def _way(self, holder: str, kind: str) -> list[API]:
        """The APIs one after the other that lead from a thing to the things of a kind that it has; at most two."""
        first = self._taking(holder)
        for api in first:
            if kind in self._meanings.kinds(api):
                return [api]
        for api in first:
            for between in self._meanings.kinds(api)[:1]:
                if found := next((one for one in self._taking(between) if kind in self._meanings.kinds(one)), None):
                    return [api, found]
        return []

    def _taking(self, kind: str) -> list[API]:
        """The APIs that take a thing of a kind, and nothing else that they need."""
        return [api for api in self._apis if [p.name for p in api.required_list()] == [kind] and ids_of(api)]


def _text_of(api: API) -> Parameter | None:
    """The one input that a search needs, a text; None for another API."""
    needed = api.required_list()
    searches = len(needed) == 1 and not ids_of(api) and needed[0].schema_.get("type") == "string"
    return needed[0] if searches and "enum" not in needed[0].schema_ else None


def _words(kind: str) -> set[str]:
    return set(stems(kind)) - {"id"}


def _has(words: set[str], before: str, after: str) -> bool:
    """Whether what is called by the words belongs to the name between these texts, or does something to it."""
    if _OWNER.match(after) and words & set(stems(after)):
        return True
    which = _WHICH.search(before)
    said = words & set(stems(before[: which.start()] if which else before))
    return bool(said and (which or _MADE_BY.search(before)))


def _beside(before: str) -> set[str]:
    """What stands right before a name, if the last word says something: the words `TV show`, but not `films that`."""
    last = re.findall(r"\w+", before)[-_BESIDE:]
    return set(stems(" ".join(last))) if content_words(" ".join(last[-1:])) else set()

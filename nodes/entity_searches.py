"""What a search in a script about things is for: of which kind the thing is that the request names, or which list.

A small model writes `search_movie('Cate Blanchett')` for the films of an actress. Where the request says that the name
has the film, and is none, it is searched for among what has films.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import content_words
from toolquiver.nodes.entity_names import required
from toolquiver.nodes.mending import ids_of

_OWNER = re.compile(r"\s*['\u2019]s?\s")
_MADE_BY = re.compile(r"\b(?:by|from|starring|featuring|with)\s+(?:the\s+)?$", re.IGNORECASE)
_WHICH = re.compile(r"\s+(?:that|which|who)\s+(?!is\b|are\b|was\b|were\b)[^.?!]*$", re.IGNORECASE)
_LIKE = re.compile(r"\b(?:to|like|as|than)\s+(?:the\s+)?$", re.IGNORECASE)
_BESIDE = 2  # words before a name that can say of which kind it is: the TV show Dark

Kinds = Callable[[API], list[str]]
"""The kinds of things that an API returns, by the names of the parameters for their IDs."""


class Searches:
    """The searches among these functions, for a request."""

    def __init__(self, functions: Mapping[str, API], kinds: Kinds, request: str) -> None:
        self._functions, self._kinds, self._request = functions, kinds, request
        self._by_kind = {kind: api for api in functions.values() if (kind := self.kind(api))}

    def kind(self, api: API) -> str:
        """Which kind of things an API searches by a text; empty where it is no search."""
        return next(iter(self._kinds(api)), "") if text_of(api) else ""

    def of(self, kind: str) -> API | None:
        """The search for things of a kind."""
        return self._by_kind.get(kind)

    def listing(self, api: API, text: str) -> API | None:
        """The list that is meant by a search for nothing, or for words such as `popular`: one of which these speak."""
        said, wanted = set(stems(self._request)), set(stems(text))
        if text and (text in self._request or not wanted <= said):  # a name
            return None
        for other in self._functions.values():
            own = set(stems(_short(self._functions, other))) - _words(self.kind(api))
            fitting = own <= said and (not wanted or own & wanted)
            if not required(other) and own and fitting and self.kind(api) in self._kinds(other):
                return other
        return None

    def holders(self, kind: str, name: str) -> list[str]:
        """The kinds of things that `name` can be where the request says that it is none of this kind; else none.

        What stands before a name says what it is. Else it has things of this kind where they are `its`, or `by` it, or
        do something to it: the company that made it.
        """
        place = self._request.lower().find(name.lower())
        if not name or place < 0:
            return []
        before, behind = self._request[:place], self._request[place + len(name) :]
        words, follows = _words(kind), set(stems(" ".join(re.findall(r"\w+", behind)[:1])))
        named = [other for other in self._by_kind if _words(other) & _beside(before)]
        if named or words & follows:
            return [] if kind in named or words & follows else named[:1]
        which = _WHICH.search(before)
        has = (_OWNER.match(behind) and words & set(stems(behind))) or (
            words & set(stems(before[: which.start()] if which else before)) and (which or _MADE_BY.search(before))
        )
        if kind in self._by_kind and (not has or _LIKE.search(before)):
            return []
        return [other for other in self._by_kind if other != kind and self.way(other, kind)]

    def way(self, holder: str, kind: str) -> list[API]:
        """The APIs one after the other that lead from a thing to the things of a kind that it has; at most two."""
        first = self.taking(holder)
        for api in first:
            if kind in self._kinds(api):
                return [api]
        for api in first:
            for between in self._kinds(api)[:1]:
                if found := next((one for one in self.taking(between) if kind in self._kinds(one)), None):
                    return [api, found]
        return []

    def taking(self, kind: str) -> list[API]:
        """The APIs that take a thing of a kind, and nothing else that they need."""
        return [api for api in self._functions.values() if [p.name for p in required(api)] == [kind] and ids_of(api)]


def text_of(api: API) -> Parameter | None:
    """The one input that a search needs, a text; None for another API."""
    needed: Sequence[Parameter] = required(api)
    searches = len(needed) == 1 and not ids_of(api) and needed[0].schema_.get("type") == "string"
    return needed[0] if searches and "enum" not in needed[0].schema_ else None


def _words(kind: str) -> set[str]:
    return set(stems(kind)) - {"id"}


def _beside(before: str) -> set[str]:
    """What stands right before a name, if the last word says something: the words `TV show`, but not `films that`."""
    last = re.findall(r"\w+", before)[-_BESIDE:]
    return set(stems(" ".join(last))) if content_words(" ".join(last[-1:])) else set()


def _short(functions: Mapping[str, API], api: API) -> str:
    return next((name for name, one in functions.items() if one.id == api.id), api.name)

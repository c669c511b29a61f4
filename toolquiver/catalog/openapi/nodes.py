"""Places in a document, and in those that it refers to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from typing import Any
from urllib.parse import unquote, urldefrag

from toolquiver.catalog.openapi.fetch import fetch, may_refer
from toolquiver.catalog.openapi.parse import parse
from toolquiver.catalog.openapi.resources import Names, Path, bases, child, joined, names, steps
from toolquiver.errors import CatalogError

_REFERENCES = ("$ref", "$dynamicRef")
_KINDS = {dict: "an object", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}

_TRUTHS = {"true": True, "false": False}


class Documents:
    """The documents of one import, read as they are referred to, each once.

    With `contents` the first is not read: they are it.
    """

    def __init__(self, uri: str, contents: Any = None) -> None:
        self.uri = uri
        self._contents: dict[str, Any] = {}
        self._names: dict[str, Names] = {}
        self._places: dict[str, tuple[str, Path]] = {}  # where what has this URI stands: the document, and the way
        if contents is not None:
            self._contents[uri], self._places[uri] = contents, (uri, ())

    def root(self) -> Node:
        """The document that everything begins with.

        Raises:
            CatalogError: it cannot be read, or is neither JSON nor YAML.
        """
        self._read(self.uri)
        return Node(self._contents[self.uri], self.uri, (), self)

    def look_up(self, node: Node, reference: str) -> Node:
        """What a reference at a node leads to: by the `$id` around it or `$self`, else by the document's address.

        Raises:
            CatalogError: nothing is there.
        """
        said = ""
        for base in bases(self._contents.get(node.uri), node.uri, node.path):
            try:
                return self._at(*joined(base, reference))
            except CatalogError as error:
                said = f"but {error}"
            except (LookupError, ValueError):
                said = "which is not there. Correct the reference."
        raise node.error(f"refers to {reference!r}, {said}")

    def dynamic(self, name: str) -> int:
        """How many schemas, in all documents that were read, have this name as their `$dynamicAnchor`."""
        return sum(len(self._named(uri).dynamic.get(name, ())) for uri in self._contents)

    def _at(self, uri: str, fragment: str) -> Node:
        self._read(uri)
        document, top = self._places[uri]
        anchored = fragment and not unquote(fragment).startswith("/")
        path = self._named(document).anchors[top, unquote(fragment)] if anchored else (*top, *steps(fragment))
        return Node(reduce(child, path, self._contents[document]), document, path, self)

    def _read(self, uri: str) -> None:
        """Know where a URI is: in a document that was read, or in one that is read now."""
        if uri in self._places:
            return
        for document in self._contents:
            self._named(document)
        if uri in self._places:
            return
        if not may_refer(self.uri, uri):
            raise CatalogError(f"{uri!r} is another server. Fetch the document, and import the copy.")
        self._contents[uri] = parse(fetch(uri), _short(uri))
        self._places[uri] = (uri, ())

    def _named(self, document: str) -> Names:
        if document not in self._names:
            found = self._names[document] = names(self._contents[document], document)
            for uri, path in found.uris.items():
                self._places.setdefault(uri, (document, path))
        return self._names[document]


@dataclass(frozen=True)
class Node:
    """A value in a document, with its place: the document's URI and the way down to it."""

    value: Any = field(repr=False)
    uri: str
    path: tuple[str, ...]
    documents: Documents = field(repr=False, compare=False)

    @property
    def place(self) -> str:
        """The document's name and a JSON pointer: `petstore.yaml#/paths/~1pets/get`."""
        return f"{_short(self.uri)}#{''.join('/' + _escaped(part) for part in self.path)}"

    def error(self, message: str) -> CatalogError:
        """An error that names this place."""
        return CatalogError(f"{self.place}: {message}")

    def __contains__(self, key: str) -> bool:
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def at(self, key: str) -> Node:
        """The member of this object; its value is None when there is no such member, or no object here.

        Raises:
            CatalogError: here is something else than an object.
        """
        if not isinstance(self.value, dict | None):
            raise self.error(f"must be an object, but is {_KINDS[type(self.value)]}. Correct the document there.")
        return Node((self.value or {}).get(key), self.uri, (*self.path, key), self.documents)

    def members(self) -> Iterator[tuple[str, Node]]:
        """The members of this object and their names; none when it is not there.

        Raises:
            CatalogError: here is something else than an object.
        """
        for key in self.of(dict) or ():
            yield key, self.at(key)

    def parts(self) -> Iterator[Node]:
        """The parts of this list; none when it is not there.

        Raises:
            CatalogError: here is something else than a list.
        """
        for number, value in enumerate(self.of(list) or ()):
            yield Node(value, self.uri, (*self.path, str(number)), self.documents)

    def of(self, kind: type) -> Any:
        """The value, of this type or None; a text "true" or "false" is taken for what it says.

        Raises:
            CatalogError: it is of another type.
        """
        if kind is bool and isinstance(said := truth(self.value), bool):
            return said
        if self.value is not None and not isinstance(self.value, kind):
            found = _KINDS[type(self.value)]
            raise self.error(f"must be {_KINDS[kind]}, but is {found}. Correct the document there.")
        return self.value

    def text(self, key: str, default: str = "") -> str:
        """The text of a member, or `default`; a number is taken as it is written.

        Raises:
            CatalogError: the member is no text.
        """
        found = self.at(key).as_text()
        return default if found is None else found

    def as_text(self) -> str | None:
        """This text, or None; a number is taken as it is written.

        Raises:
            CatalogError: it is no text.
        """
        if isinstance(self.value, int | float) and not isinstance(self.value, bool):
            return str(self.value)
        found: str | None = self.of(str)
        return found

    def reference(self) -> str:
        """Where this node refers to, by `$ref` or else by `$dynamicRef`; "" when it is no reference."""
        said = [self.value.get(key) for key in _REFERENCES] if isinstance(self.value, dict) else []
        return next((one for one in said if isinstance(one, str)), "")

    def step(self) -> Node:
        """What this reference leads to.

        Raises:
            CatalogError: nothing is there, or it depends on where the schema is used.
        """
        target = self.documents.look_up(self, self.reference())
        name = "" if isinstance(self.value.get("$ref"), str) else self.reference().rpartition("#")[2]
        if name and "$dynamicAnchor" in target and self.documents.dynamic(name) > 1:
            raise self.error(f"may mean any {name!r}, by where it is used. Write '$ref' to the one that is meant.")
        return target

    def follow(self) -> Node:
        """The node itself, or what its reference, and the reference there, leads to in the end.

        Raises:
            CatalogError: nothing is there, or the references run in a circle.
        """
        node, seen = self, set[tuple[str, tuple[str, ...]]]()
        while node.reference():
            if (node.uri, node.path) in seen:
                raise self.error("refers to itself in a circle. Correct the reference.")
            seen.add((node.uri, node.path))
            node = node.step()
        return node


def truth(value: Any) -> Any:
    """The value; of a text "true" or "false" what it says."""
    return _TRUTHS.get(value.lower(), value) if isinstance(value, str) else value


def _short(uri: str) -> str:
    """A document's name; without the query of its address, which may hold a key."""
    return unquote(urldefrag(uri)[0].partition("?")[0].rstrip("/").rpartition("/")[2])


def _escaped(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")


def _unescaped(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")

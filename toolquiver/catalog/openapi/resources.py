"""Parts of a document that have a URI or a name of their own: by `$self`, `$id`, `$anchor` and `$dynamicAnchor`."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import unquote, urldefrag, urljoin

from toolquiver.catalog.openapi.keywords import VALUES

Path = tuple[str, ...]

_NAMES = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties", "schemas"})


class Names(NamedTuple):
    """What a document calls parts of itself, each with the way to it.

    `uris` are the parts that have a URI of their own, which references in them are relative to; `anchors` the names in
    the part at a path, and `dynamic` the ways to those that a `$dynamicRef` may mean, by name.
    """

    uris: dict[str, Path]
    anchors: dict[tuple[Path, str], Path]
    dynamic: dict[str, list[Path]]


def names(contents: Any, uri: str) -> Names:
    """What the document at a URI calls parts of itself; of a name that is there twice the first counts."""
    found = Names({}, {}, {})
    waiting, seen = [(contents, Path(), uri, Path())], set[int]()
    while waiting:
        value, path, base, top = waiting.pop()
        if not isinstance(value, dict | list) or id(value) in seen:  # YAML has one value in several places
            continue
        seen.add(id(value))
        if isinstance(value, dict):
            if own := _own_uri(value, path, base):
                base, top = own, path
                found.uris.setdefault(base, path)
            _add_anchors(found, value, path, top)
        waiting += [(part, (*path, key), base, top) for key, part in reversed(_parts(value, path))]
    return found


def bases(contents: Any, uri: str, path: Path) -> list[str]:
    """What a reference at a path can be relative to: the URI of the part around it, of the next, of the document.

    Only the first counts by the standards; many documents mean a later one.
    """
    found, value = [uri], contents
    for depth, key in enumerate((*path, "")):
        if isinstance(value, dict) and (own := _own_uri(value, path[:depth], found[-1])):
            found.append(own)
        try:
            value = child(value, key)
        except LookupError:  # the end, or what stands in no document
            break
    return list(dict.fromkeys(reversed(found)))


def joined(base: str, reference: str) -> tuple[str, str]:
    """The URI that a reference leads to, and what is sought there.

    Raises:
        ValueError: it is no reference.
    """
    if reference.startswith("#"):  # which `urljoin` forgets to join to a URN
        return base, reference[1:]
    uri, fragment = urldefrag(urljoin(base, reference))
    return uri, fragment


def steps(fragment: str) -> Path:
    """A JSON pointer as the keys that it goes by."""
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in unquote(fragment).split("/")[1:])


def child(value: Any, key: str) -> Any:
    """The member or the part of a value with this key.

    Raises:
        LookupError: there is none.
    """
    if isinstance(value, list) and key.isdecimal():
        return value[int(key)]
    if isinstance(value, dict):
        return value[key]
    raise LookupError(key)


def _own_uri(value: dict[str, Any], path: Path, base: str) -> str:
    """The URI that an object gives itself; "" when it gives none."""
    said = value.get("$id", None if path else value.get("$self"))
    try:
        uri, fragment = urldefrag(urljoin(base, said)) if isinstance(said, str) else ("", "")
    except ValueError:
        return ""
    return "" if fragment else uri


def _add_anchors(found: Names, value: dict[str, Any], path: Path, top: Path) -> None:
    for keyword in ("$anchor", "$dynamicAnchor"):
        if isinstance(name := value.get(keyword), str):
            found.anchors.setdefault((top, name), path)
            if keyword == "$dynamicAnchor":
                found.dynamic.setdefault(name, []).append(path)


def _parts(value: dict[str, Any] | list[Any], path: Path) -> list[tuple[str, Any]]:
    if isinstance(value, list):
        return [(str(number), part) for number, part in enumerate(value)]
    named = bool(path) and path[-1] in _NAMES
    return [(key, part) for key, part in value.items() if named or key not in VALUES]

"""Parts of a request that are credentials: no model sees or fills them, the user names where their values are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from toolquiver.catalog.openapi.arguments import Part
from toolquiver.catalog.openapi.library import Library
from toolquiver.catalog.openapi.members import members
from toolquiver.catalog.openapi.security import Schemes
from toolquiver.catalog.openapi.settings import Settings
from toolquiver.catalog.operation import Credential
from toolquiver.catalog.secret_names import LEADS_ON, SECRET_NAMES, letters

_BY_TEXT = frozenset({"appid", "key", "token"})  # names that can mean anything: the description decides
_SAID = re.compile(r"\byour (?:\w+ )?(?:api|access)[ -]?(?:key|token)\b|^authentication token\b", re.IGNORECASE)
# The format `password` marks all that a screen should not show, in some documents names and addresses too.
_BY_FORMAT = re.compile(
    r"(?:password|passwd|pwd|passphrase|passcode|secret)(?!.*(?:id|name|arn)$)|(?:auth|credentials?|key|pass|pin|token)$"
)
_COMPOSED = ("array", "boolean", "object")
IN_BODY = ("body", "form")
_LOCATIONS = ("query", "header", "cookie", *IN_BODY)


class Sorted(NamedTuple):
    """The parts that are arguments, and those credentials that are not sent for the sake of the security schemes."""

    arguments: list[Part]
    keys: tuple[Credential, ...]


def without_keys(
    parts: Iterable[Part],
    asked: Sequence[tuple[Credential, ...]],
    schemes: Schemes,
    library: Library,
    settings: Settings,
) -> Sorted:
    """The parts of a request, those that are credentials set apart.

    `asked` are the alternatives that the operation asks for, `schemes` what the document has.

    A credential is what has the name and the place of a scheme's key, or goes by a name for which the settings name a
    variable, a header `Authorization`, what has the format `password` and a name that speaks of a secret, and a few
    names that mean nothing else. What the settings call an argument is one. Of a body the members at its top are judged
    here, what lies deeper in `deep_keys`.
    """
    arguments, keys = list[Part](), list[Credential]()
    for part in parts:
        if part.location == "body" and not part.name:
            whole, inside = _without_members(part, schemes, library, settings)
            arguments.append(whole)
            keys += inside
            continue
        key = _key(part, schemes, library, settings)
        if key is None:
            arguments.append(part)
        elif not _is_asked(key, asked):
            keys.append(key)
    return Sorted(arguments, tuple(keys))


def _without_members(
    whole: Part, schemes: Schemes, library: Library, settings: Settings
) -> tuple[Part, list[Credential]]:
    """A body that is one argument, without its members that are credentials."""
    found = members(whole.schema, library)
    if found is None:
        return whole, []
    keys = dict[str, Credential]()
    for name, schema in found.properties.items():
        member = Part(name=name, location="body", schema=schema, required=name in found.required)
        if key := _key(member, schemes, library, settings):
            keys[name] = key
    if not keys:
        return whole, []
    plain = library.resolved(whole.schema)
    said = {word: plain[word] for word in ("title", "description") if word in plain}
    left = {name: schema for name, schema in found.properties.items() if name not in keys}
    required = [name for name in found.required if name not in keys]
    schema = said | {"type": "object", "properties": left} | ({"required": required} if required else {})
    return replace(whole, schema=schema), list(keys.values())


def _key(part: Part, schemes: Schemes, library: Library, settings: Settings) -> Credential | None:
    if part.location not in _LOCATIONS or not part.name or part.name in settings.arguments:
        return None
    location: Any = part.location
    # What lets the user in must not go into a body only because something there has the scheme's name.
    called = f"{location}_{part.name}" if location in IN_BODY and part.name in schemes.names else part.name
    key = Credential(key=called, kind="api_key", name=part.name, location=location, required=part.required)
    for scheme in schemes.api_keys:
        if _same(key, scheme):
            return scheme.model_copy(update={"required": part.required})
    named = called in settings.calling.get("credentials", {})
    return key if named or (part.location != "cookie" and is_secret(part, library)) else None


def _is_asked(key: Credential, asked: Sequence[tuple[Credential, ...]]) -> bool:
    """Whether a security scheme asks for it; of a required one every alternative must.

    Some documents give as alternatives what they need together, and require both as parameters.
    """
    found = [any(_same(key, one) for one in alternative) for alternative in asked]
    return bool(found) and (all(found) if key.required else any(found))


def _same(key: Credential, other: Credential) -> bool:
    """Whether both would stand in one place; `Authorization` is also where a token or a password goes."""
    if key.location == "header":
        name = other.name if other.kind == "api_key" else "Authorization"
        is_header = other.kind in {"basic", "bearer", "oauth2"} or other.location == "header"
        return is_header and key.name.lower() == name.lower()
    return other.kind == "api_key" and (key.location, key.name) == (other.location, other.name)


def is_secret(part: Part, library: Library) -> bool:
    """Whether it is a credential by its name, and where that means other things too by its format or description."""
    name = letters(part.name)
    schema = library.resolved(part.schema)
    if schema.get("type") in _COMPOSED:
        return False
    if name in SECRET_NAMES and not (name == "authorization" and part.location in IN_BODY):
        return True
    if schema.get("format") == "password" and _speaks_of_secret(name):
        return True
    return name in _BY_TEXT and bool(_SAID.search(str(part.schema.get("description", ""))))


def may_be_secret(name: str) -> bool:
    """Whether what goes by a name can be a credential, where nothing else is known of it."""
    return letters(name) in SECRET_NAMES or _speaks_of_secret(letters(name))


def _speaks_of_secret(name: str) -> bool:
    return bool(_BY_FORMAT.search(name)) and not LEADS_ON.match(name)

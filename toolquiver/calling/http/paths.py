"""Arguments in the path of a URL: each stays below where it stands, however often a server decodes it."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

from toolquiver.calling.http.styles import path_text
from toolquiver.calling.outcome import CallError
from toolquiver.catalog.operation import Placement

_UNSENT = re.compile(r"[\\\x00-\x1f\x7f]")  # some servers take a backslash for a slash
_DOTS = {".", ".."}


def in_path(place: Placement, value: Any) -> str:
    """The argument as percent-encoded text for its place; a slash in it becomes `%2F`.

    Raises:
        CallError: `invalid_arguments`: a server could read it as nothing, or as the way to another place above; or it
            is percent-encoded already, so that the server would see it so.
    """
    text = path_text(place, value)
    once, read = unquote(text), decoded(text)
    if value is None or not read.strip("/") or climbs(read):
        raise _refused(place, "it may not be empty, and no part of it . or .. alone")
    if _UNSENT.search(read):
        raise _refused(place, "it may hold no backslash or control character")
    if read.count("/") > once.count("/"):
        raise _refused(place, "write / and not %2F, for it is percent-encoded here")
    return text


def decoded(text: str) -> str:
    """A text without percent-encoding; some servers decode what was decoded before."""
    before, read = "", text
    while before != read:
        before, read = read, unquote(read)
    return read


def climbs(read: str) -> bool:
    """Whether a decoded text has a part that leads up or nowhere; what follows a `;` some servers leave out."""
    return any(part.partition(";")[0] in _DOTS for part in read.split("/"))


def _refused(place: Placement, why: str) -> CallError:
    return CallError("invalid_arguments", f"{place.name}: in the path {why}.")

"""Text of a run for the page: escaped, and free of secrets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from toolquiver.catalog.secret_names import hides_value
from toolquiver.escaping import text
from toolquiver.masking import MASK, masked

_LONGEST = 1_500


def said(value: object, limit: int = _LONGEST) -> str:
    """Anything as text in HTML: no secret, no markup, cut where it is longer than `limit` characters."""
    written = masked(str(value))
    return text(written if len(written) <= limit else f"{written[:limit]} …")


def as_json(value: object) -> str:
    """Data as JSON on one line, for HTML."""
    return said(data(value))


def data(value: object) -> str:
    """Data as JSON on one line, without the values of fields that are called like secrets."""
    return json.dumps(_open(value), ensure_ascii=False, default=str)


def _open(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: hidden(str(name), _open(inner)) for name, inner in value.items()}
    return [_open(inner) for inner in value] if isinstance(value, list) else value


def hidden(name: str, value: Any) -> Any:
    """The value of a field, or a mask where the field's name says that it is secret."""
    return MASK if value and hides_value(name) else value


def api_name(api: str) -> str:
    """An API's own name in bold, then where it is from."""
    place, _, name = api.rpartition("/")
    return f'<b>{said(name)}</b> <span class="faint">{said(place)}</span>'


def rows(*cells: object, tag: str = "td") -> str:
    """A line of a table; the cells are HTML."""
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>\n"

"""Text of a run for the page: escaped, and free of secrets."""

from __future__ import annotations

import json

from toolquiver.escaping import text
from toolquiver.masking import masked

_LONGEST = 1_500


def said(value: object, limit: int = _LONGEST) -> str:
    """Anything as text in HTML: no secret, no markup, cut where it is longer than `limit` characters."""
    written = masked(str(value))
    return text(written if len(written) <= limit else f"{written[:limit]} …")


def as_json(value: object) -> str:
    """Data as JSON on one line, for HTML."""
    return said(json.dumps(value, ensure_ascii=False, default=str))


def api_name(api: str) -> str:
    """An API's own name in bold, behind it where it is from."""
    place, _, name = api.rpartition("/")
    return f'<b>{said(name)}</b> <span class="faint">{said(place)}</span>'


def rows(*cells: object, tag: str = "td") -> str:
    """A line of a table; the cells are HTML."""
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>\n"

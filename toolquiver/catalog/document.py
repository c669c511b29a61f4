"""The documentation of an API as one text, whole."""

from __future__ import annotations

import json

from toolquiver.catalog.records import API


def document(api: API, name: str = "") -> str:
    """All that is said of an API and of its parameters, once; `name` is what it is called by, where not `function`."""
    heading = f"{name or api.function}: {api.name} of {api.tool} ({api.category})"
    parts = [heading, api.tool_description, api.whole_description, f"Parameters: {_json(api.parameters)}"]
    return "\n".join(filter(None, parts))


def document_with_output(api: API, name: str = "") -> str:
    """The same, with what a call returns."""
    returned = "not documented" if api.output is None else _json(api.output)
    return f"{document(api, name)}\nReturns: {returned}"


def _json(schema: object) -> str:
    return json.dumps(schema, ensure_ascii=False)

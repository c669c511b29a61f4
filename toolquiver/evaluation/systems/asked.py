"""How a user's Runnable or graph is asked: in the form that its input schema says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.language_models import BaseLanguageModel

from toolquiver.errors import InputError

_KEYS = ("query", "messages")
_ROOT = "root"  # what LangChain calls an input that is no mapping


def asking_way(location: str, agent: Any) -> Callable[[str], Any]:
    """What turns a query into the input of this Runnable.

    That is the text, messages, or a mapping with `query`, with `messages`, or with the one key that is needed.

    Raises:
        InputError: it needs something else; the message names what.
    """
    if isinstance(agent, BaseLanguageModel) or not hasattr(agent, "get_input_jsonschema"):
        return str
    schema = _schema(agent)
    if schema.get("type") == "array":
        return _messages
    if list(schema.get("properties", {})) in ([], [_ROOT]):
        return str
    key = _key(location, schema)
    return lambda query: {key: _messages(query) if key == "messages" else query}


def _schema(agent: Any) -> Mapping[str, Any]:
    channels = [name for name in getattr(agent, "channels", ()) if name.isidentifier() and not name.startswith("__")]
    try:
        schema = agent.get_input_jsonschema()
    except Exception:  # noqa: BLE001 - of some types pydantic can make no schema: then it says nothing
        return {"properties": {name: {} for name in channels}}
    named = str(schema.get("$ref", "")).rpartition("/")[2]
    found = schema.get("$defs", {}).get(named, schema) if named else schema
    return {**found, "required": []} if channels else found  # a graph begins with any part of its state


def _key(location: str, schema: Mapping[str, Any]) -> str:
    keys = [str(key) for key in schema.get("properties", {})]
    required = [str(key) for key in schema.get("required", [])]
    known = [key for key in _KEYS if key in keys and set(required) <= {key}]
    single = [names[0] for names in (required, keys) if len(names) == 1]
    if found := [*known, *single, *(key for key in _KEYS if key in keys and not required)]:
        return found[0]
    named = ", ".join(required or keys) or "nothing"
    raise InputError(
        f"{location} takes {named}, and a question has only a text. Name something that takes text, messages, "
        "or a mapping with query or messages."
    )


def _messages(query: str) -> list[tuple[str, str]]:
    return [("user", query)]

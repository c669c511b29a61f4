"""What a run is given: the question, and perhaps the only APIs to use for it."""

from __future__ import annotations

import reprlib
from contextlib import suppress
from typing import Any

from langchain_core.messages import convert_to_messages

from toolquiver.catalog import ApiId
from toolquiver.errors import InputError
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Query
from toolquiver.surrogates import without_halves


async def candidates_given(state: Query, run: Run[Any]) -> list[ApiId] | None:
    """The candidates that the run is given, each once; None where it is to search.

    Raises:
        InputError: the query is empty or no text, or a candidate is not in the catalogue.
    """
    query, given = state.get("query") or "", state.get("candidates")
    if not isinstance(query, str):
        raise InputError(f"The question is {reprlib.repr(query)}. Give it as a text.")
    if not query.strip():
        raise InputError('The question is empty. Ask one: {"query": "..."}.')
    if given is not None and not are_texts(given):
        raise InputError(f"The candidates are {reprlib.repr(given)}. Give a list of ids of APIs, each a text.")
    if unknown := set(given or ()) - {api.id for api in await run.apis(given or [])}:
        raise InputError(f"The catalogue has no {', '.join(sorted(unknown))}. `toolquiver catalog search` finds ids.")
    return None if given is None else list(dict.fromkeys(given))


def conversation_given(turns: Any) -> list[str]:
    """What was said before, a text a turn; turns may be messages, too.

    Raises:
        InputError: it is no list of texts or messages.
    """
    turns = turns or []
    if isinstance(turns, list | tuple):
        with suppress(NotImplementedError, TypeError, ValueError):
            return [str(without_halves(message.text)) for message in convert_to_messages(turns)]
    raise InputError(f"The conversation is {reprlib.repr(turns)}. Give a list, with a text or a message a turn.")


def are_texts(given: Any) -> bool:
    """Whether this is some collection of texts, and not a text itself."""
    return isinstance(given, list | tuple | set | frozenset) and all(isinstance(one, str) for one in given)

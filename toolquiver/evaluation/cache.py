"""What models answered, kept in one SQLite file: asked the same again, they are not asked (LangChain's cache)."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langchain_core.caches import RETURN_VAL_TYPE, BaseCache
from langchain_core.globals import get_llm_cache, set_llm_cache
from langchain_core.messages import AIMessage, messages_from_dict, messages_to_dict
from langchain_core.outputs import ChatGeneration

from toolquiver.databases import Kind
from toolquiver.errors import InputError

_FILE = Kind(
    noun="model answers",
    owner="AnswerCache",
    application_id=0x74714143,
    version=1,
    error=InputError,
    again="Delete it; it is made anew.",
    patience=60.0,
)
_TABLE = "CREATE TABLE answer (asked TEXT PRIMARY KEY, said TEXT NOT NULL) WITHOUT ROWID"
# The local model's server takes another port each time; it is the same model.
_PORT = re.compile(r"(?<=127\.0\.0\.1):\d+")


class AnswerCache(BaseCache):
    """Answers by a digest of the conversation, the model and its settings. Several processes may share the file.

    Who asks the same twice while the file is open, as for several votes, gets two answers, of which each is kept: the
    next run gets the same two. The tokens of an answer are reported as when it was first given, so a cached run costs
    on paper what it cost once.

    Raises:
        InputError: the file cannot be used.
    """

    def __init__(self, path: str | Path) -> None:
        self._lock = threading.Lock()
        self._times = Counter[str]()  # how often each was asked here
        self._open = defaultdict[str, list[int]](list)  # the times that nobody has answered yet
        self._connection = _FILE.existing(path) if Path(path).exists() else _FILE.new(path, [_TABLE])

    def lookup(self, prompt: str, llm_string: str) -> RETURN_VAL_TYPE | None:
        """What was answered to this when it was asked for the same time, None if it never was."""
        key = _key(prompt, llm_string)
        with self._lock:
            time = self._times[key]
            self._times[key] += 1
            found = self._connection.execute("SELECT said FROM answer WHERE asked = ?", (_at(key, time),)).fetchone()
            if found is None:
                self._open[key].append(time)
        return None if found is None else [_generation(part) for part in json.loads(found["said"])]

    def update(self, prompt: str, llm_string: str, return_val: RETURN_VAL_TYPE) -> None:
        """Keep an answer; what is no chat model's is not kept."""
        chat = [found for found in return_val if isinstance(found, ChatGeneration)]
        if len(chat) < len(return_val):
            return
        said, key = json.dumps([_record(found) for found in chat], default=str), _key(prompt, llm_string)
        with self._lock:
            time = self._open[key].pop(0) if self._open[key] else 0
            self._connection.execute("INSERT OR REPLACE INTO answer VALUES (?, ?)", (_at(key, time), said))

    def clear(self, **_: Any) -> None:
        """Forget all answers."""
        with self._lock:
            self._connection.execute("DELETE FROM answer")
            self._times.clear()
            self._open.clear()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


@contextmanager
def cached_answers(path: str | Path | None) -> Iterator[None]:
    """Let every model of this process answer out of the cache in a file, if one is named.

    Raises:
        InputError: the file cannot be used.
    """
    if path is None:
        yield
        return
    try:
        cache = AnswerCache(path)
    except sqlite3.Error as error:
        raise InputError(f"{str(path)!r} cannot be used: {error}. Name another file.") from error
    before = get_llm_cache()
    set_llm_cache(cache)
    try:
        yield
    finally:
        set_llm_cache(before)
        cache.close()


def _key(prompt: str, model: str) -> str:
    asked = f"{_PORT.sub('', model)}\0{prompt}"
    return hashlib.sha256(asked.encode("utf-8", "replace")).hexdigest()


def _at(key: str, time: int) -> str:
    """What stands in the file for the first and the further times that this is asked."""
    return f"{key}#{time}" if time else key


def _record(found: ChatGeneration) -> dict[str, Any]:
    return {"message": messages_to_dict([found.message])[0], "info": found.generation_info}


def _generation(part: dict[str, Any]) -> ChatGeneration:
    (message,) = messages_from_dict([part["message"]])
    assert isinstance(message, AIMessage)
    return ChatGeneration(message=message, generation_info=part["info"])

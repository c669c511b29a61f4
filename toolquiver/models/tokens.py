"""Counting tokens before a call, never over the network."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import os
import re
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import tiktoken

if TYPE_CHECKING:
    from collections.abc import Iterable

    from langchain_core.messages import BaseMessage

_ENCODING = "o200k_base"
_ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
_TABLE_HASH = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
_CHARACTERS_A_TOKEN = 3.2  # below the mean of English prose and JSON, so that an estimate errs on the high side
_DENSE = re.compile(
    r"[^\x00-\x7f]|\d"
)  # a character outside ASCII, and with some models a digit, is a token of its own
_TOKENS_A_MESSAGE = 5


def count_tokens(text: str) -> int:
    """About how many tokens `text` has: by tiktoken where its table is on this machine, else by its length."""
    return _length(text, load_table())


@lru_cache(maxsize=1_024)  # what was said once is a part of every prompt after
def _length(text: str, encoding: tiktoken.Encoding | None) -> int:
    if encoding is None:
        dense = len(_DENSE.findall(text))
        return dense + math.ceil((len(text) - dense) / _CHARACTERS_A_TOKEN)
    return len(encoding.encode(text, disallowed_special=()))


def count_message_tokens(messages: Iterable[BaseMessage]) -> int:
    """About how many tokens the messages have as a prompt."""
    return sum(count_tokens(_said(message)) + _TOKENS_A_MESSAGE for message in messages)


def _said(message: BaseMessage) -> str:
    """A message's text and the calls it makes."""
    text = message.content if isinstance(message.content, str) else str(message.text)
    known = vars(message)  # to ask a message what it is takes longer than all the rest
    calls = [*known.get("tool_calls", ()), *known.get("invalid_tool_calls", ())]
    return text + json.dumps([(call["name"], call["args"]) for call in calls]) if calls else text


async def table_loaded() -> None:
    """Come back when counting reads no file any more."""
    if not _table.cache_info().currsize:
        await asyncio.to_thread(load_table)


def load_table() -> tiktoken.Encoding | None:
    """Tiktoken's table if it was fetched before, whole: asking for it otherwise would start a download."""
    return _table()


@lru_cache(maxsize=1)
def _table() -> tiktoken.Encoding | None:
    folder = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    if folder == "":  # to tiktoken this means to keep no tables
        return None
    folder = folder or str(Path(tempfile.gettempdir()) / "data-gym-cache")
    # tiktoken names a table's file by the hash of the address it comes from.
    table = Path(folder) / hashlib.sha1(_ADDRESS.encode(), usedforsecurity=False).hexdigest()
    if not table.is_file() or hashlib.sha256(table.read_bytes()).hexdigest() != _TABLE_HASH:
        return None
    return tiktoken.get_encoding(_ENCODING)

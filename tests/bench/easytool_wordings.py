"""Does the wording of the prompts matter? The same tools written with three rewordings (easytool.txt, appendix C)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from toolquiver.nodes.documents import describe_tool, join_parts, write_guideline

_WORDINGS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["wording"]
COUNT = len(_WORDINGS)
_ROLES: Sequence[Any] = (describe_tool, join_parts, write_guideline)


@contextmanager
def worded(number: int) -> Iterator[None]:
    """The prompts in another wording; 0 is our own."""
    own = [role._PROMPT for role in _ROLES]
    if number:
        for role in _ROLES:
            role._PROMPT = replace(role._PROMPT, system=_WORDINGS[number - 1][role._PROMPT.name])
    try:
        yield
    finally:
        for role, prompt in zip(_ROLES, own, strict=True):
            role._PROMPT = prompt

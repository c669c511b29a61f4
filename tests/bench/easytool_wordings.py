"""Does the wording of the prompts matter? The same tools written with three rewordings (easytool.txt, appendix C)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from toolquiver.nodes import describe_tool, write_guideline

_WORDINGS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["wording"]
COUNT = len(_WORDINGS)


@contextmanager
def worded(number: int) -> Iterator[None]:
    """The prompts in another wording; 0 is our own."""
    own = describe_tool._PROMPT, write_guideline._PROMPT
    if number:
        describe_tool._PROMPT = replace(own[0], system=_WORDINGS[number - 1]["describe_tool"])
        write_guideline._PROMPT = replace(own[1], system=_WORDINGS[number - 1]["write_guideline"])
    try:
        yield
    finally:
        describe_tool._PROMPT, write_guideline._PROMPT = own

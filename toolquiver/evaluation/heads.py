"""What the head of a journal says: what was measured, with which versions and which code."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable

from pydantic import JsonValue

from toolquiver.evaluation.journal import Head
from toolquiver.evaluation.records import Question

_PACKAGES = ("toolquiver", "langchain-core", "langchain", "langgraph")
_DIGITS = 16
_PARTS = ("toolquiver", "toolquiver.graphs", "toolquiver.nodes", "toolquiver.prompts")
_NOT_MEASURED = {"cli", "report", "__pycache__"}
"""Folders whose code has no part in an answer or its scores."""


def head_of(
    dataset: str,
    questions: Sequence[Question],
    *,
    options: Mapping[str, JsonValue] | None = None,
    system: str,
    settings: Mapping[str, JsonValue],
    model: str,
    seed: int | None,
    shard: str,
    timeout: float,
    concurrency: int,
) -> Head:
    """The head of a run of a system over a data set, named as on the command line, all of whose questions are given."""
    return Head(
        kind="results",
        dataset=dataset,
        data=digest(*(question.model_dump_json() for question in questions)),
        options=options or {},
        system=system,
        settings=settings,
        model=model,
        seed=seed,
        shard=shard,
        timeout=timeout,
        versions=versions(),
        code=code(),
        conditions={**_now(), "concurrency": concurrency},
    )


def judging_head(
    judged: Head, *, asked: str, against: str, settings: Mapping[str, JsonValue], model: str, timeout: float
) -> Head:
    """The head of a journal in which the answers of another are judged by a model."""
    return judged.model_copy(
        update={
            "kind": "verdicts",
            "settings": {**settings, "asked": asked, "against": against},
            "model": model,
            "timeout": timeout,
            "versions": versions(),
            "code": code(),
            "judged": head_digest(judged),
            "conditions": _now(),
        }
    )


def head_digest(head: Head) -> str:
    """A digest of what is measured: verdicts name the journal by it that they are about."""
    return digest(head.model_dump_json(exclude={"conditions"}))


def _now() -> dict[str, JsonValue]:
    return {"began": datetime.now(UTC).isoformat(timespec="seconds")}


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that answers come from."""
    return {"python": platform.python_version()} | {name: version(name) for name in _PACKAGES}


def code() -> str:
    """A digest of our own code and prompts, as far as answers and scores depend on them: a version is seldom raised."""
    texts = (text for part in _PARTS for text in _texts(files(part)))
    return digest(*texts)


def _texts(folder: Traversable) -> Iterator[str]:
    for entry in sorted(folder.iterdir(), key=lambda found: found.name):
        if entry.is_dir() and entry.name not in _NOT_MEASURED:
            yield from _texts(entry)
        elif entry.is_file() and entry.name.endswith((".py", ".md", ".sql", ".jinja")):
            yield f"{entry.name}\0{entry.read_text('utf-8')}"


def digest(*texts: str) -> str:
    """A short digest of texts, the same on every machine."""
    found = hashlib.sha256()
    for text in texts:
        found.update(f"{len(text)}:{text}".encode("utf-8", "replace"))
    return found.hexdigest()[:_DIGITS]

"""What the head of a journal says: what was measured, with which versions and which code."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from pydantic import JsonValue

from toolquiver.catalog.modules import attribute_at, is_module_path
from toolquiver.errors import CatalogError, InputError
from toolquiver.evaluation.lines import Head
from toolquiver.evaluation.records import Question, Resources
from toolquiver.models.versions import model_version

_PACKAGES = ("toolquiver", "langchain-core", "langchain", "langgraph")
_DIGITS = 16
_PARTS = ("toolquiver", "toolquiver.graphs", "toolquiver.nodes", "toolquiver.prompts")
_NOT_MEASURED = {"cli", "report", "__pycache__"}
"""Folders whose code has no part in an answer or its scores."""


def head_of(
    dataset: str,
    questions: Sequence[Question],
    *,
    resources: Resources | None = None,
    options: Mapping[str, JsonValue] | None = None,
    system: str,
    settings: Mapping[str, JsonValue],
    model: str,
    seed: int | None,
    shard: str,
    timeout: float,
    concurrency: int,
    texts: bool = True,
) -> Head:
    """The head of a run of a system over a data set, named as on the command line, all of whose questions are given.

    With `resources` it has a digest of what the questions are asked over; `options` are those of the data set,
    `settings` those of the system. `shard` is `i/n`, or `1/1` for all questions, `seed` what orders them, None as the
    data have them; `timeout` is in seconds a question. Without `texts` it is of figures alone.
    """
    about_data = {"data set": _module_digest(dataset)} if is_module_path(dataset) else {}
    about_data |= {"resources": _resources_digest(resources)} if resources else {}
    about_system = model_version(model) | ({"agent": _module_digest(system)} if is_module_path(system) else {})
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
        versions=versions() | about_data | about_system,
        code=code(),
        texts=texts,
        conditions={**_now(), "concurrency": concurrency},
    )


def judging_head(
    judged: Head, *, asked: str, against: Head | None, settings: Mapping[str, JsonValue], model: str, timeout: float
) -> Head:
    """The head of a journal in which the answers of another are judged by a model, for a preference beside others.

    Raises:
        InputError: the others are answers to other questions.
    """
    if against is not None and (against.dataset, against.data) != (judged.dataset, judged.data):
        raise InputError(
            f"{judged.system} was asked {judged.dataset} and {against.system} {against.dataset}, or the data have "
            "changed in between. Compare answers to the same questions."
        )
    compared = {} if against is None else {"against": against.system, "other": head_digest(against)}
    return judged.model_copy(
        update={
            "kind": "verdicts",
            "settings": {**settings, "asked": asked, **compared},
            "model": model,
            "timeout": timeout,
            "versions": versions() | model_version(model),
            "code": code(),
            "judged": head_digest(judged),
            "conditions": _now(),
        }
    )


def head_digest(head: Head) -> str:
    """A digest of what is measured: verdicts name the journal by it that they are about."""
    return digest(head.model_dump_json(exclude={"conditions"} | ({"texts"} if head.texts else set())))


def _now() -> dict[str, JsonValue]:
    return {"began": datetime.now(UTC).isoformat(timespec="seconds")}


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that answers come from."""
    return {"python": platform.python_version()} | {name: version(name) for name in _PACKAGES}


def _module_digest(location: str) -> str:
    """A digest of the module that something of the user's own is in; what that imports is theirs to keep apart."""
    with suppress(CatalogError):  # that it cannot be loaded is said when it is
        attribute_at(location)
    file = getattr(sys.modules.get(location.partition(":")[0]), "__file__", None)
    return digest(Path(file).read_text("utf-8", "replace")) if file else ""


def _resources_digest(resources: Resources) -> str:
    """A digest of the catalogue with its instructions, and of what its callers answer out of the data."""
    catalog = resources.catalog
    apis = (api.model_dump_json() for api in catalog.apis())
    instructions = (one.model_dump_json() for one in catalog.instructions.versions())
    return digest(*apis, *instructions, *resources.recorded())


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

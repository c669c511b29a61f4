"""Small files in the form of the published data sets, and where the real ones are."""

import asyncio
import gzip
import json
import os
from pathlib import Path

import pytest

from toolquiver.calling import Limits, perform
from toolquiver.evaluation import Called, Result

DATA = Path(os.environ.get("TOOLQUIVER_DATA") or Path(__file__).parents[3] / "shared" / "data")
with_data = pytest.mark.skipif(
    not DATA.is_dir(), reason=f"the data sets are not at {DATA}; TOOLQUIVER_DATA names their folder"
)


def write(folder, name, content):
    """A file of rows (a list, in JSON Lines), of one JSON value (a dict), or of text; packed when its name says so."""
    if isinstance(content, list):
        content = "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in content)
    text = content if isinstance(content, str) else json.dumps(content)
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return folder


def real(name):
    """The lines of a packed file of the real data."""
    with gzip.open(DATA / name, "rt", encoding="utf-8") as file:
        return file.readlines()


def call(resources, api_id, **arguments):
    """What a call of an API gives, as a graph would make it."""
    api = resources.catalog.get(api_id)
    return asyncio.run(perform(api, arguments, resources.callers, Limits(characters=100_000)))


def called(*apis, ok=True):
    return tuple(Called(api=api, arguments={}, ok=ok) for api in apis)


def result(answer="", **fields):
    return Result(question="1", outcome="solved", answer=answer, **fields)

"""Raw documents as they are published, each with the APIs that are read out of it."""

from __future__ import annotations

import gzip
import json
import re
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import tiktoken

from tests.bench.search_queries import DATA, GROUPS, _rows
from toolquiver.catalog import API
from toolquiver.catalog.toolbench import read_toolbench
from toolquiver.evaluation.datasets.registry import load_dataset

SOURCE = "toolbench:raw"
_OURS = ("category", "std_name")  # added where the documents were collected
_METHODS = ("get", "post", "put", "patch", "delete")


class Raw(NamedTuple):
    """A document: the tool that it is of, its text as JSON, and its APIs. `gold` is whether a query needs the tool."""

    tool: str
    text: str
    apis: list[API]
    gold: bool


def toolbench() -> list[Raw]:
    """The 779 documents of ToolBench's tools; an empty tool has no APIs."""
    path = DATA / "toolbench" / "raw_tool_docs_2404_candidates.jsonl.gz"
    needed = {tool for group in GROUPS for row in _rows(group) for tool, _ in row["relevant APIs"]}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [_raw(row, row["tool_name"] in needed) for row in rows]


def _raw(row: dict[str, Any], gold: bool) -> Raw:
    document = {key: value for key, value in row.items() if key not in _OURS}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / row["category"] / f"{row['std_name']}.json"
        file.parent.mkdir()
        file.write_text(json.dumps(document), "utf-8")
        apis = read_toolbench(Path(folder), SOURCE)
    return Raw(row["tool_name"], json.dumps(document, ensure_ascii=False), apis, gold)


def tmdb() -> list[Raw]:
    """The documents of TMDB's endpoints, each as a tool of its own, as EasyTool counts them."""
    with gzip.open(DATA / "restbench" / "tmdb_oas.json.gz", "rt", encoding="utf-8") as file:
        paths = json.load(file)["paths"]
    texts = {
        f"{method.upper()} {path}": json.dumps(operation, ensure_ascii=False)
        for path, item in paths.items()
        for method, operation in item.items()
        if method in _METHODS
    }
    apis = tmdb_apis()
    return [Raw(api.name, texts[f"{api.binding['method'].upper()} {api.binding['path']}"], [api], True) for api in apis]


def tmdb_apis() -> list[API]:
    """TMDB's APIs, of one tool."""
    return load_dataset("restbench-tmdb", DATA).resources().catalog.apis()


@lru_cache(maxsize=1)
def _encoding() -> tiktoken.Encoding:
    return tiktoken.get_encoding("cl100k_base")


def tokens(text: str) -> int:
    """Tokens by cl100k, as EasyTool counts them."""
    return len(_encoding().encode(text, disallowed_special=()))


def kept(text: str, name: str, api: API) -> int:
    """How many of an API's parameters stand in its line of an instruction, by exact name, type, and whether required.

    So does what is required of an object. Read in the text alone, so that what is counted is what a model sees.
    """
    lines = [line for line in text.splitlines() if line.startswith(f"{name}(")]  # some APIs share a name
    return sum(any(re.search(one, line) for line in lines) for one in _wanted(api))


def to_keep(api: API) -> int:
    """How many parameters an API has, with those that are required of an object."""
    return len(_wanted(api))


def _wanted(api: API) -> list[str]:
    """What to look for in a line, for each parameter and for each that is required of what it holds."""
    found = []
    for one in api.parameter_list():
        begin = re.escape(f"{one.name}{'' if one.required else '?'}: {one.type}")
        found.append(rf"[(,] ?{begin}(?: \{{.*?\}})?[,)]")
        inner = (re.escape(f"{held.name}: {held.type}") for held in one.inner_list() if held.required)
        found += [rf"[(,] ?{begin} \{{(?:.*?, )?{held}[,}}]" for held in inner]
    return found

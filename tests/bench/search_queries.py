"""ToolBench's and AnyToolBench's queries with the APIs that each needs."""

from __future__ import annotations

import gzip
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from toolquiver.catalog import API
from toolquiver.catalog.toolbench import read_toolbench

DATA = Path(os.environ.get("TOOLQUIVER_DATA", Path(__file__).parents[3] / "shared/data"))
GROUPS = ("G1_instruction", "G1_tool", "G1_category", "G2_instruction", "G2_category", "G3_instruction")
SOURCE = "toolbench:bench"

Name = tuple[str, str]


class Query(NamedTuple):
    """A query with the APIs that it needs, by tool and name; `half` is 0 for choosing weights, 1 for reporting."""

    group: str
    text: str
    gold: frozenset[Name]
    half: int


def apis() -> list[API]:
    """ToolBench's catalogue of 2023."""
    return read_toolbench(DATA / "toolbench" / "catalogue_toolbench16k.jsonl.gz", SOURCE)


def queries() -> list[Query]:
    """The queries of ToolBench's six groups and of AnyToolBench whose golds are named."""
    found = [(group, row["query"], row["relevant APIs"]) for group in GROUPS for row in _rows(group)]
    for row in _rows("anytoolbench"):
        named = [
            (api["tool_name"], api["api_name"]) for api in row["gt_api_list"] if api["category_name"] != "Customized"
        ]
        found.append(("AnyToolBench", row["query"], named))
    chance = random.Random(0)
    return [
        Query(group, text, frozenset((tool, name.strip()) for tool, name in gold), chance.randrange(2))
        for group, text, gold in found
        if gold
    ]


def _rows(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(DATA / "toolbench_queries" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)

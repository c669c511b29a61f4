"""What a tool in use, and APIs that a request names besides, are worth: `make bench-siblings` writes a page of results.

No model is asked. Each part of a ToolBench query is answered by what search has first for it; then with the rule by
which a tool that has answered comes first, and with the APIs of the called tool that the part names, both quiver's own
(`nodes/executor/siblings.py`). Right are the APIs that the query's golds name.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple, cast

from rich.progress import track

from tests.bench.pages import write_page
from tests.bench.search_queries import GROUPS, Query, apis, queries
from toolquiver import Catalog
from toolquiver.calling import Observation
from toolquiver.catalog import API
from toolquiver.contexts import QuiverContext
from toolquiver.nodes.executor.siblings import MOST, in_use, siblings_of
from toolquiver.nodes.records import Step, call_record
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import ExecutorState
from toolquiver.nodes.texts.conversions import with_conversion
from toolquiver.nodes.texts.parts import parts_of


class Way(NamedTuple):
    """What is called of a query, and how often a rule spoke and was right, by its name."""

    called: set[tuple[str, str]]
    counts: Counter[str]


async def called(query: Query, run: Run, *, goes_on: bool, adds: bool) -> Way:
    """The APIs by tool and name, with these of the two rules."""
    parts, calls, way = parts_of(query.text), list[Any](), Way(set(), Counter())
    for place, part in enumerate(parts):
        hits = await run.hits(with_conversion(part))
        if not hits:
            continue
        state = _state(parts, place, calls, [hit.api.id for hit in hits])
        first, used = hits[0].api, await in_use(state, run) if goes_on else None
        api = await run.api(used) if used else first
        if used:
            rule = "same" if api == first else "went on"
            way.counts.update({rule: 1, f"{rule}, right": _is_right(api, query)})
            way.counts["went on, first right"] += api != first and _is_right(first, query)
        calls.append(call_record(place, api.id, {}, Observation(text="Yes.")))
        others = (await siblings_of(_step(api), _state(parts, place, calls, []), run))[:MOST] if adds else []
        calls += [call_record(place, other.id, {}, Observation(text="Yes.")) for other in others]
        way.counts.update({"added": len(others), "added, right": sum(_is_right(one, query) for one in others)})
        way.called.update(map(_name, (api, *others)))
    return way


def _state(parts: Sequence[str], place: int, calls: Sequence[Any], pool: list[str]) -> ExecutorState:
    state = {
        "subtasks": [*parts],
        "current": place,
        "known": [],
        "planned": [],
        "calls": [*calls],
        "tool_lists": [pool],
        "trail": [],
        "hint": "",
        "missing": [],
        "allowed": None,
    }
    return cast("ExecutorState", state)


def _step(api: API) -> Step:
    return Step(subtask=0, thought="", api=api.id, arguments={}, observation="Yes.", answer="Yes.")


def _name(api: API) -> tuple[str, str]:
    return api.tool, api.name


def _is_right(api: API, query: Query) -> bool:
    return _name(api) in query.gold


def _line(title: str, asked: Sequence[Query], ways: Sequence[Way]) -> str:
    shares = [len(way.called & query.gold) / len(query.gold) for query, way in zip(asked, ways, strict=True)]
    whole = fmean(query.gold <= way.called for query, way in zip(asked, ways, strict=True))
    counts = sum((way.counts for way in ways), Counter[str]())
    cells = [
        title,
        str(len(asked)),
        f"{fmean(shares):.3f}",
        f"{whole:.3f}",
        f"{fmean(len(way.called) for way in ways):.2f}",
        f"{counts['same, right']} of {counts['same']}" if counts["same"] else "",
        f"{counts['went on, right']} of {counts['went on']}, the first {counts['went on, first right']}"
        if counts["went on"]
        else "",
        f"{counts['added, right']} of {counts['added']}" if counts["added"] else "",
    ]
    return f"| {' | '.join(cells)} |"


async def _page(asked: Sequence[Query], run: Run) -> str:
    lines = []
    for title, goes_on, adds in (
        ("what search has first", False, False),
        ("a tool in use first", True, False),
        ("what else is named too", False, True),
        ("both, as quiver", True, True),
    ):
        for half in (0, 1):
            part = [query for query in asked if query.half == half]
            ways = [await called(query, run, goes_on=goes_on, adds=adds) for query in _shown(part, title)]
            lines.append(_line(f"half {half + 1}: {title}", part, ways))
    head = (
        "| of each part | queries | golds called | all called | calls | first, and in use: right "
        "| in use, not first: right | siblings: right |\n| --- | --- | --- | --- | --- | --- | --- | --- |"
    )
    return f"# APIs of one tool\n\n{_ABOUT}\n\n{head}\n" + "\n".join(lines)


_ABOUT = (
    "Written by `make bench-siblings`. No model is asked: each part of a query of ToolBench's six groups gets what\n"
    "search has first for it over 16,463 APIs, as if that had answered; then what quiver's rules say\n"
    "(`nodes/executor/siblings.py`). Golds are APIs by tool and name, as the queries give them."
)


def _shown(asked: Sequence[Query], title: str) -> Iterable[Query]:
    return track(asked, description=title)


def main() -> None:
    """Measure both rules and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report", type=Path, default=Path("docs/results/siblings.md"))
    options = parser.parse_args()
    catalog = Catalog.create()
    catalog.add(*apis())
    run = Run(context=QuiverContext(), catalog=catalog, bound={})
    asked = [query for query in queries() if query.group in GROUPS]
    write_page(options.report, asyncio.run(_page(asked, run)))


if __name__ == "__main__":
    main()

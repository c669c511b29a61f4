"""What a node finds among the APIs that agents have found."""

import asyncio

import pytest

from tests.graphs.script import an_api
from toolquiver import Catalog, Context
from toolquiver.catalog.named import load_catalog
from toolquiver.nodes.executor import finding
from toolquiver.nodes.finder import Finder


def test_of_what_search_does_not_rank_agents_latest_comes_first():
    catalog, found = Catalog.create(), [an_api(f"other_{n}", description=f"Word{n}.") for n in range(7)]
    catalog.add(*(an_api(f"report_{n}", description="Report the stock.") for n in range(200)), *found)
    finder = Finder(context=Context(top_k=6, feeding=False), catalog=catalog)
    state = {"allowed": None, "found": [api.id for api in found], "removed": [found[4].id]}
    candidates = [api.name for api in asyncio.run(finding.candidates(finder, state, "Report the stock."))]
    assert candidates[:5] == ["other_6", "other_5", "other_3", "other_2", "other_1"]
    assert "other_0" not in candidates


def test_a_hint_to_convert_finds_what_converts_any_unit_behind_those_that_are_named_by_theirs():
    pytest.importorskip("airportsdata", reason="the packages of the extra `demo` are not installed")
    finder = Finder(context=Context(top_k=8), catalog=load_catalog("demo"))
    for hint in ("Convert from square kilometres to square miles.", "Convert from kelvin to degrees Celsius."):
        assert "convert_units" in [api.name for api in asyncio.run(finding.helpers(finder, hint))[:4]]
    assert asyncio.run(finding.helpers(finder, "Convert from miles to kilometres."))[0].name == "miles2km"

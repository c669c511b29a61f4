"""The page of AnyTool's benchmark with a real model: recall at the same size as search, and what broke counts."""

import asyncio

import pytest

from tests.bench import anytool_measured
from tests.bench.anytool_measured import FIRST, LOOP, RETRIEVAL, Asked, World, figures, in_turn, solve
from tests.bench.anytool_page import at, page
from tests.bench.bench_anytool_local import with_first
from tests.bench.search_queries import Query
from tests.graphs.script import SOURCE
from tests.graphs.searching import Policy, a_catalog, only, turns_so_far
from tests.graphs.test_anytool import judged
from toolquiver.calling.replay import Recordings
from toolquiver.catalog import API, api_id
from toolquiver.context import Context
from toolquiver.models import scripted

SETTINGS = {"least_pool": 4}


def a_run(query="one", system="hierarchy", **more):
    row = {
        "query": query,
        "system": system,
        "group": "G1",
        "settings": SETTINGS,
        "revision": "abc",
        "needed": ["a", "b"],
        "search": ["x", "a", "y", "b", "z"],
        "pool": ["a", "b", "x"],
        "added": 2,
        "tokens": 1_000,
        "seconds": 2.0,
    }
    return row | more


def a_row(query="one", system="hierarchy", **more):
    return figures(a_run(query, system, **more))


def broken(**more):
    run = a_run(error="RuntimeError: no", **more)
    return figures({key: value for key, value in run.items() if key not in ("pool", "added", "tokens")})


def test_what_is_kept_of_a_run_has_no_text_and_no_name_of_the_data():
    run = a_run(text="What is asked", answer="What was said", called=["a"], looked=[("tool", "c", ["t"], 1, "")] * 3)
    kept = figures(run)
    assert (kept["needed"], kept["pool"], kept["agents"]) == (2, 3, 3)
    assert (kept["pool_at"], kept["search_at"]) == ([0, 1], [1, 3])
    assert not {"text", "answer", "called", "looked"} & kept.keys()
    assert figures(a_run(error="ToolError: no b in a"))["error"] == "ToolError"


@pytest.mark.parametrize(("ranking", "size", "expected"), [("pool", None, 1), ("pool", 1, 0.5), ("search", None, 0.5)])
def test_search_has_as_many_places_as_the_pool(ranking, size, expected):
    assert at(a_row(), ranking, size) == expected


def test_a_run_that_broke_has_found_nothing_while_search_has_the_places_it_was_to_have():
    assert [at(broken(), "pool"), at(broken(), "search")] == [0, 1]


APIS = [API(id=api_id("c", "t", name), name=name, tool="t", category="c") for name in ("a", "b")]


def queries(group, count, *, half=1, gold="a"):
    return [Query(group, f"{group} {half} {gold} {number}", frozenset({("t", gold)}), half) for number in range(count)]


def test_any_first_part_of_the_queries_is_even_over_the_groups_and_held_out():
    asked = [*queries("G1", 5), *queries("G2", 3), *queries("G2", 4, half=0), *queries("G3", 2, gold="gone")]
    order = in_turn(asked, APIS)
    assert [one.group for one in order] == ["G1", "G2"] * 3 + ["G1"] * 2
    assert {one.text for one in order} == {query.text for query in [*queries("G1", 5), *queries("G2", 3)]}
    assert order == in_turn(asked, APIS)
    assert order != in_turn(asked, APIS, seed=1)
    assert order[0].needed == APIS[:1]


@pytest.mark.parametrize("settings", [*RETRIEVAL.values(), *LOOP.values()])
def test_what_is_measured_can_be_set(settings):
    assert Context(**settings).token_budget <= 40_000


def test_the_page_says_how_many_and_how_sure():
    text = page("local", [a_row(), broken(query="two"), a_row(system="flat")], [])
    (whole,) = [line for line in text.splitlines() if line.startswith("| hierarchy | 2 | 1.5 |")]
    assert "| 0.500 [0.000, 1.000] | 0.750 | -25.0 [-100.0, +50.0] |" in whole
    assert "| hierarchy | G1 | 2 | 0.500 | 0.750 |" in text
    assert "| hierarchy | 2 | 500.0 [1,000] |" in text
    assert "The loop" not in text


def test_the_loop_is_solved_by_path_or_by_its_judge():
    rows = [a_row(system="whole", by_path=True, status="partial"), broken(query="two", system="whole")]
    text = page("local", [], [*rows, a_row(system="without reflection", by_path=False, status="failed")])
    assert "| whole | 2 | 0.500 [0.000, 1.000] | 0.000 [0.000, 0.000] | - | 0.500 |" in text
    assert "| without reflection | 1 | 0.000 [0.000, 0.000] | 0.000 [0.000, 0.000] | +100.0 [+100.0, +100.0] |" in text
    assert "| 1 |" in text.splitlines()[-2]


def test_in_the_loop_the_model_stands_in_for_what_was_not_recorded(tmp_path, monkeypatch):
    monkeypatch.setattr(anytool_measured, "_RECORDINGS", tmp_path / "none.db")
    monkeypatch.setattr(anytool_measured, "SOURCE", SOURCE)
    Recordings.create(tmp_path / "none.db").close()
    calls = [("Maps_tool_0_api_a", {"note": "a"})]
    answer = [("give_answer", {"answer": "It is so."})]
    policy = Policy(meta=only("Maps"), solver=lambda messages, _: answer if turns_so_far(messages) else calls)
    policy.decides |= {"Simulated": {"response": "Made up."}, "Judgement": judged("unsolved", "solved")}
    catalog = a_catalog()
    asked = Asked("G1", "Where is it?", [api for api in catalog.apis() if api.name == "Maps tool 0 api a"])
    row = asyncio.run(solve(World(catalog, scripted(policy)), Context(registration="all"), asked))
    assert (row["by_path"], row["calls"], row["status"], row["reflections"]) == (True, 1, "solved", 1)
    assert row["simulated"] > 0
    whole, first = with_first({"system": "whole", "settings": LOOP["whole"], "seconds": 9_999, **row})
    assert (first["system"], first["settings"]) == (FIRST, LOOP["whole"])
    assert (first["by_path"], first["status"], first["reflections"]) == (True, "partial", 0)
    assert first["tokens"] < whole["tokens"]
    assert first["seconds"] < whole["seconds"]
    assert "first" not in whole

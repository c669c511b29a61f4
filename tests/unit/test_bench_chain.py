"""The Reverse Chain benchmark, with a model that knows the chains: all of them can be found and run; a part is even."""

import asyncio
import json
import re
from argparse import Namespace
from collections import Counter

import pytest

from tests.bench import bench_reverse_chain as bench
from tests.bench.bench_smurfs import read
from tests.bench.chain_page import report
from tests.bench.chain_systems import Outcome
from tests.bench.compositions import compositions
from tests.bench.nested import Nested, calls_of
from toolquiver.catalog.named import load_catalog
from toolquiver.errors import ModelError
from toolquiver.models import ScriptedModel

pytest.importorskip("ephem", reason="the demo's packages are not installed")

FIRST = [one for one in compositions() if one.id.endswith("-0")]


def knowing(one):
    """A model that knows the chain of this composition: it says of each argument what the gold says."""
    takers = {(one.gold.api, ""): one.gold} | {
        (value.api, call.api): value
        for call in calls_of(one.gold)
        for value in call.arguments.values()
        if isinstance(value, Nested)
    }

    def says(messages, schema):
        text = messages[-1].text
        match schema["title"]:
            case "Tasks":
                return {"tasks": [{"task": "the whole request", "api": one.gold.api}]}
            case "Answer":
                return {"answer": "Done.", "missing": []}
            case "Place":
                called = re.search(r"^The call: (\w+)\(", text, re.MULTILINE)[1]
                needed = re.search(r"^Needed: (\w+) ", text, re.MULTILINE)[1]
                taken = [call.arguments.get(needed) for call in calls_of(one.gold)]
                return {"path": next(one.field for one in taken if isinstance(one, Nested) and one.api == called)}
        called = re.search(r"^The call to complete: (\w+)\(", text, re.MULTILINE)[1]
        taker = re.search(r"^It is for: \w+ of (\w+)$", text, re.MULTILINE)
        call = takers[called, taker[1] if taker else ""]
        return {name: _outcome(call.arguments.get(name), part) for name, part in schema["properties"].items()}

    return ScriptedModel(says, profile={"structured_output": True, "tool_calling": True})


def _outcome(value, part):
    ways = [next(iter(way["properties"].items())) for way in part["anyOf"]]
    if isinstance(value, Nested):
        offered = [name for key, way in ways if key == "api" for name in way["enum"]]
        return {"api": value.api} if value.api in offered else {"nobody": True}
    return {"value": value} if value is not None and "value" in dict(ways) else {"nobody": True}


@pytest.fixture(scope="module")
def demo():
    return load_catalog("demo")


@pytest.fixture
def measured(tmp_path, monkeypatch, demo):
    """The journal's rows after the benchmark has measured a composition."""

    def measured(one, model, system="at once"):
        monkeypatch.setattr(bench, "load_model", lambda _: model)
        monkeypatch.setattr(bench, "load_catalog", lambda _: demo)
        options = Namespace(journal=tmp_path / "rows.jsonl", model="scripted", until=float("inf"))
        asyncio.run(bench.measure([system], "compositions", [one], options))
        return read(options.journal)

    return measured


@pytest.mark.parametrize(
    ("one", "system"),
    [*((one, "at once") for one in FIRST), *((FIRST[-1], system) for system in ("one by one", "three step"))],
    ids=lambda value: getattr(value, "id", str(value)),
)
def test_who_knows_a_chain_has_it_right_and_runs_it(measured, one, system):
    (row,) = measured(one, knowing(one), system)
    assert row["cause"] == ""
    assert (row["right"], row["executed"], row["edges"], row["level"]) == (True, True, 1.0, one.level)


def test_what_is_in_the_journal_is_not_measured_again_and_has_no_text(measured):
    one = FIRST[0]
    (row,) = measured(one, knowing(one))
    assert measured(one, None) == [row]
    assert one.query not in json.dumps(row)


def test_a_model_that_cannot_be_used_ends_the_run_and_is_no_wrong_answer(measured):
    def fails(*_):
        raise ConnectionError("refused")

    one = FIRST[0]
    with pytest.raises(ModelError):
        measured(one, ScriptedModel(fails, profile={"structured_output": True}))
    assert measured(one, knowing(one))[0]["right"] is True


def test_a_part_of_the_set_is_even_over_levels_and_templates_and_begins_a_longer_one():
    every = compositions()
    part = bench.sampled(every, 30)
    levels = Counter(one.level for one in part)
    assert levels == {1: 10, 2: 10, 3: 10}
    templates = Counter(one.id.rpartition("-")[0] for one in part)
    assert max(templates.values()) <= 2
    assert bench.sampled(every, 60)[:30] == part
    assert {one.level for one in bench.sampled(every, 12, levels=[3])} == {3}
    assert sorted(one.id for one in bench.sampled(every, 0)) == sorted(one.id for one in every)


def test_the_page_has_every_level_and_every_cause(measured):
    one = FIRST[0]
    rows = measured(one, knowing(one))
    rows += [rows[0] | {"system": "ReAct", "level": 2, "right": False, "edges": None, "cause": "wrong final tool"}]
    page = report([json.loads(json.dumps(row)) for row in rows], "scripted", ["compositions"])
    assert "| at once | all | 1 | 100.0 | 100.0 | 100.0 | 100.0 | 100.0 |" in page
    assert "| ReAct | 1 | 0 | 0 | 0 |" in page
    assert page.count(f" {rows[0]['revision']} |") == 2


@pytest.mark.parametrize(
    ("gold", "path", "known"),
    [
        ([Nested("find", {"name": "Jack"})], False, {"right", "names", "contained", "edges"}),
        ([Nested("find", {"": Nested("list", {})})], True, {"names", "contained"}),
        ([], False, set()),
    ],
)
def test_what_a_set_does_not_know_is_not_scored(gold, path, known):
    outcome = Outcome(gold, ["day"], None, 1, 1, 1, "")
    scores = bench.scored(outcome, gold, frozenset({"day"}), path=path)
    assert {name for name in ("right", "names", "contained", "edges") if scores[name] is not None} == known
    assert scores["asked"] is True


def test_a_part_of_a_plan_that_is_listed_beside_it_says_nothing_else():
    part = Nested("list", {"of": "rooms"})
    whole = Nested("find", {"name": "Jack", "in": part})
    for plans in ([whole], [part, whole], [whole, whole], [part, whole, part]):
        assert bench.scored(Outcome(plans, [], None, 1, 1, 1, ""), [whole])["right"]
    assert not bench.scored(Outcome([part], [], None, 1, 1, 1, ""), [whole])["right"]
    assert not bench.scored(Outcome([whole, Nested("list", {"of": "beds"})], [], None, 1, 1, 1, ""), [whole])["right"]

"""A user's own questions, and data sets by name."""

import json

import pytest
from jsonschema import Draft202012Validator
from langchain_core.tools import tool

from tests.support.data_files import DATA, call, called, result, with_data, write
from toolquiver import Catalog
from toolquiver.calling.replay import SIMULATED, Simulator
from toolquiver.errors import InputError
from toolquiver.evaluation.datasets import DATA_SETS, load_dataset
from toolquiver.models import scripted
from toolquiver.prompts import load_prompt


@tool
def population(city: str) -> int:
    """How many people live in a city."""
    return len(city)


@tool
def capital(country: str) -> str:
    """The capital of a country."""
    return f"{country} City"


POPULATION, CAPITAL = "tools/tools/population", "tools/tools/capital"
PLAN = "population(city=capital(country='Peru'))"
ROWS = [
    {"query": "How many live in Lima?", "answer": 10_390_000},
    {"query": "What is Peru's capital?", "id": "peru", "answer": "Lima", "gold_apis": [CAPITAL], "group": "easy"},
    {"query": "How many live there?", "gold_path": [CAPITAL, POPULATION], "gold_plan": PLAN, "labels": {"by": "me"}},
    {"query": "Tell me a joke.", "candidates": [CAPITAL]},
]


@pytest.fixture
def mine(tmp_path):
    """Questions in a file over a catalogue in another."""
    Catalog.from_tools([population, capital], path=tmp_path / "apis.db").close()

    def mine(*rows):
        return load_dataset(str(write(tmp_path, "mine.jsonl", list(rows)) / "mine.jsonl"), catalog=tmp_path / "apis.db")

    return mine


def test_rows_are_questions(mine):
    data = mine(*ROWS)
    first, second, third, last = data.questions()
    assert data.name == "mine.jsonl"
    assert (first.id, first.answer, first.gold_apis) == ("1", 10_390_000, None)
    assert (second.id, second.group, second.gold_apis) == ("peru", "easy", (CAPITAL,))
    assert third.gold_apis == third.gold_path == (CAPITAL, POPULATION)
    assert third.labels == {"by": "me"}
    assert (last.candidates, last.gold_apis, last.gold_plan) == ((CAPITAL,), None, None)


def test_what_is_known_is_scored(mine):
    data = mine(*ROWS)
    number, text, plan, nothing = data.questions()
    found = data.score(number, result("About 10,390,100 people."))
    assert (found["accuracy"], found["correct_path"], found["exact_plan"]) == (1, None, None)
    found = data.score(text, result("Lima", calls=called(CAPITAL)))
    assert (found["f1"], found["exact_match"], found["gold_called"]) == (1, 1, 1)
    found = data.score(plan, result(plan=PLAN))
    assert (found["correct_path"], found["exact_plan"], found["exact_plan:level-1"], found["edge_f1"]) == (1, 1, 1, 1)
    assert {value for value in data.score(nothing, result("Ha.")).values() if value is not None} == {
        0.0
    }  # no tool error


def test_calls_are_made_for_real(mine):
    resources = mine(*ROWS).resources()
    resources.catalog.bind([population, capital])
    assert call(resources, POPULATION, city="Lima").text == "4"


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        (["[1]"], "line 1: Input should be an object"),
        ([ROWS[0], {"answer": 1}], "line 2: query"),
        ([ROWS[0], {"query": "x", "gold_api": []}], "line 2: gold_api: Extra inputs"),
        ([ROWS[0], "", {"query": "x", "gold_apis": ["a/b/c"]}], "line 3: gold_apis: the catalogue has no API 'a/b/c'"),
        ([{"query": "x", "gold_path": [CAPITAL, "a/b/c"]}], "line 1: gold_path: the catalogue has no API"),
        ([{"query": "x", "candidates": ["a/b/c"]}], "line 1: candidates: the catalogue has no API"),
        ([{"query": "x", "gold_plan": "1 + 1"}], "line 1: gold_plan"),
        ([ROWS[1], ROWS[1]], "line 2: the id 'peru' was there before"),
        ([], "has no rows"),
        ([ROWS[0], {"query": " "}], "line 2: the query is empty"),
        (['{"query": "x", "answer": NaN}'], "line 1: answer"),
        ([{"query": "x", "answer": [1, 2]}], "line 1: answer: it must be a number or a text"),
        ([{"query": "x", "answer": True}], "line 1: answer: it must be"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(mine, rows, fault):
    with pytest.raises(InputError, match=fault):
        mine(*rows)


def test_without_a_catalogue_the_questions_are_for_an_agent_with_its_own_tools(tmp_path):
    data = load_dataset(str(write(tmp_path, "mine.jsonl", ROWS) / "mine.jsonl"))
    assert data.resources().catalog.apis() == []
    third = data.questions()[2]
    assert data.score(third, result(calls=called(CAPITAL, POPULATION)))["correct_path"] == 1


PUBLISHED = [
    ("funcqa-one", "funcqa/funcqa_oh.jsonl", {"id": 1, "question": "?", "answer": 2, "func": "<add>(1, 1)=2"}, "id 1"),
    (
        "hotpotqa",
        "hotpotqa/autoact_300.jsonl",
        {"id": "a", "question": "?", "answer": "b", "type": "bridge", "level": "easy", "context": []},
        "id 'a'",
    ),
]


@pytest.mark.parametrize(("name", "file", "row", "twice"), PUBLISHED)
def test_published_data_that_are_empty_or_have_a_question_twice_are_named(tmp_path, name, file, row, twice):
    write(tmp_path, file, "")
    with pytest.raises(InputError, match=rf"{file}' has no rows"):
        load_dataset(name, tmp_path)
    write(tmp_path, file, [row, row])
    with pytest.raises(InputError, match=rf"{file}', line 2: the {twice} was there before"):
        load_dataset(name, tmp_path)


def test_a_missing_file_says_so(tmp_path):
    with pytest.raises(InputError, match="There is no file"):
        load_dataset(str(tmp_path / "mine.jsonl"), catalog="demo")


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(InputError, match=r"no data set 'funcqa'.*funcqa-one.*bfcl-miss-param"):
        load_dataset("funcqa")


@pytest.mark.parametrize("name", DATA_SETS)
def test_missing_data_are_named(tmp_path, monkeypatch, name):
    monkeypatch.delenv("TOOLQUIVER_DATA", raising=False)
    with pytest.raises(InputError, match="Where are the data sets"):
        load_dataset(name)
    with pytest.raises(InputError, match="There is no folder"):
        load_dataset(name, tmp_path / "nowhere")
    with pytest.raises(InputError, match="has no '"):
        load_dataset(name, tmp_path)


def test_the_environment_names_the_folder(tmp_path, monkeypatch):
    row = {"id": 1, "question": "1 + 1?", "answer": 2, "func": "<add>(1, 1)=2"}
    monkeypatch.setenv("TOOLQUIVER_DATA", str(write(tmp_path, "funcqa/funcqa_oh.jsonl", [row])))
    assert len(load_dataset("funcqa-one").questions()) == 1


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("hotpotqa", {"corrected": True}),
        ("funcqa-one", {"subset": "stable-solvable"}),
        ("anytoolbench", {"pool": "catalogue"}),
        ("nestful-sgd", {"catalog": "demo"}),
        ("hotpotqa", {"simulator": object()}),
    ],
)
def test_options_that_mean_nothing_are_refused(tmp_path, name, option):
    with pytest.raises(InputError, match=f"{next(iter(option))} means nothing for '{name}'"):
        load_dataset(name, tmp_path, **option)


NESTED = {"id": 1, "input": "x", "output": [{"name": "f", "arguments": {}, "label": "var1"}]}


def test_a_simulator_makes_up_what_is_not_recorded(tmp_path):
    write(tmp_path, "nestful/sgd_spec.json", json.dumps([{"name": "f", "output_parameters": {"x": {"type": "int"}}}]))
    write(tmp_path, "nestful/sgd.jsonl", [NESTED])
    simulator = Simulator(scripted(lambda *_: {"x": 3}), load_prompt("simulate").messages)
    resources = load_dataset("nestful-sgd", tmp_path, simulator=simulator).resources()
    assert call(resources, "nestful/sgd/f").text == f'{SIMULATED}{{"x": 3}}'


@with_data
@pytest.mark.parametrize("name", [one for one in DATA_SETS if "toolbench" not in one])
def test_every_schema_of_the_real_sets_is_one(name):
    apis = load_dataset(name, DATA).resources().catalog.apis()
    for api in apis[:: 1 + len(apis) // 500]:
        Draft202012Validator.check_schema(api.parameters)
        Draft202012Validator.check_schema(api.output or {})


def test_the_data_folder_means_nothing_for_a_file_of_ones_own(tmp_path):
    with pytest.raises(InputError, match="folder means nothing"):
        load_dataset("mine.jsonl", tmp_path, catalog="demo")

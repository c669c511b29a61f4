"""NESTFUL and Seal-Tools: sequences with references as nested plans."""

import json

import pytest

from tests.support.data_files import DATA, call, result, with_data, write
from toolquiver.calling import Failure
from toolquiver.errors import InputError
from toolquiver.evaluation.datasets import load_dataset
from toolquiver.evaluation.datasets.described import ids_by_name
from toolquiver.evaluation.datasets.nested import Step, nested_plan
from toolquiver.evaluation.datasets.scoring import nested_score
from toolquiver.evaluation.metrics import parse_plan, plan_edges
from toolquiver.evaluation.records import Question


def refers(text):
    if text.startswith("@"):
        return int(text[1:])
    if "@" in text:
        raise LookupError(text)
    return None


@pytest.mark.parametrize(
    ("steps", "plan"),
    [
        ([Step("A", {"x": 1})], "A(x=1)"),
        ([Step("A", {}), Step("B", {"x": "@0", "y": ["@0", 2]})], "B(x=A(), y=[A(), 2])"),
        ([Step("A", {}), Step("B", {}), Step("C", {"x": {"k": "@1"}})], "A()\nC(x={'k': B()})"),
        ([Step("A", {"x": "@1"}), Step("B", {"x": "@0"})], None),  # in a circle
        ([Step("A", {"x": "@0"})], None),
        ([Step("A", {"x": "@5"})], None),  # to no call
        ([Step("A", {}), Step("B", {"x": "twice @0"})], None),  # inside of other text
        ([], None),
    ],
)
def test_sequences_are_nested_by_their_references(steps, plan):
    assert nested_plan(steps, refers) == plan


def called(name, label, **arguments):
    return {"name": name, "label": label, "arguments": arguments}


SPECS = [
    {
        "name": "Hotels.Find",
        "description": "Finds a hotel.",
        "arguments": {
            "city": {"description": "Where", "required": True, "allowed_values": ["Rome"]},
            "stars": {"type": "int", "required": False},
        },
        "output_parameters": {"hotel": {"type": "string"}},
    },
    {"name": "Book", "parameters": {"hotel": {"type": "string", "required": True}}},
    {"name": "Book", "description": "The same again.", "parameters": {"hotel": {"type": "string", "required": True}}},
]
ROWS = [
    {
        "id": 1,
        "input": " Book a hotel in Rome. ",
        "output": [
            called("Hotels.Find", "var1", city="Rome"),
            called("Book", "var2", hotel="$var1.hotel[0]$"),
            called("var_result", "", booked="$var2$"),
        ],
    },
    {"id": 2, "input": "Pay it.", "output": [called("Pay", "var1", sum="2 * $var9.price$")]},
]


@pytest.fixture
def nestful(tmp_path):
    write(tmp_path, "nestful/sgd_spec.json.gz", json.dumps(SPECS))
    return load_dataset("nestful-sgd", write(tmp_path, "nestful/sgd.jsonl", ROWS))


def test_a_sequence_has_path_and_plan(nestful):
    question = nestful.questions()[0]
    assert question.query == "Book a hotel in Rome."
    assert question.gold_path == ("nestful/hotels/hotels_find", "nestful/sgd/book")
    assert question.gold_plan == "Book(hotel=Hotels.Find(city='Rome'))"


def test_what_cannot_be_nested_or_is_not_there_is_left_out(nestful):
    question = nestful.questions()[1]
    assert (question.gold_plan, question.gold_path, question.gold_apis) == (None, None, ())
    assert question.labels == {"missing": ["Pay"]}


def test_specifications_become_apis(nestful):
    api = nestful.resources().catalog.get("nestful/hotels/hotels_find")
    assert api.parameters["required"] == ["city"]
    assert "Rome" in api.parameters["properties"]["city"]["description"]
    assert api.parameters["properties"]["stars"] == {"type": "integer"}
    assert api.output["properties"] == {"hotel": {"type": "string"}}
    assert nestful.resources().catalog.get("nestful/sgd/book").description == ""


def test_calls_are_not_recorded(nestful):
    missed = call(nestful.resources(), "nestful/sgd/book", hotel="Ritz")
    assert isinstance(missed, Failure)
    assert missed.kind == "not_recorded"


@pytest.mark.parametrize(
    ("plan", "score"),
    [
        ("Book(hotel=Hotels.Find(city='Rome'))", {"exact_plan": 1, "edge_f1": 1, "correct_path": 1, "api_f1": 1}),
        (
            "Book(hotel=Hotels_Find(city='Rome'))",
            {"exact_plan": 1, "edge_f1": 1, "correct_path": 1},
        ),  # as models say it
        (
            "Book(hotel='Rome')",
            {"exact_plan": 0, "cause:wrong API for an argument": 1, "edge_f1": 0, "correct_path": 0},
        ),
        ("Book(hotel=Hotels.Find(city='Bern'))", {"exact_plan": 0, "cause:wrong value": 1, "edge_f1": 1}),
        (None, {"exact_plan": 0, "cause:other": 1, "edge_f1": 0, "correct_path": 0, "api_f1": 0}),
    ],
)
def test_plans_are_scored(nestful, plan, score):
    found = nestful.score(nestful.questions()[0], result(plan=plan))
    assert {name: found[name] for name in score} == score
    assert found["exact_plan:level-1"] == score["exact_plan"]
    assert sum(value for name, value in found.items() if name.startswith("cause:")) == 1 - score["exact_plan"]


@pytest.mark.parametrize(("plan", "edge_f1"), [("A(x=1)", None), ("A(x=B())", 0), (None, None)])
def test_there_are_no_edges_to_find_in_a_flat_gold(plan, edge_f1):
    flat = Question(id="1", query="x", gold_plan="A(x=1)")
    assert nested_score(flat, result(plan=plan), {})["edge_f1"] == edge_f1


def test_a_question_without_a_plan_has_no_plan_score(nestful):
    assert nestful.score(nestful.questions()[1], result(plan="Pay()"))["exact_plan"] is None


def test_a_broken_specification_is_named(tmp_path):
    write(tmp_path, "nestful/sgd_spec.json", '[{"description": "no name"}]')
    with pytest.raises(InputError, match=r"sgd_spec\.json': 0\.name"):
        load_dataset("nestful-sgd", tmp_path)


def test_a_broken_row_is_named(nestful, tmp_path):
    write(tmp_path, "nestful/sgd.jsonl", [ROWS[0], {"id": 2, "input": "Pay it.", "output": "Pay"}])
    with pytest.raises(InputError, match=r"sgd\.jsonl', line 2: output"):
        load_dataset("nestful-sgd", tmp_path)


TOOLS = [
    {
        "api_name": name,
        "api_description": "",
        "field": "Law/Courts",
        "parameters": {"x": {"type": "str", "description": ""}},
        "required": [],
        "responses": {"y": {"type": "str", "description": ""}},
    }
    for name in ("getCase", "getJudge")
]
NESTED = {
    "id": "n",
    "query": "Who judges?",
    "calling": [
        {"api": "getCase", "parameters": {"x": "7"}, "responses": ["API_call_0", "API_call_1"]},
        {"api": "getJudge", "parameters": {"x": "API_call_1"}, "responses": ["API_call_2"]},
    ],
}
PLAIN = NESTED | {"id": "p", "calling": NESTED["calling"][:1]}


def test_seal_tools_keeps_what_is_nested(tmp_path):
    for split in ("test_in_domain", "test_out_domain", "dev"):
        rows = [PLAIN, NESTED] if split == "dev" else [PLAIN]
        write(tmp_path, f"seal_tools/{split}.jsonl", rows)
    (question,) = load_dataset("seal-tools-nested", write(tmp_path, "seal_tools/tool.jsonl.gz", TOOLS)).questions()
    assert (question.id, question.group) == ("n", "dev")
    assert question.gold_plan == "getJudge(x=getCase(x='7'))"
    assert question.gold_path == ("law/courts/getcase", "law/courts/getjudge")


@pytest.mark.parametrize("file", ["tool", "test_out_domain"])
def test_a_broken_row_of_seal_tools_is_named(tmp_path, file):
    write(tmp_path, "seal_tools/tool.jsonl", TOOLS)
    for split in ("dev", "test_in_domain", "test_out_domain"):
        write(tmp_path, f"seal_tools/{split}.jsonl", [NESTED])
    (tmp_path / f"seal_tools/{file}.jsonl").write_text('{"api_name": 3}\n')
    with pytest.raises(InputError, match=rf"{file}\.jsonl', line 1: "):
        load_dataset("seal-tools-nested", tmp_path)


@with_data
@pytest.mark.parametrize(
    ("name", "questions", "apis", "plans", "missing"),
    [
        ("nestful-executable", 68, 39, 62, 0),
        ("nestful-glaive", 135, 64, 131, 8),  # 70 specifications, six of them repetitions
        ("nestful-sgd", 37, 30, 37, 0),
        ("seal-tools-nested", 65, 4_076, 65, 0),
    ],
)
def test_the_real_golds_are_all_in_the_catalogue_or_listed(name, questions, apis, plans, missing):
    data = load_dataset(name, DATA)
    ids = {one.id for one in data.resources().catalog.apis()}
    assert (len(data.questions()), len(ids)) == (questions, apis)
    assert sum(one.gold_plan is not None for one in data.questions()) == plans
    assert sum("missing" in one.labels for one in data.questions()) == missing
    for one in data.questions():
        assert ids.issuperset(one.gold_apis)
        assert (one.gold_path is None) == ("missing" in one.labels)
        if one.gold_plan and one.gold_path:
            found = data.score(one, result(plan=one.gold_plan))
            nested = plan_edges(parse_plan(one.gold_plan))
            assert (found["exact_plan"], found["edge_f1"]) == (1, 1 if nested else None)
            assert parse_plan(one.gold_plan)


@with_data
@pytest.mark.parametrize(
    "name", ["nestful-executable", "nestful-glaive", "nestful-sgd", "seal-tools-nested", "bfcl-miss-param"]
)
def test_plans_may_use_the_names_that_models_see(name):
    stored = load_dataset(name, DATA).resources().catalog.apis()
    names = ids_by_name([one.model_copy(update={"function": ""}) for one in stored])
    assert [one.id for one in stored if names[one.function] != one.id] == []

"""ToolBench's groups and AnyToolBench: golds and candidates as ids of the catalogue, calls replayed."""

import json
from collections import Counter

import pytest

from tests.support.data_files import DATA, call, called, result, with_data, write
from toolquiver.calling import Failure
from toolquiver.catalog import Catalog
from toolquiver.catalog.toolbench import read_toolbench
from toolquiver.errors import InputError
from toolquiver.evaluation.datasets import DATA_SETS, load_dataset
from toolquiver.evaluation.datasets.toolbench import GROUPS


def api(name):
    return {"category_name": "Data Tools", "tool_name": "Mail (v2)", "api_name": name}


def row(query_id=1, **more):
    fields = {
        "query_id": query_id,
        "query": " Where is it? ",
        "relevant APIs": [["Mail (v2)", "Track"]],
        "stable_solvable": True,
        "anytool_filtered": False,
        "api_list": [api("Track"), api("Send"), api("Gone")],
    }
    return fields | more


ROWS = [row(), row(2, stable_solvable=False), row(3, anytool_filtered=True)]
OPEN = {"query": "Where?", "final_answer": "There.", "query_id": "10", "gt_api_list": [api("Track "), api("hello")]}
TRACK, SEND = "data_tools/mail_v2/track", "data_tools/mail_v2/send"


def endpoint(name):
    required = [{"name": "number", "type": "STRING"}]
    return {"name": name, "required_parameters": required, "optional_parameters": []}


@pytest.fixture
def folder(tmp_path):
    tool = {"category": "Data Tools", "tool_name": "Mail (v2)", "apis": [endpoint("Track"), endpoint("Send")]}
    observed = {
        "function": "track_for_mail_v2",
        "arguments": '{"number": "X1"}',
        "response": json.dumps({"error": "", "response": "at home"}),
    }
    write(tmp_path, "toolbench/catalogue_toolbench16k.jsonl.gz", [tool])
    write(tmp_path, "toolbench_responses/observed_calls.jsonl", [observed])
    write(tmp_path, "toolbench_queries/anytoolbench.jsonl", [OPEN])
    return write(tmp_path, "toolbench_queries/G1_tool.jsonl", ROWS)


def test_a_question_has_its_candidates_gold_and_flags(folder):
    question = load_dataset("toolbench-g1-tool", folder).questions()[0]
    assert (question.id, question.query, question.group) == ("G1_tool/1", "Where is it?", "G1_tool")
    assert question.candidates == (TRACK, SEND)
    assert question.gold_apis == (TRACK,)
    assert question.labels == {"stable_solvable": True, "anytool_filtered": False}


def test_a_gold_that_the_catalogue_lacks_is_listed(folder):
    write(folder, "toolbench_queries/G1_tool.jsonl", [row(**{"relevant APIs": [["Mail (v2)", "Gone"], ["X", "Y"]]})])
    (question,) = load_dataset("toolbench-g1-tool", folder).questions()
    assert (question.gold_apis, question.labels["missing"]) == ((), ["Mail (v2)/Gone", "X/Y"])


@pytest.mark.parametrize(
    ("subset", "ids"), [("all", ["1", "2", "3"]), ("stable-solvable", ["1", "3"]), ("anytool-filtered", ["3"])]
)
def test_subsets_are_kept_by_their_flags(folder, subset, ids):
    questions = load_dataset("toolbench-g1-tool", folder, subset=subset).questions()
    assert [question.id.removeprefix("G1_tool/") for question in questions] == ids


def test_of_the_recorded_questions_each_gold_has_an_answer(folder):
    unanswered = row(4, **{"relevant APIs": [["Mail (v2)", "Track"], ["Mail (v2)", "Send"]]})
    write(folder, "toolbench_queries/G1_tool.jsonl", [*ROWS, unanswered])
    data = load_dataset("toolbench-g1-tool", folder, subset="recorded", replay="nearest")
    assert [question.id for question in data.questions()] == ["G1_tool/1", "G1_tool/2", "G1_tool/3"]
    assert call(data.resources(), TRACK, number="X2").text == "at home"
    assert call(data.resources(), SEND, number="X2").kind == "not_recorded"


def test_the_whole_catalogue_may_be_asked_over(folder):
    assert load_dataset("toolbench-g1-tool", folder, pool="catalogue").questions()[0].candidates is None


def test_calls_are_replayed(folder):
    resources = load_dataset("toolbench-g1-tool", folder).resources()
    assert call(resources, TRACK, number="X1").text == "at home"
    missed = call(resources, TRACK, number="X2")
    assert isinstance(missed, Failure)
    assert missed.kind == "not_recorded"


def test_an_imported_catalogue_takes_the_place_of_the_data(folder, tmp_path):
    made = load_dataset("toolbench-g1-tool", folder).resources().catalog
    with Catalog.create(tmp_path / "mine.db") as catalog:
        catalog.sync(made.sources()[0], made.apis())
    (folder / "toolbench/catalogue_toolbench16k.jsonl.gz").unlink()
    data = load_dataset("toolbench-g1-tool", folder, catalog=tmp_path / "mine.db")
    assert data.questions()[0].gold_apis == (TRACK,)
    assert call(data.resources(), TRACK, number="X1").text == "at home"
    data.resources().catalog.close()


def test_anytoolbench_has_an_answer_and_the_whole_catalogue(folder):
    (question,) = load_dataset("anytoolbench", folder).questions()
    assert (question.id, question.answer, question.candidates) == ("10", "There.", None)
    assert (question.gold_apis, question.labels["missing"]) == ((TRACK,), ["data_tools/mail_v2/hello"])


def test_retrieval_is_scored_where_it_was_the_systems(folder):
    found = result(calls=called(TRACK), candidates=(SEND, TRACK))
    data = load_dataset("toolbench-g1-tool", folder, pool="catalogue")
    score = data.score(data.questions()[0], found)
    # one gold at the second place: 1 / log2(3)
    assert score == {
        "gold_called": 1,
        "tool_error": 0,
        "all_called": 1,
        "recall": 1,
        "recall@5": 1,
        "recall@20": 1,
        "ndcg@1": 0,
        "ndcg@5": pytest.approx(0.6309298, abs=1e-6),
    }
    assert data.score(data.questions()[0], result(calls=called(SEND)))["all_called"] == 0
    late = data.score(data.questions()[0], result(candidates=(*(f"a/b/{place}" for place in range(5)), TRACK)))
    assert (late["recall"], late["recall@5"], late["recall@20"], late["ndcg@5"]) == (1, 0, 1, 0)
    given = load_dataset("toolbench-g1-tool", folder)
    of_given = given.score(given.questions()[0], found)
    assert {of_given[name] for name in ("recall", "recall@5", "recall@20", "ndcg@1", "ndcg@5")} == {None}


def test_a_broken_row_is_named(folder):
    write(folder, "toolbench_queries/G1_tool.jsonl", [ROWS[0], row() | {"query_id": "a"}])
    with pytest.raises(InputError, match=r"G1_tool\.jsonl', line 2: query_id"):
        load_dataset("toolbench-g1-tool", folder)
    write(folder, "toolbench_queries/anytoolbench.jsonl", [OPEN, {"query": "Where?"}])
    with pytest.raises(InputError, match=r"anytoolbench\.jsonl', line 2: query_id"):
        load_dataset("anytoolbench", folder)


@with_data
def test_the_real_golds_are_all_in_the_catalogue():
    questions = load_dataset("toolbench", DATA).questions()
    sizes = {group: sum(one.group == group for one in questions) for group in {one.group for one in questions}}
    assert sizes == {
        "G1_instruction": 160,
        "G1_tool": 160,
        "G1_category": 160,
        "G2_instruction": 160,
        "G2_category": 160,
        "G3_instruction": 80,
    }
    ids = {one.id for one in read_toolbench(DATA / "toolbench" / "catalogue_toolbench16k.jsonl.gz", "toolbench:x")}
    assert len(ids) == 16_463
    for one in questions:
        assert one.gold_apis
        assert ids.issuperset(one.candidates)
        assert set(one.gold_apis) <= set(one.candidates)
        assert "missing" not in one.labels
    opened = load_dataset("anytoolbench", DATA).questions()
    assert len(opened) == 326
    assert all(ids.issuperset(one.gold_apis) for one in opened)
    missing = [name for one in opened for name in one.labels.get("missing", ())]
    assert missing == ["customized/hello_world/get_hello_world"] * 4


@with_data
def test_the_real_subsets_have_their_sizes():
    """Those of AnyTool's filter and of StableToolBench, as their authors give them; those recorded as we find them."""
    sizes = {}
    for subset in ("anytool-filtered", "stable-solvable", "recorded"):
        of = Counter(question.group for question in load_dataset("toolbench", DATA, subset=subset).questions())
        sizes[subset] = [of[group] for group in GROUPS]
    assert sizes == {
        "anytool-filtered": [93, 104, 113, 84, 76, 33],
        "stable-solvable": [130, 126, 124, 84, 98, 49],
        "recorded": [16, 25, 38, 6, 36, 0],
    }


def test_every_group_is_a_set():
    assert len([name for name in DATA_SETS if name.startswith("toolbench-g")]) == 6

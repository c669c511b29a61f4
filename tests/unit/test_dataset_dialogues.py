"""API-Bank and BFCL: dialogues as questions."""

import json

import pytest

from tests.support.data_files import DATA, call, called, real, result, with_data, write
from toolquiver.calling import Failure
from toolquiver.errors import InputError
from toolquiver.evaluation import Called
from toolquiver.evaluation.datasets import load_dataset
from toolquiver.evaluation.records import ASKS

TOKEN, ALARM = "api_bank/api_bank/gettoken", "api_bank/api_bank/addalarm"
INFO = """description = "Adds an alarm."
input_parameters = {'token': {'type': 'str', 'description': 'The token.'}, 'when': {'type': 'str', 'description': ''}}
output_parameters = {'status': {'type': 'str', 'description': 'success or failed'}}"""
LIST = f'类名,input_parameters,api_info\nGetToken,(name: str),.\nAddAlarm,(),"{INFO.replace(chr(34), chr(34) * 2)}"\n'
LIST += 'Today,(),"input_parameters = {None}"\n'


def said(text):
    return {"role": "User", "text": text}


def made(name, output, /, **arguments):
    return {"role": "API", "api_name": name, "param_dict": arguments, "result": {"output": output, "exception": None}}


DIALOGUE = {
    "file": "alarm-1",
    "turns": [
        said(" Wake me at 7. "),
        {"role": "AI", "text": "Who are you?"},
        said("Jo."),
        made("ToolSearcher", [], keywords="alarm"),
        made("GetToken", {"token": "t1"}, name="Jo"),
        made("AddAlarm", "success", token="t1", time=7),
        {"role": "AI", "text": "Done."},
        said("Thanks!"),
    ],
}
SCENE = """Scene: Alarm

First Utterence: Wake me at 7.

Key Info:
- Jo

- GT API Calls:
GetToken(name="Jo"): 获取
AddAlarm(token="t1", time=7)
"""


@pytest.fixture
def folder(tmp_path):
    write(tmp_path, "api_bank/all_apis.csv.gz", LIST)
    write(tmp_path, "api_bank/level_1_given_desc.jsonl", [DIALOGUE, {"file": "empty", "turns": []}])
    write(tmp_path, "api_bank/level_2_toolsearcher.jsonl", [DIALOGUE | {"file": "alarm-2"}])
    return write(tmp_path, "api_bank/level_3_scenarios.jsonl", [{"file": "Alarm.txt", "text": SCENE}])


@pytest.mark.parametrize(("level", "id_"), [(1, "alarm-1"), (2, "alarm-2")])
def test_what_the_user_says_is_the_question(folder, level, id_):
    (question,) = load_dataset(f"api-bank-{level}", folder).questions()
    assert (question.id, question.query) == (id_, "Wake me at 7.\nJo.")
    assert question.gold_path == (TOKEN, ALARM)


def test_a_scene_has_what_is_known_and_its_calls(folder):
    (question,) = load_dataset("api-bank-3", folder).questions()
    assert question.query == "Wake me at 7.\n\nKey Info:\n- Jo"
    assert question.labels["calls"][1] == {"api": ALARM, "arguments": {"token": "t1", "time": 7}}


def test_apis_have_the_parameters_that_dialogues_use(folder):
    catalog = load_dataset("api-bank-1", folder).resources().catalog
    alarm = catalog.get(ALARM)
    assert alarm.parameters["properties"] == {
        "token": {"type": "string", "description": "The token."},
        "time": {"type": "integer"},
    }
    assert alarm.parameters["required"] == ["token", "time"]
    assert alarm.description == "Adds an alarm."
    assert catalog.get(TOKEN).parameters["required"] == ["name"]
    assert catalog.get("api_bank/api_bank/today").parameters["properties"] == {}


def test_calls_give_what_the_dialogues_have(folder):
    resources = load_dataset("api-bank-3", folder).resources()
    assert json.loads(call(resources, TOKEN, name=" Jo").text) == {"token": "t1"}
    assert call(resources, ALARM, token="t1", time=7).text == "success"
    missed = call(resources, TOKEN, name="Al")
    assert isinstance(missed, Failure)
    assert missed.kind == "not_recorded"


def test_calls_are_right_with_the_gold_arguments(folder):
    data = load_dataset("api-bank-1", folder)
    calls = (
        Called(api=TOKEN, arguments={"name": "Jo"}, ok=True),
        Called(api=ALARM, arguments={"time": "7.0", "token": "t2"}, ok=False),
    )
    found = data.score(data.questions()[0], result(calls=calls))
    assert (found["calls_right"], found["correct_path"], found["gold_called"]) == (0.5, 1, 0.5)


@pytest.mark.parametrize(
    ("name", "rows", "fault"),
    [
        (
            "api_bank/level_1_given_desc.jsonl",
            [DIALOGUE, {"file": "x", "turns": [{"role": "Bot"}]}],
            "line 2: turns.0.role",
        ),
        ("api_bank/level_3_scenarios.jsonl", [{"file": "x", "text": "Scene: none"}], "line 1: a scene needs"),
        (
            "api_bank/level_3_scenarios.jsonl",
            [{"file": "x", "text": "First Utterance: a\nAPI Call:\nA(x=1+2)"}],
            "line 1: '1 \\+ 2' is neither",
        ),
    ],
)
def test_a_broken_dialogue_is_named(folder, name, rows, fault):
    write(folder, name, rows)
    with pytest.raises(InputError, match=fault):
        load_dataset("api-bank-3", folder)


def test_an_api_without_a_name_is_named(folder):
    write(folder, "api_bank/all_apis.csv.gz", "类名,api_info\n,nothing\n")
    with pytest.raises(InputError, match=r"all_apis\.csv\.gz', line 2: an API needs its name"):
        load_dataset("api-bank-1", folder)


@with_data
@pytest.mark.parametrize(("level", "questions"), [(1, 170), (2, 40), (3, 6)])  # of 171 of level 1 one has no turns
def test_the_real_golds_are_all_in_the_list(level, questions):
    data = load_dataset(f"api-bank-{level}", DATA)
    ids = {one.id for one in data.resources().catalog.apis()}
    assert (len(data.questions()), len(ids)) == (questions, 101)
    assert all(one.gold_path is not None and ids.issuperset(one.gold_path) for one in data.questions())


@with_data
def test_the_real_calls_are_all_replayed():
    data = load_dataset("api-bank-1", DATA)
    resources = data.resources()
    made = [one for question in data.questions() for one in question.labels["calls"]]
    assert len(made) == 308
    failed = [one for one in made if isinstance(call(resources, one["api"], **one["arguments"]), Failure)]
    assert failed == []


FUNCTIONS = {
    "gorilla_file_system": [
        {
            "name": name,
            "description": f"Does {name}.",
            "parameters": {
                "type": "dict",
                "properties": {"file": {"type": "string", "description": "Which"}, "lines": {"type": "float"}},
                "required": ["file"],
            },
            "response": {"type": "dict", "properties": {"text": {"type": "string"}}},
        }
        for name in ("cat", "cd", "rm", "tail")
    ],
    "memory_kv": [],
}
LACKING = {
    "id": "m1",
    "question": [[{"role": "user", "content": text}] for text in ("Go to docs.", "Show a file.", "It is a.txt.")],
    "involved_classes": ["GorillaFileSystem"],
    "excluded_function": ["rm"],
    "ground_truth": [["cd('docs')"], [], ["cat(file='a.txt')"]],
}
CAT, CD = "bfcl/gorillafilesystem/cat", "bfcl/gorillafilesystem/cd"


@pytest.fixture
def bfcl(tmp_path):
    write(tmp_path, "bfcl/multi_turn_func_doc.json.gz", FUNCTIONS)
    return write(tmp_path, "bfcl/multi_turn_miss_param.jsonl", [LACKING])


def test_a_question_ends_with_the_request_that_lacks_something(bfcl):
    data = load_dataset("bfcl-miss-param", bfcl)
    (question,) = data.questions()
    assert question.query == "Go to docs.\nShow a file."
    assert question.gold_path == (CD,)
    assert question.candidates == (CAT, CD, "bfcl/gorillafilesystem/tail")
    assert question.labels == {"reply": "It is a.txt.", "apis_after": [CAT]}
    api = data.resources().catalog.get(CAT)
    assert api.parameters["properties"]["lines"] == {"type": "number"}
    assert api.output["properties"] == {"text": {"type": "string"}}


@pytest.mark.parametrize(
    ("calls", "refrained", "path"),
    [(called(CD), 1, 1), (called(CD, CAT), 0, 1), (called(CD, CAT, ok=False), 0, 1), ((), 1, 0)],
)
def test_calling_before_the_user_has_answered_is_wrong(bfcl, calls, refrained, path):
    data = load_dataset("bfcl-miss-param", bfcl)
    found = data.score(data.questions()[0], result(calls=calls))
    assert (found["refrained"], found["correct_path"]) == (refrained, path)
    assert next(iter(found)) == "asked_and_refrained"
    assert found["asked_and_refrained"] == 0  # nobody was asked


UNFILLED = (["fill", {"unfilled": [{"name": "file_name"}]}],)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        (result(""), 0),
        (result("I cannot do that."), 0),
        (result("Is there anything else?"), 0),
        (result("Here is the file. Is there anything else?"), 0),
        (result("I went there. Which file shall I show?"), 1),
        (result("Please tell me the file_name."), 1),
        (result("Which file?").model_copy(update={"outcome": "failed"}), 1),
        (result("Which?").model_copy(update={"outcome": "partial", "reason": ASKS}), 1),
        (result("").model_copy(update={"outcome": "partial", "trace": UNFILLED}), 1),
        (result("").model_copy(update={"outcome": "failed", "trace": UNFILLED}), 1),
        (result("").model_copy(update={"outcome": "solved", "trace": UNFILLED}), 0),
        (result("").model_copy(update={"outcome": "partial", "trace": (*UNFILLED, ["fill", {"unfilled": []}])}), 0),
    ],
)
def test_only_who_asks_for_what_is_missing_has_asked(bfcl, said, asked):
    data = load_dataset("bfcl-miss-param", bfcl)
    found = data.score(data.questions()[0], said)
    assert (found["asked"], found["asked_and_refrained"], found["refrained"]) == (asked, asked, 1)
    early = data.score(data.questions()[0], said.model_copy(update={"calls": called(CAT)}))
    assert (early["asked"], early["asked_and_refrained"]) == (asked, 0)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"ground_truth": [["cd('docs')"], []]}, "as many lists in ground_truth as turns"),
        ({"ground_truth": [["cd('docs')"], ["cd('x')"], ["cd('x')"]]}, "no turn lacks a parameter"),
        ({"ground_truth": [["rm('docs')"], [], []]}, "'rm' in ground_truth is no call"),
        ({"ground_truth": [["cd("], [], []]}, "in ground_truth is no call"),
    ],
)
def test_a_broken_bfcl_row_is_named(bfcl, change, fault):
    write(bfcl, "bfcl/multi_turn_miss_param.jsonl", [LACKING, LACKING | change | {"id": "m2"}])
    with pytest.raises(InputError, match=f"line 2: .*{fault}"):
        load_dataset("bfcl-miss-param", bfcl)


@with_data
def test_the_real_dialogues_lack_one_parameter():
    data = load_dataset("bfcl-miss-param", DATA)
    ids = {one.id for one in data.resources().catalog.apis()}
    assert (len(data.questions()), len(ids)) == (160, 128)
    for one in data.questions():
        assert ids.issuperset(one.candidates)
        assert set(one.candidates).issuperset((*one.gold_path, *one.labels["apis_after"]))
    assert len(real("bfcl/multi_turn_miss_param.jsonl.gz")) == 160

"""What nobody has given: first from another API, then from the user, and never sent empty."""

import json

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.support.programs import Programs, an_api, code, worded
from tests.support.savers import question_of, saving

pytestmark = pytest.mark.usefixtures("strict")

PERSON_ID = {"person_id": {"type": "string", "description": "The id of the person."}}
ROOM = an_api("book_room", PERSON_ID | {"day": {"type": "string"}})
GIVES_ID = an_api(
    "name_to_id",
    {"person_name": {"type": "string"}},
    output={"type": "object", "properties": {"person_id": {"type": "string"}}},
)
OPEN = ["UNKNOWN", "''", "'  '", "'UNKNOWN'"]
BOOKED = code("answer = book_room(UNKNOWN, '2031-05-02')")


@pytest.fixture(params=["memory", "sqlite"])
def waiting(request, tmp_path):
    with saving(request.param, tmp_path / "state.db") as found:
        yield found


def booking(*plans, apis=(ROOM, GIVES_ID), **decisions):
    def respond(api, given):
        return {"person_id": "p-7"} if api.name == "name_to_id" else {"booked": given}

    return Programs(*apis, plans=plans, respond=respond, **decisions)


def sources(**values):
    """For each open argument where it comes from: `value`, a function or `nobody`."""

    def decide(_, schema):
        parts = {}
        for name in schema["properties"]:
            source, value = values.get(name, ("nobody", None))
            parts[name] = {"source": source, "value": value}
        return parts

    return decide


# ---- from other APIs


@pytest.mark.parametrize("unknown", OPEN)
def test_what_is_open_comes_from_the_api_whose_output_it_is(unknown):
    stage = booking(
        code(f"answer = book_room({unknown}, '2031-05-02')"),
        Sources=sources(person_id=("name_to_id", None), person_name=("value", "Jack")),
    )
    result = stage.ask("Book a room for Jack on 2 May 2031.")
    assert stage.made() == [
        ("name_to_id", {"person_name": "Jack"}),
        ("book_room", {"person_id": "p-7", "day": "2031-05-02"}),
    ]
    assert result["status"] == "solved"
    assert stage.titles() == ["plan", "Sources", "Sources", "Worded"]


def test_an_argument_that_is_left_out_counts_as_open():
    stage = booking(code("answer = book_room(day='2031-05-02')"), Sources=sources(person_id=("value", "p-1")))
    stage.ask()
    assert stage.made() == [("book_room", {"person_id": "p-1", "day": "2031-05-02"})]


def test_the_model_chooses_among_several_values_that_fit():
    shown = {"found": [{"person_id": "p-1", "name": "Jack"}, {"person_id": "p-7", "name": "Jackie"}]}
    stage = booking(
        BOOKED,
        Sources=sources(person_id=("name_to_id", None), person_name=("value", "Jackie")),
        Taken={"path": 'result["found"][1]["person_id"]'},
    )
    stage._data = lambda api, given: shown if api.name == "name_to_id" else {"booked": given}
    stage.ask()
    assert stage.made("book_room") == [{"person_id": "p-7", "day": "2031-05-02"}]


def test_what_the_user_gives_of_a_chain_goes_on_from_there(waiting):
    """Neither the request nor an API has the name, so that the user is asked for what the call itself needs."""
    stage = booking(BOOKED, Sources=sources(person_id=("name_to_id", None)))
    asked = question_of(stage.ask("Book a room on 2 May 2031.", saver=waiting))
    assert [one["key"] for one in asked["missing"]] == ["person_id"]
    result = stage.ask(Command(resume="p-9"), saver=waiting)
    assert stage.made() == [("book_room", {"person_id": "p-9", "day": "2031-05-02"})]
    assert result["status"] == "solved"


def test_an_api_does_not_feed_itself():
    loop = an_api("next_id", PERSON_ID, output={"type": "object", "properties": {"person_id": {"type": "string"}}})
    stage = Programs(loop, plans=code("answer = next_id(UNKNOWN)"))
    result = stage.ask()
    assert stage.made() == []
    assert "Sources" not in stage.titles()
    assert result["status"] != "solved"


# ---- from the user


def test_the_user_is_asked_for_what_no_api_gives(waiting):
    stage = booking(BOOKED, apis=(ROOM,))
    asked = question_of(stage.ask(saver=waiting))
    (missing,) = asked["missing"]
    assert (missing["key"], missing["type"], missing["description"]) == ("person_id", "string", "The id of the person.")
    assert "book_room needs person_id" in asked["question"]
    assert json.loads(json.dumps(asked)) == asked
    assert stage.made() == []
    result = stage.ask(Command(resume={"person_id": "p-3"}), saver=waiting)
    assert stage.made() == [("book_room", {"person_id": "p-3", "day": "2031-05-02"})]
    assert (result["status"], result["unfilled"]) == ("solved", [])
    assert stage.titles() == ["plan", "Worded"]


def test_all_that_is_open_is_asked_for_together(waiting):
    stage = booking(code("answer = book_room(UNKNOWN, UNKNOWN)"), apis=(ROOM,))
    asked = question_of(stage.ask(saver=waiting))
    assert [one["key"] for one in asked["missing"]] == ["person_id", "day"]
    stage.ask(Command(resume={"person_id": "p-3", "day": "morgen"}), saver=waiting)
    assert stage.made() == [("book_room", {"person_id": "p-3", "day": "morgen"})]


@pytest.mark.parametrize("reply", ["refuse", "", {"person_id": ""}, {"person_id": "refuse"}])
def test_who_refuses_is_not_asked_again_and_nothing_is_sent(waiting, reply):
    stage = booking(BOOKED, apis=(ROOM,))
    stage.ask(saver=waiting, max_plans=2)
    result = stage.ask(Command(resume=reply), saver=waiting, max_plans=2)
    assert question_of(result) is None
    assert stage.made() == []
    assert [one["key"] for one in result["unfilled"]] == ["person_id"]
    assert result["status"] != "solved"


@pytest.mark.parametrize(
    ("schema", "wrong", "right", "sent"),
    [
        ({"type": "integer"}, "many", "5", 5),
        ({"type": "integer"}, 5.5, 5, 5),
        ({"type": "number"}, {"n": "x"}, "2.5", 2.5),
        ({"type": "boolean"}, "perhaps", "true", True),
        ({"type": "string", "enum": ["north", "south"]}, "west", "south", "south"),
        ({"type": "array", "items": {"type": "string"}}, 3, "a, b", ["a", "b"]),
    ],
)
def test_a_reply_of_another_type_is_asked_for_again(schema, wrong, right, sent):
    stage, saver = Programs(an_api("alpha", {"n": schema}), plans=code("answer = alpha(UNKNOWN)")), InMemorySaver()
    stage.ask(saver=saver)
    again = question_of(stage.ask(Command(resume=wrong), saver=saver))
    assert again["question"].startswith("n: ")
    assert stage.made() == []
    result = stage.ask(Command(resume=right), saver=saver)
    assert (stage.made("alpha"), result["status"]) == ([{"n": sent}], "solved")


def test_wrong_replies_end_after_three():
    stage, saver = (
        Programs(an_api("alpha", {"n": {"type": "integer"}}), plans=code("answer = alpha(UNKNOWN)")),
        InMemorySaver(),
    )
    result = stage.ask(saver=saver, max_plans=1)
    for _ in range(3):
        assert question_of(result)
        result = stage.ask(Command(resume="many"), saver=saver, max_plans=1)
    assert question_of(result) is None
    assert stage.made() == []


# ---- nobody may be asked


@pytest.mark.parametrize("way", ["no checkpointer", "no thread", "ask=False"])
def test_where_nobody_can_be_asked_it_says_what_is_missing(way):
    stage = booking(
        BOOKED, code("answer = 'I need to know who.'"), apis=(ROOM,), Worded=worded("Who?", missing=["who"])
    )
    settings = {"ask": False} if way == "ask=False" else {}
    saver = InMemorySaver() if way == "ask=False" else None
    result = stage.ask(saver=saver, verification="never", **({"config": {}} if way == "no thread" else {}), **settings)
    assert question_of(result) is None
    assert stage.made() == []
    assert [one["key"] for one in result["unfilled"]] == ["person_id"]
    assert (result["status"], result["missing"]) == ("partial", ["who"])
    assert "person_id" in stage.told()


def test_the_program_can_catch_that_nobody_can_be_asked():
    program = "try:\n    answer = ask_user('Wie alt sind Sie?', 'int')\nexcept Exception:\n    answer = 'unbekannt'"
    stage = Programs(ROOM, plans=code(program))
    result = stage.ask(ask=False)
    assert result["status"] == "solved"
    assert [one["description"] for one in result["unfilled"]] == ["Wie alt sind Sie?"]


# ---- asked by the program


@pytest.mark.parametrize(
    ("call", "reply", "value"),
    [
        ("ask_user('Wie alt sind Sie?', 'int')", "42", 42),
        ("ask_user('¿Cuántos años tiene?', int)", 42, 42),
        ("ask_user(what='您叫什么名字?')", "小明", "小明"),
        ("ask_user('何人ですか', type='int')", {"reply": 3}, 3),
        ("ask_user('Which?', list[str])", ["a"], ["a"]),
        ("ask_user('Sure?', 'bool')", True, True),
        ("ask_user('Number?')", "0043", "0043"),
    ],
)
def test_a_program_asks_and_goes_on_with_the_reply(waiting, call, reply, value):
    stage = Programs(an_api("keep", {"it": {}}), plans=code(f"answer = keep({call})"))
    asked = question_of(stage.ask(saver=waiting))
    assert asked["question"] in call
    result = stage.ask(Command(resume=reply), saver=waiting)
    assert (stage.made("keep"), result["status"]) == ([{"it": value}], "solved")
    assert stage.titles() == ["plan", "Worded"]


def test_calls_before_the_question_are_not_made_again(waiting):
    program = "n = alpha('a')\nanswer = [n, ask_user('Who?'), bravo('b')]"
    stage = Programs(an_api("alpha", effect="write"), an_api("bravo", effect="write"), plans=code(program))
    stage.ask(saver=waiting, approval="never")
    stage.ask(Command(resume="Jack"), saver=waiting, approval="never")
    assert stage.made() == [("alpha", {"note": "a"}), ("bravo", {"note": "b"})]
    assert "Jack" in stage.texts("Worded")[0]


def test_several_questions_are_asked_one_after_another(waiting):
    stage = Programs(ROOM, plans=code("answer = [ask_user('One?'), ask_user('Two?')]"))
    assert question_of(stage.ask(saver=waiting))["question"] == "One?"
    assert question_of(stage.ask(Command(resume="1"), saver=waiting))["question"] == "Two?"
    stage.ask(Command(resume="2"), saver=waiting)
    assert '["1", "2"]' in stage.texts("Worded")[0]


def test_a_sentence_on_no_reply_is_marked_though_the_user_has_replied(waiting):
    said = worded("It is for Jack.", "Jack is 42.", "He is tall.")
    said["sentences"] = [one | {"calls": []} for one in said["sentences"]]
    said["sentences"][0]["calls"], said["sentences"][1]["calls"] = [1], [2, 0]
    stage = Programs(ROOM, plans=code("answer = ask_user('Who?')"), Worded=said)
    stage.ask(saver=waiting)
    result = stage.ask(Command(resume="Jack"), saver=waiting)
    assert [one["unsupported"] for one in result["evidence"]] == [False, True, True]
    assert "Reply 1. The user was asked: Who?" in stage.texts("Worded")[0]
    assert stage.titles() == ["plan", "Worded", "Verdict"]


def test_what_stands_on_a_reply_alone_is_not_verified_and_the_reason_says_so(waiting):
    said = {"sentences": [{"text": "Hello, Jack!", "calls": [1]}]}
    stage = Programs(ROOM, plans=code("answer = ask_user('Who?')"), Worded=said)
    stage.ask(saver=waiting)
    result = stage.ask(Command(resume="Jack"), saver=waiting)
    assert (result["status"], stage.titles()) == ("solved", ["plan", "Worded"])
    assert "replied" in result["reason"]


# ---- approval


def writing(*plans):
    apis = an_api("set_light", effect="write"), an_api("unlock_door", effect="write"), an_api("look")
    return Programs(*apis, plans=plans)


def test_a_call_that_writes_waits_for_the_user(waiting):
    stage = writing(code("look('a')\nanswer = set_light('20%')"))
    asked = question_of(stage.ask(saver=waiting))
    assert (asked["api"], asked["arguments"], asked["effect"]) == (stage.ids[0], {"note": "20%"}, "write")
    assert stage.made() == [("look", {"note": "a"})], "what only reads is not asked about"
    result = stage.ask(Command(resume="approve"), saver=waiting)
    assert stage.made() == [("look", {"note": "a"}), ("set_light", {"note": "20%"})]
    assert result["status"] == "solved"


def test_a_call_that_is_refused_is_not_made_and_the_planner_is_told(waiting):
    stage = writing(code("answer = set_light('20%')"), code("answer = 'It stays dark.'"))
    stage.ask(saver=waiting)
    result = stage.ask(Command(resume="refuse"), saver=waiting)
    assert (stage.made(), question_of(result)) == ([], None)
    assert "refused" in stage.told()
    assert result["calls"][0]["failure"] == "blocked"


def test_the_call_that_was_refused_is_not_asked_about_again(waiting):
    stage = writing(code("answer = set_light('20%')"), code("answer = set_light(note='20%')"), code("answer = 1"))
    stage.ask(saver=waiting)
    result = stage.ask(Command(resume="refuse"), saver=waiting)
    assert (stage.made(), question_of(result)) == ([], None)


def test_two_writes_side_by_side_are_both_asked_about(waiting):
    stage = writing(code("answer = await gather(set_light('on'), unlock_door('front'))"), code("answer = 'one'"))
    questions = stage.ask(saver=waiting)["__interrupt__"]
    assert {one.value["api"] for one in questions} == set(stage.ids[:2])
    answers = {one.id: "approve" if one.value["api"] == stage.ids[0] else "refuse" for one in questions}
    result = stage.ask(Command(resume=answers), saver=waiting)
    assert stage.made() == [("set_light", {"note": "on"})]
    assert sorted((call["api"], call["failure"]) for call in result["calls"]) == [
        (stage.ids[0], None),
        (stage.ids[1], "blocked"),
    ]


def test_of_two_writes_side_by_side_one_answer_makes_one_call(waiting):
    stage = writing(code("answer = await gather(set_light('on'), unlock_door('front'))"))
    first, second = stage.ask(saver=waiting)["__interrupt__"]
    left = stage.ask(Command(resume={first.id: "approve"}), saver=waiting)["__interrupt__"]
    assert [one.id for one in left] == [second.id]
    result = stage.ask(Command(resume={second.id: "approve"}), saver=waiting)
    assert sorted(stage.made()) == [("set_light", {"note": "on"}), ("unlock_door", {"note": "front"})]
    assert result["status"] == "solved"


@pytest.mark.parametrize("effect", ["write", "unknown", "read"])
def test_where_nobody_can_wait_nothing_is_asked_unless_it_is_demanded(effect):
    stage = Programs(an_api("alpha", effect=effect), plans=code("answer = alpha('a')"))
    assert stage.ask()["status"] == "solved"
    assert stage.made() == [("alpha", {"note": "a"})]


def test_a_call_that_does_not_fit_its_schema_is_not_asked_about(waiting):
    level = an_api("set_level", {"n": {"type": "integer", "maximum": 9}}, effect="write")
    stage = Programs(level, plans=code("answer = set_level(12)"))
    result = stage.ask(saver=waiting, max_plans=2)
    assert (question_of(result), stage.made()) == (None, [])

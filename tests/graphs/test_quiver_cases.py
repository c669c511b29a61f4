"""Right decisions of a model arrive unchanged: as calls, as plans and as answers, in any language."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from tests.support.programs import Programs, an_api, choosing, code, worded
from toolquiver.calling import CallError
from toolquiver.nodes.room import longest_whole

pytestmark = pytest.mark.usefixtures("strict")

TEXT, NUMBER, INTEGER = {"type": "string"}, {"type": "number"}, {"type": "integer"}


def answered(query, data, *sentences, program="answer = look()", missing=(), **more):
    """A run in which one call returns `data`, and the answer agent says these sentences."""
    stage = Programs(
        an_api("look", {}),
        plans=code(program),
        respond=lambda *_: data,
        Worded=worded(*sentences, missing=missing),
        **more,
    )
    return stage, stage.ask(query)


# ---- answers


@pytest.mark.parametrize(
    ("query", "data", "answer"),
    [
        ("Which gate?", {"gate": "B12", "status": "scheduled"}, "The flight leaves from gate B12."),
        ("Wo ist Bestellung 4711?", {"status": "shipped"}, "Die Bestellung 4711 ist unterwegs, Status: versandt."),
        ("How much is it?", [80, 80, 120], "Together they come to 280 EUR."),
        ("Did it rise?", [80, 100], "The price rose by 25%."),
        ("How long is the film?", {"seconds": 5700}, "It takes 1 h 35 min."),
        ("What was the revenue?", {"cents": 1_250_000_000}, "The revenue was EUR 12.5M."),
        ("Where?", {"capital": "Nairobi"}, "The capital is Nairobi, in East Africa."),
        ("How many seats are left?", {"seats": 0}, "The concert is sold out."),
        ("How many rooms?", {"free": 0}, "The hotel is fully booked."),
        ("Wie viele Tote?", {"dead": 0}, "Es gab keine Toten."),
        ("¿Cuántas plazas quedan?", {"seats": 0}, "No queda ninguna plaza."),
        ("还有几个座位？", {"seats": 0}, "座位已经全部售完。"),  # noqa: RUF001
        ("残りの席は？", {"seats": 0}, "満席です。"),  # noqa: RUF001
        ("Which hotel?", {"Astoria": 90, "Bristol": 120}, "Choose Hotel Astoria: it is cheaper."),
        ("Hauptstadt?", {"capital": "Vienna"}, "Die Hauptstadt ist Wien."),
        ("Describe it.", {"text": "long"}, "A long answer. " * 140),
        ("Where is my parcel?", {"id": "9f3c-77", "status": "in transit"}, "Your parcel is on its way."),
        ("Is it open?", {"open": True}, "Yes."),
        ("Ist es offen?", {"open": False}, "Nein."),
        ("Was it a success?", {"profit": -12.5}, "No, it lost 12.50."),
    ],
)
def test_an_answer_stays_as_it_is_worded(query, data, answer):
    stage, result = answered(query, data, answer)
    assert (result["answer"], result["status"]) == (answer, "solved")
    assert stage.titles() == ["plan", "Worded"]
    assert result["evidence"][0]["unsupported"] is False


@pytest.mark.parametrize(
    ("sentences", "answer"),
    [
        (["It is 8.", "It was 7."], "It is 8. It was 7."),
        (["今天下雨。", "带伞吧。"], "今天下雨。带伞吧。"),
        (["今日は雨です。", "傘を持って。"], "今日は雨です。傘を持って。"),
        (["Es regnet. ", "Nimm einen Schirm."], "Es regnet. Nimm einen Schirm."),
        (["- one\n", "- two"], "- one\n- two"),
    ],
)
def test_sentences_are_joined_as_their_script_has_it(sentences, answer):
    assert answered("What?", 8, *sentences)[1]["answer"] == answer


def test_what_stands_on_no_call_is_marked_and_kept():
    sentences = ("It is 8.", [1]), ("That is a lot.", [])
    _, result = answered("How much?", 8, *sentences)
    assert result["answer"] == "It is 8. That is a lot."
    assert [(one["calls"], one["unsupported"]) for one in result["evidence"]] == [([0], False), ([], True)]


@pytest.mark.parametrize("verification", ["never", "in_doubt"])
def test_what_no_call_was_made_for_is_marked(verification):
    stage = Programs(an_api("look", {}), plans=code("answer = 'X'"), Worded=worded("The mayor is X."))
    result = stage.ask("Who is mayor?", verification=verification)
    assert [one["unsupported"] for one in result["evidence"]] == [True]
    assert "stands on the calls" not in result["reason"]


def test_a_number_of_a_call_that_is_not_there_is_no_evidence():
    _, result = answered("How much?", 8, ("It is 8.", [0, 1, 2, -1, 99]), ("It is 9.", [7]))
    assert [one["calls"] for one in result["evidence"]] == [[0], []]


def test_the_verdict_counts_though_another_tool_failed():
    def respond(api, _):
        if api.name == "other":
            raise CallError("server_error", "It is down.")
        return 8

    program = "try:\n    other()\nexcept Exception:\n    pass\nanswer = look()"
    verdict = {"reason": "It is answered.", "done": True}
    apis = an_api("look", {}), an_api("other", {})
    stage = Programs(*apis, plans=code(program), respond=respond, Verdict=verdict)
    result = stage.ask(verification="always")
    assert (result["status"], result["reason"]) == ("solved", "It is answered.")


def test_what_is_missing_keeps_it_from_being_solved_and_it_goes_on():
    verdict = {"reason": "Its details are missing.", "done": False}
    stage, result = answered("Its details?", {"id": 5}, "It has the id 5.", missing=["its details"], Verdict=verdict)
    assert (result["status"], result["missing"]) == ("partial", ["its details"])
    assert result["reflections"] == 2
    assert "Its details are missing." in stage.told()


def test_findings_of_all_tries_stay_in_sight_of_the_answer():
    verdicts = iter([{"reason": "Her house?", "done": False}, {"reason": "All there.", "done": True}])
    stage = Programs(
        an_api("birth", {}),
        an_api("house", {}),
        plans=[code("answer = birth()"), code("answer = house()")],
        respond=lambda api, _: {"year": 1912} if api.name == "birth" else {"street": "Elm"},
        Verdict=lambda *_: next(verdicts),
    )
    stage.ask(verification="always")
    assert "1912" in stage.texts("Worded")[1]
    assert "Elm" in stage.texts("Worded")[1]


# ---- plans


def test_a_plan_of_four_calls_is_made_as_given_in_one_question():
    program = "answer = book(city(flight(person('Jack'))))"
    stage = Programs(*(an_api(name) for name in ("book", "city", "flight", "person")), plans=code(program))
    result = stage.ask("Jack flies to Vienna and wants a room there.")
    assert [name for name, _ in stage.made()] == ["person", "flight", "city", "book"]
    assert (stage.titles(), result["status"]) == (["plan", "Worded"], "solved")


def test_a_story_whose_two_calls_answer_it_all_is_done_after_them():
    story = "My aunt Vera, who collects stamps, visits on Sunday. " * 30 + "Will it rain? And is the museum open?"
    stage = Programs(an_api("rain"), an_api("museum"), plans=code("answer = [rain('Sunday'), museum('Sunday')]"))
    stage.ask(story)
    assert (len(stage.made()), stage.titles()) == (2, ["plan", "Worded"])


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Write a birthday greeting.", "Happy birthday!"),
        ("Schreib einen Geburtstagsgruß.", "Alles Gute zum Geburtstag!"),
        ("Escribe un saludo.", "¡Hola!"),
        ("写一句问候。", "你好"),
        ("挨拶を書いて。", "こんにちは"),
        ("What is 2 + 2?", "4"),
    ],
)
def test_a_request_that_needs_no_tool_is_answered(query, text):
    stage = Programs(an_api("alpha"), plans=text)
    result = stage.ask(query)
    assert (result["answer"], result["status"], stage.made()) == (text, "solved", [])


def test_only_what_is_planned_is_called():
    apis = [an_api(name) for name in ("reverse_text", "count_words", "upper_case")]
    stage = Programs(*apis, plans=code("answer = reverse_text('stop')"))
    stage.ask("Reverse the word 'stop', do not count or upper-case it.")
    assert stage.made() == [("reverse_text", {"note": "stop"})]


def test_a_second_look_at_the_same_name_for_another_purpose_keeps_it():
    stage = Programs(an_api("born"), an_api("works"), plans=code("answer = [born('Ada'), works('Ada'), born('Bob')]"))
    stage.ask("When were Ada and Bob born, and what did Ada write?")
    assert stage.made() == [("born", {"note": "Ada"}), ("works", {"note": "Ada"}), ("born", {"note": "Bob"})]


# ---- arguments

ENUM = {"type": "string", "enum": ["sedentary", "light", "active"]}


@pytest.mark.parametrize(
    ("query", "schema", "value"),
    [
        ("I am lightly active (factor 1.375).", ENUM, "light"),
        ("How warm is it, not in fahrenheit?", {"type": "string", "enum": ["celsius", "fahrenheit"]}, "celsius"),
        ("Was heisst 'English breakfast' auf Deutsch?", TEXT, "german"),
        ("Wie wird das Wetter in Wien?", TEXT, "Vienna"),
        ("维也纳的天气怎么样?", TEXT, "Vienna"),
        ("ウィーンの天気は?", TEXT, "Vienna"),
        ("How many euros?", TEXT, "EUR"),
        ("In German, please.", TEXT, "de"),
        ("Ruf 0664 123 45 67 an.", TEXT, "+436641234567"),
        ("Sydney lies at 33.87 S.", NUMBER, -33.87),
        ("Quiero trescientos cincuenta gramos.", INTEGER, 350),
        ("三百五十克", INTEGER, 350),
        ("Wie wird das Wetter morgen?", {"type": "string", "format": "date"}, "2026-11-30"),
        ("Berlin (52.52) and Sydney, which is south.", NUMBER, 52.52),
        ("The longest drawdown?", NUMBER, -12.5),
        ("12 kg of flour in a box of 12 cm", {"type": "array", "items": TEXT}, ["12 kg", "12 cm"]),
        ("The antipode of 48 N, 16 E", {"type": "object"}, {"lat": -48, "lon": -164}),
        ("I asked yesterday already. Check in on 1 April.", TEXT, "2027-04-01"),
        ("Nothing to say.", TEXT, "none"),
        ("Search for nothing.", TEXT, "null"),
        ("Say 'unknown unknowns'.", TEXT, "unknown unknowns"),
        ("Straße", TEXT, "Größe „groß“ 'n\\t' \"x\""),
        ("emoji", TEXT, "👩‍👩‍👧 ok"),
        ("zero", INTEGER, 0),
        ("off", {"type": "boolean"}, False),
        ("no list", {"type": "array"}, []),
    ],
)
@pytest.mark.parametrize("form", ["program", "steps"])
def test_an_argument_is_sent_as_the_model_gives_it(query, schema, value, form):
    stage = Programs(
        an_api("alpha", {"it": schema}),
        plans=code(f"answer = alpha(it={value!r})"),
        Choice=choosing("alpha"),
        Arguments={"it": value},
    )
    result = stage.ask(query, plan_form=form)
    assert (stage.made("alpha"), result["status"]) == ([{"it": value}], "solved")


def test_what_is_worked_out_is_sent():
    stage = Programs(an_api("diet", {"kcal": NUMBER}), plans=code("answer = diet(round(1436 * 1.375, 1))"))
    stage.ask("My basal rate is 1436, and I am lightly active.")
    assert stage.made("diet") == [{"kcal": 1974.5}]


def test_each_call_has_its_own_arguments():
    stage = Programs(
        an_api("add", {"a": INTEGER, "b": INTEGER}), plans=code("answer = add(add(5, 7), b=add(a=1, b=2))")
    )
    stage._data = lambda _, given: given["a"] + given["b"]
    stage.ask()
    assert stage.made("add") == [{"a": 5, "b": 7}, {"a": 1, "b": 2}, {"a": 12, "b": 3}]


@pytest.mark.parametrize("empty", ["''", "UNKNOWN", "'UNKNOWN'", "None"])
def test_an_empty_value_is_not_sent_for_what_is_required(empty):
    stage = Programs(an_api("alpha"), plans=code(f"answer = alpha({empty})"))
    result = stage.ask(max_plans=2)
    assert stage.made() == []
    assert [one["key"] for one in result["unfilled"]] == ["note"]
    assert result["status"] != "solved"


def test_null_for_an_optional_argument_is_left_out():
    api = an_api(
        "population", {"city": TEXT, "limit": INTEGER, "near": {"type": ["string", "null"]}}, required=["city"]
    )
    stage = Programs(api, plans=code("answer = population('Graz', None, near=None)"))
    stage.ask()
    assert stage.made("population") == [{"city": "Graz", "near": None}]


# ---- memory and tools


def test_a_result_beyond_the_first_characters_reaches_the_next_call():
    page = {"text": "x" * 9_000, "items": [{"href": "/songs/17"}]}
    stage = Programs(
        an_api("search_songs"),
        an_api("open_page"),
        plans=code("answer = open_page(search_songs('x')['items'][0]['href'])"),
        respond=lambda api, _: page if api.name == "search_songs" else "There it is.",
    )
    stage.ask()
    assert stage.made("open_page") == [{"note": "/songs/17"}]


def test_what_is_printed_is_shown_whole():
    page = {"text": "x" * 3_000, "href": "/songs/17"}
    stage = Programs(an_api("look", {}), plans=[code("print(look())"), code("answer = 1")], respond=lambda *_: page)
    stage.ask()
    assert "/songs/17" in stage.told()
    assert "cut:" not in stage.told()


def test_what_is_cut_says_so_and_can_be_asked_for():
    text = "x" * 500_000 + "the end"
    plans = [code("print(look())"), code("print(look()[-20:])"), code("answer = 1")]
    stage = Programs(an_api("look", {}), plans=plans, respond=lambda *_: text[-150_000:])
    stage.ask()
    assert "cut:" in str(stage.shown[1][-1].text)
    assert "the end" in stage.told()
    assert len(stage.made()) == 1


def test_of_many_results_only_the_longest_is_cut():
    """A long result beside short ones has the room that they leave."""
    long = "x" * 30_000 + "the end"
    stage = Programs(
        an_api("alpha"),
        plans=code("answer = [alpha(str(n)) for n in range(10)]\nanswer = len(answer)"),
        respond=lambda _, given: long if given["note"] == "3" else "y",
    )
    stage.ask(verification="always")
    for title in ("Worded", "Verdict"):
        assert "the end" in stage.texts(title)[0]
        assert "The program's result: 10" in stage.texts(title)[0], "both see what the program made of it"


def test_who_words_and_judges_is_not_told_to_print():
    stage = Programs(an_api("look", {}), plans=code("answer = look()"), respond=lambda *_: "x" * 150_000)
    stage.ask(verification="always")
    for title in ("Worded", "Verdict"):
        assert "more characters]" in stage.texts(title)[0]
        assert "print a part" not in stage.texts(title)[0]


@given(st.lists(st.integers(0, 50), min_size=1, max_size=8), st.integers(0, 120))
def test_the_room_is_used_up_before_a_result_is_cut(lengths, most):
    each = longest_whole(lengths, most)
    shown = [min(length, each) for length in lengths]
    assert sum(shown) <= most
    assert shown == lengths or sum(shown) > most - len(lengths)


def test_a_failed_api_is_shown_with_its_failure_where_it_is_shown_again():
    def respond(*_):
        raise CallError("unauthorized", "The key is missing.")

    plans = [code("alpha('a')"), code("search_apis('alpha')"), "No."]
    stage = Programs(an_api("alpha"), an_api("bravo"), plans=plans, respond=respond)
    stage.ask()
    assert "failed before: unauthorized: The key is missing." in stage.told()


@pytest.mark.parametrize(
    ("effect", "name", "query"),
    [
        ("write", "set_light", "Is it possible to dim the kitchen light to 20%?"),
        ("unknown", "loesche_kunde", "Lösche den Kunden 7."),
        ("read", "book_summary", "What is the book about?"),
        ("write", "wire_funds", "Send 5 EUR."),
    ],
)
def test_the_words_of_a_request_take_no_tool_away(effect, name, query):
    stage = Programs(an_api(name, effect=effect), plans=code(f"answer = {name}('7')"))
    assert stage.ask(query)["status"] == "solved"
    assert stage.made(name) == [{"note": "7"}]


@pytest.mark.parametrize("nothing", ["", "null", "{}", "[]"])
def test_a_write_that_returns_nothing_has_worked_and_is_not_made_again(nothing):
    stage = Programs(
        an_api("delete_note", effect="write"),
        an_api("delete_all", {}, effect="write"),
        plans=[code("delete_note('5')"), code("answer = delete_note('5')\nanswer = 'deleted'")],
        respond=lambda *_: nothing,
    )
    result = stage.ask("Delete note 5.")
    assert (stage.made(), result["status"]) == ([("delete_note", {"note": "5"})], "solved")


def test_one_bad_call_of_several_leaves_the_good_results_in_the_conversation():
    def respond(_, given):
        if given["note"] == "b":
            raise CallError("tool_error", "B is broken.")
        return f"{given['note']} is fine"

    plans = [code("print(alpha('a'))\nprint(alpha('b'))"), code("print(alpha('a'))\nanswer = alpha('c')")]
    stage = Programs(an_api("alpha"), plans=plans, respond=respond)
    stage.ask()
    text = "\n".join(str(message.text) for message in stage.shown[1])
    assert "a is fine" in text
    assert "B is broken." in text
    assert [given["note"] for given in stage.made("alpha")] == ["a", "b", "c"]


def test_thinking_that_uses_up_the_answer_is_asked_for_again():
    cut = AIMessage("", response_metadata={"finish_reason": "length"})
    stage = Programs(an_api("alpha"), plans=[cut, code("answer = alpha('a')")])
    assert stage.ask()["status"] == "solved"


# ---- dates and documentation


@pytest.mark.parametrize("form", ["program", "steps"])
def test_who_plans_knows_the_day_and_the_zone(form):
    stage = Programs(
        an_api("alpha"),
        plans="No.",
        Choice=choosing("finish"),
    )
    stage.ask("Wie wird das Wetter morgen?", today="2031-02-28", time_zone="Asia/Tokyo", plan_form=form)
    for part in ("Friday", "2031-02-28", "Asia/Tokyo", "+0900"):
        assert part in stage.asked[0][1]


def test_a_program_has_the_clock_of_the_run():
    program = "from datetime import date, timedelta\nanswer = alpha((date.today() + timedelta(days=1)).isoformat())"
    stage = Programs(an_api("alpha"), plans=code(program))
    stage.ask("Morgen?", today="2031-02-28", time_zone="Asia/Tokyo")
    assert stage.made("alpha") == [{"note": "2031-03-01"}]


def test_a_candidate_is_shown_with_its_provider_and_the_values_of_its_parameters():
    kind = {"type": "string", "enum": ["a", "b"], "description": "Pass one of the values (eg. a)."}
    stage = Programs(an_api("alpha", {"kind": kind}), plans="No.")
    stage.ask()
    shown = stage.asked[0][1]
    assert "tests:" in shown
    assert json.dumps("a") + " | " + json.dumps("b") in shown
    assert "Pass one of the values" in shown

"""Quiver: a program that calls what it needs, an answer that stands on the calls, and few questions to the model."""

import asyncio
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from langchain_core.messages.ai import UsageMetadata
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.support import anytool_search as searching
from tests.support.programs import Programs, an_api, choosing, code, settings_of, worded
from tests.support.savers import SAVERS, saving
from tests.support.script import SOURCE
from toolquiver.calling import CallError, Observation
from toolquiver.errors import InputError
from toolquiver.models import ScriptedModel, scripted, tokens

pytestmark = pytest.mark.usefixtures("strict")

NUMBER = {"n": {"type": "integer"}}
CITY = {"city": {"type": "string"}}


@pytest.fixture(params=SAVERS)
def saver(request, tmp_path):
    with saving(request.param, tmp_path / "state.db") as found:
        yield found


def doubling(*plans, **more):
    """An API that doubles a number, and these plans."""
    return Programs(an_api("double", NUMBER), plans=plans, respond=lambda _, given: given["n"] * 2, **more)


def noting(*plans, **more):
    """Notes that can be listed and added to."""
    notes = ["milk"]

    def respond(api, given):
        if api.name == "add_note":
            notes.append(given["note"])
            return {"added": given["note"]}
        return notes

    apis = an_api("list_notes", {}), an_api("add_note", effect="write")
    return Programs(*apis, plans=plans, respond=respond, **more)


# ---- one program


@pytest.mark.parametrize("depth", [1, 3, 12])
def test_a_program_and_its_answer_take_two_questions_however_many_calls_there_are(saver, depth):
    stage = doubling(code(f"n = 1\nfor _ in range({depth}):\n    n = double(n)\nanswer = n"))
    result = stage.ask(saver=saver)
    assert (result["answer"], result["status"]) == ("Found it.", "solved")
    assert stage.titles() == ["plan", "Worded"]
    assert stage.made("double") == [{"n": 2**step} for step in range(depth)]
    assert str(2**depth) in stage.texts("Worded")[0]
    assert [call["ok"] for call in result["calls"]] == [True] * depth


def test_a_result_is_passed_on_unchanged():
    text = 'Zoë said "no"\n\\ and left 💡 12345678901234567'
    stage = Programs(
        an_api("read_text", {}),
        an_api("keep_text"),
        plans=code("keep_text(read_text())"),
        respond=lambda api, _: json.dumps(text) if api.name == "read_text" else "kept",
    )
    stage.ask()
    assert stage.made("keep_text") == [{"note": text}]


def test_calls_that_are_gathered_are_made_side_by_side(saver):
    class Together:
        """Answers no call before three are there."""

        def __init__(self):
            self.there, self.all = 0, None

        async def call(self, api, arguments):
            self.all = self.all or asyncio.Event()
            self.there += 1
            if self.there == 3:
                self.all.set()
            await asyncio.wait_for(self.all.wait(), 30)
            return Observation(text=json.dumps(arguments["n"] * 2))

    stage = doubling(code("answer = sum(await gather(double(1), double(2), double(3)))"))
    graph = stage.build(checkpointer=saver, callers={SOURCE: Together()})
    asked = {"query": "What is it?", "candidates": stage.ids}
    visits = [
        name
        for update in graph.stream(asked, {"configurable": {"thread_id": "one"}}, context=settings_of())
        for name in update
    ]
    assert visits.count("call") == 3
    assert "12" in stage.texts("Worded")[0]


@pytest.mark.parametrize(
    "gathered",
    [
        "answer = await gather(*[double(n) for n in range(1, 4)])",
        "calls = [double(n) for n in range(1, 4)]\nanswer = await gather(*calls)",
        "import asyncio\nanswer = await asyncio.gather(double(1), double(2), double(3))",
        "a, b, c = await gather(\n    double(1),\n    double(2),\n    double(n=3),\n)\nanswer = [a, b, c]",
        'ü = "größe 💡"\na, b, c = await gather(double(1), double(2), double(3))\nanswer = [a, b, c]',
    ],
)
def test_each_way_to_gather_gives_the_results_in_order(gathered):
    stage = doubling(code(gathered))
    stage.ask()
    assert "[2, 4, 6]" in stage.texts("Worded")[0]
    assert stage.titles() == ["plan", "Worded"]


def test_of_calls_side_by_side_one_that_fails_leaves_the_others_their_results():
    def respond(_, given):
        if given["n"] == 2:
            raise CallError("tool_error", "Two is broken.")
        return given["n"] * 2

    stage = Programs(
        an_api("double", NUMBER),
        respond=respond,
        plans=[code("a, b = await gather(double(1), double(2))\nanswer = [a, b]"), code("answer = double(1)")],
    )
    result = stage.ask()
    assert "Two is broken." in stage.told()
    assert stage.made("double") == [{"n": 1}, {"n": 2}]
    assert (result["status"], "2" in stage.texts("Worded")[0]) == ("solved", True)


@pytest.mark.parametrize(
    ("program", "result"),
    [
        ("double(4)", "8"),
        ("answer = double(4)\ndouble(5)", "8"),
        ("x = double(4)\n{'sum': x + 1}", '{"sum": 9}'),
        ("def twice(n):\n    return double(double(n))\ntwice(3)", "12"),
        ("answer = None\nif double(1) == 2:\n    answer = 'it is'", "it is"),
        ("answer = (double(1), {'a': double(2)})", '[2, {"a": 4}]'),
        ("answer = 0", "0"),
        ("answer = False\ndouble(1)", "false"),
    ],
)
def test_the_result_is_what_the_answer_is_set_to_else_the_last_expression(program, result):
    stage = doubling(code(program))
    assert stage.ask()["status"] == "solved"
    assert f"The program's result: {result}\n" in stage.texts("Worded")[0]


def test_the_program_is_given_back_with_the_result(saver):
    result = doubling(code("answer = double(4)")).ask(saver=saver)
    assert result["programs"] == ["answer = double(4)"]
    assert [(call["arguments"], call["text"]) for call in result["calls"]] == [({"n": 4}, "8")]
    assert result["evidence"] == [{"text": "Found it.", "calls": [0], "unsupported": False}]
    assert (result["missing"], result["unfilled"], result["wakings"]) == ([], [], [])
    assert set(result["usage"]) == {"plan", "answer"}


# ---- several programs


def test_what_is_printed_is_shown_and_the_variables_stay(saver):
    stage = doubling(code("x = double(4)\nprint('x is', x)"), code("answer = double(x)"))
    result = stage.ask(saver=saver)
    assert "x is 8" in stage.told()
    assert stage.made("double") == [{"n": 4}, {"n": 8}]
    assert len(result["programs"]) == 2
    assert stage.titles() == ["plan", "plan", "Worded"]


def test_functions_and_imports_of_an_earlier_program_stay():
    stage = doubling(
        code("import math\ndef more(n):\n    return double(math.floor(n))\nprint(more(1.5))"),
        code("answer = more(math.pi)"),
    )
    stage.ask()
    assert stage.made("double") == [{"n": 1}, {"n": 3}]


def test_the_conversation_only_grows(saver):
    stage = doubling(code("print(double(1))"), code("print(double(2))"), code("answer = double(3)"))
    stage.ask(saver=saver)
    first, second, third = stage.shown
    assert second[: len(first)] == first
    assert third[: len(second)] == second


def test_a_program_that_says_nothing_is_told_so_with_what_was_returned():
    stage = doubling(code("x = double(4)"), code("answer = x"))
    assert stage.ask()["status"] == "solved"
    assert "8" in stage.told()


def test_an_error_of_the_program_goes_back_with_its_line_and_no_call_is_made_again():
    stage = doubling(code("x = double(4)\ny = x / 0\nanswer = y"), code("x = double(4)\nanswer = x"))
    assert stage.ask()["status"] == "solved"
    assert "Line 2" in stage.told()
    assert "ZeroDivisionError" in stage.told()
    assert stage.made("double") == [{"n": 4}]


def test_a_program_may_catch_a_failure_and_go_on():
    def respond(api, _):
        if api.name == "first":
            raise CallError("server_error", "It is down.")
        return "the second's"

    program = "try:\n    answer = first('a')\nexcept Exception as error:\n    answer = [second('a'), str(error)]"
    answer = worded(("It is the second's.", [2]))
    stage = Programs(an_api("first"), an_api("second"), plans=code(program), respond=respond, Worded=answer)
    result = stage.ask()
    assert result["status"] == "solved"
    assert [call["failure"] for call in result["calls"]] == ["server_error", None]
    assert stage.titles() == ["plan", "Worded"]
    assert "It is down." in stage.texts("Worded")[0]


# ---- programs that cannot run


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("double(1)\nx = = 2", "line 2"),
        ("double(1)\nhalve(2)", "halve"),
        ("double(1)\ndouble(m=2)", "m"),
        ("double(1)\ndouble('two')", "2"),
        ("double(1)\ndouble(1, 2)", "2"),
        ("double(1)\ndef double(n):\n    return 1", "Line 2"),
        ("double(1)\nanswer = nowhere + 1", "nowhere"),
    ],
)
def test_what_cannot_run_goes_back_with_the_line_and_nothing_is_called(saver, program, told):
    stage = doubling(code(program), code("answer = double(4)"))
    assert stage.ask(saver=saver)["status"] == "solved"
    assert told.lower() in stage.told().lower()
    assert stage.made("double") == [{"n": 4}]


def test_the_same_refused_program_given_again_runs():
    program = code("answer = total({1, 2})")
    stage = Programs(
        an_api("total", {"of": {"type": "array"}}), plans=[program], respond=lambda _, given: sum(given["of"])
    )
    result = stage.ask()
    assert (stage.titles(), result["status"]) == (["plan", "plan", "Worded"], "solved")
    assert stage.made("total") == [{"of": [1, 2]}]


@pytest.mark.parametrize(
    "imported",
    [
        "import tools",
        "from api import double",
        "import requests, os",
        "from x import (\n    a,\n    b,\n)",
        "import a.b",
    ],
)
def test_imports_of_functions_that_are_there_are_dropped(imported):
    stage = doubling(code(f"{imported}\nanswer = double(4)"))
    assert stage.ask()["status"] == "solved"
    assert stage.titles() == ["plan", "Worded"]


def test_imports_of_an_earlier_program_stay():
    stage = doubling(code("import math\nprint(double(4))"), code("answer = double(math.floor(2.5))"))
    assert (stage.ask()["status"], stage.titles()) == ("solved", ["plan", "plan", "Worded"])
    assert stage.made("double") == [{"n": 4}, {"n": 2}]


@pytest.mark.parametrize("reply", ["", "   \n", "```\n```"])
def test_an_empty_reply_is_asked_for_again(reply):
    stage = doubling(reply, code("answer = double(4)"))
    assert stage.ask()["status"] == "solved"
    assert "empty" in stage.told()


def test_a_reply_that_was_cut_off_is_not_run():
    cut = AIMessage("", response_metadata={"finish_reason": "length"})
    stage = doubling(cut, code("answer = double(4)"))
    assert stage.ask()["status"] == "solved"
    assert "cut off" in stage.told()


def test_a_program_that_is_cut_off_does_not_run():
    cut = AIMessage("```python\nadd_note('bread')", response_metadata={"finish_reason": "length"})
    stage = noting(lambda _: cut, "Done.")
    stage.ask(approval="never")
    assert stage.made() == []
    assert "cut off" in str(stage.shown[1][-1].text)


def test_a_text_with_code_is_an_answer():
    text = "So:\n```python\ndef reverse(text):\n    return text[::-1]\n```"
    stage = noting(text)
    result = stage.ask("Write a Python function that reverses text.")
    assert (result["answer"], result["status"]) == (text, "solved")


# ---- what is no program


@pytest.mark.parametrize(
    "text", ["Alles Gute zum Geburtstag, Ana!", "¡Feliz cumpleaños!", "生日快乐", "def is a word."]
)
def test_a_text_is_the_answer_and_one_question_is_all(saver, text):
    stage = doubling(text)
    result = stage.ask("Write a birthday greeting.", saver=saver)
    assert (result["answer"], result["status"], result["calls"]) == (text, "solved", [])
    assert stage.titles() == ["plan"]


def test_a_text_after_calls_is_worded_with_its_evidence():
    stage = doubling(code("print(double(4))"), "It is 8.", Worded=worded("It is 8."))
    result = stage.ask()
    assert (result["answer"], result["status"]) == ("It is 8.", "solved")
    assert result["evidence"] == [{"text": "It is 8.", "calls": [0], "unsupported": False}]


@pytest.mark.parametrize(
    "reply",
    [
        '{"name": "double", "arguments": {"n": 4}}',
        '<tool_call>\n{"name": "double", "arguments": {"n": 4}}\n</tool_call>',
        '{"name": "double", "parameters": {"n": 4}}',
        "{'name': 'double', 'arguments': {'n': 4}}",
        'I call it.\n{"name": "double", "arguments": {"n": 4}}',
        '```json\n{"name": "double", "arguments": {"n": 4}}\n```',
        "```tool_code\nprint(double(n=4))\n```",
        "double(4)",
        "answer = double(n=4)",
    ],
)
def test_a_call_that_is_written_down_is_made_and_not_taken_for_the_answer(reply):
    stage = doubling(reply, "It is 8.")
    result = stage.ask()
    assert stage.made("double") == [{"n": 4}]
    assert (result["answer"], result["status"]) == ("Found it.", "solved")


def test_giving_up_ends_the_run_with_the_reason():
    stage = doubling(code("give_up('Das kann keine Funktion.')"))
    result = stage.ask("Buche einen Flug.")
    assert (result["status"], result["answer"]) == ("failed", "Das kann keine Funktion.")
    assert (stage.titles(), stage.made()) == (["plan"], [])


# ---- searching and reading up


def test_what_a_search_finds_can_be_called_by_the_next_program(saver):
    stage = Programs(
        an_api("rain_tomorrow", CITY, about="Say how much it will rain in a city tomorrow."),
        an_api("exchange_rate", {}, about="The exchange rate of euros and francs."),
        plans=[
            code("exchange_rate()\nsearch_apis('rain tomorrow in a city')"),
            code("answer = rain_tomorrow('Graz')"),
        ],
    )
    result = stage.ask("The rate of euros and francs?", saver=saver, candidates=False, top_k=1, agents=False)
    assert result["status"] == "solved"
    assert "rain_tomorrow" not in str(stage.shown[0])
    assert "rain_tomorrow(city: str)" in stage.told()
    assert stage.made("rain_tomorrow") == [{"city": "Graz"}]


def test_a_search_keeps_to_the_candidates_that_are_given():
    stage = Programs(
        an_api("alpha"),
        an_api("bravo"),
        plans=[code("search_apis('bravo')"), code("answer = alpha('a')")],
    )
    stage.ask(candidates=stage.ids[:1])
    assert "bravo(" not in stage.told()
    assert "There is no function 'bravo'" not in stage.told()


def test_several_searches_are_one_call():
    apis = an_api("alpha"), an_api("bravo"), an_api("charlie")
    stage = Programs(*apis, plans=[code("search_apis(['alpha', 'bravo'])"), "No."])
    stage.ask("charlie", candidates=False, top_k=1)
    assert "alpha(note: str)" in stage.told()
    assert "bravo(note: str)" in stage.told()


def described(text):
    return an_api("alpha", {"kind": {"type": "string", "description": text}})


def test_the_planner_sees_what_a_parameter_may_be():
    about = "Values: " + ", ".join(f"value{number}" for number in range(100))
    stage = Programs(described(about), plans="No.")
    stage.ask()
    assert about in str(stage.shown[0])
    assert "Not all of it" not in str(stage.shown[0])


def test_what_is_very_long_is_cut_and_says_how_it_is_seen_whole():
    about = "Values: " + ", ".join(f"value{number}" for number in range(300))
    stage = Programs(described(about), plans=[code("api_docs('alpha')"), "No."])
    stage.ask()
    assert "value299" not in str(stage.shown[0])
    assert 'api_docs("alpha") shows the whole' in str(stage.shown[0][-1].text)
    assert about in stage.told()


def test_the_documentation_of_what_is_not_there_says_what_is():
    stage = doubling(code("print(api_docs('nonsense'))"), "No.")
    stage.ask()
    assert "double" in stage.told()


# ---- calls that are not made again


def test_a_call_that_answered_is_not_made_twice(saver):
    stage = doubling(code("print(double(4), double(n=4))"), code("answer = double(4) + double(4)"))
    result = stage.ask(saver=saver)
    assert stage.made("double") == [{"n": 4}]
    assert len(result["calls"]) == 1
    assert "16" in stage.texts("Worded")[0]


@pytest.mark.parametrize("effect", ["read", "write"])
def test_of_the_same_calls_side_by_side_one_is_made(saver, effect):
    add = an_api("add", NUMBER, effect=effect)
    stage = Programs(add, plans=code("answer = await gather(add(1), add(n=1), add(2))"), respond=lambda _, given: given)
    result = stage.ask(saver=saver, approval="never")
    assert (sorted(given["n"] for given in stage.made("add")), result["status"]) == ([1, 2], "solved")
    assert '[{"n": 1}, {"n": 1}, {"n": 2}]' in stage.texts("Worded")[0]


def test_what_was_read_is_read_again_after_a_change(saver):
    stage = noting(code("print(list_notes())\nadd_note('bread')\nanswer = list_notes()"))
    stage.ask(saver=saver, approval="never")
    assert [name for name, _ in stage.made()] == ["list_notes", "add_note", "list_notes"]
    assert '["milk", "bread"]' in stage.texts("Worded")[0]


def test_a_change_is_made_once_though_the_next_program_says_it_again():
    stage = noting(code("add_note('bread')\nprint(list_notes())"), code("add_note('bread')\nanswer = list_notes()"))
    stage.ask(approval="never")
    assert stage.made("add_note") == [{"note": "bread"}]


@pytest.mark.parametrize("kind", ["timeout", "network", "server_error"])
def test_a_change_that_may_have_been_made_is_not_made_again(kind):
    def respond(api, _):
        raise CallError(kind, "There was no answer.")

    program = code("answer = place_order('lamp')")
    stage = Programs(an_api("place_order", effect="write"), an_api("look"), plans=[program], respond=respond)
    result = stage.ask(approval="never", max_plans=4)
    assert stage.made("place_order") == [{"note": "lamp"}]
    assert result["status"] != "solved"


@pytest.mark.parametrize("kind", ["invalid_arguments", "tool_error", "not_found"])
def test_the_very_call_that_failed_for_good_is_not_made_again(kind):
    def respond(api, _):
        raise CallError(kind, "No such thing.")

    stage = Programs(an_api("alpha"), an_api("bravo"), plans=code("answer = alpha('a')"), respond=respond)
    stage.ask(max_plans=3)
    assert stage.made() == [("alpha", {"note": "a"})]


def test_a_read_that_failed_for_the_moment_can_be_made_again():
    tries = []

    def respond(_, given):
        tries.append(given)
        if len(tries) == 1:
            raise CallError("tool_error" if given["n"] == 1 else "timeout", "Not now.")
        return given["n"] * 2

    program = "try:\n    double(2)\nexcept Exception:\n    pass\nanswer = double(2)"
    stage = Programs(an_api("double", NUMBER), plans=code(program), respond=respond)
    assert stage.ask()["status"] == "solved"
    assert len(tries) == 2


# ---- limits


def test_there_are_never_more_calls_than_the_limit(saver):
    stage = doubling(code("answer = [double(n) for n in range(100)]"), code("answer = double(0)"))
    result = stage.ask(saver=saver, max_calls=5)
    assert len(stage.made()) == 5
    assert "5 calls" in str(stage.shown[-1])
    assert result["status"] == "solved"


def test_calls_side_by_side_keep_to_the_limit_too():
    program = "answer = await gather(*[double(n) for n in range(50)])"
    stage = doubling(code(program))
    stage.ask(max_calls=7, max_plans=3)
    assert len(stage.made()) == 7


def test_there_are_never_more_plans_than_the_limit(saver):
    stage = doubling(*[code(f"print(double({n}))") for n in range(20)], Worded=worded("It is 0."))
    result = stage.ask(saver=saver, max_plans=4)
    assert stage.titles().count("plan") == 4
    assert (result["answer"], result["status"]) == ("It is 0.", "partial"), "what was found is told"
    assert "plans" in result["reason"]


def test_programs_that_cannot_run_count_as_plans():
    stage = doubling(*[code(f"nowhere({n})") for n in range(20)])
    result = stage.ask(max_plans=4, plan_form="program")
    assert (stage.titles(), result["status"]) == (["plan"] * 4, "failed")


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(100, 9_000), st.integers(1, 6), st.sampled_from(["in_doubt", "always"]))
def test_no_run_spends_more_than_its_budget(budget, plans, verification):
    stage = doubling(
        *[code(f"print([double(n) for n in range({n}, {n + 3})], 'word ' * 50)") for n in range(plans)],
        code("answer = double(7)"),
        Verdict={"reason": "Not yet.", "done": False},
    )
    try:
        result = stage.ask(token_budget=budget, verification=verification)
    except InputError:  # too small to start
        assert stage.asked == []
        return
    assert tokens(result["usage"]) <= budget
    assert result["status"] in ("solved", "partial", "failed")
    assert result["reason"]


class Thinking(ScriptedModel):
    """Thinks until its limit, and says nothing."""

    max_tokens: int | None = None

    def bind_tools(self, tools, **_):
        return self


def test_a_model_that_thinks_the_budget_away_is_told_of_the_budget_and_not_of_its_program():
    asked = []

    def think(messages, _):
        asked.append(messages)
        used = UsageMetadata(input_tokens=900, output_tokens=800, total_tokens=1_700)
        return AIMessage("", usage_metadata=used, response_metadata={"finish_reason": "length"})

    model = Thinking(think, profile={"tool_calling": True, "structured_output": True})
    with pytest.raises(InputError, match="Raise token_budget"):
        doubling().build(model=model).invoke({"query": "What?"}, context=settings_of(token_budget=2_500))
    assert len(asked) == 1


def test_a_plan_form_may_stand_in_the_model_s_profile():
    stage = stepping("double", arguments=[{"n": 4}])
    model = scripted(stage.reply)
    model.profile["plan_form"] = "steps"
    asked = {"query": "What?", "candidates": stage.ids}
    assert stage.build(model=model).invoke(asked, context=settings_of())["status"] == "solved"
    assert stage.titles()[:3] == ["Parts", "Choice", "Arguments"]


# ---- one call at a time


def stepping(*choices, parts=("What is asked?",), arguments=(), apis=None, **more):
    """A planner of steps: the parts of the request, each choice, then the arguments of the calls among them."""
    filling = iter(arguments)
    return Programs(
        *(apis or [an_api("double", NUMBER)]),
        respond=more.pop("respond", lambda _, given: given["n"] * 2),
        plans=more.pop("plans", "No."),
        Parts={"questions": list(parts)},
        Choice=choosing(*choices),
        Arguments=lambda *_: next(filling),
        **more,
    )


def test_steps_pass_results_on_by_their_paths(saver):
    stage = stepping(
        "find_place",
        "rain_on",
        parts=["Where is Graz?", "How much rain fell there on 2 May 2031?"],
        arguments=[{"name": "Graz"}, {"place_id": {"from": 'r1["places"][1]["id"]'}, "day": "2031-05-02"}],
        apis=[
            an_api("find_place", {"name": {"type": "string"}}),
            an_api("rain_on", {"place_id": {"type": "integer"}, "day": {"type": "string"}}),
        ],
        respond=lambda api, _: {"places": [{"id": 5}, {"id": 17}]} if api.name == "find_place" else {"mm": 3.5},
    )
    result = stage.ask(saver=saver, plan_form="steps")
    assert stage.made() == [("find_place", {"name": "Graz"}), ("rain_on", {"place_id": 17, "day": "2031-05-02"})]
    assert stage.titles() == ["Parts", "Choice", "Arguments", "Choice", "Arguments", "Worded"]
    assert (result["answer"], result["status"]) == ("Found it.", "solved")
    assert "17" in stage.texts("Choice")[1]


def test_two_programs_that_cannot_run_are_followed_by_steps():
    stage = stepping("double", arguments=[{"n": 4}], plans=[code("nowhere(1)"), code("nowhere(2)"), code("answer = 1")])
    result = stage.ask()
    assert stage.titles() == ["plan", "plan", "Parts", "Choice", "Arguments", "Worded"]
    assert (result["status"], stage.made("double")) == ("solved", [{"n": 4}])


def test_a_step_can_search():
    stage = stepping(
        "search_apis",
        "rain_tomorrow",
        arguments=[{"city": "Graz"}],
        apis=[an_api("exchange_rate", {}), an_api("rain_tomorrow", CITY, about="Rain in a city tomorrow.")],
        respond=lambda *_: "rain",
        Searched={"what": "rain tomorrow"},
    )
    result = stage.ask("exchange_rate", candidates=False, top_k=1, plan_form="steps", agents=False)
    assert (result["status"], stage.made()) == ("solved", [("rain_tomorrow", {"city": "Graz"})])


def test_the_step_that_was_made_before_ends_the_planning():
    stage = stepping("double", "double", parts=["Twice 4?", "Double 4?"], arguments=[{"n": 4}, {"n": 4}])
    assert stage.ask(plan_form="steps")["status"] == "solved"
    assert stage.made("double") == [{"n": 4}]


def test_a_step_whose_call_fails_is_told_and_another_function_takes_its_place():
    def respond(api, _):
        if api.name == "alpha":
            raise CallError("server_error", "It is down.")
        return "here it is"

    stage = stepping(
        "alpha",
        "bravo",
        arguments=[{"note": "a"}, {"note": "b"}],
        apis=[an_api("alpha"), an_api("bravo")],
        respond=respond,
    )
    result = stage.ask(plan_form="steps")
    assert (result["status"], [name for name, _ in stage.made()]) == ("solved", ["alpha", "bravo"])
    assert "It is down." in stage.texts("Choice")[1]
    assert "alpha(note)" not in stage.texts("Choice")[1]


def test_each_part_of_a_request_chooses_among_what_search_finds_for_it():
    stage = stepping(
        "exchange_rate",
        "rain_tomorrow",
        parts=["What is the exchange rate?", "How much rain falls tomorrow?"],
        arguments=[{"city": "Graz"}],
        apis=[an_api("exchange_rate", {}), an_api("rain_tomorrow", CITY, about="Rain in a city tomorrow.")],
        respond=lambda *_: "7",
    )
    result = stage.ask("Wechselkurs und Regen?", candidates=False, top_k=1, plan_form="steps", agents=False)
    assert (result["status"], [name for name, _ in stage.made()]) == ("solved", ["exchange_rate", "rain_tomorrow"])
    first, second = stage.texts("Choice")
    assert "rain_tomorrow(" not in first
    assert "exchange_rate(): " not in second


def test_a_part_that_needs_no_function_is_passed_over():
    stage = stepping("finish", "double", parts=["What is a double?", "Twice 4?"], arguments=[{"n": 4}])
    assert (stage.ask(plan_form="steps")["status"], stage.made("double")) == ("solved", [{"n": 4}])


def test_a_request_without_parts_is_answered_without_a_call():
    stage = stepping(parts=[])
    stage.decisions["Worded"] = worded(("The mayor is X.", []))
    result = stage.ask(plan_form="steps")
    assert (result["calls"], stage.titles()) == ([], ["Parts", "Worded", "Verdict"])
    assert [one["unsupported"] for one in result["evidence"]] == [True]


def test_what_a_call_needs_may_come_of_a_function_that_gives_it():
    place = {name: {"type": "number"} for name in ("lat", "lon")}
    stage = stepping(
        "rain_at",
        "rain_at",
        arguments=[
            {"lat": {"from": "find_place"}, "lon": {"from": "find_place"}},
            {"name": "Graz"},
            {"lat": {"from": 'r1["lat"]'}, "lon": {"from": 'r1["lon"]'}},
        ],
        apis=[
            an_api("rain_at", place),
            an_api("find_place", {"name": {"type": "string"}}, output={"type": "object", "properties": place}),
        ],
        respond=lambda api, _: {"lat": 47.07, "lon": 15.44} if api.name == "find_place" else {"mm": 3.5},
    )
    result = stage.ask(plan_form="steps")
    assert stage.made() == [("find_place", {"name": "Graz"}), ("rain_at", {"lat": 47.07, "lon": 15.44})]
    assert result["status"] == "solved"
    assert "find_place is called first, for what rain_at still needs" in stage.texts("Arguments")[1]


def test_what_was_missing_is_split_anew():
    said = iter([worded("Half of it.", missing=["the rest"]), worded("All of it.")])
    stage = stepping(
        "double",
        "double",
        arguments=[{"n": 4}, {"n": 5}],
        Worded=lambda *_: next(said),
        Verdict={"reason": "The rest is missing.", "done": False},
    )
    result = stage.ask(plan_form="steps")
    assert (result["answer"], stage.made("double")) == ("All of it.", [{"n": 4}, {"n": 5}])
    assert "The rest is missing." in stage.texts("Parts")[1]


def test_arguments_that_did_not_fit_are_asked_for_again_with_what_was_wrong():
    apis = [an_api("born_on", {"day": {"type": "string", "pattern": "^[0-9-]+$"}})]
    stage = stepping("born_on", arguments=[{"day": "May"}, {"day": "2031-05-02"}], apis=apis, respond=lambda *_: "1")
    result = stage.ask(plan_form="steps")
    assert stage.titles()[:4] == ["Parts", "Choice", "Arguments", "Arguments"]
    assert "failed (invalid_arguments)" in stage.texts("Arguments")[1]
    assert (result["status"], stage.made("born_on")[-1]) == ("solved", {"day": "2031-05-02"})


def test_what_the_user_said_in_a_step_can_be_an_argument():
    stage = stepping(
        "ask_user",
        "double",
        parts=["Which number?", "Twice that?"],
        arguments=[{"n": {"from": "r1"}}],
        Asked={"what": "Which number?", "type": "int"},
    )
    waiting = InMemorySaver()
    stage.ask(plan_form="steps", saver=waiting)
    result = stage.ask(Command(resume=21), plan_form="steps", saver=waiting)
    assert (result["status"], stage.made("double")) == ("solved", [{"n": 21}])


def test_an_object_that_looks_like_a_reference_is_a_value():
    span = {"type": "object", "properties": {"from": {"type": "string"}}, "required": ["from"]}
    stage = stepping(
        "stays",
        arguments=[{"span": {"from": "2031-05-02"}}],
        apis=[an_api("stays", {"span": span})],
        respond=lambda *_: 1,
    )
    stage.ask(plan_form="steps")
    assert stage.made("stays") == [{"span": {"from": "2031-05-02"}}]


def test_a_text_of_digits_stays_a_text():
    text = {"type": "string"}
    stage = stepping(
        "binary",
        "reverse",
        parts=["10 in binary?", "That backwards?"],
        arguments=[{"n": 10}, {"text": {"from": "r1"}}],
        apis=[an_api("binary", {"n": {"type": "integer"}}, output=text), an_api("reverse", {"text": text})],
        respond=lambda *_: "1010",
    )
    stage.ask(plan_form="steps")
    assert stage.made("reverse") == [{"text": "1010"}]


# ---- the verdict


def test_what_stands_on_calls_and_misses_nothing_is_not_verified():
    stage = doubling(code("answer = double(4)"), Worded=worded("It is 8."))
    stage.ask()
    assert "Verdict" not in stage.titles()


def test_what_is_in_doubt_is_verified_and_the_verdict_counts(saver):
    verdict = {"reason": "It has no unit.", "done": True}
    stage = doubling(code("answer = double(4)"), Worded=worded(("It is 8.", [])), Verdict=verdict)
    result = stage.ask(saver=saver)
    assert stage.titles() == ["plan", "Worded", "Verdict"]
    assert (result["status"], result["reason"]) == ("solved", "It has no unit.")
    assert result["answer"] == "It is 8."
    assert "8" in stage.texts("Verdict")[0]


def test_where_it_is_never_verified_the_answer_agent_says_what_is_missing():
    stage = doubling(code("answer = double(4)"), Worded=worded("It is 8.", missing=["the unit"]))
    result = stage.ask(verification="never")
    assert (result["status"], result["missing"]) == ("partial", ["the unit"])
    assert "Verdict" not in stage.titles()


def test_what_is_not_done_goes_back_to_the_planner_with_the_reason(saver):
    verdicts = iter([{"reason": "Its birth year is lacking.", "done": False}, {"reason": "All there.", "done": True}])
    stage = doubling(code("answer = double(4)"), code("answer = double(5)"), Verdict=lambda *_: next(verdicts))
    result = stage.ask(saver=saver, verification="always")
    assert (result["status"], result["reflections"]) == ("solved", 1)
    assert "Its birth year is lacking." in stage.told()
    assert stage.made("double") == [{"n": 4}, {"n": 5}]


def test_what_is_never_done_ends_as_partial_at_the_limit():
    stage = doubling(*[code(f"answer = double({n})") for n in range(9)], Verdict={"reason": "Not so.", "done": False})
    result = stage.ask(verification="always", max_reflections=2)
    assert (result["status"], result["reflections"], result["reason"]) == ("partial", 2, "Not so.")
    assert stage.titles().count("Verdict") == 3


def test_a_worse_answer_never_replaces_a_better_one(saver):
    answers = iter(
        [worded("Born 1912 in London.", missing=["her house"]), worded("I do not know.", missing=["a", "b"])]
    )
    stage = doubling(
        code("answer = double(4)"),
        code("answer = double(5)"),
        Worded=lambda *_: next(answers),
        Verdict={"reason": "Her house is missing.", "done": False},
    )
    result = stage.ask(saver=saver, max_reflections=1)
    assert (result["answer"], result["status"]) == ("Born 1912 in London.", "partial")
    assert len(result["calls"]) == 2, "what the second try found is kept"


def test_a_text_after_a_first_try_is_no_answer_without_a_call():
    """A planner that says at the second try that it cannot takes nothing from the first answer."""
    answers = iter([worded("It is 1024.", missing=["the unit"]), worded(("Sorry, I cannot.", []), missing=["a", "b"])])
    stage = doubling(
        code("answer = 2 ** 10"),
        "Sorry, I cannot.",
        Worded=lambda *_: next(answers),
        Verdict={"reason": "The unit is missing.", "done": False},
    )
    result = stage.ask(max_reflections=1)
    assert (result["answer"], result["status"]) == ("It is 1024.", "partial")


def test_a_text_after_a_search_is_worded_and_verified():
    stage = doubling(
        code("search_apis('hotels')"),
        "There is no function that books hotels.",
        Worded=worded(("No function books hotels.", []), missing=["the booking"]),
        Verdict={"reason": "It cannot be booked.", "done": True},
    )
    result = stage.ask("Book a hotel.")
    assert stage.titles() == ["plan", "plan", "Worded", "Verdict"]
    assert (result["status"], result["reason"]) == ("partial", "It cannot be booked.")


def test_a_text_is_verified_where_every_answer_is():
    stage = doubling("4", Worded=worded(("4", [])))
    assert stage.ask("What is 2 + 2?", verification="always")["answer"] == "4"
    assert stage.titles() == ["plan", "Worded", "Verdict"]


def test_what_is_missing_keeps_a_run_from_being_solved_though_no_more_can_be_done():
    stage = doubling(code("answer = double(4)"), Worded=worded("It is 8.", missing=["the price"]))
    result = stage.ask()
    assert (result["status"], result["missing"], result["reflections"]) == ("partial", ["the price"], 0)
    assert result["reason"] == "It is all there."


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_verdict_without_a_reason_tells_the_planner_what_is_missing_now(reason):
    """The failure of a call that was mended since is no reason."""
    verdicts = iter([{"reason": reason, "done": False}, {"reason": "All there.", "done": True}])

    def respond(_, given):
        if given["n"] == 1:
            raise CallError("tool_error", "One is broken.")
        return given["n"] * 2

    stage = Programs(
        an_api("double", NUMBER),
        plans=[code("answer = double(1)"), code("answer = double(2)"), code("answer = double(3)")],
        respond=respond,
        Worded=worded(("It is 4.", [2]), missing=["the unit"]),
        Verdict=lambda *_: next(verdicts),
    )
    stage.ask()
    assert "One is broken." not in stage.told()
    assert "the unit" in stage.told()


# ---- giving up, and agents


def test_programs_after_one_that_gave_up_run_with_the_variables_that_it_set():
    stage = Programs(
        catalog=searching.a_catalog(),
        agents=searching.Policy(),
        plans=[code("x = 5\ngive_up('Nothing fits.')"), code("print(x + 1)"), code("answer = x + 2")],
    )
    result = stage.ask("Tell of rivers for Music.", candidates=False, top_k=1)
    assert (result["status"], len(result["programs"])) == ("solved", 3)
    assert "The program's result: 7" in stage.texts("Worded")[0]


class Waking(Programs):
    """A catalogue in categories, whose search finds too little, and agents that play their parts."""

    def __init__(self, *plans, policy=None, **decisions):
        self.policy = policy or searching.Policy()
        super().__init__(catalog=searching.a_catalog(), plans=plans, agents=self.policy, **decisions)

    def ask(self, query="Tell of rivers for Music.", **more):
        return super().ask(query, candidates=False, **{"top_k": 1, "agents": True} | more)


def test_agents_wake_when_the_planner_gives_up_and_what_they_find_is_shown_to_it():
    stage = Waking(code("give_up('Nothing fits.')"), code("answer = 1"))
    result = stage.ask()
    assert [one["level"] for one in result["wakings"]] == ["meta"], "there are no others yet"
    assert result["wakings"][0]["why"] == "Nothing fits."
    assert stage.policy.kinds()[0] == "meta"
    assert {"category", "tool"} <= set(stage.policy.kinds())
    assert "Further functions" in stage.told()
    assert result["status"] == "solved"


def test_agents_wake_from_the_tools_up():
    nobody = searching.Policy(tool=lambda *_: "I look further.")
    plans = [code(f"give_up('Nothing fits, {number}.')") for number in range(9)]
    stage = Waking(*plans, policy=nobody)
    result = stage.ask(max_reflections=4)
    woken = [(one["reflection"], one["level"]) for one in result["wakings"]]
    assert woken[0] == (1, "meta")
    order = ["tool", "category", "meta"]
    assert woken == sorted(woken, key=lambda one: (one[0], order.index(one[1])))


def test_no_agent_wakes_where_the_setting_says_so():
    stage = Waking(code("give_up('Nothing fits.')"))
    result = stage.ask(agents=False)
    assert (result["wakings"], result["status"], stage.policy.asked) == ([], "failed", [])


def test_no_agent_wakes_where_the_candidates_are_given():
    stage = Waking(code("give_up('Nothing fits.')"))
    result = Programs.ask(stage, candidates=[stage.catalog.search("rivers", 1)[0].api.id])
    assert (result["wakings"], result["status"], stage.policy.asked) == ([], "failed", [])


def test_a_planner_that_is_not_done_goes_on_alone_before_agents_wake():
    stage = Waking(
        *[code(f"answer = {number}") for number in range(9)],
        Worded=worded(("Nothing yet.", []), missing=["all of it"]),
        Verdict={"reason": "Nothing is there.", "done": False},
    )
    result = stage.ask(max_reflections=2)
    assert [one["reflection"] for one in result["wakings"]] == [2]


def test_a_planner_that_is_not_done_hears_each_reason_though_agents_find_nothing():
    verdicts = iter([{"reason": f"Reason {number}.", "done": False} for number in range(9)])
    stage = Waking(
        *[code(f"answer = {number}") for number in range(9)],
        policy=searching.Policy(tool=lambda *_: "I look further."),
        Verdict=lambda *_: next(verdicts),
    )
    result = stage.ask(max_reflections=4, verification="always")
    assert (result["reflections"], result["reason"]) == (4, "Reason 4.")
    assert [f"Reason {number}." in str(stage.shown[-1]) for number in range(4)] == [True] * 4
    assert "again" not in stage.told()
    assert result["wakings"]

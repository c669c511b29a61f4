"""What the verifier says counts, and what one subtask found the next one knows."""

import pytest

from tests.graphs.script import Stage, an_api, options, plan_of
from toolquiver.nodes.describe import known_here
from toolquiver.nodes.texts.parts import parts_of

CITY = an_api("get_city", inputs={"city": "string"}, description="Facts of a city.")
COUNTRIES = an_api("list_countries", inputs={})


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("The population of Paris is not known.", "partial"),
        ("The population of Paris isn't currently given.", "partial"),
        ("Nobody could determine the population of Paris: unknown.", "partial"),
        ("The population of Paris: 2102650.", "solved"),
        ("The population of Paris is not larger than 2102650.", "solved"),
    ],
)
def test_an_answer_that_denies_what_is_missing_does_not_have_it(answer, status):
    missing = {"asked": "population of Paris", "given": "nothing", "missing": "the population of Paris", "done": False}
    said = '{"city": "Paris", "population": 2102650, "known": "not known"}'
    stage = Stage(
        CITY, respond=lambda *_: said, Arguments={"city": "Paris"}, Digest={"answer": answer}, Verdict=missing
    )
    assert stage.ask("What is the population of Paris?")["status"] == status


@pytest.mark.parametrize(
    ("missing", "status"),
    [("sze\u015bci sze\u015b\u0107.", "solved"), ("siedem, sto", "partial"), ("7346", "solved"), ("73461", "partial")],
)
def test_what_is_missing_may_be_inflected(missing, status):
    said = "7346 is siedem tysi\u0119cy trzysta czterdzie\u015bci sze\u015b\u0107."
    stage = Stage(
        CITY,
        respond=lambda *_: f'{{"words": "{said}"}}',
        Arguments={"city": "Paris"},
        Digest={"answer": said},
        Verdict={"missing": missing, "done": False},
    )
    assert stage.ask("What is it in Polish?")["status"] == status


@pytest.mark.parametrize(
    ("answers", "missing", "done"),
    [
        (["The code is FR.", "The code is FR."], "nothing", True),
        (["The code is FR.", "The code is FR, of France."], "nothing", False),
        (["The code is FR.", "The code is FR."], "the name of the country", False),
        (["The code is not given.", "The code is not given."], "nothing", False),
    ],
)
def test_an_answer_that_two_tools_lead_to_stands_where_the_verifier_misses_nothing(answers, missing, done):
    said = iter(answers)

    def tool(asked):
        return {"tool": next(name for name in options(asked) if ("city" if "FR" not in asked.text else "list") in name)}

    stage = Stage(
        CITY,
        COUNTRIES,
        respond=lambda api, _: '["FR"]',
        Choice=tool,
        Arguments={"city": "Paris"},
        Digest=lambda _: {"answer": next(said, answers[-1])},
        Verdict={"asked": "a code", "given": "a code", "missing": missing, "done": False},
    )
    result = stage.ask("What is the code of Paris?", planner=False, max_steps=2)
    assert (result["status"], len(result["calls"])) == ("solved" if done else "partial", 2)


@pytest.mark.parametrize("done", [True, False])
def test_a_first_answer_that_was_doubted_is_judged_before_it_stands(done):
    def tool(asked):
        word = "list" if "into account" in asked.text else "city"
        return {"tool": next(name for name in options(asked) if word in name)}

    def digest(asked):
        return {"answer": "It has 2102650 people." if "2102650" in asked.text else "There is FR."}

    stage = Stage(
        CITY,
        COUNTRIES,
        respond=lambda api, _: '{"population": 2102650}' if api.name == "get_city" else '["FR"]',
        Choice=tool,
        Arguments={"city": "Paris"},
        Digest=digest,
        Verdict={"done": done, "missing": "the year 1851"},
    )
    result = stage.ask("How many people lived in Paris in 1851?", planner=False)
    assert "It has 2102650 people." in stage.script.texts("Verdict")[0]
    assert (result["status"] == "solved") == done
    assert not done or result["answer"] == "It has 2102650 people."


@pytest.mark.parametrize(("other", "known"), [("Bob Miller", True), ("Ann Smith", False)])
def test_what_was_found_of_the_same_name_is_known_to_a_subtask_that_stands_alone(other, known):
    def respond(api, _):
        return '{"id": 98213}' if api.name == "find_customer" else '{"orders": ["A-1"]}'

    stage = Stage(
        an_api("find_customer", inputs={"name": "string"}, description="Find a customer by name."),
        an_api("list_orders", inputs={"customer": "integer"}, description="List the orders of a customer."),
        respond=respond,
        Choice=lambda asked: {"tool": options(asked)[0 if "Task: Find" in asked.text else -1]},
        Arguments=lambda asked: {name: 98213 if name == "customer" else "Bob" for name in asked.schema["properties"]},
        Digest=lambda asked: {"answer": "The number is 98213." if "98213" in asked.text else "It is A-1."},
        Plan=lambda asked: plan_of(asked.text.rsplit("Request: ", 1)[1].splitlines()[0])(asked),
    )
    stage.ask(f"Find the customer Bob Miller. Also list the orders of {other}.")
    of_orders = next((text for text in stage.script.texts("Arguments") if "Tool: list_orders" in text), "")
    assert (bool(of_orders), "The number is 98213." in of_orders) == (True, known)


def test_a_plan_of_a_request_in_another_language_is_kept_whole():
    steps = ["What is the capital of Kenya?", "How warm is it in that capital?"]
    capital = an_api("capital", inputs={"country": "string"})
    stage = Stage(capital, an_api("warmth", inputs={"city": "string"}), Plan=plan_of(*steps))
    result = stage.ask("Wie viel Grad hat es in der Hauptstadt von Kenia?")
    assert result["subtasks"][:2] == steps


def test_over_a_single_tool_nothing_is_thought():
    stage = Stage(an_api("alpha"), Verdict={"done": False, "missing": "the harbour"})
    stage.ask(max_steps=2)
    assert "Thought" not in stage.script.titles()


@pytest.mark.parametrize("day", ["Monday", "2031-05-04"])
def test_of_another_thing_of_the_same_day_nothing_is_known(day):
    query = f"What is the weather in Lima on {day}? What is the weather in Nairobi on {day}?"
    parts = parts_of(query)
    found = {"question": parts[0], "answer": "At latitude -12.04.", "observation": "", "solved": True}
    state = {"query": query, "subtasks": parts, "current": 1, "known": [found]}
    assert known_here(state) == []
    again = f"What is the weather in Lima on {day}? How many live in Lima on {day}?"
    assert known_here(state | {"query": again, "subtasks": parts_of(again)}) == [found]

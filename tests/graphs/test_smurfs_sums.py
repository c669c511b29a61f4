"""Where only tools that compute are at hand, the sum is written down and its calls are made by code."""

import json

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tests.graphs.script import Stage, an_api, failing
from toolquiver.calling import CallError
from toolquiver.context import Context

QUERY = "A profit of 5,353 falls by 3% every year. What is it after 4 years?"
HOW = "The profit times what is left of it, to the power of the years."
FORMULA = "5353 * (1 - 0.03) ^ 4"
SCRIPT = """```python
# what is left of the profit each year
left = 1 - 3 / 100
# the profit after four years
profit = 5353 * left ** 4
print(profit)
```"""
CALLS = [
    ("subtract", {"a": 1, "b": 0.03}),
    ("power", {"base": 0.97, "exponent": 4}),
    ("multiply", {"a": 5353, "b": 0.88529281}),
]
DOES = {
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "power": lambda base, exponent: base**exponent,
}


def respond(api, inputs):
    does = DOES.get(api.name, lambda **_: 0)
    return json.dumps({"result": round(does(**inputs), 9)})


def a_sum(name, *inputs):
    output = {"type": "object", "properties": {"result": {"type": "number"}}}
    return an_api(name, inputs=dict.fromkeys(inputs, "number")).model_copy(update={"output": output})


def a_stage(*more, respond=respond, **answers):
    given = {
        "Explained": {"how": HOW, "formula": FORMULA},
        "Digest": {"answer": "It is 4738.97."},
    }
    return Stage(
        a_sum("subtract", "a", "b"),
        a_sum("multiply", "a", "b"),
        a_sum("power", "base", "exponent"),
        *more,
        respond=respond,
        **given | answers,
    )


@pytest.mark.parametrize("saver", [None, InMemorySaver()])
def test_one_formula_brings_all_its_calls(saver):
    stage = a_stage()
    graph = stage.build(checkpointer=saver, context=Context())
    result = graph.invoke({"query": QUERY, "candidates": stage.ids}, {"configurable": {"thread_id": "one"}})
    assert stage.caller.made == CALLS
    assert stage.script.titles() == ["Text", "Explained", "Digest"], "no plan, no choice, no verdict"
    assert list(stage.script.asked[1].schema["properties"]) == ["how", "formula"], "the reason comes first"
    assert (result["status"], result["answer"]) == ("solved", "It is 4738.97.")
    assert [call["ok"] for call in result["calls"]] == [True] * 3


def test_a_script_is_asked_for_first_and_brings_its_calls():
    divide = a_sum("divide", "a", "b")
    stage = a_stage(divide, Text=SCRIPT)
    assert stage.ask(QUERY)["status"] == "solved"
    assert stage.script.titles() == ["Text", "Digest"]
    assert [name for name, _ in stage.caller.made] == ["divide", "subtract", "power", "multiply"]
    assert "divide(" not in stage.script.texts("Text")[0], "Python has a sign for it"


def test_a_function_that_python_has_not_is_told():
    twice = a_sum("twice_as_much", "n")
    stage = a_stage(twice, Text="print(twice_as_much(5353))")
    stage.ask(QUERY)
    assert "- twice_as_much(n)" in stage.script.texts("Text")[0]
    assert stage.caller.made[0] == ("twice_as_much", {"n": 5353})


def test_a_result_is_rounded_as_the_script_says_and_the_answer_told_from_what():
    stage = a_stage(Text="import math\nprint(math.ceil(5353 * (1 - 0.03) ** 4))")
    stage.ask(QUERY)
    assert stage.caller.made == CALLS
    assert '{"result": 4739, "rounded up from": 4738.97241' in stage.script.texts("Digest")[0]


def test_what_a_result_is_rounded_from_is_not_said_behind_the_answer():
    script = "import math\nprint(math.ceil(5353 / 265))"
    stage = a_stage(a_sum("divide", "a", "b"), Text=script, Digest={"answer": "It takes 21 boxes."})
    asked = "How many boxes for 265 eggs each do 5353 eggs take (rounded up from the number with decimals)?"
    assert stage.ask(asked)["answer"] == "It takes 21 boxes."


@pytest.mark.parametrize(
    "script",
    [
        "while True:\n    print(5353)",
        "print(5353 * 0.8853)",
        "print(max(5353, 3))",
        "The profit is 4739.",
        "print(5353 - 4 - 3 - 4 - 3)",
    ],
)
def test_what_is_no_script_of_the_tools_is_asked_for_as_a_formula(script):
    stage = a_stage(Text=script)
    stage.ask(QUERY, max_calls=3)
    assert stage.script.titles()[:2] == ["Text", "Explained"]
    assert stage.caller.made == CALLS


def test_a_number_that_nobody_has_said_is_asked_about_once_more():
    written = iter(["5353 * 0.8853", FORMULA])
    stage = a_stage(Explained=lambda _: {"how": HOW, "formula": next(written)})
    assert stage.ask(QUERY)["status"] == "solved"
    assert stage.script.titles() == ["Text", "Explained", "Explained", "Digest"]
    assert "0.8853 is not in the task" in stage.script.texts("Explained")[1]
    assert stage.caller.made == CALLS


def test_then_the_formula_is_asked_for_without_an_explanation():
    stage = a_stage(Explained={"how": HOW, "formula": "5353 * 0.8853"}, Formula={"formula": FORMULA})
    assert stage.ask(QUERY)["status"] == "solved"
    assert stage.script.titles() == ["Text", "Explained", "Explained", "Formula", "Digest"]
    assert stage.caller.made == CALLS


def test_a_formula_of_more_calls_than_there_may_be_is_refused():
    stage = a_stage(Formula={"formula": FORMULA})
    stage.ask(QUERY, max_calls=2)
    assert "more than 2 calls" in stage.script.texts("Explained")[1]
    assert stage.caller.made[:1] != CALLS[:1]


def test_without_a_formula_the_tools_are_chosen():
    stage = a_stage(
        Explained={"how": HOW, "formula": "x"},
        Formula={"formula": "x"},
        Choice={"tool": "multiply"},
        Arguments={"a": 5353, "b": 4},
        Digest={"answer": "It is 21412."},
    )
    assert stage.ask(QUERY)["answer"] == "It is 21412."
    assert stage.caller.made[0] == ("multiply", {"a": 5353, "b": 4})


def test_a_call_of_the_formula_that_fails_is_rolled_back():
    def broken(api, inputs):
        return failing("power")(api, inputs) if api.name == "power" else respond(api, inputs)

    stage = a_stage(respond=broken)
    stage.ask(QUERY)
    assert stage.caller.made[:2] == CALLS[:2]
    assert "Choice" in stage.script.titles()
    assert "power" not in [name for name, _ in stage.caller.made[2:]]


def test_beside_other_tools_and_switched_off_no_formula_is_asked_for():
    weather = an_api("weather", inputs={"city": "string"}, outputs=["text"])
    mixed, off = a_stage(weather), a_stage()
    mixed.ask(QUERY)
    off.ask(QUERY, formulas=False)
    for stage in (mixed, off):
        assert "Plan" in stage.script.titles()
        assert not {"Text", "Explained"} & set(stage.script.titles())


def test_a_second_task_on_a_thread_has_a_formula_of_its_own():
    stage = a_stage()
    graph = stage.build(checkpointer=InMemorySaver(), context=Context())
    asked, thread = {"query": QUERY, "candidates": stage.ids}, {"configurable": {"thread_id": "one"}}
    first, second = (graph.invoke(asked, thread) for _ in range(2))
    assert second["answer"] == first["answer"]
    assert stage.script.titles() == ["Text", "Explained", "Digest"] * 2


def test_a_step_after_the_formula_is_judged_as_any_other():
    task = "A profit of 5,353 falls by 31% in each of 14 years. What is left?"
    stage = a_stage(
        Explained={"how": HOW, "formula": "5353 * 14"},
        Choice={"tool": "multiply"},
        Arguments={"a": 5353, "b": 31},
        Digest=lambda question: {"answer": "It is 165943." if "165943" in question.text else "It is 74942."},
    )
    stage.ask(task)
    assert stage.caller.made[:2] == [("multiply", {"a": 5353, "b": 14}), ("multiply", {"a": 5353, "b": 31})]
    assert "Verdict" in stage.script.titles(), "31 was taken by no formula"


def test_the_result_of_a_tool_behind_the_formula_is_not_rounded():
    stage = a_stage(
        Text="import math\nprint(math.ceil(5353 / 14))",
        Choice={"tool": "divide"},
        Arguments={"a": 31, "b": 14},
        Digest=lambda question: {"answer": "It is 2.214." if "2.214" in question.text else "It is 383."},
    )
    divide = a_sum("divide", "a", "b")
    stage.catalog.add(divide)
    stage.ids.append(divide.id)
    stage.ask("A profit of 5,353 falls by 31% in each of 14 years. What is left?")
    assert stage.caller.made[:2] == [("divide", {"a": 5353, "b": 14}), ("divide", {"a": 31, "b": 14})]
    told = stage.script.texts("Digest")
    assert "rounded up from" in told[0]
    assert "rounded up from" not in told[1]


def test_a_formula_may_have_integers_beyond_64_bits():
    stage = a_stage(Explained={"how": "Add.", "formula": f"{2**70} * 3 - 1"}, respond=lambda *_: "7")
    config = {"configurable": {"thread_id": "one"}}
    graph = stage.build(checkpointer=InMemorySaver())
    graph.invoke({"query": f"What is {2**70} times 3, less 1?", "candidates": stage.ids}, config)
    assert stage.caller.made[:2] == [("multiply", {"a": 2**70, "b": 3}), ("subtract", {"a": 7, "b": 1})]


def test_a_tool_that_fails_after_a_step_of_the_formula_ends_the_run_with_what_it_has():
    stage = Stage(
        a_sum("divide", "a", "b"),
        respond=ill_after(1),
        Text="x = 100 / 4\nprint(x / 8)",
        Digest={"answer": "It is 25."},
    )
    result = stage.ask("What is 100 divided by 4, and then divided by 8?")
    assert [call["ok"] for call in result["calls"]] == [True, False]
    assert (result["status"], result["answer"]) == ("partial", "It is 25.")


def test_steps_of_a_formula_are_rolled_back_one_by_one():
    stage = Stage(
        *(a_sum("divide", "a", "b"), a_sum("subtract", "a", "b")),
        respond=ill_after(1),
        Text="x = 100 / 4\nprint(x - 7)",
        Arguments={"a": 100, "b": 7},
        Digest={"answer": "It is 25."},
    )
    assert stage.ask("What is 100 divided by 4, minus 7?")["status"] == "partial"
    assert [name for name, _ in stage.caller.made] == ["divide", "subtract", "divide", "subtract"]


def ill_after(good):
    """A number for as many calls; the others fail."""
    left = iter(range(good))

    def answer(*_):
        if next(left, None) is None:
            raise CallError("tool_error", "It is broken.")
        return '{"result": 25}'

    return answer

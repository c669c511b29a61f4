"""Sums of several calls: a formula's constants are taken, results go on in full, and the last one is the answer."""

import json

from tests.graphs.script import Stage, an_api, options, plan_of

QUERY = "What is the area of a circle 7.45 cm wide? (pi is 3.14)"
HALF, SQUARE, AREA = "How much is 7.45 divided by 2?", "How much is the result times itself?", "And times 3.14?"
# As a small model copies them: rounded.
WRITTEN = {HALF: {"a": 7.45, "b": 2}, SQUARE: {"a": 3.73, "b": 3.73}, AREA: {"a": 13.88, "b": 3.14}}
SAID = {HALF: "The result is 3.73.", SQUARE: "The result is 13.88.", AREA: "The result is 43.57."}


def by_task(known):
    return lambda question: next(said for task, said in known.items() if f"Task: {task}" in question.text)


def choice(question):
    wanted = by_task({HALF: "divide", SQUARE: "multiply", AREA: "multiply"})(question)
    return {"tool": wanted if wanted in options(question) else options(question)[0]}


def respond(api, inputs):
    one, other = inputs["a"], inputs["b"]
    return json.dumps({"result": round(one / other if api.name == "divide" else one * other, 9)})


def a_stage():
    numbers = {"a": "number", "b": "number"}
    return Stage(
        an_api("divide", inputs=numbers, outputs=["result"]),
        an_api("multiply", inputs=numbers, outputs=["result"]),
        respond=respond,
        Plan=plan_of(HALF, SQUARE, AREA),
        Choice=choice,
        Arguments=by_task(WRITTEN),
        Digest=lambda question: {"answer": by_task(SAID)(question)},
        FinalAnswer={"answer": "The area is 43.57 square centimetres."},
    )


def test_a_sum_of_three_calls_is_made_of_whole_results():
    stage = a_stage()
    result = stage.ask(QUERY)
    assert stage.caller.made == [
        ("divide", {"a": 7.45, "b": 2}),
        ("multiply", {"a": 3.725, "b": 3.725}),
        ("multiply", {"a": 13.875625, "b": 3.14}),
    ]
    assert result["subtasks"] == [HALF, SQUARE, AREA]
    assert (result["status"], result["answer"]) == ("solved", "The area is 43.57 square centimetres.")


def test_a_result_is_not_told_so_short_that_it_is_another():
    assert a_stage().ask(HALF, planner=False)["answer"] == "The result is 3.725."


def test_what_is_computed_at_the_end_is_a_subtask_too():
    """It names nothing of the request, so it is asked only where the request is still open."""
    last = "How much is that times itself?"
    factors = {HALF: (7.45, 2), AREA: (14.9, 3.14), last: (46.786, 2), QUERY: (7.45, 3.14)}
    products = {HALF: "14.9", AREA: "46.786", last: "93.572", QUERY: "23.393"}
    stage = a_stage()
    stage.script.answers |= {
        "Plan": plan_of(HALF, AREA, last),
        "Choice": {"tool": "multiply"},
        "Arguments": by_task({task: {"a": one, "b": other} for task, (one, other) in factors.items()}),
        "Digest": by_task({task: {"answer": f"The result is {product}."} for task, product in products.items()}),
        "Verdict": lambda question: {"done": f"Task: {QUERY}" not in question.text},
    }
    assert stage.ask(QUERY)["subtasks"] == [HALF, AREA, last, QUERY]

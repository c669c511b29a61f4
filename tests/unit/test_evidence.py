"""Which call a statement stands on, found out by code."""

import pytest

from toolquiver.nodes.judging.evidence import statements

DISTANCE = ("distance", {"a": 1}, '{"km": 268.37}', "They are 268.4 km apart.")
CAPITAL = ("capital", {"b": 2}, '{"capital": "Canberra"}', "It is Canberra.")


def a_state(*made, query="What is the capital, and how far is it?"):
    calls = [{"api": one[0], "arguments": one[1], "ok": True, "subtask": n} for n, one in enumerate(made)]
    failed = {"api": "capital", "arguments": {"b": 2}, "ok": False, "subtask": 0}
    keys = ("api", "arguments", "observation", "answer")
    history = [dict(zip(keys, step, strict=True)) | {"subtask": n} for n, step in enumerate(made)]
    known = [{"question": f"And {step['api']}?", "answer": step["answer"]} for step in history]
    return {"query": query, "calls": [failed, *calls], "history": history, "known": known}


@pytest.mark.parametrize(
    ("answer", "calls", "unsupported"),
    [
        ("The capital is Canberra.", [[2]], [[]]),
        ("It is 268.37 km away.", [[3]], [[]]),
        ("It is 268.4 km away.", [[3]], [[]]),
        ("The capital is Canberra. It is 268 km away.", [[2], [3]], [[], []]),
        ("The capital is Canberra. 268 km is the distance.", [[2], [3]], [[], []]),
        ("Canberra is 268.37 km away.", [[3]], [[]]),
        ("The capital is Canberra, and it is 268 km away.", [[2, 3]], [[]]),
        ("It is 999 km away.", [[3]], [["999"]]),
        ("Nobody knows.", [[]], [[]]),
        ("", [], []),
    ],
)
def test_a_statement_stands_on_the_calls_that_returned_what_it_says(answer, calls, unsupported):
    found = statements(answer, a_state(CAPITAL, DISTANCE))
    assert [one["calls"] for one in found] == calls
    assert [one["unsupported"] for one in found] == unsupported


def test_what_the_answers_come_to_together_is_no_invention():
    made = [(name, {}, f'{{"population": {n}}}', f"{n} live there.") for name, n in (("rome", 275), ("bern", 134))]
    answer = "275 live in Rome and 134 in Bern; the difference is 141."
    for query, unsupported in (("How many more live in Rome than in Bern?", []), ("How many live there?", ["141"])):
        (found,) = statements(answer, a_state(*made, query=query))
        assert (found["calls"], found["unsupported"]) == ([2, 3], unsupported)


def test_what_the_query_says_itself_is_no_evidence():
    state = a_state(CAPITAL, ("distance", {}, "Sydney 300", "300"), query="Is Sydney the capital?")
    assert [one["calls"] for one in statements("Sydney is not, Canberra is.", state)] == [[2]]


def test_a_failed_call_is_no_evidence():
    state = a_state(CAPITAL) | {"history": []}
    assert statements("The capital is Canberra.", state)[0]["calls"] == []


def test_lines_are_statements_of_their_own_and_nothing_of_a_long_answer_is_left_out():
    listed = statements("Peaks:\n- alpha is 8848 m\n- bravo is 5 m", a_state())
    assert [one["text"] for one in listed] == ["Peaks:", "- alpha is 8848 m", "- bravo is 5 m"]
    long = [f"Peak number {n} is high." for n in range(99)]
    said = statements(" ".join(long), a_state())
    assert (len(said), " ".join(one["text"] for one in said)) == (40, " ".join(long))


@pytest.mark.parametrize(
    ("answer", "observation", "other"),
    [
        ("It is 8,848 m high.", '{"elevation_m": 8848}', '{"rank": 8}'),
        ("It is 21.5 degrees.", '{"temperature": 21.5}', '{"rank": 5}'),
        ("It is 21.5 degrees.", '{"temperature": 21.50}', '{"rank": 21}'),
        ("The sun sets at 21:05.", '{"sunset": "2024-05-03T21:05:12"}', '{"district": 21}'),
        ("The sun sets at 9:05 PM.", '{"sunset": "21:05"}', '{"district": 9}'),
        ("Its address is 10.0.8.8.", '{"ip": "10.0.8.8"}', '{"rank": 8}'),
        ("It has 12 sides.", '{"sides": 12}', '{"name": "dodecagon"}'),
        ("There are 5 holidays.", '{"count": 5}', '{"t":[12.5,13.1]}'),
        ("There are 200 of them.", "[100,200,300]", '{"rank": 2}'),
        ("It is 12 degrees.", '{"temperature": 12.4}', '{"rank": 4}'),
        ("It is 7 km away.", '{"distance": 7.2}', '{"rank": 2}'),
        ("It is 12%.", '{"share": 0.12}', '{"rank": 2}'),
        ("It is version 1.2.3.", '{"name": "v1.2.3"}', '{"rank": 3}'),
    ],
)
def test_a_number_is_evidence_as_a_whole(answer, observation, other):
    state = a_state(("other", {"a": 1}, other, "?"), ("asked", {"b": 2}, observation, "?"), query="What is it?")
    assert [one["calls"] for one in statements(answer, state)] == [[3]]


def test_of_two_equal_calls_each_step_has_its_own():
    before, after = (("todos", {}, text, text) for text in ('["milk"]', '["milk", "bread"]'))
    (found,) = statements("bread", a_state(before, after, query="What is on the list?"))
    assert found["calls"] == [3]


def test_a_step_that_took_a_result_over_stands_on_the_call_before_it():
    texts = ('["milk"]', '["milk"]', '["milk", "bread"]')
    state = a_state(*(("todos", {}, text, text) for text in texts), query="What is on the list?")
    del state["calls"][2]  # the second one took the result of the first
    assert statements("milk", state)[0]["calls"] == [2, 3]

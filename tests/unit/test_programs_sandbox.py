"""The sandbox: it stops at each call, has nothing of the machine, and takes the same way each time."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolquiver.calling import Failure
from toolquiver.catalog import API
from toolquiver.programs import Broken, Ended, GaveUp, Waiting, functions, problem, run_programs, sandbox, value_of

NOW = "2031-02-28T12:00+09:00"
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
KNOWN = functions(
    API(id=f"tests/tests/{name}", name=name, function=name, parameters=NUMBER, tool="tests", category="tests")
    for name in ("double", "other")
)


def run(*programs, results=()):
    return run_programs(programs, KNOWN, dict(results), NOW)


def to_the_end(*programs, answers=lambda request: json.dumps(request["arguments"]["n"] * 2)):
    """Run with every request answered, one stop at a time, and give the outcome and the requests."""
    results, asked = {}, []
    while isinstance(outcome := run(*programs, results=results), Waiting):
        asked.append([request["arguments"] for request in outcome.requests])
        results |= {request["id"]: answers(request) for request in outcome.requests}
    return outcome, asked


def test_it_stops_at_each_call_and_stands_where_it_was_with_the_results():
    outcome, asked = to_the_end("x = double(1)\nprint('x', x)\nanswer = double(x)")
    assert (outcome, asked) == (Ended("x 2\n", 4), [[{"n": 1}], [{"n": 2}]])


def test_calls_that_are_gathered_wait_together():
    outcome, asked = to_the_end("answer = await gather(double(1), double(2))\nanswer = [*answer, double(3)]")
    assert (outcome.answer, asked) == ([2, 4, 6], [[{"n": 1}, {"n": 2}], [{"n": 3}]])


@pytest.mark.parametrize(
    ("program", "together"),
    [
        ("answer = await gather(double(1), double(2))", True),
        ("answer = await gather(*[double(n) for n in (1, 2)])", True),
        ("calls = [double(n) for n in (1, 2)]\nanswer = await gather(*calls)", True),
        ("import asyncio\nanswer = await asyncio.gather(double(1), double(2))", True),
        ("async def f(n):\n    return await double(n)\nanswer = await gather(f(1), f(2))", True),
        ("calls = []\nfor n in (1, 2):\n    calls.append(double(n))\nanswer = await gather(*calls)", False),
        ("def f(n):\n    return double(n)\nanswer = await gather(f(1), f(2))", False),
        ("a = double(1)\nb = double(a)\nanswer = await gather(a, b)", False),
        ("import requests; answer = [double(1), double(2)]", False),
        ("x = 'a\u2028b'\nimport requests\nanswer = [double(1), double(2)]", False),
        ("import json, requests\nanswer = json.loads('[2, 4]')", None),
    ],
)
def test_each_way_to_make_two_calls_gives_their_results(program, together):
    outcome, asked = to_the_end(program)
    assert outcome.answer == [2, 4]
    assert asked == {True: [[{"n": 1}, {"n": 2}]], False: [[{"n": 1}], [{"n": 2}]], None: []}[together]


def test_what_a_gathered_call_needs_is_there_when_it_is_made():
    _, asked = to_the_end("answer = await gather(double(double(1)), other(3))")
    assert asked == [[{"n": 1}], [{"n": 2}, {"n": 3}]]


@pytest.mark.parametrize("value", ["len", "lambda: 1", "f()", "[UNKNOWN]", "ValueError('x')"])
def test_what_is_no_value_is_not_sent(value):
    outcome = run(f"async def f():\n    return 1\ndouble({value})")
    assert isinstance(outcome, Broken)
    assert "Line 3: TypeError" in outcome.error


@pytest.mark.parametrize(
    ("programs", "answer"),
    [
        (["def f():\n    answer = 5\nf()\n7"], 7),
        (["if False:\n    answer = 5\n7"], 7),
        (["answer = 6", "if False:\n    answer = 5\nprint(7)"], None),
        (["answer = 6", "print(answer)"], None),
        (["answer = [6]", "answer = [*answer, 7]"], [6, 7]),
        (["answer = 6", "answer = 6"], 6),
    ],
)
def test_an_answer_is_that_of_the_program_itself(programs, answer):
    assert run(*programs).answer == answer


def test_the_request_whose_failure_is_told_is_blamed_if_another_begins_like_it():
    program = "try:\n    double(1)\nexcept Exception:\n    pass\ndouble(2)"
    results = {}
    for message in ("Bad", "Bad value"):
        (request,) = run(program, results=results).requests
        results[request["id"]] = Failure(kind="tool_error", message=message)
    assert run(program, results=results).failed == request["id"]


def test_requests_have_the_same_ids_each_time_and_others_after_a_change():
    (first,) = run("double(1)").requests
    assert run("double(1)").requests == [first]
    assert run("double(2)").requests[0]["id"] != first["id"]
    assert run("other(1)").requests[0]["id"] != first["id"]
    assert run("x = 1", "double(1)").requests[0]["id"] != first["id"]


def test_the_same_call_twice_is_two_requests():
    _, asked = to_the_end("double(1)\ndouble(1)")
    assert len(asked) == 2


def test_a_failure_can_be_caught_and_names_its_request_where_it_is_not():
    failure = Failure(kind="timeout", message="Too slow.")
    outcome, _ = to_the_end(
        "try:\n    double(1)\nexcept Exception as e:\n    answer = str(e)", answers=lambda _: failure
    )
    assert "Too slow." in outcome.answer
    (request,) = run("double(1)").requests
    broken = run("double(1)", results={request["id"]: failure})
    assert isinstance(broken, Broken)
    assert broken.failed == request["id"]
    assert "Line 1" in broken.error


def test_giving_up_ends_the_last_program_and_not_those_after_it():
    assert run("x = 5\ngive_up('No way')") == GaveUp("No way")
    for caught in ("give_up('no')", "try:\n    give_up('no')\nexcept Exception:\n    x = 7", "double(give_up('no'))"):
        assert run(f"x = 5\n{caught}", "answer = x").answer == 5


def test_an_earlier_program_that_waits_is_waited_for():
    outcome = run("x = double(1)", "answer = double(x)")
    assert [request["arguments"] for request in outcome.requests] == [{"n": 1}]


@pytest.mark.parametrize(
    "program",
    [
        "open('/etc/passwd').read()",
        "import socket\nsocket.create_connection(('127.0.0.1', 80))",
        "import os\nos.system('true')",
        "import subprocess\nsubprocess.run(['true'])",
        "__import__('os').getcwd()",
        "ev" + "al(\"open('/etc/passwd').read()\")",
        "exec('import os\\nos.listdir(\"/\")')",
        "import pathlib\npathlib.Path('/etc/passwd').read_text()",
        "import urllib.request\nurllib.request.urlopen('http://127.0.0.1')",
        "().__class__.__base__.__subclasses__()",
        "print.__globals__",
        "x = 'x' * 10**10",
        "x = list(range(10**10))",
        "x = [0] * 10**9",
        "x = 10 ** 10 ** 10",
        "def f():\n    return f()\nf()",
        "x = 1\nwhile True:\n    x = [x, x]",
    ],
)
def test_it_has_no_files_no_network_and_not_all_of_the_memory(program):
    outcome = run(program)
    assert isinstance(outcome, Broken)
    assert outcome.error
    assert not outcome.failed


@pytest.mark.parametrize("program", ["while True:\n    pass", "while True:\n    print('x' * 10_000)"])
def test_it_does_not_run_for_ever(program, monkeypatch):
    monkeypatch.setattr(sandbox, "_LIMITS", {**sandbox._LIMITS, "max_feed_duration_secs": 0.3})
    assert isinstance(run(program), Broken)


RANDOM = "import random\nfrom datetime import datetime, date\nimport time\n"


@pytest.mark.parametrize(
    "value", ["random.random()", "datetime.now().isoformat()", "date.today()", "random.sample(range(99), 5)"]
)
def test_clock_and_chance_are_the_same_each_time(value):
    program = f"{RANDOM}a = {value}\nx = double(1)\nanswer = [str(a), str({value})]"
    assert to_the_end(program)[0] == to_the_end(program)[0]


def test_the_clock_is_that_of_the_run():
    assert run("from datetime import date, datetime\nanswer = [date.today(), datetime.now().hour]").answer == [
        "2031-02-28",
        12,
    ]


def test_nothing_sleeps():
    assert isinstance(run("import time\ntime.sleep(3600)"), Ended)


# ---- the check


@pytest.mark.parametrize(
    "program",
    [
        "answer = double(1)",
        "answer = double(n=UNKNOWN)",
        "answer = double()",
        "answer = double(2 / 1)",
        "answer = await gather(double(1), double(2))",
        "answer = [double(n) for n in range(3)]",
        "import json\nanswer = json.dumps(double(1))",
        "from tools import double\nanswer = double(1)",
        "answer = earlier + double(earlier['n'])",
        "answer = double(1)['größe'] + 'ß'",
        "answer = double(1).whatever",
        "for x in double(1):\n    print(x['a'][0].b)",
        "def f(x: int) -> int:\n    return double(x)\nanswer = f(1)",
    ],
)
def test_a_program_that_may_run_has_no_problem(program):
    assert not problem(program, KNOWN, ["earlier = double(2)"])


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("x = = 1", "line 1"),
        ("halve(1)", "halve"),
        ("double(m=1)", "m"),
        ("double('x')", "1"),
        ("x = 1\ndef double(n):\n    pass", "Line 2"),
        ("(" * 5_000, "no Python"),
        ("x = '\0'", "no Python"),
    ],
)
def test_a_program_that_cannot_run_is_told_why(program, said):
    assert said.lower() in problem(program, KNOWN, []).lower()


@settings(max_examples=40)
@given(st.text(alphabet=st.sampled_from("abdouble(1)=\n :[]{}'\"#+é😀\t\\"), max_size=40))
def test_no_text_makes_it_stumble(text):
    problem(text, KNOWN, [])
    assert isinstance(run(text), Ended | Broken | Waiting)


# ---- what a call returned


@pytest.mark.parametrize(
    ("text", "output", "value"),
    [
        ('{"a": [1, null]}', None, {"a": [1, None]}),
        ("plain text", None, "plain text"),
        ("42", None, 42),
        ("42", {"type": "string"}, "42"),
        ('"42"', {"type": "string"}, "42"),
        ("", None, ""),
        ("null", None, None),
        ("[" * 5_000, None, "[" * 5_000),
    ],
)
def test_a_result_is_data_where_it_is_json(text, output, value):
    assert value_of(text, output) == value

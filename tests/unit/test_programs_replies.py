"""From a model's reply to calls and an answer, by the public names of `toolquiver.programs` alone."""

import json

import pytest

from toolquiver.catalog import API
from toolquiver.programs import (
    Ended,
    Waiting,
    functions,
    problem,
    program_in,
    reply_schema,
    run_programs,
    subject,
    value_of,
    values_in,
)

NOW = "2031-02-28T12:00+09:00"
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
KNOWN = functions(
    [API(id="tests/tests/double", name="double", function="double", parameters=NUMBER, tool="tests", category="tests")]
)


def test_a_reply_becomes_calls_and_an_answer():
    program = program_in("Here it is:\n```python\nanswer = double(double(2))\n```", KNOWN)
    results = {}
    assert not problem(program, KNOWN, [])
    while isinstance(outcome := run_programs([program], KNOWN, results, NOW), Waiting):
        results |= {request["id"]: json.dumps(request["arguments"]["n"] * 2) for request in outcome.requests}
    assert outcome == Ended("", 8)


@pytest.mark.parametrize(
    ("reply", "program"),
    [
        ("```python\nx = 1\n```\nThen\n```\nanswer = double(x)\n```", "x = 1\n\nanswer = double(x)"),
        ("double(2)", "double(2)"),
        ("print(2)", "print(2)"),
        ('{"name": "double", "arguments": {"n": 2}}', "double(n=2)"),
        ('{"name": "double", "arguments": {"a b": 2}}', "double(**{'a b': 2})"),
        ('{"name": "double", "arguments": {"n": 2}}\n{"name": "double", "arguments": {}}', "[double(n=2), double()]"),
        ('{"name": "double", "arguments": {"n": "UNKNOWN"}}', "double()"),
        ("So:\n```python\ndef twice(text):\n    return text * 2\n```\nThat is all.", ""),
        ("So:\n```bash\nls -la\n```", ""),
        ("```c++\nint x;\n```", ""),
        ("```python\nanswer = 4\n```\nThat prints:\n```text\n4\n```", "answer = 4"),
        ("Guten Morgen!", ""),
        ("halve(2)", ""),
        ('{"name": "halve", "arguments": {}}', ""),
        ("{" * 5_000, ""),
        ("", ""),
    ],
)
def test_only_code_and_calls_are_a_program(reply, program):
    assert program_in(reply, KNOWN) == program


def asked(program):
    (request,) = run_programs([program], KNOWN, {}, NOW).requests
    return request


@pytest.mark.parametrize(
    ("call", "what", "kind"),
    [
        ("ask_user('Wann?', 'int')", "Wann?", "integer"),
        ("ask_user(what='Wann?', type='float')", "Wann?", "number"),
        ("ask_user('Wann?', bool)", "Wann?", "boolean"),
        ("ask_user('Wann?', 'list[str]')", "Wann?", "array"),
        ("ask_user('Wann?')", "Wann?", "string"),
        ("ask_user('Wann?', 'date')", "Wann?", "string"),
        ("ask_user()", "", "string"),
        ("ask_user(arguments=5)", "", "string"),
    ],
)
def test_a_question_to_the_user_has_a_text_and_a_type(call, what, kind):
    request = asked(call)
    assert (subject(request), reply_schema(request)["type"]) == (what, kind)
    assert request["api"] is None


def test_the_parts_of_a_result_have_the_paths_by_which_a_program_takes_them():
    result = value_of(json.dumps({"places": [{"näme": "Graz", "id": 7}]}))
    found = values_in(result)
    assert ('result["places"][0]["näme"]', "Graz") in found
    for path, value in found:
        assert run_programs([f"result = {result!r}\nanswer = {path}"], KNOWN, {}, NOW) == Ended("", value)


def test_of_a_large_result_the_first_parts_are_taken():
    assert len(values_in(list(range(1_000)))) < 100

"""A formula is read into calls: each once, the innermost first, results by reference."""

import json
import math
import operator
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.test_invented import make_api
from toolquiver.nodes.scripts.computing import signs
from toolquiver.nodes.scripts.formulas import filled, formula, operations, pattern

NUMBER, WHOLE = {"type": "number"}, {"type": "integer"}
MANY = {"type": "array", "items": NUMBER}
TASK = "Of 32 things worth 1.23 each, 3% of 4,500 and 18 for 0.5; then 7 by 9."


def tool(name, required, optional=None):
    api = make_api(**required, **(optional or {}))
    return api.model_copy(
        update={
            "id": f"sums/sums/{name}",
            "name": name,
            "function": name,
            "parameters": api.parameters | {"required": list(required)},
        }
    )


PAIR = {"a": NUMBER, "b": NUMBER}
TOOLS = [
    tool("add", {"numbers": MANY}),
    tool("subtract", PAIR),
    tool("multiply", {"numbers": MANY}),
    tool("divide", PAIR),
    tool("remainder", PAIR),
    tool("power", {"base": NUMBER, "exponent": NUMBER}),
    tool("sqrt", {"number": NUMBER}),
    tool("log", {"number": NUMBER}, {"base": NUMBER}),
    tool("choose", {"n": WHOLE, "r": WHOLE}),
]
COMPUTE = {
    "add": math.fsum,
    "subtract": lambda a, b: a - b,
    "multiply": math.prod,
    "divide": lambda a, b: a / b,
    "remainder": lambda a, b: a % b,
    "power": lambda base, exponent: base**exponent,
    "sqrt": math.sqrt,
    "log": lambda number, base=10: math.log(number, base),
    "choose": math.comb,
}


def computed(name, arguments):
    return COMPUTE[name](*arguments.values())


def calls(text, task=TASK):
    """The calls as the tools are called, results put in."""
    observations, made = [], []
    for operation in operations(formula(text), TOOLS, [task]):
        name = next(tool.name for tool in TOOLS if tool.id == operation["api"])
        arguments = filled(operation, observations)
        made.append((name, arguments))
        observations.append(json.dumps({"result": computed(name, arguments)}))
    return made, json.loads(observations[-1])["result"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("32 * 1.23", 39.36),
        ("32 - 18 - 7", 7),
        ("2 ^ 7 ^ 0.5", 2 ** (7**0.5)),
        ("4500 % 32", 4500 % 32),
        ("3% * 4500", 135),
        ("4500 * (1 - 3%)", 4365),
        ("sqrt(32 + 4)", 6),
        ("log(32, 2)", 5),
        ("log(4500)", math.log10(4500)),
        ("add(32, 18, 7)", 57),
        ("add([32, 18], 7)", 57),
        ("choose(32, 9 - 7)", math.comb(32, 2)),
        ("-7 + 18", 11),
        ("-(7 + 18)", -25),
        ("e ^ 0", 1),
    ],
)
def test_a_formula_has_the_value_that_its_calls_compute(text, value):
    assert calls(text)[1] == pytest.approx(value)


def test_the_innermost_call_comes_first_and_the_same_once():
    made, value = calls("(32 - 18) * (32 - 18)")
    assert made == [("subtract", {"a": 32, "b": 18}), ("multiply", {"numbers": [14, 14]})]
    assert value == 196


def test_a_number_that_is_asked_for_as_a_whole_one_is_given_as_one():
    ((_, arguments),), _ = calls("choose(32.0, 3.0)")
    assert [type(value) for value in arguments.values()] == [int, int]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("32 *", "no formula"),
        ("x = y = 32", "no formula"),
        ("import os", "no formula"),
        ("32 + x", "x cannot be computed"),
        ("open(32)", "no function open"),
        ("(32).real + 7", "cannot be computed"),
        ("'a' * 32", "cannot be computed"),
        ("True + 7", "cannot be computed"),
        ("32 // 7", "No function does"),
        ("32 * 55.5", "55.5 is not in the task"),
        ("1e999 + 7", "is not in the task"),
        ("divide(32)", "takes a, b"),
        ("sqrt(32, 7, 9)", "takes number"),
        ("32", "computes nothing"),
        ("+".join(["32"] * 90), "too long"),
        ("(" * 95 + "32" + ")" * 95, "no formula|computes nothing"),
    ],
)
def test_what_is_no_formula_of_the_tools_is_refused_and_why(text, said):
    with pytest.raises(ValueError, match=said):
        operations(formula(text), TOOLS, [TASK])


def test_an_operation_without_its_number_has_no_arguments():
    _, last = operations(formula("(32 + 7) * 9"), TOOLS, [TASK])
    assert filled(last, ['{"result": "unknown"}']) is None


def test_only_signs_that_a_tool_stands_for_are_offered():
    assert signs(TOOLS) == "+ - * / % ^"
    assert signs(TOOLS[1:3]) == "- *"


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("535323 * (1 - 0.03)^3", True),
        ("add(1, 2, sqrt(e))", True),
        ("-(7 + 18)/2", True),
        ("log10(7)", False),
        ("x = 3", False),
        ("7 8", False),
        ("open('a')", False),
    ],
)
def test_the_pattern_lets_formulas_through_and_words_not(text, fits):
    assert bool(re.match(pattern(TOOLS), text)) is fits


DOES = {"+": operator.add, "-": operator.sub, "*": operator.mul}
SUMS = st.recursive(
    st.sampled_from([32, 18, 7, 9, 0.5, 1.23]).map(lambda number: (str(number), number)),
    lambda inner: st.builds(
        lambda sign, left, right: (f"({left[0]} {sign} {right[0]})", DOES[sign](left[1], right[1])),
        st.sampled_from(sorted(DOES)),
        inner,
        inner,
    ),
    max_leaves=8,
).filter(lambda one: "(" in one[0])


@given(SUMS)
def test_any_sum_is_computed_as_it_is_written(one):
    text, value = one
    assert calls(text)[1] == pytest.approx(value)

"""A script is read as one formula: what it prints last, with all names put in."""

import ast

import pytest

from toolquiver.nodes.scripts.python_script import script_formula


@pytest.mark.parametrize(
    ("script", "formula"),
    [
        ("a = 3\nb = a + 4\nprint(b * a)", "(3 + 4) * 3"),
        ("a = 3\na = a * 2\na += 1", "3 * 2 + 1"),
        ("a: float = 3\nprint(a / 2)\nb = 7", "3 / 2"),
        ("print('of', 3 * 4, 'things')", "3 * 4"),
        ("a = 3\nprint(f'It is {a * 2:.2f} in all.')", "3 * 2"),
        ("import math\nprint(math.sqrt(math.pi))", "sqrt(pi)"),
        ("from math import comb\nprint(comb(5, 2))", "comb(5, 2)"),
        ("print(math.log(8))", "ln(8)"),
        ("print(math.log(8, 2))", "ln(8) / ln(2)"),
        ("print(math.log2(8))", "ln(8) / ln(2)"),
        ("print(math.exp(3))", "e ** 3"),
        ("print(math.pow(2, 3))", "2 ** 3"),
        ("print(math.hypot(3, 4))", "sqrt(3 ** 2 + 4 ** 2)"),
        ("print(math.factorial(4))", "perm(4, 4)"),
        ("print(sum([1, 2, 3]) * math.prod((4, 5)))", "(1 + 2 + 3) * (4 * 5)"),
        ("print(7 // 2)", "floor(7 / 2)"),
        ("print(int(7 / 2))", "floor(7 / 2)"),
        ("print(round(7 / 2, 1))", "7 / 2"),
        ("print(round(7 / 2, ndigits=1))", "7 / 2"),
        ("def part(a, of):\n    return a / of\nprint(part(of=7, a=2))", "2 / 7"),
        ("print(round(7 / 2))", "round(7 / 2)"),
        ("def half(a):\n    return a / 2\n\nprint(half(7) + half(9))", "7 / 2 + 9 / 2"),
        ("def answer():\n    a = 3\n    return a * 2\n\nresult = answer()\nprint(result)", "3 * 2"),
        ("Here it is:\n```python\nprint(3 * 4)\n```\nThat is all.", "3 * 4"),
        ("```\nprint(3 * 4)", "3 * 4"),
        ("'A sum.'\n# of two\nprint(3 + 4)", "3 + 4"),
    ],
)
def test_a_script_is_the_formula_that_it_prints(script, formula):
    assert ast.unparse(script_formula(script)) == formula


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("for a in range(3):\n    print(a)", "no sum: for"),
        ("if True:\n    a = 3", "no sum: if"),
        ("a, b = 3, 4", "no sum"),
        ("The answer is 3.", "no Python"),
        ("", "computes nothing"),
        ("import math", "computes nothing"),
        ("print('hello')", "computes nothing"),
        ("def a(n):\n    b = 3\n    for c in b:\n        pass\nprint(a(1))", "no sum: for"),
        ("def a(n):\n    pass\nprint(a(1))", "no sum: pass"),
        ("print(" + "+".join(["1"] * 2_000) + ")", "no Python|too long"),
        ("print(" + "(" * 300 + "1" + ")" * 300 + ")", "no Python"),
    ],
)
def test_what_does_more_than_compute_is_no_formula(script, said):
    with pytest.raises(ValueError, match=said):
        script_formula(script)


def test_a_script_that_doubles_a_line_again_and_again_is_refused_at_once():
    with pytest.raises(ValueError, match="too long"):
        script_formula("a = 3\n" + "a = a + a\n" * 60)


def test_functions_that_each_call_the_next_twice_are_refused_at_once():
    functions = [
        f"def f{number + 1}(x):\n    a = f{number}(x)\n    b = f{number}(x)\n    return x" for number in range(40)
    ]
    with pytest.raises(ValueError, match="too long"):
        script_formula("\n".join(["def f0(x):\n    return x", *functions, "print(f40(2))"]))
    assert ast.unparse(script_formula(f"def f(x):\n    return x\nprint({'+'.join(['f(2)'] * 50)})")).count("2") == 50


def test_a_function_that_calls_itself_is_no_function_of_the_tools():
    made = ast.unparse(script_formula("def f(n):\n    return n * f(n - 1)\nprint(f(3))"))
    assert made == "3 * f(3 - 1)", "which no tool is"


def test_a_function_that_the_task_names_is_meant():
    assert ast.unparse(script_formula("print(math.log(8))", {"log"})) == "log(8)"

"""Which tool does what a sign, or a function of Python's, does, as far as the tool's name tells."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from toolquiver.catalog import API
from toolquiver.catalog.text import spaced

_WORDS: dict[type[ast.operator], set[str]] = {
    ast.Add: {"add", "plus", "sum"},
    ast.Sub: {"subtract", "sub", "minus", "difference"},
    ast.Mult: {"multiply", "mul", "times", "product"},
    ast.Div: {"divide", "div", "quotient"},
    ast.Mod: {"remainder", "modulo", "mod"},
    ast.Pow: {"power", "pow", "exponentiate"},
}
_SIGNS = dict(zip(_WORDS, "+-*/%^", strict=True))
_FUNCTIONS = {
    "comb": {"choose", "combination", "combinations"},
    "perm": {"permutate", "permute", "permutation", "permutations"},
    "log10": {"log"},
    "ln": {"ln", "natural"},
    "sqrt": {"sqrt", "root"},
    "gcd": {"gcd"},
    "lcm": {"lcm"},
}
"""For each Python function, and `ln`: words in a tool's name that say it does the same."""


def signs(apis: Sequence[API]) -> str:
    """The signs that stand for one of these APIs, such as `+ - *`."""
    return " ".join(sign for kind, sign in _SIGNS.items() if that_does(kind, apis))


def sign_of(kind: type[ast.operator]) -> str:
    """How an operator is written."""
    return _SIGNS.get(kind, "that")


def that_does(kind: type[ast.operator], apis: Sequence[API]) -> API | None:
    """The API that an operator stands for."""
    return next((api for api in apis if _WORDS.get(kind, set()) & _words(api)), None)


def called(name: str, apis: Sequence[API]) -> API | None:
    """The API of this name, else the one that does what Python's function of this name does."""
    wanted, words = name.casefold(), _FUNCTIONS.get(name, set())
    named = (api for api in apis if wanted in (api.function.casefold(), api.name.casefold()))
    return next(named, None) or next((api for api in apis if words & _words(api)), None)


def is_pythons(api: API) -> bool:
    """Whether Python has a sign or a function for what an API does."""
    return any(words & _words(api) for words in (*_WORDS.values(), *_FUNCTIONS.values()))


def _words(api: API) -> set[str]:
    return set(spaced(api.name).lower().split())

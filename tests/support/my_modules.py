"""Python modules for tests, written into the current folder and forgotten afterwards."""

import sys
from contextlib import contextmanager
from textwrap import dedent

TOOLS = '''
from langchain_core.tools import tool

CITIES = {"lima": 10_390_000, "oslo": 717_000}


@tool
def population(city: str) -> int:
    """How many people live in a city."""
    return CITIES[city.lower()]


@tool
def motto(city: str) -> str:
    """The motto of a city."""
    return f"{city} first"


tools = [population, motto]
'''


@contextmanager
def modules_in(folder, monkeypatch):
    """Write modules into `folder`, which is the current one; each time anew, as in another process."""
    before, path = set(sys.modules), list(sys.path)
    monkeypatch.chdir(folder)

    def write(name, text):
        (folder / f"{name}.py").write_text(dedent(text))
        sys.modules.pop(name, None)

    yield write
    sys.path[:] = path
    for name in set(sys.modules) - before:
        if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]

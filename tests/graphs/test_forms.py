"""Each graph's form has the settings that the graph reads, and none that only other graphs read."""

import ast
from dataclasses import fields
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from toolquiver.context import Context
from toolquiver.contexts import DfsdtContext
from toolquiver.errors import InputError
from toolquiver.graphs import graph_module, graph_names

ROOT = Path(__file__).parents[2]
COMMON = {setting.name for setting in fields(Context)}
MOST = {"quiver": 20}
EVERYWHERE = {"catalog", "decision_method", "documentation", "model", "role_models", "token_budget"}
"""What `Run` reads for every graph."""
BY_RUN = {
    "call": {"call_retries", "call_timeout"},
    "turn": {"action_form"},
    "hits": {"top_k"},
    "best": {"top_k"},
    "registering": {"registration", "register_above", "register_several", "listing", "delivery"},
}
"""What the methods of `Run` read."""


def settings_of(name):
    return {setting.name for setting in fields(graph_module(name).graph.context_schema)}


def shown(name):
    return set(TypeAdapter(graph_module(name).graph.context_schema).json_schema()["properties"])


def read_behind(path):
    """The settings that a module reads, and all that it imports of graphs and nodes; of `Run`, what is used there."""
    todo, seen, read = [path], set(), set()
    while todo:
        path = todo.pop()
        if path in seen or not path.is_file() or path == ROOT / "nodes/run.py":
            continue
        seen.add(path)
        for one in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(one, ast.Attribute):
                read |= BY_RUN.get(one.attr, set()) if named(one.value) in ("run", "metered") else set()
                read |= BY_RUN.get(one.attr, {one.attr}) if named(one.value) == "context" else set()
            elif isinstance(one, ast.ImportFrom) and (one.module or "").startswith(
                ("toolquiver.nodes", "toolquiver.graphs")
            ):
                folder = ROOT.joinpath(*one.module.split(".")[1:])
                todo += [folder.with_suffix(".py"), *(folder / f"{alias.name}.py" for alias in one.names)]
    return read


def named(value):
    return getattr(value, "id", None) or getattr(value, "attr", None)


@pytest.mark.parametrize("name", graph_names())
def test_a_form_has_the_common_settings_and_few_others_each_of_which_the_graph_reads(name):
    own = settings_of(name)
    assert shown(name) == own >= COMMON
    assert len(own) <= MOST.get(name, 32)
    assert own - COMMON <= read_behind(ROOT / f"graphs/{name}.py")


def test_no_common_setting_is_one_that_no_graph_reads():
    read = (read_behind(ROOT / f"graphs/{name}.py") for name in graph_names())
    assert set().union(*read) | EVERYWHERE >= COMMON


@pytest.mark.parametrize("name", [name for name in graph_names() if name not in ("anytool", "dfsdt")])
def test_a_setting_of_another_graph_is_refused_by_name(name):
    for given in (DfsdtContext(branches=3), {"branches": 3}):
        with pytest.raises((InputError, TypeError), match="'branches'"):
            graph_module(name).graph.invoke({"query": "What is 2 plus 3?"}, context=given)


@pytest.mark.parametrize("name", graph_names())
def test_a_setting_that_nothing_has_is_refused_by_name(name):
    with pytest.raises(TypeError, match="'nonsense'"):
        graph_module(name).graph.invoke({"query": "What is 2 plus 3?"}, context={"nonsense": 1})

"""Each graph's form has the settings that the graph reads, and none that only other graphs read."""

import ast
from dataclasses import fields
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from toolquiver.context import CommonContext, Context
from toolquiver.contexts import AnyToolContext, JudgeContext, QuiverContext, RetrieverContext
from toolquiver.errors import InputError
from toolquiver.graphs import graph_module, graph_names

ROOT = Path(__file__).parents[2]
SETTINGS = {setting.name for setting in fields(Context)}
OWN = "quiver"
MOST_OF_ITS_OWN = 20
WITH_THEIR_OWN = {
    "quiver": QuiverContext,
    "retriever": RetrieverContext,
    "anytool": AnyToolContext,
    "judge": JudgeContext,
}
"""Graphs that have a form of their own: nothing of the others' is hidden in it."""
BESIDES = {
    "smurfs": {"action_form", "ask", "delivery", "pool_size", "solver_calls"},
    "reverse_chain": {"action_form", "chain_budget", "chain_fill", "chain_missing", "max_calls", "pool_size"},
    "dfsdt": {"grounding"},
    "react": {"grounding"},
}
"""What is read in modules that a graph shares with others, in functions that it has no use for."""
EVERYWHERE = {"catalog", "decision_method", "documentation", "model", "role_models", "token_budget"}
"""What `Run` reads for every graph."""
REFUSED = {"plan_only"}
"""What a graph whose form does not have it refuses."""


SEARCH = {"top_k", "feeding"}
BY_RUN = {
    "call": {"call_retries", "call_timeout", "observation_characters"},
    "registering": {"registration", "register_above", "register_several", "listing", "delivery"},
    "turn": {"action_form"},
    "hits": {"top_k"},
    "search": SEARCH,
    "helpers": SEARCH,
    "feeding": {"feeding"},
    "candidates": SEARCH | {"shown"},
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
                read |= {one.attr} if named(one.value) == "context" else set()
            elif isinstance(one, ast.ImportFrom) and (one.module or "").startswith(
                ("toolquiver.nodes", "toolquiver.graphs")
            ):
                folder = ROOT.joinpath(*one.module.split(".")[1:])
                todo += [folder.with_suffix(".py"), *(folder / f"{alias.name}.py" for alias in one.names)]
    return read


def named(value):
    return getattr(value, "id", None) or getattr(value, "attr", None)


@pytest.mark.parametrize("name", graph_names())
def test_a_form_hides_no_setting_that_the_graph_reads(name):
    hidden = settings_of(name) - shown(name)
    assert hidden & read_behind(ROOT / f"graphs/{name}.py") <= BESIDES.get(name, set()) | REFUSED


@pytest.mark.parametrize("name", graph_names())
def test_a_form_shows_no_setting_that_the_graph_does_not_read(name):
    common = {setting.name for setting in fields(CommonContext)} if name in WITH_THEIR_OWN else set()
    assert shown(name) - read_behind(ROOT / f"graphs/{name}.py") <= EVERYWHERE | common


@pytest.mark.parametrize(
    ("name", "none"),
    [
        ("smurfs", "votes page max_reflections"),
        ("react", "branches planner max_depth pool_size"),
        ("dfsdt", "planner max_depth pool_size"),
        ("retriever", "planner max_depth max_turns solver unsure"),
        ("anytool", "planner max_depth expansion"),
        ("reverse_chain", "votes pool_size branches max_calls"),
        ("judge", "planner pool_size max_turns"),
        ("easytool", "planner pool_size votes max_turns"),
    ],
)
def test_a_form_shows_no_setting_that_only_other_graphs_use(name, none):
    assert not shown(name) & set(none.split())
    assert {"model", "catalog", "token_budget"} <= shown(name)


OTHERS = [name for name in graph_names() if name not in WITH_THEIR_OWN]


def test_every_setting_is_in_some_form_and_can_be_given_to_every_graph_but_quiver():
    assert set().union(*map(shown, OTHERS)) == SETTINGS
    for name in OTHERS:
        given = graph_module(name).graph.context_schema(branches=3, max_repairs=1)
        assert isinstance(given, Context)


def test_quiver_has_a_form_of_its_own_with_few_settings():
    graph = graph_module(OWN).graph
    assert graph.context_schema is QuiverContext
    assert shown(OWN) == settings_of(OWN) >= {setting.name for setting in fields(CommonContext)}
    assert len(shown(OWN)) <= MOST_OF_ITS_OWN
    assert not issubclass(QuiverContext, Context)
    with pytest.raises(TypeError, match="'branches'"):
        QuiverContext(branches=3)
    for given in (Context(branches=3), {"branches": 3}):
        with pytest.raises((InputError, TypeError), match="'branches'"):
            graph.invoke({"query": "What is 2 plus 3?"}, context=given)


def test_no_setting_is_one_that_no_graph_reads():
    read = {name: read_behind(ROOT / f"graphs/{name}.py") for name in graph_names()}
    assert settings_of(OWN) <= read[OWN] | EVERYWHERE
    assert set().union(*(read[name] for name in OTHERS)) | EVERYWHERE >= SETTINGS


@pytest.mark.parametrize("name", graph_names())
def test_a_setting_that_nothing_has_is_refused_by_name(name):
    with pytest.raises(TypeError, match="'nonsense'"):
        graph_module(name).graph.invoke({"query": "What is 2 plus 3?"}, context={"nonsense": 1})

"""Each graph's form has the settings that the graph reads, and none that only other graphs read."""

import ast
from dataclasses import fields
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from toolquiver.context import Context
from toolquiver.errors import InputError
from toolquiver.graphs import graph_module, graph_names

ROOT = Path(__file__).parents[2]
SETTINGS = {setting.name for setting in fields(Context)}
OWN = [name for name in graph_names() if not issubclass(graph_module(name).graph.context_schema, Context)]
"""Graphs with a form of their own: nothing of the others' is hidden in it."""
MOST_OF_ITS_OWN = 20
WITH_THEIR_OWN = {
    "quiver": QuiverContext,
    "retriever": RetrieverContext,
    "anytool": AnyToolContext,
    "judge": JudgeContext,
}
"""Graphs that have a form of their own: nothing of the others' is hidden in it."""
BESIDES = {
    "reverse_chain": {"action_form", "chain_budget", "chain_fill", "max_calls", "pool_size"},
    "retriever": {"approval", "max_reflections", "reactivated", "retrieval_part", "unsure"},
    "anytool": {"expansion", "feeding"},
    "judge": {"unsure"},
}
"""What is read in modules that a graph shares with others, in functions that it has no use for."""
EVERYWHERE = {"catalog", "decision_method", "documentation", "model", "role_models", "token_budget"}
"""What `Run` reads for every graph."""
REFUSED = {"plan_only"}
"""What a graph whose form does not have it refuses."""


OF_THE_CHAIN = {"chain_budget", "chain_fill", "max_calls"}
"""What only the nodes of the reverse chain read, and no form has."""
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
def test_a_form_hides_no_setting_that_the_graph_reads(name):
    hidden = settings_of(name) - shown(name)
    assert hidden & read_behind(ROOT / f"graphs/{name}.py") <= BESIDES.get(name, set()) | REFUSED


@pytest.mark.parametrize("name", graph_names())
def test_a_form_shows_no_setting_that_the_graph_does_not_read(name):
    common = {setting.name for setting in fields(Context)} if name in OWN else set()
    assert shown(name) - read_behind(ROOT / f"graphs/{name}.py") <= EVERYWHERE | common


@pytest.mark.parametrize(
    ("name", "none"),
    [
        ("smurfs", "votes page max_reflections"),
        ("react", "branches planner max_depth pool_size"),
        ("dfsdt", "planner max_depth pool_size"),
        ("retriever", "planner max_depth max_steps solver"),
        ("anytool", "planner max_depth"),
        ("reverse_chain", "votes pool_size branches planner"),
        ("judge", "planner pool_size max_turns"),
        ("easytool", "planner pool_size votes max_turns"),
        ("easytool_pipeline", "planner pool_size votes max_turns max_repairs"),
    ],
)
def test_a_form_shows_no_setting_that_only_other_graphs_use(name, none):
    assert not shown(name) & set(none.split())
    assert {"model", "catalog", "token_budget"} <= shown(name)


OTHERS = [name for name in graph_names() if name not in OWN]


def test_every_setting_is_in_some_form_and_can_be_given_to_every_graph_without_a_form_of_its_own():
    assert set().union(*map(shown, OTHERS)) == SETTINGS - OF_THE_CHAIN
    for name in OTHERS:
        given = graph_module(name).graph.context_schema(branches=3, votes=1)
        assert isinstance(given, Context)


@pytest.mark.parametrize("name", OWN)
def test_a_form_of_its_own_has_few_settings_and_takes_no_others(name):
    graph = graph_module(name).graph
    assert shown(name) == settings_of(name) >= {setting.name for setting in fields(Context)}
    assert len(shown(name)) <= MOST_OF_ITS_OWN
    with pytest.raises(TypeError, match="'branches'"):
        graph.context_schema(branches=3)
    for given in (Context(branches=3), {"branches": 3}):
        with pytest.raises((InputError, TypeError), match="'branches'"):
            graph.invoke({"query": "What is 2 plus 3?"}, context=given)


@pytest.mark.parametrize("name", SOLVERS)
def test_the_solvers_have_forms_of_their_own(name):
    kind = graph_module(name).graph.context_schema
    assert shown(name) == settings_of(name)
    assert not issubclass(kind, Context)
    with pytest.raises(TypeError, match="'votes'"):
        kind(votes=3)


def test_no_setting_is_one_that_no_graph_reads():
    read = {name: read_behind(ROOT / f"graphs/{name}.py") for name in graph_names()}
    common = {setting.name for setting in fields(Context)}
    for name in OWN:
        assert settings_of(name) - common <= read[name]
    assert set().union(*(read[name] for name in OTHERS)) | EVERYWHERE >= SETTINGS


@pytest.mark.parametrize("name", graph_names())
def test_a_setting_that_nothing_has_is_refused_by_name(name):
    with pytest.raises(TypeError, match="'nonsense'"):
        graph_module(name).graph.invoke({"query": "What is 2 plus 3?"}, context={"nonsense": 1})

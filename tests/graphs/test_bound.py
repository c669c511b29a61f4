"""What a graph can be built with, and on a thread what a run says before its end."""

import pytest
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from tests.support.script import Stage, an_api
from toolquiver.catalog import Catalog
from toolquiver.context import Context
from toolquiver.contexts import QuiverContext
from toolquiver.errors import InputError
from toolquiver.graphs import (
    anytool,
    dfsdt,
    easytool,
    easytool_pipeline,
    judge,
    quiver,
    react,
    retriever,
    reverse_chain,
    smurfs,
)
from toolquiver.models import scripted


@tool
def one() -> int:
    """Give one."""
    return 1


@pytest.mark.parametrize(
    "graph", [anytool, dfsdt, easytool, easytool_pipeline, judge, quiver, react, retriever, reverse_chain, smurfs]
)
@pytest.mark.parametrize(
    ("bound", "said"),
    [
        ({"catalog": "demo"}, "catalog is 'demo'. Pass a Catalog"),
        ({"catalog": [one]}, "catalog is .* Pass a Catalog"),
        ({"context": {"top_k": 3}}, "context is {'top_k': 3}. Pass a Context"),
        ({"model": object()}, "The model 'model' is .* Pass a chat model"),
        ({"models": {"plan": 5}}, "The model 'plan' is 5"),
        ({"models": "local"}, "models is 'local'. Pass a dict"),
        ({"callers": [1]}, r"callers is \[1\]. Pass a dict"),
        ({"callers": {"mine:1": object()}}, "The caller of 'mine:1' is .* It needs a method"),
    ],
)
def test_what_is_of_another_kind_is_refused_when_it_is_bound(graph, bound, said):
    with pytest.raises(TypeError, match=said):
        graph.build(**bound)


def test_a_model_for_a_setting_is_refused():
    with pytest.raises(InputError, match="'verifier' is a setting; the role is called 'verify'"):
        smurfs.build(models={"verifier": "local"})


def test_plain_settings_keep_the_defaults_of_the_graph():
    graph = quiver.build(context=Context(top_k=3), catalog=Catalog.from_tools([one]))
    assert graph.nodes["plan"].bound._bound["context"] == QuiverContext(top_k=3)


def test_a_second_question_does_not_show_the_end_of_the_first():
    stage, saver = Stage(an_api("alpha"), Arguments={"note": "a"}), InMemorySaver()
    graph = stage.build(checkpointer=saver, context=Context())
    asked, thread = {"query": "What is alpha?", "candidates": stage.ids}, {"configurable": {"thread_id": "one"}}
    assert graph.invoke(asked, thread)["status"] == "solved"
    waits = graph.invoke(asked, thread, context=Context(approval="always"))
    assert (waits["answer"], waits["status"], waits["reason"]) == ("", None, "")
    assert waits["__interrupt__"]


def test_what_stands_for_a_model_or_for_nothing_may_be_bound():
    model = scripted(lambda *_: "").with_config(tags=["mine"])
    assert smurfs.build(model=model, models={"plan": None}, context=None, catalog=Catalog.from_tools([one]))
    assert quiver.build(model=None, context=None)

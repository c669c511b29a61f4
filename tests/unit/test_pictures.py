"""Graphs as pictures."""

import struct
from typing import TypedDict

import pytest
from langgraph.graph import END, START, StateGraph

from toolquiver.pictures import graph_png

PNG = b"\x89PNG\r\n\x1a\n"


class State(TypedDict):
    x: int


def chain(*names):
    graph = StateGraph(State)
    for name in names:
        graph.add_node(name, lambda state: state)
    for before, after in zip([START, *names], names, strict=False):
        graph.add_edge(before, after)
    graph.add_conditional_edges(names[-1], lambda _: "done", {"done": END, 'again <&> "more"': names[0]})
    return graph.compile()


def height(picture):
    return struct.unpack(">II", picture[16:24])[1]


def test_a_picture_is_a_png_that_grows_with_the_graph():
    small, large = graph_png(chain("one")), graph_png(chain("one", "two", "three"))
    assert small.startswith(PNG)
    assert large.startswith(PNG)
    assert height(large) > height(small)


@pytest.mark.parametrize("name", ["größe 日本", "a<b>&c", '"quoted"', "back\\slash"])
def test_a_node_may_have_any_name(name):
    assert graph_png(chain(name)).startswith(PNG)

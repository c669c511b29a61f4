"""Graphs as pictures."""

import struct
from itertools import pairwise
from typing import TypedDict

import pytest
from langgraph.graph import END, START, StateGraph

from toolquiver.drawings import Drawing
from toolquiver.pictures import drawn_in, graph_png, graph_svg, path_svg

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


def test_a_picture_as_svg_has_every_node_and_label_as_text():
    picture = graph_svg(chain("one", "two"))
    assert picture.startswith("<svg")
    assert all(f">{text}</text>" in picture for text in ("one", "two", "start", "done"))
    assert (picture.count("font-family"), picture.count("<title>")) == (1, 0)  # a notebook keeps it


def test_a_picture_says_which_drawing_it_shows():
    compiled = chain("one", "two")
    picture = graph_png(compiled)
    assert drawn_in(picture) == Drawing.of(compiled).digest()
    assert drawn_in(picture) != Drawing.of(chain("one", "three")).digest()
    assert drawn_in(PNG) is None
    assert drawn_in(b"no picture") is None


def test_every_label_between_two_nodes_is_drawn():
    graph = StateGraph(State)
    graph.add_node("one", lambda state: state)
    graph.add_edge(START, "one")
    graph.add_conditional_edges("one", lambda _: "done", {"done": END, "given up": END, "again": "one"})
    drawn = {(arrow.source, arrow.target): arrow.labels for arrow in Drawing.of(graph.compile()).arrows}
    assert drawn == {("__start__", "one"): (), ("one", "__end__"): ("done", "given up"), ("one", "one"): ("again",)}


def test_a_graph_inside_is_drawn_with_all_its_labels():
    outer = StateGraph(State)
    outer.add_node("inner", chain("one", "two"))
    outer.add_edge(START, "inner")
    outer.add_edge("inner", END)
    arrows = Drawing.of(outer.compile()).arrows
    assert ("inner:two", "inner:one", ('again <&> "more"',)) in {(a.source, a.target, a.labels) for a in arrows}
    assert graph_png(outer.compile()).startswith(PNG)


def test_what_closes_a_loop_is_known():
    assert Drawing.of(chain("one", "two", "three")).back == {("three", "one")}


def in_parts():
    """Work whose nodes may all be stopped; behind it a part to check, and one to begin that is gone back to."""
    graph = StateGraph(State)
    parts = {"begin": "Begin", "ask": "Begin", "read": "Work", "write": "Work", "send": "Work", "stop": "End"}
    for name, part in parts.items():
        graph.add_node(name, lambda state: state, metadata={"part": part})
    graph.add_edge(START, "begin")
    graph.add_conditional_edges("begin", lambda _: "go", {"go": "read", "ask": "ask", "nothing to do": "stop"})
    graph.add_edge("ask", "stop")
    for name, then in {"read": "write", "write": "send", "send": "stop"}.items():
        graph.add_conditional_edges(name, lambda _: "done", {"done": then, "out of paper": "stop", "unclear": "ask"})
    graph.add_edge("stop", END)
    return graph.compile()


def test_what_leads_to_an_earlier_part_goes_back():
    assert Drawing.of(in_parts()).back == {(name, "ask") for name in ("read", "write", "send")}


def test_the_main_way_is_that_of_a_run_that_nothing_stops():
    main = Drawing.of(in_parts()).main
    assert main == list(pairwise(["__start__", "begin", "read", "write", "send", "stop", "__end__"]))
    assert Drawing.of(chain("one", "two")).main == []


def test_ways_by_which_many_end_are_written_into_the_box_that_they_start_from():
    compiled = in_parts()
    asides = {(arrow.source, arrow.target) for arrow in Drawing.of(compiled).asides}
    assert asides == {(name, "stop") for name in ("begin", "ask", "read", "write")}
    picture = graph_svg(compiled)
    for text in ("nothing to do → stop", "→ stop", "out of paper → stop"):
        assert f">{text.replace('→', '&#8594;')}</text>" in picture or f">{text}</text>" in picture
    taken = path_svg(compiled, ["begin", "read", "stop"])
    assert "nothing to do" in taken
    assert taken.count("out of paper") == 3  # one of them as an arrow, for it was taken


def test_what_is_side_by_side_on_a_path_is_led_to_from_the_step_before():
    compiled = chain("one", "two", "three")
    picture = path_svg(compiled, ["one", ["two", "two"], "three"])
    assert picture.count("\N{MULTIPLICATION SIGN}2") == 3  # the node, and the arrows to it and from it
    taken = 'stroke="#1f3f8f"'
    assert picture.count(taken) > path_svg(compiled, ["one", ["two", "two"], "three"], ended=False).count(taken)
    assert "\N{MULTIPLICATION SIGN}" not in path_svg(compiled, ["one", ["two", "three"]], ended=False)


@pytest.mark.parametrize("name", ["größe 日本", "a<b>&c", '"quoted"', "back\\slash"])
def test_a_node_may_have_any_name(name):
    assert graph_png(chain(name)).startswith(PNG)

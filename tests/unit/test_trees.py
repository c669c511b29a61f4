"""The picture of a search tree: every node in its place, ways that failed marked, nothing in it but text."""

import xml.etree.ElementTree as ET

import pytest

from toolquiver.trees import agents_svg, tree_svg

SVG = "{http://www.w3.org/2000/svg}"


def a_node(number, parent, mark="open", *, call="alpha()", observation="fine"):
    return {
        "id": number,
        "parent": parent,
        "mark": mark,
        "calls": [call],
        "observations": [observation],
        "thought": "",
    }


TREE = [
    a_node(0, None),
    a_node(1, 0),
    a_node(2, 1, "failed"),
    a_node(3, 0, call="bravo(<&>)", observation="\x1b[31m red"),
    a_node(4, 3, "given up"),
    a_node(5, 3, "answered"),
]


def drawn(tree, question=""):
    return ET.fromstring(tree_svg(tree, question))


def boxes(root):
    """Each node's frame, in the order of the tree."""
    return [group.find(f"{SVG}rect") for group in root.iter(f"{SVG}g")]


def test_every_node_has_a_place_of_its_own_below_its_parent():
    found = boxes(drawn(TREE))
    places = [(float(box.get("x")), float(box.get("y"))) for box in found]
    assert len(set(places)) == len(TREE)
    for node in TREE[1:]:
        assert places[node["id"]][1] > places[node["parent"]][1]
    for one in range(len(TREE)):
        for other in range(one):
            (x1, y1), (x2, y2) = places[one], places[other]
            assert y1 != y2 or abs(x1 - x2) >= float(found[one].get("width"))


def test_ways_that_led_nowhere_are_drawn_with_broken_lines_and_say_so():
    root = drawn(TREE)
    assert [box.get("stroke-dasharray") is not None for box in boxes(root)] == [False, False, True, False, True, False]
    said = [text.text for text in root.iter(f"{SVG}text")]
    assert {"failed", "given up", "answered"} <= set(said)


def test_a_notebook_shows_it_with_its_failed_ways():
    display = pytest.importorskip("IPython.display")
    shown = ET.fromstring(display.SVG(tree_svg(TREE))._repr_svg_())
    assert [box.get("stroke-dasharray") is not None for box in boxes(shown)].count(True) == 2
    assert "failed" in [text.text for text in shown.iter(f"{SVG}text")]


def test_what_tools_said_is_only_text():
    root = drawn(TREE, "Is <b> a question?")
    said = [text.text for text in root.iter(f"{SVG}text")]
    assert "bravo(<&>)" in said
    assert "Is <b> a question?" in said
    assert not any("\x1b" in (text or "") for text in root.itertext())


def test_a_long_text_is_cut_on_its_line_and_whole_behind_it():
    root = drawn([a_node(0, None), a_node(1, 0, call="x" * 300)])
    assert max(len(text.text or "") for text in root.iter(f"{SVG}text")) < 60
    assert "x" * 300 in "".join(title.text or "" for title in root.iter(f"{SVG}title"))


def test_a_root_alone_is_a_tree():
    assert len(boxes(drawn([a_node(0, None)]))) == 1


def an_agent(name, parent, status="finished", *, why="", tools=(), added=()):
    return {"id": name, "parent": parent, "status": status, "why": why, "tools": list(tools), "added": list(added)}


AGENTS = {
    agent["id"]: agent
    for agent in (
        an_agent("meta", None),
        an_agent("category Music", "meta", "parked", why="the pool is full"),
        an_agent("tool Maps 1", "meta", tools=["Map <1>"], added=["maps/map/a"]),
    )
}


def test_the_agents_of_a_search_are_drawn_below_those_who_made_them():
    root = ET.fromstring(agents_svg(AGENTS, "Where is it?"))
    heights = [float(box.get("y")) for box in boxes(root)]
    assert heights[0] < heights[1] == heights[2]
    assert [box.get("stroke-dasharray") is not None for box in boxes(root)] == [False, True, False]
    said = [text.text for text in root.iter(f"{SVG}text")]
    assert {"Where is it?", "parked: the pool is full", "1 APIs found"} <= set(said)


def a_waking(reflection, why, *agents):
    return {"reflection": reflection, "level": "category", "agents": list(agents), "why": why}


def test_an_agent_that_was_woken_says_so_and_why():
    wakings = [a_waking(1, "No <tool> knows.", "category Music"), a_waking(2, "It is late.", "category Music", "meta")]
    root = ET.fromstring(agents_svg(AGENTS, "Where is it?", wakings))
    said = [[text.text for text in group.iter(f"{SVG}text")] for group in root.iter(f"{SVG}g")]
    assert [lines[3:] for lines in said] == [["woken: It is late."], ["woken 2 times: It is late."], []]
    assert said[1][1] == "parked: the pool is full"
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert "woken by reflection 1: No <tool> knows.\nwoken by reflection 2: It is late." in titles[1]
    assert "woken" not in titles[2]


def test_every_line_is_inside_its_frame_also_where_agents_were_woken():
    for wakings in ((), [a_waking(1, "No.", "meta")]):
        root = ET.fromstring(agents_svg(AGENTS, "Where is it?", wakings))
        ends = [float(box.get("y")) + float(box.get("height")) for box in boxes(root)]
        texts = [[float(text.get("y")) for text in group.iter(f"{SVG}text")] for group in root.iter(f"{SVG}g")]
        assert all(max(lines) < end for lines, end in zip(texts, ends, strict=True))
        assert ends[0] < float(boxes(root)[1].get("y"))


def test_a_search_without_agents_is_drawn_too():
    assert len(boxes(ET.fromstring(agents_svg({}, "Where is it?")))) == 1

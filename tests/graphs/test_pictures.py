"""The pictures of all graphs and the words of all prompts, as files that people can read in a review."""

import xml.etree.ElementTree as ET
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from langchain_core.utils import mustache

import toolquiver.graphs
import toolquiver.prompts
from toolquiver.drawings import Drawing
from toolquiver.pictures import drawn_in, graph_svg
from toolquiver.prompts import load_prompt

GRAPHS = sorted(module.name for module in iter_modules(toolquiver.graphs.__path__))
PROMPTS = Path(toolquiver.prompts.__file__).parent
FILES = {path.relative_to(PROMPTS).with_suffix("").as_posix(): path for path in PROMPTS.rglob("*.md")}
SVG = "{http://www.w3.org/2000/svg}"
PAGE, SMALLEST = (510, 757), 5  # points: A4 within its margins, and type that can be read on paper
ROLES = sorted(FILES)

VALUES = {
    "query": "What is the weather at the airport nearest to Lisbon, and how far is that from Porto?",
    "task": "How far is the airport from Porto?",
    "previous": "Where is its airport?",
    "tools": [
        "get_airport(code): Say where an airport is. -> name, latitude, longitude",
        "distance(latitude1, longitude1, latitude2, longitude2, unit?): The distance of two places. -> distance",
    ],
    "more": True,
    "own": ["next_prime(n): The first prime behind a number."],
    "pages": ["Lisbon: Lisbon is the capital of Portugal. Its airport is named after Humberto Delgado."],
    "made": ["distance(latitude1=38.77, longitude1=-9.13, latitude2=41.15, longitude2=-8.61)"],
    "again": True,
    "signs": "+ - *",
    "explained": True,
    "name": "distance",
    "description": "The distance of two places along the surface of the earth.",
    "parameters": [
        "latitude1 (number): Degrees north of the first place.",
        "unit (km | miles, optional): What the distance is told in.",
    ],
    "known": [
        {
            "question": "Which airport is nearest to Lisbon?",
            "answer": "LIS, Humberto Delgado Airport.",
            "data": '{"code": "LIS", "latitude": 38.77, "longitude": -9.13}',
        },
        {"question": "What is the weather there?", "answer": "Sunny, 24 degrees.", "data": ""},
    ],
    "steps": [
        {
            "thought": "I need to know where Porto is.",
            "answer": "Porto lies at 41.15, -8.61.",
            "data": '{"latitude": 41.15, "longitude": -8.61, "country": "PT"}',
        }
    ],
    "in_full": True,
    "aim": "distance",
    "hint": "the distance in kilometres",
    "thought": "distance, with the coordinates found out before.",
    "call": 'distance(latitude1=38.77, longitude1=-9.13, latitude2=41.15, longitude2=-8.61, unit="km")',
    "observation": '{"distance": 268.4, "unit": "km"}',
    "answer": "They are 268.4 km apart.",
    "arguments": '{"latitude1":0,"latitude2":10,"longitude1":0,"longitude2":0}',
    "listed": ["get_airport", "distance"],
    "on_demand": True,
    "gives_up": True,
    "children": [
        {"call": 'distance({"unit": "km"})', "result": "It failed (invalid_arguments): latitude1 is missing."}
    ],
    "register": "tool_register",
    "unregister": "tool_unregister",
    "schema": '{"type": "object", "properties": {"distance": {"type": "number"}, "unit": {"type": "string"}}}',
    "calls": [{"call": "travel/distance(latitude1=38.77, longitude1=-9.13)", "outcome": "returned: 268.4"}],
    "functions": [{"line": "distance(from, to): How far two places are apart.", "inputs": ["from (string): A place."]}],
    "shown_one": True,
    "reasons": True,
    "choices": "solved, unsolved, unsure",
    "category": "Travel",
    "left": "31 more, on page 2.",
    "most": "5",
    "reason": "No tool tells the weather at an airport.",
    "one": "They are 268.4 km apart.",
    "two": "About as far as Paris is from Brussels.",
    "conversation": ["I fly from Porto next week."],
    "offers": ["get_airport(code): Say where an airport is. -> name, latitude, longitude"],
    "inputs": [{"line": "latitude1 (number): Degrees north of the first place.", "from": "get_airport"}],
    "checks": True,
    "examples": [{"arguments": '{"latitude1":38.77,"unit":"km"}', "result": '{"distance": 268.4, "unit": "km"}'}],
}
OF_QUIVER = VALUES | {
    "part": "How far is that airport from Porto?",
    "feeds": "distance",
    "givers": True,
    "examples": VALUES["tools"],
    "weekday": "Sunday",
    "date": "2026-11-29",
    "time": "12:00",
    "zone": "Europe/Lisbon (UTC+0000)",
    "functions": [
        "get_airport(code: str) -> {latitude: float, longitude: float}\n    Geodesy: Say where an airport is.",
        "distance(latitude1: float, longitude1: float, latitude2: float, longitude2: float) -> float",
    ],
    "calls": [
        {"number": 1, "call": 'get_airport(code="LIS")', "outcome": '{"latitude": 38.77, "longitude": -9.13}'},
        {"number": 2, "call": 'get_airport(code="PRT")', "outcome": "failed (not_found): There is no such airport."},
    ],
    "replies": [{"number": 1, "question": "Which Porto do you mean?", "reply": "the one in Portugal"}],
    "proposed": '{"distance in km": 268.4}',
    "why": "The planner has used up its plans.",
    "statements": [{"text": "They are 268.4 km apart."}, {"text": "It is sunny there.", "unsupported": True}],
    "missing": ["the weather at the airport"],
    "steps": [
        {"program": "r1 = get_airport(code='LIS')", "outcome": '{"latitude": 38.77, "longitude": -9.13}'},
        {"program": "r2 = get_airport(code='PRT')", "outcome": "failed (not_found): There is no such airport."},
    ],
    "told": ["The answer does not say how the weather is."],
    "function": "distance",
    "line": "distance(latitude1: float, longitude1: float, latitude2: float, longitude2: float) -> float",
    "results": ['travel/get_airport: {"latitude": 38.77, "longitude": -9.13}'],
    "open": [
        {
            "name": "latitude2",
            "type": "number",
            "description": "Degrees north of the second place.",
            "offers": ["get_airport(code: str) -> {latitude: float, longitude: float}"],
        }
    ],
    "argument": "latitude2",
    "consumer": "distance",
    "producer": "get_airport",
    "values": [{"path": 'result["latitude"]', "value": "41.25"}, {"path": 'result["longitude"]', "value": "-8.68"}],
}

OF_SMURFS = OF_QUIVER | {
    "most": "10",
    "known": [
        {
            "number": 1,
            "question": "Which airport is nearest to Lisbon?",
            "answer": "LIS, Humberto Delgado.",
            "solved": True,
        },
        {"number": 2, "question": "What is the weather there?", "answer": "", "solved": False},
    ],
    "tools": [
        "get_airport (Geodesy): Say where an airport is.",
        "distance (Geodesy): The distance of two places along the surface of the earth.",
    ],
    "steps": [{"number": 1, "thought": "I need to know where Porto is.", "answer": "Porto lies at 41.15, -8.61."}],
    "failures": ["rail_distance(latitude1=38.77): server_error, It is down."],
    "document": 'distance: distance of Geodesy (travel)\nHow far two places are apart.\nParameters: {"type": "object"}',
    "response": '{"distance": 268.4, "unit": "km"}',
}


OF_REVERSE_CHAIN = {
    "apis": VALUES["tools"],
    "none": "none of these",
    "plan": (
        "distance(latitude1=get_airport(code=?), longitude1=get_airport(code=?), latitude2=41.15, longitude2=-8.61)"
    ),
    "call": "get_airport()",
    "task": "latitude1, longitude1 of distance",
    "gives": [
        "latitude1 (number): Degrees north of the first place.",
        "longitude1 (number): Degrees east of the first place.",
    ],
    "api": VALUES["tools"][0],
    "example": 'get_airport(code="CDG")',
    "offers": ["find_code(city): Find the code of a city's airport. -> code"],
    "made": 'get_airport(code="LIS")',
    "result": '{"airports": [{"latitude": 38.77}, {"latitude": 41.25}]}',
    "can_search": True,
    "searched": ["weather at an airport"],
    "undone": ["the weather: No API gives this."],
}
OF_ONE = {
    "easytool/fill": {"document": OF_SMURFS["document"]},
    "quiver/chain": {"function": OF_QUIVER["line"]},
    "quiver/arguments": {"feeds": ""},
    "reverse_chain/complete_arguments": {
        "values": True,
        "apis": True,
        "optional": True,
        "arguments": [
            {"line": "code (string): Its IATA code.", "from": "find_code", "failed": "rail_station"},
            {"line": "language (string, may be left out): In which names are written.", "from": "", "failed": ""},
        ],
    },
    "reverse_chain/take_output": {
        "arguments": [
            {
                "line": "latitude1 (number): Degrees north of the first place.",
                "values": ["airports[0].latitude: 38.77", "airports[1].latitude: 41.25"],
                "more": 3,
            },
            {
                "line": "longitude1 (number): Degrees east of the first place.",
                "values": ["airports[0].longitude: -9.13", "airports[1].longitude: -8.68"],
                "more": 0,
            },
        ],
    },
    "reverse_chain/answer": {
        "calls": [
            {"call": 'get_airport(code="LIS")', "task": "latitude1 of distance", "result": '{"latitude": 38.77}'},
            {"call": 'get_airport(code="PRT")', "task": "latitude2 of distance", "result": "None.", "failed": True},
        ],
    },
}


OF_SOLVER = VALUES | {
    "weekday": "Sunday",
    "date": "2026-11-29",
    "time": "12:00",
    "zone": "Europe/Lisbon (UTC+0000)",
    "answer": "give_answer",
    "give_up": "give_up",
    "restart": "give_up_and_restart",
    "search": "search_apis",
    "docs": "api_docs",
    "listed": ["Airports: get_airport", "Geodesy: distance, bearing"],
    "why": "The calls are used up.",
}


OF_EASYTOOL = OF_QUIVER | {
    "document": '{"name": "distance", "description": "How far two places are apart.", "parameters": {}}',
    "longest": 160,
    "part": True,
    "tool": "Geodesy",
    "about": "Distances on the earth.",
    "lines": ["Returns how far two places are apart.", "Returns where an airport is."],
    "more": "12",
    "purpose": "Geodesy: calculates on the surface of the earth.",
    "line": "Returns how far two places are apart.",
    "before": [{"example": '{"unit": "leagues"}', "wrong": "unit: 'leagues' is not one of ['km', 'miles']."}],
    "most": 10,
    "none": "none of these",
    "tools": ["distance (Geodesy): Returns how far two places are apart."],
    "failed": ["rail_distance: The call failed (not_found): There is no such station."],
    "example": 'if you want to know how far Lisbon is from Porto: {"unit": "km"}',
    "results": [{"number": 1, "task": "Find the airport of Lisbon.", "outcome": '<result>{"code": "LIS"}</result>'}],
}


OF_ANYTOOL = VALUES | {
    "listed": ["- Travel (12 tools, such as Flights, Weather)", "- Sports", "31 more from page 2 on."],
    "tools": ["Flights", "Weather"],
    "failures": ["No tool tells the weather at an airport."],
    "looks": "20",
    "least": "2",
    "weekday": "Sunday",
    "date": "2026-11-29",
    "zone": "WET (UTC+0000)",
}


OF_SYSTEM = {
    "anytool": OF_ANYTOOL,
    "easytool": OF_EASYTOOL,
    "judge": OF_ANYTOOL,
    "quiver": OF_QUIVER,
    "reverse_chain": OF_QUIVER | OF_REVERSE_CHAIN,
    "smurfs": OF_SMURFS,
    "solver": OF_SOLVER,
}


def values_of(name):
    """What the prompt of this name is filled with."""
    return OF_SYSTEM.get(name.partition("/")[0], VALUES) | OF_ONE.get(name, {})


def compiled(name):
    return import_module(f"toolquiver.graphs.{name}").graph


def routers(name):
    """Each router of a graph: its node, its function, and the map from its labels to nodes."""
    for node, branches in compiled(name).builder.branches.items():
        for branch in branches.values():
            yield node, branch.path.func, branch.ends


@pytest.mark.parametrize("name", GRAPHS)
def test_the_graph_is_drawn_as_in_the_snapshot(name, snapshot):
    snapshot(f"graphs/{name}.mmd", compiled(name).get_graph(xray=True).draw_mermaid())


@pytest.mark.parametrize("name", GRAPHS)
def test_the_picture_in_the_documentation_is_that_of_the_graph(name):
    picture = Path(__file__).parents[2] / f"docs/pictures/{name}.png"
    assert picture.is_file(), "make pictures"
    assert drawn_in(picture.read_bytes()) == Drawing.of(compiled(name)).digest(), "make pictures"


@pytest.mark.parametrize("name", GRAPHS)
def test_what_routers_can_say_and_where_that_leads_are_the_same(name):
    """Routers of one type, as those that only read what a node has decided, have all of its labels together."""
    leads = {}
    for node, router, ends in routers(name):
        says = get_type_hints(router)["return"]
        parts = [part for part in (says, *get_args(says)) if get_origin(part) is Literal]  # besides a list of Send
        assert parts, f"the router behind {node} does not say what it returns"
        assert ends is not None, f"the router behind {node} has no path map"
        labels = frozenset(label for part in parts for label in get_args(part))
        leads.setdefault(labels, set()).update(ends)
    assert leads
    for labels, ends in leads.items():
        assert labels - {""} == ends, "a path map is not complete"


@pytest.mark.parametrize("name", GRAPHS)
def test_every_decision_is_drawn_with_its_label(name):
    drawn = {(edge.source, edge.target, edge.data) for edge in compiled(name).get_graph().edges if edge.conditional}
    assert drawn == {(node, target, label) for node, _, ends in routers(name) for label, target in ends.items()}


@pytest.mark.parametrize("name", GRAPHS)
def test_every_node_can_be_reached_and_leads_to_the_end(name):
    graph = compiled(name).get_graph()
    for start, forward in (("__start__", True), ("__end__", False)):
        reached, edge_of = {start}, [(e.source, e.target) if forward else (e.target, e.source) for e in graph.edges]
        while new := {to for of, to in edge_of if of in reached} - reached:
            reached |= new
        assert reached == set(graph.nodes)


@pytest.mark.parametrize("name", GRAPHS)
def test_a_picture_leaves_nothing_out(name):
    drawing, picture = Drawing.of(compiled(name)), ET.fromstring(graph_svg(compiled(name)))
    said = " ".join(text.text or "" for text in picture.iter(f"{SVG}text")).replace("_ ", "_")
    titles = {node: node.rpartition(":")[2].strip("_") for node in drawing.nodes}
    assert [title for title in titles.values() if title not in said] == []
    assert [words for arrow in drawing.arrows for words in arrow.labels if words not in said] == []
    written = [f"{arrow.labels[0] if arrow.labels else ''} → {titles[arrow.target]}" for arrow in drawing.asides]
    assert [aside for aside in written if aside.strip() not in said] == []
    drawn = sum(2 if arrow.labels else 1 for arrow in drawing.arrows if arrow not in drawing.asides)
    assert len([group for group in picture.iter(f"{SVG}g") if group.get("class") == "edge"]) == drawn


@pytest.mark.parametrize("name", GRAPHS)
def test_a_picture_on_a_page_can_be_read(name):
    picture = ET.fromstring(graph_svg(compiled(name)))
    width, height = (float(picture.get(side, "").removesuffix("pt")) for side in ("width", "height"))
    part = min(1, PAGE[0] / width, PAGE[1] / height)
    smallest = min(float(text.get("font-size", 0)) for text in picture.iter(f"{SVG}text"))
    assert part * smallest >= SMALLEST


def test_quivers_picture_names_each_of_its_parts():
    drawing = Drawing.of(compiled("quiver"))
    parts = {part.name: set(part.nodes) for part in drawing.parts}
    assert parts.keys() == {"Plan and run", "Search by agents"}
    assert parts["Plan and run"] == set("find plan run look_up call rollback chain ask_user".split())
    assert parts["Search by agents"] >= {"wake_tool_agents", "wake_category_agents", "wake_meta_agent", "hand_over"}
    told = {*drawing.nodes, *(words for arrow in drawing.arrows for words in arrow.labels)}
    assert told >= {
        "program written",
        "calls next",
        "it looks something up",
        "an argument is missing",
        "it asks the user",
        "a call failed",
        "answer",
        "in doubt",
        "verify",
        "reflect",
        "planned again",
        "tool agents first",
        "category agents first",
        "meta agent first",
    }


@pytest.mark.parametrize("name", ROLES)
def test_the_prompt_reads_as_in_the_snapshot(name, snapshot):
    messages = [message for message in load_prompt(name).messages(**values_of(name)) if message.text]
    snapshot(f"prompts/{name}.txt", "\n\n".join(f"[{message.type}]\n{message.text}" for message in messages) + "\n")


def test_every_snapshot_is_of_a_prompt():
    snapshots = Path(__file__).parents[1] / "snapshots" / "prompts"
    assert {path.relative_to(snapshots).with_suffix("").as_posix() for path in snapshots.rglob("*.txt")} == set(ROLES)


def given_in(values):
    """The names that values have, at any depth."""
    rows = [row for part in values.values() if isinstance(part, list) for row in part if isinstance(row, dict)]
    return values.keys() | set().union(*map(given_in, rows))


def test_the_snapshots_fill_everything_that_a_prompt_asks_for():
    for name, path in FILES.items():
        asked = {tag for kind, tag in mustache.tokenize(path.read_text("utf-8")) if kind in {"no escape", "section"}}
        assert asked - {"."} <= given_in(values_of(name)), f"give {name} its values in {Path(__file__).name}"

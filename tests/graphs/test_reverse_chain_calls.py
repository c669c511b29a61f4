"""Reverse Chain's calls: none twice, another API where one fails, together where that is safe, and limits that hold."""

import asyncio
import json
import signal
import threading

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from tests.graphs.chains import (
    BOOK,
    BOOKING,
    MADE,
    NONE,
    THREAD,
    Chain,
    a_typed_api,
    as_json,
    booking,
    books,
    from_api,
    rooms,
    value,
)
from tests.graphs.script import SOURCE, with_method
from toolquiver.calling import CallError, Observation
from toolquiver.catalog import Catalog
from toolquiver.context import Context

pytestmark = pytest.mark.usefixtures("strict")


def test_the_same_call_is_made_once():
    apis = [
        a_typed_api("place", {"city": "string"}, {"latitude": "number", "longitude": "number"}),
        a_typed_api("sunset", {"latitude": "number", "longitude": "number"}, {"time": "string"}),
        a_typed_api("weather", {"latitude": "number", "longitude": "number"}, {"weather": "string"}),
    ]
    chain = Chain(
        *apis,
        policy=lambda name, offered, _: value("Lima") if name == "city" else from_api("place"),
        respond=as_json(
            lambda api, _: {
                "place": {"latitude": -12.05, "longitude": -77.04},
                "sunset": {"time": "18:01"},
                "weather": {"weather": "mist"},
            }[api.name]
        ),
        goal="sunset",
    )
    result = chain.ask("When does the sun set in Lima? And what is the weather in Lima?", planner=True)
    assert len(result["subtasks"]) == 2
    assert [name for name, _ in chain.caller.made].count("place") == 1
    assert [name for name, _ in chain.caller.made].count("sunset") == 1
    assert result["plan"] == ["sunset(latitude=place(city='Lima'), longitude=place(city='Lima'))"]


def test_a_call_is_the_same_with_a_default_written_out_or_left_out_and_with_1_for_1_0():
    unit = {"type": "string", "default": "m", "enum": ["m", "ft"]}
    kinds = {"level": "number", "unit": unit}
    apis = [
        a_typed_api("place", kinds, {"latitude": "number", "longitude": "number"}, optional=("unit",)),
        a_typed_api("sunset", {"latitude": "number"}, {"time": "string"}),
        a_typed_api("weather", {"longitude": "number"}, {"weather": "string"}),
    ]
    levels, units = iter([1, 1.0]), iter([value("m"), NONE])

    class Both(Chain):
        def __call__(self, messages, schema):
            self.goal = "weather" if "Request: What is the weather" in messages[-1].text else "sunset"
            return super().__call__(messages, schema)

    def policy(name, *_):
        if name == "level":
            return value(next(levels))
        return next(units) if name == "unit" else from_api("place")

    places = {"latitude": -12.05, "longitude": -77.04}
    respond = as_json(lambda api, _: places if api.name == "place" else {"time": "18:01", "weather": "mist"})
    chain = Both(*apis, policy=policy, respond=respond)
    query = "When does the sun set at level 1 in unit m? What is the weather at level 1 in unit m?"
    result = chain.ask(query, planner=True)
    assert result["status"] == "solved"
    assert sorted(name for name, _ in chain.caller.made) == ["place", "sunset", "weather"]


def test_fields_of_two_things_are_two_frames():
    apis = [
        a_typed_api("place", {"city": "string"}, {"latitude": "number", "longitude": "number"}),
        a_typed_api("distance", dict.fromkeys(("lat1", "lon1", "lat2", "lon2"), "number"), {"km": "number"}),
    ]
    towns = {"Lima": (-12, -77), "Oslo": (60, 11)}

    def policy(name, _, text):
        if name != "city":
            return from_api("place")
        return value("Lima" if "lat1 and lon1" in text.split("It is for:")[1] else "Oslo")

    def respond(api, arguments):
        if api.name == "place":
            return dict(zip(("latitude", "longitude"), towns[arguments["city"]], strict=True))
        return {"km": 11_000}

    chain = Chain(*apis, policy=policy, respond=as_json(respond), goal="distance")
    chain.ask("How far is it from Lima to Oslo?")
    assert chain.caller.made[-1] == ("distance", {"lat1": -12, "lon1": -77, "lat2": 60, "lon2": 11})
    assert len(chain.caller.made) == 3


def test_after_a_failed_call_another_api_gives_the_argument():
    spare = a_typed_api("PersonSearch", {"person_name": "string"}, {"person_ID": "integer"})

    def respond(api, arguments):
        if api.name == "Name2ID":
            raise CallError("not_found", "No such person.")
        return json.dumps({"person_ID": 23} if api.name == "PersonSearch" else rooms(api, arguments))

    chain = Chain(*BOOKING, spare, policy=books, respond=respond, goal="BookRoom")
    result = chain.ask(BOOK)
    assert result["status"] == "solved"
    assert chain.caller.made[-1][1]["person_ID"] == 23
    assert "PersonSearch(person_name='Jack')" in result["plan"][0]


def test_after_a_failed_goal_another_api_does_it():
    spare = a_typed_api("ReserveRoom", {"start_time": "string"}, {"room": "string"}, method="POST")

    def respond(api, arguments):
        if api.name == "BookRoom":
            raise CallError("server_error", "It is closed.")
        return json.dumps({"room": "R9"} if api.name == "ReserveRoom" else rooms(api, arguments))

    chain = Chain(*BOOKING, spare, policy=books, respond=respond, goal="BookRoom ReserveRoom")
    result = chain.ask(BOOK)
    assert [name for name, _ in chain.caller.made][-2:] == ["BookRoom", "ReserveRoom"]
    assert result["status"] == "solved"
    assert "Failed already: BookRoom" in chain.texts("Choice")[-1]


def test_of_two_fields_one_may_come_from_another_api():
    """The API that gave the other field is not asked for it again, and the one that stands in for it is kept."""
    place = a_typed_api("place", {"city": "string"}, {"latitude": "number", "longitude": "number"})
    spare = a_typed_api("meridian", {"town_id": "integer"}, {"longitude": "number"})
    town = a_typed_api("town", {"city": "string"}, {"town_id": "integer"})
    weather = a_typed_api("weather", {"latitude": "number", "longitude": "number"}, {"weather": "string"})
    given = {"place": {"latitude": -12}, "town": {"town_id": 7}, "meridian": {"longitude": -77}}
    chain = Chain(
        *(place, spare, town, weather),
        policy=lambda name, offered, _: value("Lima") if name == "city" else from_api(offered[0]) if offered else NONE,
        respond=as_json(lambda api, _: given.get(api.name, {"weather": "mist"})),
        goal="weather",
    )
    result = chain.ask("What is the weather in Lima?", config={"recursion_limit": 100})
    assert (result["status"], len(chain.caller.made)) == ("solved", 4)
    assert chain.caller.made[-1] == ("weather", {"latitude": -12, "longitude": -77})


def test_a_call_that_failed_is_not_made_again_for_another_argument():
    apis = [
        a_typed_api("person", {"name": "string"}, {"person_id": "integer", "card_id": "integer"}),
        a_typed_api("card", {"card_id": "integer"}, {"person_id": "integer"}),
        a_typed_api("greet", {"person_id": "integer"}, {"greeting": "string"}),
    ]

    def respond(api, arguments):
        raise CallError("not_found", "No such person.")

    chain = Chain(
        *apis,
        policy=lambda name, offered, _: value("Jill") if name == "name" else from_api(offered[0]) if offered else NONE,
        respond=respond,
        goal="greet",
    )
    result = chain.ask("Greet Jill.")
    assert chain.caller.made == [("person", {"name": "Jill"})]
    assert result["status"] == "failed"


def test_calls_that_only_read_go_together_and_others_by_themselves():
    class Gate:
        """Lets two calls pass only when both are there."""

        def __init__(self):
            self.inside, self.most = 0, 0

        async def call(self, api, arguments):
            self.inside += 1
            self.most = max(self.most, self.inside)
            await asyncio.sleep(0.02)
            self.inside -= 1
            return Observation(text=json.dumps(rooms(api, arguments)))

    for method, most in (("GET", 2), ("CALL", 1)):
        chain, gate = booking(), Gate()
        chain.catalog = Catalog.create()
        chain.catalog.add(*(with_method(api, method) for api in BOOKING))
        chain.caller = gate
        assert chain.ask(BOOK)["status"] == "solved"
        assert gate.most == most


@pytest.mark.parametrize(
    ("way", "at_once"),
    [("invoke", 1), ("invoke", 2), ("stream", 2), ("stream", 3), ("astream", 1), ("astream", 2), ("astream", 3)],
)
def test_independent_calls_are_made_however_little_may_be_done_at_once(way, at_once):
    chain, done = booking(), []
    given, config = {"query": BOOK, "candidates": chain.ids}, {"max_concurrency": at_once, "recursion_limit": 100}
    more = {"context": Context(planner=False, drafts=False)}
    graph, streamed = chain.build(), {"stream_mode": ["custom", "values"]} | more

    async def astream():
        done.extend([state async for _, state in graph.astream(given, config, **streamed)])

    ways = {
        "invoke": lambda: done.append(graph.invoke(given, config, **more)),
        "stream": lambda: done.extend(state for _, state in graph.stream(given, config, **streamed)),
        "astream": lambda: asyncio.run(astream()),
    }
    running = threading.Thread(target=ways[way], daemon=True)  # so that a run that hangs is told of, and ends
    running.start()
    running.join(20)
    assert not running.is_alive(), "it waits for itself"
    assert done[-1]["status"] == "solved"
    assert sorted(chain.caller.made[:2]) == MADE[:2]


def test_the_limit_of_calls_is_hard():
    chain = booking()
    result = chain.ask(BOOK, solver_calls=2)
    assert len(chain.caller.made) == 2
    assert (result["status"], result["reason"]) == ("failed", "The calls are used up.")


def test_the_limit_of_depth_is_hard():
    chain = booking()
    result = chain.ask(BOOK, max_depth=1)
    assert [entry["name"] for entry in result["unfilled"]] == ["person_ID", "room_ID"]


@pytest.mark.parametrize("kept", [None, InMemorySaver()])
def test_calls_that_go_together_end_when_the_run_is_interrupted_at_the_keyboard(kept):
    log = []

    class Waiting:
        async def call(self, api, arguments):
            log.append("begun")
            if len(log) == 2:
                signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                log.append("cancelled")
                raise

    chain = booking()
    graph = chain.build(callers={SOURCE: Waiting()}, checkpointer=kept)
    with pytest.raises(KeyboardInterrupt):
        graph.invoke({"query": BOOK, "candidates": chain.ids}, THREAD, context=Context(planner=False, drafts=False))
    assert log == ["begun"] * 2 + ["cancelled"] * 2


@pytest.mark.parametrize("way", ["sync", "async"])
def test_questions_of_calls_that_go_together_are_asked_together(way, strict):
    class Asking:
        async def call(self, api, arguments):
            answer = interrupt({"api": api.name}) if api.name != "BookRoom" else "fine"
            return Observation(text=json.dumps({"person_ID": answer, "room_ID": str(answer), "room_info": "fine"}))

    chain, context = booking(), Context(planner=False, drafts=False, call_retries=0, approval="never")
    graph = chain.build(callers={SOURCE: Asking()}, checkpointer=InMemorySaver())

    def run(given):
        if way == "sync":
            return graph.invoke(given, THREAD, context=context)
        return asyncio.run(graph.ainvoke(given, THREAD, context=context))

    asked = run({"query": BOOK, "candidates": chain.ids})["__interrupt__"]
    assert sorted(one.value["api"] for one in asked) == ["Name2ID", "RecommendRoom"]
    assert run(Command(resume={one.id: 17 for one in asked}))["status"] == "solved"


@pytest.mark.parametrize(
    ("query", "beside", "zone", "expected"),
    [
        ("When does the sun set in Lima?", {"timezone": "America/Lima"}, "timezone", {"timezone": "America/Lima"}),
        ("When does the sun set in Lima?", {"time_zone": "America/Lima"}, "tz", {"tz": "America/Lima"}),
        ("When does the sun set in Lima, in UTC?", {"timezone": "America/Lima"}, "timezone", {}),
        ("When does the sun set in Lima?", {"timezone": None}, "timezone", {}),
        ("When does the sun set in Lima?", {"timezone": -5}, "timezone", {}),
        ("When does the sun set in Lima?", {"language": "es"}, "language", {}),
        ("When does the sun set in Lima?", {}, "timezone", {}),
    ],
)
def test_the_time_zone_of_a_place_goes_along_with_its_coordinates(query, beside, zone, expected):
    place = {"latitude": -12.0, "longitude": -77.0}
    inputs = {"latitude": "number", "longitude": "number", zone: "string"}
    chain = Chain(
        a_typed_api("place", {"city": "string"}, dict.fromkeys(place, "number")),
        a_typed_api("sunset", inputs, {"time": "string"}, optional=(zone,)),
        policy=lambda name, *_: value("Lima") if name == "city" else NONE if name == zone else from_api("place"),
        respond=as_json(lambda api, _: place | beside if api.name == "place" else {"time": "18:01"}),
        goal="sunset",
    )
    result = chain.ask(query)
    assert result["status"] == "solved"
    assert chain.caller.made[-1] == ("sunset", place | expected)
    assert (f"{zone}=place(city='Lima')" in result["plan"][0]) == bool(expected)

"""Reverse Chain on random graphs of APIs: against a brute-force reference, and with a model that says anything."""

import json
from math import inf

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.graphs.chains import NONE, Chain, a_typed_api, as_json, from_api, value
from toolquiver.context import Context
from toolquiver.nodes.chain.frames import below, frame_path, purposes

THINGS = ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf")
GIVEN = {thing: f"{thing[:3]}{number}x" for number, thing in enumerate(THINGS)}  # a value that stands in the query
LIMITS = {"recursion_limit": 3_000}
SLOW = {"max_examples": 60, "deadline": None, "suppress_health_check": [HealthCheck.too_slow]}


@st.composite
def graphs(draw, among=THINGS, fewest=0, most=8):
    """APIs as (name, what they need, what they give); the goal's needs; what the query gives."""
    things = st.lists(st.sampled_from(among), max_size=3, unique=True)
    makers = draw(st.lists(st.tuples(things, st.sampled_from(among)), min_size=fewest, max_size=most))
    apis = [(f"make{number}", needs, gives) for number, (needs, gives) in enumerate(makers)]
    counts = {thing: sum(gives == thing for _, _, gives in apis) for thing in THINGS}
    kept = [api for api in apis if counts[api[2]] <= 4]  # so many are offered at a time
    goal = draw(st.lists(st.sampled_from(among), min_size=1, max_size=3, unique=True))
    return kept, goal, set(draw(things))


def ranks(apis, known):
    """How deep a thing must be derived: 0 when the query gives it, infinite when nothing leads to it."""
    rank = {thing: 0 if thing in known else inf for thing in THINGS}
    for _ in THINGS:
        for _, needs, gives in apis:
            rank[gives] = min(rank[gives], 1 + max((rank[need] for need in needs), default=0))
    return rank


def a_chain(graph, policy, method="GET", fails=(), draft=""):
    apis, goal, _ = graph

    def respond(api, arguments):
        gives = {name: gives for name, _, gives in apis} | {"reach": "end"}
        made = "-".join(sorted(str(part) for part in arguments.values()))
        return {gives[api.name]: f"{api.name}({made})"} if api.name not in fails else {"other": ""}

    typed = [
        a_typed_api(name, dict.fromkeys(needs, "string"), {gives: "string"}, method=method)
        for name, needs, gives in apis
    ]
    reach = a_typed_api("reach", dict.fromkeys(goal, "string"), {"end": "string"}, method=method)
    return Chain(reach, *typed, policy=policy, respond=as_json(respond), goal="reach", Drafted={"call": draft})


def query(known):
    return "Reach the end with " + ", ".join(GIVEN[thing] for thing in sorted(known)) + "."


def well(apis, known):
    """A model that knows which APIs lead somewhere."""
    rank = ranks(apis, known)
    gives = {name: thing for name, _, thing in apis}
    cost = {name: max((rank[need] for need in needs), default=0) for name, needs, _ in apis}

    def policy(name, offered, _):
        if name in known:
            return value(GIVEN[name])
        best = min((api for api in offered if gives.get(api) == name), key=cost.__getitem__, default=None)
        return from_api(best) if best is not None and cost[best] < inf else NONE

    return policy


ROOM = {"solver_calls": 200, "max_depth": 20}
modes = st.sampled_from(["at_once", "one_by_one", "three_step"])


@settings(**SLOW)
@given(graphs(), modes)
def test_a_chain_is_found_when_there_is_one_and_only_the_rest_is_asked_for(graph, mode):
    apis, goal, known = graph
    chain = a_chain(graph, well(apis, known))
    result = chain.ask(query(known), completion=mode, **ROOM)
    rank = ranks(apis, known)
    assert [entry["name"] for entry in result["unfilled"]] == [thing for thing in goal if rank[thing] == inf]
    assert (result["status"] == "solved") == all(rank[thing] < inf for thing in goal)
    made = [json.dumps(call) for call in chain.caller.made]
    assert len(made) == len(set(made))


def naively(apis, known):
    """A model that takes the first API that gives what is asked for, wherever that leads."""
    gives = {name: thing for name, _, thing in apis}

    def policy(name, offered, _):
        fitting = [api for api in offered if gives.get(api) == name]
        return value(GIVEN[name]) if name in known else from_api(fitting[0]) if fitting else NONE

    return policy


@settings(**SLOW)
@given(graphs(THINGS[:4], fewest=2, most=4), modes)
@example(([("make0", ["bravo"], "alpha"), ("make1", [], "alpha")], ["alpha"], set()), "at_once")
def test_nobody_is_asked_for_what_another_api_than_the_first_could_give(graph, mode):
    apis, goal, known = graph
    chain = a_chain(graph, naively(apis, known))
    result = chain.ask(query(known), completion=mode, **ROOM)
    rank = ranks(apis, known)
    assert (result["status"] == "solved") == all(rank[thing] < inf for thing in goal)
    assert bool(result["unfilled"]) == any(rank[thing] == inf for thing in goal)


@settings(**SLOW)
@given(graphs())
def test_calls_are_made_deepest_first(graph):
    apis, _, known = graph
    chain = a_chain(graph, well(apis, known), method="POST")
    state = {}
    depths = []
    for event in (
        a_chain(graph, well(apis, known), method="POST")
        .build()
        .stream(
            {"query": query(known), "candidates": chain.ids},
            LIMITS,
            context=Context(planner=False, drafts=False, **ROOM),
            stream_mode="updates",
        )
    ):
        for node, update in event.items():
            if node == "call":
                before, after = state["frames"], update["frames"]
                new = [frame["id"] for frame in after if frame["stage"] != before[frame["id"]]["stage"]]
                waiting = [frame["id"] for frame in below(before, 0) if frame["stage"] == "planned"]
                assert len(frame_path(after, new[0])) == max(len(frame_path(after, frame_id)) for frame_id in waiting)
                depths += new[:1]
            state |= update or {}
    assert len(depths) == len(set(depths))


outcomes = st.integers(0, 5)
drafts = st.recursive(
    st.sampled_from(["'invented'", *map(repr, GIVEN.values()), "unknown"]),
    lambda inner: st.builds(
        lambda name, given: f"{name}({', '.join(given)})",
        st.sampled_from(["reach", *(f"make{number}" for number in range(4))]),
        st.lists(inner, max_size=3),
    ),
    max_leaves=8,
)


@settings(**SLOW)
@given(
    graphs(),
    st.lists(outcomes, min_size=1, max_size=30),
    st.sets(st.integers(0, 7), max_size=2),
    st.integers(1, 8),
    st.tuples(modes, drafts),
)
def test_whatever_the_model_says_it_ends_inside_its_limits_with_values_that_come_from_somewhere(
    graph, said, broken, calls, way
):
    known, (mode, draft) = graph[2], way
    turns = iter(said * 200)

    def policy(name, offered, _):
        turn = next(turns, 0)
        if turn <= 1 and offered:
            return from_api(offered[turn % len(offered)])
        return {2: value("invented"), 3: value(GIVEN[name]), 4: NONE}.get(turn, value(GIVEN[THINGS[0]]))

    chain = a_chain(graph, policy, fails={f"make{number}" for number in broken}, draft=draft)
    compiled = chain.build(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "one"}} | LIMITS
    context = Context(planner=False, solver_calls=calls, max_depth=4, completion=mode)
    asked = {"query": query(known), "candidates": chain.ids}
    users = set()
    for _ in range(20):
        compiled.invoke(asked, config, context=context)
        if not (waiting := compiled.get_state(config).interrupts):
            break
        answer = {entry["key"]: f"user{len(users)}" for entry in waiting[0].value["missing"]}
        users |= set(answer.values())
        asked = Command(resume=answer)
    final = compiled.get_state(config).values
    assert final["status"] in {"solved", "partial", "failed"}
    assert len(chain.caller.made) <= calls
    made = [json.dumps(call) for call in chain.caller.made]
    assert len(made) == len(set(made))
    for checkpoint in compiled.get_state_history(config):
        frames = checkpoint.values.get("frames", [])
        held = [
            purpose for frame_id in checkpoint.values.get("stack", []) for purpose in purposes(frames[frame_id], frames)
        ]
        assert len(held) == len(set(held))
        assert len(checkpoint.values.get("stack", [])) <= 4
    outputs = {
        text
        for frame in final["frames"]
        if frame["stage"] == "called"
        for text in json.loads(frame["observation"]).values()
    }
    for frame in final["frames"]:
        for name, given_value in frame["arguments"].items():
            places = {
                "query": given_value in query(known),
                "output": given_value in outputs,
                "user": given_value in users,
                "context": given_value in users,  # who has said so before
            }
            assert places[frame["origins"][name]], (name, given_value, frame["origins"][name])


def test_two_hundred_calls_deep():
    depth = 200
    apis = [
        a_typed_api(f"step{n}", {f"thing{'abcdefghij'[n % 10]}{'abcdefghijklmnopqrst'[n // 10]}x": "string"}, {})
        for n in range(depth)
    ]
    names = [next(iter(api.parameters["properties"])) for api in apis]
    apis = [
        a_typed_api(f"step{n}", {names[n]: "string"}, {names[n - 1] if n else "end": "string"}) for n in range(depth)
    ]
    chain = Chain(
        *apis,
        policy=lambda name, offered, _: (
            value("start") if name == names[-1] else from_api(f"step{names.index(name) + 1}")
        ),
        respond=as_json(lambda api, arguments: {next(iter(api.output["properties"])): next(iter(arguments.values()))}),
        goal="step0",
    )
    limits = {"max_depth": depth + 1, "solver_calls": depth + 1, "token_budget": 10**8}
    result = chain.ask("Begin at start.", config={"recursion_limit": 5_000}, **limits)
    assert (result["status"], len(chain.caller.made)) == ("solved", depth)
    assert chain.caller.made[0][0] == "step199"
    assert result["plan"][0].count("(") == depth


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_circle_of_apis_ends(method):
    apis = [
        a_typed_api("first", {"alpha": "string"}, {"bravo": "string"}, method=method),
        a_typed_api("second", {"bravo": "string"}, {"alpha": "string"}, method=method),
    ]
    chain = Chain(*apis, policy=lambda _, offered, __: from_api(offered[0]) if offered else NONE, respond=lambda *_: "")
    result = chain.ask("Reach it.", max_depth=50, solver_calls=100)
    assert len(result["unfilled"]) == 1
    assert len(result["tree"]) < 6

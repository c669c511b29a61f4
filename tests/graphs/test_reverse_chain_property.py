"""Reverse Chain on random graphs of APIs: against a small reference, and with a model that says anything."""

import json

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.support.reverse_chain_stage import NOBODY, Chain, from_api, settings_of, typed_api, value
from toolquiver.nodes.reverse_chain.frames import below, path_of, purposes

THINGS = ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot")
THREAD = {"configurable": {"thread_id": "one"}}
SLOW = {"max_examples": 50, "deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
ROOM = {"max_calls": 300, "max_depth": 20, "token_budget": 10**8}
modes = st.sampled_from(["at_once", "one_by_one", "three_step"])


@st.composite
def graphs(draw):
    """APIs as name: (what they need, what they give), with those of the task, "reach", last; what the query gives."""
    things = st.lists(st.sampled_from(THINGS), max_size=3, unique=True)
    makers = draw(st.lists(st.tuples(things, st.sampled_from(THINGS)), max_size=7))
    goal = draw(st.lists(st.sampled_from(THINGS), min_size=1, max_size=3, unique=True))
    apis = {f"make{number}": (needs, gives) for number, (needs, gives) in enumerate(makers)}
    return apis | {"reach": (goal, "end")}, set(draw(things))


def a_chain(graph, policy, fails=()):
    """APIs whose outputs have their own types: an argument is offered only what gives it."""
    apis, _ = graph

    def respond(api, arguments):
        return {} if api.name in fails else {"it": f"{apis[api.name][1]}:{api.name}({','.join(arguments.values())})"}

    def kind(thing):
        return {"type": "string", "pattern": f"^{thing}:"}

    typed = [
        typed_api(name, {need: kind(need) for need in needs}, {"it": "string"}) for name, (needs, _) in apis.items()
    ]
    return Chain(*typed, policy=policy, respond=respond, tasks=[("reach the end", "reach")])


def takes_the_first(graph):
    """A model that gives what the query gives, and chooses the first API that makes a thing."""
    apis, known = graph

    def policy(name, offered, _):
        if name in known:
            return value(f"{name}:given")
        makers = [api for api in offered if apis[api][1] == name]
        return from_api(makers[0]) if makers else NOBODY

    return policy


class Reference:
    """The rule of the paper, by recursion: what the plan is, what is asked of the user, and the calls in order."""

    def __init__(self, graph):
        self.apis, self.known = graph
        self.missing = []
        self.calls = []

    def plan(self, api, path=()):
        """The nested call; `path` are the purposes above it."""
        inputs = {}
        for name in self.apis[api][0]:
            purposes_of_name = {maker for maker, consumer, argument in path if (consumer, argument) == (api, name)}
            makers = [
                one for one, (_, gives) in self.apis.items() if gives == name and one not in {api, *purposes_of_name}
            ]
            if name in self.known:
                inputs[name] = repr(f"{name}:given")
            elif makers:
                inputs[name] = (makers[0], api, name)
            else:
                inputs[name] = "?"
                self.missing.append((api, name))
        for name, source in inputs.items():
            if isinstance(source, tuple):
                inputs[name] = self.plan(source[0], (*path, source))
        return f"{api}({', '.join(f'{name}={source}' for name, source in inputs.items())})"


@settings(**SLOW)
@given(graphs(), modes)
@example(
    ({"make0": (["bravo"], "alpha"), "make1": (["alpha"], "bravo"), "reach": (["alpha"], "end")}, set()), "at_once"
)
def test_the_plan_and_what_is_asked_are_those_of_the_reference(graph, mode):
    reference = Reference(graph)
    plan = reference.plan("reach")
    chain = a_chain(graph, takes_the_first(graph))
    result = chain.ask(plan_only=True, completion=mode, **ROOM)
    assert result["plan"] == [plan]
    asked = [(one["why"].partition(" ")[0], one["name"]) for one in result["unfilled"]]
    assert sorted(asked) == sorted(reference.missing)
    assert chain.caller.made == []


@settings(**SLOW)
@given(graphs(), modes)
def test_the_calls_are_those_of_the_plan_the_deepest_first_and_each_once(graph, mode):
    reference = Reference(graph)
    reference.plan("reach")
    chain = a_chain(graph, takes_the_first(graph))
    compiled = chain.build(checkpointer=InMemorySaver())
    asked = {"query": "go", "candidates": chain.ids}
    result = compiled.invoke(asked, THREAD, context=settings_of(completion=mode, **ROOM))
    if reference.missing:
        (question,) = result["__interrupt__"]
        reply = {one["key"]: f"{one['name']}:told" for one in question.value["missing"]}
        result = compiled.invoke(Command(resume=reply), THREAD, context=settings_of(completion=mode, **ROOM))
    assert result["status"] == "solved"
    made = [json.dumps(call) for call in chain.caller.made]
    assert len(made) == len(set(made)), "no call is made twice"
    assert chain.caller.made[-1][0] == "reach"
    for checkpoint in compiled.get_state_history(THREAD):
        if checkpoint.next != ("call",):
            continue
        frames = checkpoint.values["frames"]
        (writes,) = [task.result for task in checkpoint.tasks]
        new = [
            one["id"] for one, before in zip(writes["frames"], frames, strict=True) if one["stage"] != before["stage"]
        ]
        waiting = [one["id"] for one in below(frames, 0) if one["stage"] == "planned"]
        assert len(path_of(frames, new[0])) == max(len(path_of(frames, one)) for one in waiting)
    for _, arguments in chain.caller.made:
        for name, given_value in arguments.items():
            assert given_value.startswith(f"{name}:"), "a value is of the argument that it was made for"


@settings(**SLOW)
@given(
    graphs(),
    st.lists(st.integers(0, 5), min_size=1, max_size=30),
    st.sets(st.integers(0, 6), max_size=2),
    st.integers(1, 8),
    modes,
)
def test_whatever_the_model_says_it_ends_within_its_limits(graph, said, broken, calls, mode):
    turns = iter(said * 300)

    def policy(name, offered, _):
        turn = next(turns, 5)
        if turn <= 2 and offered:
            return from_api(offered[turn % len(offered)])
        return {3: value(f"{name}:said"), 4: value("of no use")}.get(turn, NOBODY)

    chain = a_chain(graph, policy, fails={f"make{number}" for number in broken})
    compiled = chain.build(checkpointer=InMemorySaver())
    context = settings_of(max_calls=calls, max_depth=4, completion=mode)
    given_to_it = {"query": "go", "candidates": chain.ids}
    users = set()
    for _ in range(30):
        compiled.invoke(given_to_it, THREAD, context=context)
        if not (waiting := compiled.get_state(THREAD).interrupts):
            break
        reply = {one["key"]: f"{one['name']}:user{len(users)}" for one in waiting[0].value["missing"]}
        users |= set(reply.values())
        given_to_it = Command(resume=reply)
    final = compiled.get_state(THREAD).values
    assert final["status"] in {"solved", "partial", "failed"}
    assert len(chain.caller.made) <= calls
    made = [json.dumps(call) for call in chain.caller.made]
    assert len(made) == len(set(made))
    for checkpoint in compiled.get_state_history(THREAD):
        frames = checkpoint.values.get("frames", [])
        for frame in frames:
            path = path_of(frames, frame["id"])
            assert len(path) <= 4
            given_above = sum(len(frames[one]["fills"]) for one in path)
            assert len(purposes(frames, frame["id"])) == given_above, "no API twice for the same purpose"
            assert frame["parent"] is None or frame["api"] != frames[frame["parent"]]["api"]
    outputs = {json.loads(one["observation"]).get("it") for one in final["frames"] if one["stage"] == "called"}
    for frame in final["frames"]:
        for name, given_value in frame["arguments"].items():
            places = {
                "model": given_value == f"{name}:said",
                "output": given_value in outputs,
                "user": given_value in users,
            }
            assert places[frame["origins"][name]]


def test_a_hundred_calls_deep():
    depth = 100
    names = [f"thing{number}" for number in range(depth + 1)]
    apis = [typed_api(f"step{n}", {names[n + 1]: "string"}, {names[n]: "string"}) for n in range(depth)]
    chain = Chain(
        *apis,
        policy=lambda name, *_: value("start") if name == names[-1] else from_api(f"step{name.removeprefix('thing')}"),
        respond=lambda api, arguments: {"thing": next(iter(arguments.values()))},
        tasks=[("begin at the start", "step0")],
    )
    result = chain.ask(max_depth=depth + 1, max_calls=depth + 1, token_budget=10**8)
    assert (result["status"], len(chain.caller.made)) == ("solved", depth)
    assert chain.caller.made[0][0] == "step99"
    assert result["plan"][0].count("(") == depth

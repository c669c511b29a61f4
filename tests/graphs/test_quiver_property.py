"""Random programs, stopped at every place: each write is made once, the end is the same, and no limit is passed."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command

from tests.support.programs import THREAD, Programs, an_api, code, settings_of
from toolquiver.calling import CallError
from toolquiver.models import tokens

pytestmark = pytest.mark.usefixtures("strict")

NUMBER = {"n": {"type": "integer"}}
A_NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}}
APIS = (
    an_api("read", NUMBER),
    an_api("write", NUMBER, effect="write"),
    an_api("odd", NUMBER),
    an_api("count", {}, output=A_NUMBER),
)
FEW = {"max_examples": 6, "suppress_health_check": [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]}

names = st.sampled_from("abc")
values = st.one_of(st.integers(0, 3).map(str), names, st.just("UNKNOWN"))
calls = st.builds("{}({})".format, st.sampled_from(["read", "write", "odd"]), values)
lookups = st.sampled_from(["a = ask_user('How many?', 'int')", "print(search_apis('odd'))", "print(api_docs('read'))"])


def indented(lines):
    return "\n".join(f"    {line}" for line in lines.splitlines())


simple = st.one_of(
    st.builds("{} = {}".format, names, calls),
    st.builds("{} = {}".format, names, calls),
    st.builds("{} = {} + 1".format, names, names),
    st.builds("print('so far', {})".format, names),
    st.builds("{}, {} = await gather({}, {})".format, names, names, calls, calls),
    calls,
    lookups,
)
blocks = st.one_of(
    simple,
    st.builds(lambda line: f"try:\n{indented(line)}\nexcept Exception as error:\n    print(error)", simple),
    st.builds(lambda line, most: f"for a in range({most}):\n{indented(line)}", simple, st.integers(1, 2)),
    st.builds(lambda name, line: f"if {name} % 2:\n{indented(line)}\nelse:\n    b = 1", names, simple),
)
programs = st.lists(blocks, min_size=1, max_size=4).map("\n".join)
plans = st.builds(
    lambda written, last: [*written, f"{last}\nanswer = [a, b, c]"], st.lists(programs, max_size=2), programs
)


class Killed(KeyboardInterrupt):
    """The process dies."""


def a_stage(written, *, killed=False):
    """A stage of these programs; the first try of each call dies before anything is done, if it is to be killed."""
    seen = set()

    def sources(text, schema):
        """`read` takes what an API counts, `odd` what the user says."""
        source = "count" if "The call: odd" not in text else "nobody"
        return {name: {"source": source, "value": None} for name in schema["properties"]}

    def respond(api, given):
        given = {"n": 2} | given
        if killed and (api.name, given["n"]) not in seen:
            seen.add((api.name, given["n"]))
            raise Killed
        if api.name == "odd" and given["n"] % 2 == 0:
            raise CallError("tool_error", f"{given['n']} is not odd.")
        if api.name == "write":
            effects.append(given["n"])
        return {"n": 2} if api.name == "count" else given["n"] * 2

    effects = []
    first, *others = written
    stage = Programs(*APIS, plans=map(code, [f"a, b, c = 1, 2, 3\n{first}", *others]), respond=respond, Sources=sources)
    stage.effects = effects
    return stage


LIMITS = {"approval": "never", "max_plans": 5, "max_calls": 12, "max_reflections": 0}


def whole_of(written):
    stage, saver = a_stage(written), InMemorySaver()
    result = stage.ask(saver=saver, **LIMITS)
    while "__interrupt__" in result:
        result = stage.ask(Command(resume=3), saver=saver, **LIMITS)
    return stage, result


def what_it_came_to(result):
    kept = ("answer", "status", "reason", "programs", "evidence", "missing", "unfilled", "usage")
    calls = sorted((call["request"], call["ok"], call["failure"], call["text"]) for call in result["calls"])
    return {key: result[key] for key in kept} | {"calls": calls}


@settings(**FEW)
@given(plans)
def test_a_run_that_dies_at_every_call_ends_as_if_it_had_not(tmp_path_factory, written):
    untouched, whole = whole_of(written)
    stage, path = a_stage(written, killed=True), str(tmp_path_factory.mktemp("kept") / "state.db")
    asked = {"query": "What is it?", "candidates": stage.ids}
    for _ in range(100):
        with SqliteSaver.from_conn_string(path) as saver:
            try:
                result = stage.build(checkpointer=saver).invoke(asked, THREAD, context=settings_of(**LIMITS))
            except Killed:
                asked = None
            else:
                asked = Command(resume=3)
                if "__interrupt__" not in result:
                    break
    assert sorted(stage.effects) == sorted(untouched.effects), "each write is made once"
    assert what_it_came_to(result) == what_it_came_to(whole)
    assert stage.titles() == untouched.titles(), "no question is asked twice"


@settings(**FEW)
@given(plans)
def test_a_run_that_stops_after_every_checkpoint_ends_as_if_it_had_not(tmp_path_factory, written):
    untouched, whole = whole_of(written)
    stage, path = a_stage(written), str(tmp_path_factory.mktemp("kept") / "state.db")
    asked = {"query": "What is it?", "candidates": stage.ids}
    for _ in range(100):
        with SqliteSaver.from_conn_string(path) as saver:
            graph = stage.build(checkpointer=saver)
            result = graph.invoke(asked, THREAD, context=settings_of(**LIMITS), interrupt_after="*")
            asked = Command(resume=3) if "__interrupt__" in result else None
            if not graph.get_state(THREAD).next:
                break
    assert sorted(stage.effects) == sorted(untouched.effects)
    assert what_it_came_to(result) == what_it_came_to(whole)
    assert stage.titles() == untouched.titles()


@settings(max_examples=25)
@given(plans, st.integers(1, 8), st.integers(1, 4), st.integers(1_200, 6_000))
def test_every_run_ends_within_its_limits(written, most_calls, most_plans, budget):
    stage = a_stage([*written, "answer = a"])
    limits = {"max_calls": most_calls, "max_plans": most_plans, "token_budget": budget, "approval": "never"}
    result = stage.ask(**limits, verification="always")
    assert result["status"] in ("solved", "partial", "failed")
    assert len(stage.made()) <= most_calls
    assert stage.titles().count("plan") <= most_plans
    assert tokens(result["usage"]) <= budget
    assert len(stage.effects) == len(set(stage.effects)), "no write is made twice with the same arguments"

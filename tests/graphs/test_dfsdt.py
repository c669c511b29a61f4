"""The DFSDT graph: depth first, back by rule, told what was tried, inside its limits, and with three ends."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from tests.graphs.script import SOURCE, RecordingCaller, an_api
from toolquiver.calling import CallError
from toolquiver.catalog import Catalog
from toolquiver.context import Context
from toolquiver.graphs import dfsdt
from toolquiver.models import scripted
from toolquiver.nodes.solver.tree import backed_up

NAMES = ("alpha", "bravo", "charlie")
DONE = ("give_answer", {"answer": "It is done."})
RESTART = ("give_up_and_restart", {"reason": "It leads nowhere."})


class Talk:
    """An agent that says these turns one after the other, the last again and again; a call of `bad` fails."""

    def __init__(self, *turns, bad=()):
        self.turns, self.shown, self.bad = list(turns), [], bad
        self.caller = RecordingCaller(self.respond)
        self.catalog = Catalog.create()
        self.apis = [an_api(name) for name in NAMES]
        self.catalog.add(*self.apis)

    def respond(self, api, arguments):
        if arguments["note"] in self.bad:
            raise CallError("tool_error", "It is broken.")
        return f"{api.name} {arguments['note']}"

    def reply(self, messages, schema):
        if not schema:
            self.finishing = list(messages)
            return "What I know."
        self.shown.append(list(messages))
        said = self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]
        if isinstance(said, Exception):
            raise said
        if isinstance(said, str | AIMessage):
            return said
        calls = [{"name": name, "args": args, "id": f"{len(self.shown)}-{n}"} for n, (name, args) in enumerate(said)]
        return AIMessage("So it is.", tool_calls=calls)

    def ask(self, query="What is it?", *, checkpointer=None, candidates=None, **settings):
        graph = dfsdt.build(
            model=scripted(self.reply), catalog=self.catalog, callers={SOURCE: self.caller}, checkpointer=checkpointer
        )
        given = {"query": query, "candidates": [api.id for api in self.apis] if candidates is None else candidates}
        return graph.invoke(
            query and given,
            {"configurable": {"thread_id": "one"}, "recursion_limit": 500},
            context=Context(**{"call_retries": 0} | settings),
        )


def call(note, name="alpha"):
    return [(name, {"note": note})]


def shape(result):
    """The tree as (parent, mark) by id, without the root."""
    return [(node["parent"], node["mark"]) for node in result["tree"][1:]]


@pytest.mark.parametrize("checkpointer", [None, InMemorySaver()])
def test_it_goes_deeper_until_it_answers(checkpointer):
    talk = Talk(call("a"), call("b", "bravo"), [DONE])
    result = talk.ask(checkpointer=checkpointer)
    assert (result["answer"], result["status"]) == ("It is done.", "solved")
    assert shape(result) == [(0, "open"), (1, "open"), (2, "answered")]
    assert result["tree"][2]["calls"] == ['bravo({"note": "b"})']
    assert result["tree"][2]["observations"] == ["bravo b"]


def test_after_a_failure_it_goes_up_and_tells_what_was_tried():
    talk = Talk(call("a"), call("bad"), call("c"), [DONE], bad={"bad"})
    result = talk.ask()
    assert shape(result) == [(0, "open"), (1, "failed"), (0, "open"), (3, "answered")]
    told = talk.shown[2][-1]
    assert isinstance(told, HumanMessage)
    assert 'alpha({"note": "a"}) -> alpha a' in told.text
    assert not any("were tried before" in message.text for message in talk.shown[3])
    assert not any('"bad"' in str(message) for message in talk.shown[3])


def test_after_a_crash_on_another_way_it_goes_on_there():
    turns = (call("a"), call("b"), call("bad"), call("c"), [DONE])
    whole = Talk(*turns, bad={"bad"}).ask(checkpointer=InMemorySaver())
    talk, saver, crashes = Talk(*turns, bad={"bad"}), InMemorySaver(), ["c"]

    def respond(api, arguments):
        if crashes == [arguments["note"]]:
            crashes.clear()
            raise KeyboardInterrupt
        return Talk.respond(talk, api, arguments)

    talk.caller.respond = respond
    with pytest.raises(KeyboardInterrupt):
        talk.ask(checkpointer=saver)
    result = talk.ask(None, checkpointer=saver)
    assert shape(result) == shape(whole) == [(0, "open"), (1, "open"), (2, "failed"), (1, "open"), (4, "answered")]
    assert [message.text for message in result["messages"]] == [message.text for message in whole["messages"]]


def test_the_model_may_go_back_itself():
    talk = Talk(call("a"), call("b"), [RESTART], call("c"), [DONE])
    assert shape(talk.ask()) == [(0, "open"), (1, "open"), (2, "given up"), (1, "open"), (4, "answered")]


def test_the_same_call_from_the_same_place_is_a_failure_and_not_made():
    talk = Talk(call("bad"), call("bad"), bad={"bad"})
    result = talk.ask()
    assert [call["ok"] for call in result["calls"]] == [False]
    assert shape(result) == [(0, "failed"), (0, "failed")]
    assert (result["status"], result["reason"]) == ("failed", "Every way was tried.")


def test_the_same_call_again_and_again_on_one_way_is_a_failure_too():
    talk = Talk(call("a"))
    result = talk.ask()
    assert len(talk.caller.made) == 2
    assert shape(result)[:3] == [(0, "open"), (1, "open"), (2, "failed")]
    assert (result["status"], result["answer"], result["reason"]) == ("partial", "What I know.", "Every way was tried.")


def test_arguments_that_are_no_json_are_a_failure_that_is_gone_back_from():
    broken = {"name": "alpha", "args": "{note", "id": "x", "error": "no JSON", "type": "invalid_tool_call"}
    talk = Talk(AIMessage("", invalid_tool_calls=[broken]), [DONE])
    result = talk.ask()
    assert [call["failure"] for call in result["calls"]] == ["invalid_arguments"]
    assert shape(result) == [(0, "failed"), (0, "answered")]


def test_giving_up_says_why_and_which_tools_failed_by_their_ids():
    talk = Talk([("give_up", {"reason": "No tool knows.", "failed": ["alpha", "delta", 3, "alpha"]})])
    result = talk.ask()
    assert result["given_up"] == {"reason": "No tool knows.", "failed": ["tests/tests/alpha"]}
    assert (result["status"], result["reason"]) == ("failed", "Given up: No tool knows.")


@pytest.mark.parametrize("arguments", [{}, {"failed": 7}, {"failed": {"alpha": 1}}, {"reason": "", "failed": None}])
def test_giving_up_without_saying_why_is_an_end_too(arguments):
    result = Talk([("give_up", arguments)]).ask()
    assert result["given_up"] == {"reason": "The model gave no reason.", "failed": []}


def test_what_was_found_on_any_way_is_told_when_all_were_tried():
    talk = Talk(call("a"), call("bad"), call("b"), call("bad"), call("c"), bad={"bad"})
    result = talk.ask(branches=2, max_turns=2)
    assert (result["status"], result["answer"], result["reason"]) == ("partial", "What I know.", "Every way was tried.")


TOO_LONG = ValueError("This model's maximum context length is 8192 tokens.")


@pytest.mark.parametrize("end", [[("give_up", {"reason": "No."})], "", [("give_answer", {"answer": ""})], TOO_LONG])
def test_what_was_found_on_a_way_that_was_gone_back_from_is_told_at_every_end(end):
    talk = Talk(call("a"), [RESTART], end)
    result = talk.ask()
    assert (result["status"], result["answer"]) == ("partial", "What I know.")
    assert [message.text for message in result["messages"] if message.type == "tool"] == ["alpha a"]
    assert "Result of alpha:\n<result>alpha a</result>" in "\n\n".join(message.text for message in talk.finishing)


@pytest.mark.parametrize("end", ["", [("give_answer", {"answer": " "})]])
def test_a_turn_that_says_nothing_is_the_end(end):
    assert "neither a call nor an answer" in Talk(end).ask()["reason"]


def test_the_last_turn_of_a_way_that_found_something_only_answers_or_goes_back():
    offered = []
    talk = Talk(call("a"), call("b"), [RESTART], [RESTART], call("c"), [DONE])
    reply = talk.reply

    def watched(messages, schema):
        offered.append([function["name"] for function in schema["functions"] if schema])
        return reply(messages, schema)

    talk.reply = watched
    result = talk.ask(max_turns=3)
    ends = ["give_up_and_restart", "give_up", "give_answer"]
    assert offered[0] == [*NAMES, *ends[:2]]
    assert offered[1] == [*NAMES, *ends]
    assert offered[2] == ends
    assert shape(result) == [(0, "open"), (1, "open"), (2, "given up"), (1, "given up"), (0, "open"), (5, "answered")]


def test_a_way_that_found_nothing_may_call_to_its_end():
    talk = Talk([("tool_register", {"name": "alpha"})], call("a"), [DONE])
    offered = []
    reply = talk.reply

    def watched(messages, schema):
        offered.append("alpha" in {function["name"] for function in schema["functions"]} if schema else "")
        return reply(messages, schema)

    talk.reply = watched
    result = talk.ask(max_turns=2, branches=1, registration="on_demand")
    assert offered == [False, True, ""]
    assert (result["status"], result["answer"], result["reason"]) == ("partial", "What I know.", "Every way was tried.")


@pytest.mark.parametrize("budget", range(1_250, 4_000, 250))
def test_what_was_found_is_told_when_the_budget_is_spent(budget):
    talk = Talk(*(call("x" * 400 + str(n)) for n in range(30)))
    result = talk.ask(token_budget=budget, max_turns=30, solver_calls=30)
    assert (result["status"], result["answer"]) == ("partial", "What I know.")
    assert "budget" in result["reason"]
    assert sum(role["prompt"] + role["completion"] for role in result["usage"].values()) <= budget


def test_without_a_candidate_nothing_is_asked():
    talk = Talk([DONE])
    result = talk.ask(candidates=[])
    assert (result["status"], result["reason"], len(result["tree"])) == ("failed", "No tool fits the question.", 1)
    assert not talk.shown


def test_the_limit_of_calls_is_hard_within_a_turn_too():
    talk = Talk([("alpha", {"note": str(n)}) for n in range(5)])
    result = talk.ask(solver_calls=3)
    assert len(talk.caller.made) == 3
    assert (result["status"], result["reason"]) == ("partial", "The calls are used up.")


def test_a_tool_is_registered_on_the_way_where_it_is_needed():
    register = [("tool_register", {"name": "alpha"})]
    talk = Talk(register, call("bad"), call("a"), register, call("a"), [DONE], bad={"bad"})
    result = talk.ask(registration="on_demand")
    assert result["status"] == "solved"
    told = [message.text for message in talk.shown[-1] if message.type == "tool"]
    assert told == ['alpha is not registered. Register it first: tool_register(name="alpha").', *told[1:]]
    assert told[1:] == ["alpha is registered and can be called.", "alpha a"]


def test_what_was_registered_on_any_way_is_told_when_all_were_tried():
    talk = Talk([("tool_register", {"name": "alpha"})], call("bad"), [RESTART], bad={"bad"})
    result = talk.ask(registration="on_demand")
    assert result["reason"] == "Every way was tried."
    assert [record["api"] for record in result["registered"]] == ["tests/tests/alpha"]


@pytest.mark.parametrize("again", [False, True])
def test_what_was_put_away_on_a_way_is_not_registered_when_all_were_tried(again):
    on, off = [("tool_register", {"name": "alpha"})], [("tool_unregister", {"name": "alpha"})]
    result = Talk(on, off, *[on] * again, [RESTART]).ask(registration="on_demand")
    assert result["reason"] == "Every way was tried."
    records = [(record["since"], record["until"]) for record in result["registered"]]
    assert records == [(1, 2), (3, None)][: 1 + again]


notes = st.sampled_from(["a", "b", "c", "bad", "worse"])
turns = st.one_of(
    st.lists(notes, min_size=1, max_size=2).map(lambda found: [("alpha", {"note": note}) for note in found]),
    st.just([RESTART]),
    st.just([("delta", {})]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(turns, min_size=1, max_size=40), st.integers(1, 3), st.integers(1, 4), st.integers(1, 12))
def test_it_always_ends_inside_its_limits(said, branches, depth, calls):
    talk = Talk(*said, bad={"bad", "worse"})
    result = talk.ask(branches=branches, max_turns=depth, solver_calls=calls)
    tree = result["tree"]
    assert len(result["calls"]) <= calls
    for node in tree:
        children = [child for child in tree if child["parent"] == node["id"]]
        assert len(children) <= branches
        assert node["mark"] == "open" or not children
        assert len({tuple(child["calls"]) for child in children if child["observations"]}) == sum(
            bool(child["observations"]) for child in children
        )
    assert result["status"] in {"partial", "failed"}


def a_tree(*parents):
    return [{"id": number, "parent": parent} for number, parent in enumerate((None, *parents))]


@pytest.mark.parametrize(
    ("parents", "at", "width", "place"),
    [
        ((0,), 1, 2, 0),
        ((0, 0), 2, 2, None),
        ((0, 1), 2, 2, 0),
        ((0, 1, 2), 3, 2, 1),
        ((0, 1, 2, 1), 4, 2, 0),
        ((0, 1, 2, 1, 0), 5, 2, None),
        ((0, 1, 2, 1, 0), 5, 3, 0),
        ((), 0, 2, 0),
    ],
)
def test_it_goes_two_levels_up_and_on_while_there_is_no_room(parents, at, width, place):
    assert backed_up(a_tree(*parents), at, width) == place


@pytest.mark.parametrize(
    ("last", "answer"),
    [
        (AIMessage("Done. Oslo has 717", response_metadata={"finish_reason": "length"}), "Done."),
        (AIMessage("Oslo has 717", response_metadata={"finish_reason": "length"}), "What I know."),
        ([("give_answer", {"answer": None})], "What I know."),
    ],
)
def test_what_was_cut_counts_up_to_its_last_full_stop_and_nothing_is_no_answer(last, answer):
    assert Talk(call("a"), last).ask()["answer"] == answer

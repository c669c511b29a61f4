"""The ReAct graph: it calls until there is an answer, registers on demand, and every bad turn has its outcome."""

import pytest
from langchain_core.messages import AIMessage, SystemMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver

from tests.graphs.script import SOURCE, RecordingCaller, an_api, failing
from toolquiver.calling import CallError
from toolquiver.catalog import Catalog
from toolquiver.context import Context
from toolquiver.graphs import react
from toolquiver.models import scripted
from toolquiver.models.tokens import count_message_tokens

pytestmark = pytest.mark.usefixtures("strict")
NAMES = ("alpha", "bravo", "charlie")
DONE = ("give_answer", {"answer": "It is done."})
ON_DEMAND = {"registration": "on_demand"}


def saying(*calls, text="", number=0):
    tool_calls = [{"name": name, "args": args, "id": f"{number}-{n}"} for n, (name, args) in enumerate(calls)]
    return AIMessage(text, tool_calls=tool_calls)


class Talk:
    """An agent whose n-th turn is the n-th of these: calls, a text, or a message; and what it was shown."""

    def __init__(self, *turns, respond=lambda api, _: f"{api.name} says so", apis=NAMES):
        self.turns = turns
        self.shown = []
        self.bound = []
        self.caller = RecordingCaller(respond)
        self.catalog = Catalog.create()
        self.apis = [an_api(name) for name in apis]
        self.catalog.add(*self.apis)
        self.model = scripted(self.reply)

    def reply(self, messages, schema):
        self.shown.append(list(messages))
        self.bound.append([function["name"] for function in schema.get("functions", ())])
        if not schema:
            return "What I know."
        number = sum(isinstance(message, AIMessage) for message in messages)
        said = self.turns[min(number, len(self.turns) - 1)]
        return saying(*said, number=number) if isinstance(said, list) else said

    def ask(self, query="What does alpha say?", *, checkpointer=None, candidates=None, **settings):
        graph = react.build(
            model=self.model, catalog=self.catalog, callers={SOURCE: self.caller}, checkpointer=checkpointer
        )
        return graph.invoke(
            {"query": query, "candidates": [api.id for api in self.apis] if candidates is None else candidates},
            {"configurable": {"thread_id": "one"}},
            context=Context(**{"call_retries": 0} | settings),
        )

    def results(self):
        """What the tools' messages said, as the last turn saw them."""
        return [message.text for message in self.shown[-1] if isinstance(message, ToolMessage)]


def note(text="a"):
    return {"note": text}


@pytest.mark.parametrize("checkpointer", [None, InMemorySaver()])
def test_it_calls_and_answers(checkpointer):
    talk = Talk([("alpha", note())], [DONE])
    result = talk.ask(checkpointer=checkpointer)
    assert (result["answer"], result["status"]) == ("It is done.", "solved")
    assert [(call["api"], call["ok"]) for call in result["calls"]] == [("tests/tests/alpha", True)]
    assert talk.results() == ["alpha says so"]
    assert talk.bound[0] == [*NAMES, "give_answer"]
    assert result["usage"]["act"]["calls"] == 2


def test_an_agent_that_solves_for_nobody_cannot_give_up():
    talk = Talk([("give_up", {"reason": "No.", "failed": []})], [DONE])
    result = talk.ask()
    assert (result["status"], result["calls"][0]["failure"]) == ("solved", "unknown_api")
    assert "give_up" not in str(talk.bound + [message.text for message in talk.shown[0]])


def test_a_thread_begins_afresh_with_each_question():
    talk, saver = Talk([("alpha", note())], [DONE]), InMemorySaver()
    talk.ask(checkpointer=saver)
    result = talk.ask(checkpointer=saver)
    assert len(result["calls"]) == 1
    assert len(talk.shown[2]) == 2


def test_text_after_a_call_is_the_answer():
    result = Talk([("alpha", note())], "Alpha says so.").ask()
    assert (result["answer"], result["status"]) == ("Alpha says so.", "solved")


def test_text_before_any_call_is_asked_for_a_call_once_more():
    class Hesitant(Talk):
        def reply(self, messages, schema):
            said = super().reply(messages, schema)
            return saying(("alpha", note())) if "Call one of the functions" in messages[-1].text else said

    talk = Hesitant("I must call alpha.", [DONE])
    result = talk.ask()
    assert len(talk.shown[-1]) == len(talk.shown[0]) + 2, "what was only said is not kept"
    assert (result["status"], len(result["calls"])) == ("solved", 1)
    assert result["usage"]["act"]["calls"] == 3


def test_text_alone_twice_before_any_call_is_no_answer():
    result = Talk("I must call alpha.").ask()
    assert (result["answer"], result["status"], result["calls"]) == ("", "failed", [])
    assert result["reason"] == "The model gave neither a call nor an answer."


def test_several_calls_of_one_turn_are_all_made_in_order():
    talk = Talk([("alpha", note()), ("bravo", note("b"))], [DONE])
    talk.ask()
    assert talk.caller.made == [("alpha", note()), ("bravo", note("b"))]
    assert talk.results() == ["alpha says so", "bravo says so"]


def test_a_name_that_no_candidate_has_is_never_called():
    talk = Talk([("delta", note())], [DONE])
    result = talk.ask()
    assert [(call["api"], call["failure"]) for call in result["calls"]] == [("delta", "unknown_api")]
    assert "There is no tool 'delta'" in talk.results()[0]
    assert not talk.caller.made


def test_a_catalogue_that_is_bound_is_used_even_when_it_is_empty():
    result = react.build(model=scripted(lambda *_: "nothing"), catalog=Catalog.create()).invoke({"query": "Tokyo?"})
    assert (result["status"], result["reason"]) == ("failed", "No tool fits the question.")


def test_an_api_outside_the_candidates_is_not_there():
    talk = Talk([("bravo", note())], [DONE])
    result = talk.ask(candidates=["tests/tests/alpha"])
    assert result["calls"][0]["failure"] == "unknown_api"
    assert not talk.caller.made


@pytest.mark.parametrize("arguments", [{}, {"note": 1}, {"note": "a", "more": 1}])
def test_arguments_that_do_not_fit_are_a_failure_that_says_why(arguments):
    talk = Talk([("alpha", arguments)], [DONE])
    assert talk.ask()["calls"][0]["failure"] == "invalid_arguments"
    assert talk.results()[0].startswith("It failed (invalid_arguments)")
    assert not talk.caller.made


def test_arguments_that_are_no_json_are_answered_too():
    broken = {"name": "alpha", "args": "{note", "id": "x", "error": "no JSON", "type": "invalid_tool_call"}
    talk = Talk(AIMessage("", invalid_tool_calls=[broken]), [DONE])
    assert talk.ask()["calls"][0]["failure"] == "invalid_arguments"
    assert talk.results() == ["It failed (invalid_arguments): The arguments are not a JSON object."]


@pytest.mark.parametrize("silence", ["", [("give_answer", {})], [("give_answer", {"answer": " "})]])
def test_a_turn_that_says_nothing_is_the_end(silence):
    result = Talk(silence).ask()
    assert (result["status"], result["answer"]) == ("failed", "")
    assert "neither a call nor an answer" in result["reason"]


def test_a_failed_call_is_said_to_the_model():
    talk = Talk([("alpha", note())], [("bravo", note())], [DONE], respond=failing("alpha"))
    assert [call["ok"] for call in talk.ask()["calls"]] == [False, True]
    assert talk.results()[0] == "It failed (tool_error): It is broken."


def test_the_same_call_again_and_again_is_the_end():
    talk = Talk([("alpha", note())])
    result = talk.ask()
    assert (result["status"], result["answer"]) == ("partial", "What I know.")
    assert "again and again" in result["reason"]
    assert len(talk.caller.made) == 2


def test_the_turns_are_limited_and_what_is_known_is_told():
    talk = Talk(*([("alpha", note(str(n)))] for n in range(9)))
    result = talk.ask(max_turns=4)
    assert (result["status"], result["answer"]) == ("partial", "What I know.")
    assert len(talk.caller.made) == 4
    assert len(talk.shown) == 5


def test_what_is_known_is_told_of_calls_that_are_shown_as_text_within_the_same_window():
    talk = Talk(*([("alpha", note(str(n)))] for n in range(9)))
    assert talk.ask(max_turns=8, solver_context=200)["answer"] == "What I know."
    assert {message.type for message in talk.shown[-1]} == {"system", "human", "ai"}
    assert count_message_tokens(talk.shown[-1][2:-1]) <= 200


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ('{"thought": "It is blue.", "function": "alpha", "arguments": {}}', "It is blue."),
        ('{"thought": "So.", "function": "give_answer", "arguments": {"answer": "Blue."}}', "Blue."),
        ('```json\n{"thought": "It is blue."}\n```', "It is blue."),
        ('{"colour": "blue"}', '{"colour": "blue"}'),
        ("7", "7"),
    ],
)
def test_what_is_told_in_the_form_of_a_turn_is_read_as_text(said, answer):
    talk = Talk(*([("alpha", note(str(n)))] for n in range(9)))
    turn = talk.reply
    talk.reply = lambda messages, schema: turn(messages, schema) if schema else said
    talk.model = scripted(talk.reply)
    assert talk.ask(max_turns=2)["answer"] == answer


def test_nothing_is_told_when_no_call_brought_anything():
    def respond(*_):
        raise CallError("tool_error", "It is broken.")

    result = Talk(*([("alpha", note(str(n)))] for n in range(9)), respond=respond).ask(max_turns=3)
    assert (result["status"], result["answer"]) == ("failed", "")


def test_without_a_candidate_nothing_is_asked():
    talk = Talk([DONE])
    result = talk.ask(candidates=[])
    assert (result["status"], result["reason"]) == ("failed", "No tool fits the question.")
    assert not talk.shown


def test_a_spent_budget_is_the_end():
    talk = Talk(*([("alpha", note("x" * 400 + str(n)))] for n in range(9)))
    result = talk.ask(token_budget=1_000)
    assert (result["status"], result["answer"]) == ("partial", "What I know.")
    assert "budget" in result["reason"]
    assert sum(role["prompt"] + role["completion"] for role in result["usage"].values()) <= 1_000


def test_on_demand_a_tool_is_called_after_it_was_registered():
    talk = Talk([("bravo", note())], [("tool_register", {"name": "bravo"})], [("bravo", note())], [DONE])
    result = talk.ask(**ON_DEMAND)
    assert result["status"] == "solved"
    assert "- charlie" in talk.shown[0][0].text
    assert "Look up" not in talk.shown[0][0].text
    told = talk.results()
    assert 'not registered. Register it first: tool_register(name="bravo")' in told[0]
    assert told[1:] == ["bravo is registered and can be called.", "bravo says so"]
    assert talk.bound == [
        ["tool_register", "tool_unregister", "give_answer"],
        ["tool_register", "tool_unregister", "give_answer"],
        *[["tool_register", "tool_unregister", "bravo", "give_answer"]] * 2,
    ]
    assert result["registered"] == [{"api": "tests/tests/bravo", "since": 2, "until": None}]
    assert [call["api"] for call in result["calls"]] == ["tests/tests/bravo"]


def test_who_registers_a_tool_again_is_told_to_call_it():
    register = [("tool_register", {"name": "bravo"})]
    talk = Talk(register, register, [("bravo", note())], [DONE])
    assert talk.ask(**ON_DEMAND)["registered"] == [{"api": "tests/tests/bravo", "since": 1, "until": None}]
    told = ["bravo is registered and can be called.", "bravo is registered already: call it now.", "bravo says so"]
    assert talk.results() == told


@pytest.mark.parametrize("arguments", [{"name": "delta"}, {}, {"name": 3}, {"names": ["delta"]}])
def test_what_is_not_listed_cannot_be_registered(arguments):
    talk = Talk([("tool_register", arguments)], [DONE])
    assert talk.ask(**ON_DEMAND)["registered"] == []
    assert "alpha" not in talk.bound[-1]


def test_descriptions_are_listed_where_they_are_wanted():
    talk = Talk([DONE])
    talk.ask(**ON_DEMAND, listing="descriptions")
    assert "- alpha: Look up alpha." in talk.shown[0][0].text


def test_several_may_be_registered_at_once():
    talk = Talk([("tool_register", {"names": ["alpha", "delta", "bravo"]})], [DONE])
    result = talk.ask(**ON_DEMAND, register_several=True)
    assert [record["api"] for record in result["registered"]] == ["tests/tests/alpha", "tests/tests/bravo"]
    assert "'delta'" in talk.results()[0]


def test_a_tool_that_is_put_away_cannot_be_called_until_it_is_registered_again():
    register, unregister = ("tool_register", {"name": "alpha"}), ("tool_unregister", {"name": "alpha"})
    talk = Talk([register], [unregister], [("alpha", note())], [register], [("alpha", note())], [DONE])
    result = talk.ask(**ON_DEMAND)
    assert [(record["since"], record["until"]) for record in result["registered"]] == [(1, 2), (4, None)]
    assert len(talk.caller.made) == 1


@pytest.mark.parametrize(
    ("above", "first"), [(1_200, [*NAMES, "give_answer"]), (100, ["tool_register", "tool_unregister", "give_answer"])]
)
def test_auto_registers_on_demand_where_all_tools_together_are_long(above, first):
    register = [] if above > 1_000 else [[("tool_register", {"name": "alpha"})]]
    talk = Talk(*register, [("alpha", note())], [DONE])
    result = talk.ask(registration="auto", register_above=above)
    assert talk.bound[0] == first
    assert ("- alpha" in talk.shown[0][0].text) == bool(register)
    assert (result["status"], len(result["calls"])) == ("solved", 1)
    assert len(result["registered"]) == (1 if register else len(NAMES))


def test_where_all_tools_can_be_called_nothing_is_registered_or_put_away():
    talk = Talk([("tool_register", {"name": "alpha"}), ("tool_unregister", {"name": "bravo"})], [DONE])
    result = talk.ask()
    assert talk.results() == ["All tools can be called as they are."] * 2
    assert [record["until"] for record in result["registered"]] == [None] * len(NAMES)


def test_a_candidate_that_is_given_twice_is_one_function():
    talk = Talk([("alpha", note())], [DONE])
    talk.ask(candidates=[talk.apis[0].id] * 2)
    assert talk.bound[0] == ["alpha", "give_answer"]


def test_by_result_the_beginning_of_the_prompt_never_changes():
    talk = Talk(
        [("tool_register", {"name": "alpha"})],
        [("call", {"name": "alpha", "arguments": note()})],
        [("call", {"name": "bravo", "arguments": note()})],
        [("alpha", note())],
        [DONE],
    )
    result = talk.ask(**ON_DEMAND, delivery="result")
    assert len({tuple(names) for names in talk.bound}) == 1
    for before, after in zip(talk.shown, talk.shown[1:], strict=False):
        assert after[: len(before)] == before
    told = talk.results()
    assert '"note"' in told[0]
    assert told[1] == "alpha says so"
    assert "Register it first" in told[2]
    assert [call["api"] for call in result["calls"]] == ["tests/tests/alpha"] * 2


def test_a_model_that_cannot_call_writes_its_calls_down():
    turns = iter([{"function": "alpha", "arguments": note()}, {"function": DONE[0], "arguments": DONE[1]}])
    talk = Talk()

    def reply(messages, schema):
        talk.shown.append(messages)
        assert schema["title"] == "Action"
        alternatives = schema["properties"]["decision"]["anyOf"]
        assert [part["properties"]["function"]["const"] for part in alternatives] == [*NAMES, "give_answer"]
        return {"thought": "So it is."} | next(turns)

    talk.model = scripted(reply, tool_calling=False)
    result = talk.ask()
    assert (result["answer"], result["status"]) == ("It is done.", "solved")
    assert '"name": "alpha"' in talk.shown[0][0].text
    assert isinstance(talk.shown[0][0], SystemMessage)
    assert talk.shown[1][-1].text == "Result of alpha:\n<result>alpha says so</result>"
    assert not any(isinstance(message, ToolMessage) for message in talk.shown[1])


@pytest.mark.parametrize("said", ["no JSON", {"thought": "", "function": "delta", "arguments": {}}])
def test_a_model_that_writes_no_valid_action_comes_to_an_end(said):
    talk = Talk()
    talk.model = scripted(lambda *_: said, tool_calling=False)
    result = talk.ask()
    assert (result["status"], result["calls"]) == ("failed", [])
    assert result["usage"]["act"]["calls"] == 2


@pytest.mark.parametrize(
    ("said", "answer"), [("It is done. Oslo has 717", "It is done."), ("Oslo has 717", "What I know.")]
)
def test_of_an_answer_that_was_cut_its_whole_sentences_count(said, answer):
    result = Talk([("alpha", note())], AIMessage(said, response_metadata={"finish_reason": "length"})).ask()
    assert result["answer"] == answer


def test_nothing_is_not_an_answer():
    assert Talk([("alpha", note())], [("give_answer", {"answer": None})]).ask()["answer"] != "None"


def test_where_a_context_is_full_what_was_done_is_kept():
    def full(messages, _):
        if any(isinstance(message, ToolMessage) for message in messages):
            raise ValueError("This model's maximum context length is 8192 tokens.")
        return saying(("alpha", note()))

    talk = Talk()
    talk.model = scripted(full)
    result = talk.ask()
    assert [call["ok"] for call in result["calls"]] == [True]
    assert "Lower solver_context" in result["reason"]


def test_a_stream_of_messages_has_each_once():
    talk = Talk([("alpha", note())], [DONE])
    graph = react.build(model=talk.model, catalog=talk.catalog, callers={SOURCE: talk.caller})
    asked = {"query": "What does alpha say?", "candidates": [api.id for api in talk.apis]}
    streamed = [message for message, _ in graph.stream(asked, context=Context(call_retries=0), stream_mode="messages")]
    assert len({message.id for message in streamed}) == len(streamed)
    assert [type(message) for message in streamed] == [AIMessage, ToolMessage, AIMessage]

"""What solvers do once: no change is made twice where that is not meant, and no end is taken for calls beside it."""

import pytest
from langchain_core.messages import AIMessage, ToolMessage

from tests.graphs.script import SOURCE, RecordingCaller, an_api, with_method
from toolquiver.calling import CallError
from toolquiver.catalog import Catalog
from toolquiver.context import Context
from toolquiver.graphs import dfsdt, react
from toolquiver.models import scripted

FIND, CHECK = (with_method(an_api(name), "GET") for name in ("find_address", "check_box"))
SEND = with_method(an_api("send_mail"), "POST")
ANSWER = ("give_answer", {"answer": "The mail was sent."})
GRAPHS = pytest.mark.parametrize("graph", [react, dfsdt])


def asked(graph, turns, respond):
    """What comes out of these turns, one after the other, and the calls that were made."""
    left, shown = list(turns), []

    def say(messages, schema):
        if not schema:
            return "What I know."
        shown.append(messages)
        said = left.pop(0) if len(left) > 1 else left[0]
        calls = [{"name": name, "args": args, "id": f"{len(shown)}-{n}"} for n, (name, args) in enumerate(said)]
        return AIMessage("", tool_calls=calls)

    catalog, caller = Catalog.create(), RecordingCaller(respond)
    catalog.add(FIND, CHECK, SEND)
    built = graph.build(model=scripted(say), catalog=catalog, callers={SOURCE: caller})
    given = {"query": "Send a mail.", "candidates": [FIND.id, CHECK.id, SEND.id]}
    result = built.invoke(given, {"recursion_limit": 200}, context=Context(call_retries=0))
    told = [message.text for message in shown[-1] if isinstance(message, ToolMessage)]
    return result, [name for name, _ in caller.made], told


def note(name, text="a"):
    return (name, {"note": text})


@GRAPHS
def test_calls_beside_an_end_are_made_and_the_end_is_not_taken(graph):
    turns = [[note("find_address")], [note("send_mail"), ANSWER], [ANSWER]]
    result, made, told = asked(graph, turns, lambda api, _: f"{api.name} says so")
    assert made == ["find_address", "send_mail"]
    assert told[-2:] == ["This turn has calls beside it. Look at what they return, then end.", "send_mail says so"]
    assert (result["status"], result["answer"]) == ("solved", "The mail was sent.")


@GRAPHS
def test_a_change_that_may_have_worked_is_not_made_again(graph):
    def respond(api, _):
        raise CallError("timeout", "No answer within 30 seconds.")

    result, made, _ = asked(graph, [[note("send_mail")], [note("send_mail")], [note("send_mail")]], respond)
    assert made == ["send_mail"]
    assert [call["failure"] for call in result["calls"]][:1] == ["timeout"]


def test_a_change_on_a_way_that_was_gone_back_from_is_not_made_again():
    def respond(api, _):
        if api.name == "check_box":
            raise CallError("tool_error", "The box is closed.")
        return f"{api.name} says so"

    turns = [
        *([note("find_address")], [note("send_mail")], [note("check_box")]),  # it fails: two levels up
        *([note("check_box", "b")], [note("send_mail")], [ANSWER]),
    ]
    result, made, told = asked(dfsdt, turns, respond)
    assert made.count("send_mail") == 1
    assert told[-1] == "This was done already, on another way, and is not done twice. It returned: send_mail says so"
    assert result["answer"] == "The mail was sent."


@GRAPHS
def test_an_end_beside_calls_that_were_made_already_is_taken(graph):
    result, made, _ = asked(graph, [[note("send_mail"), ANSWER]], lambda api, _: f"{api.name} says so")
    assert (made, result["status"], result["answer"]) == (["send_mail"], "solved", "The mail was sent.")

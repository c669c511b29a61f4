"""The part of a long conversation that an agent is shown: the prompt, the newest turns, and a word on the rest."""

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from toolquiver.nodes.windows import shown

PROMPT = [SystemMessage("You search."), HumanMessage("Look.")]


def conversation(lengths):
    said = list(PROMPT)
    for number, length in enumerate(lengths):
        call = {"name": "look", "args": {}, "id": str(number)}
        said += [AIMessage("", tool_calls=[call]), ToolMessage("x" * length, tool_call_id=str(number))]
    return said


def test_what_fits_is_shown_as_it_is():
    said = conversation([10, 20])
    assert shown(said, 10_000) == said


def test_old_results_are_left_out_first_and_that_is_told():
    said = shown(conversation([5_000, 5_000, 100]), 5_600)
    assert [len(message.text) for message in said[2:]] == [0, len(said[3].text), 0, 5_000, 0, 100]
    assert "Call again to see it" in said[3].text


def test_all_results_of_the_newest_turn_are_shown():
    calls = [{"name": "look", "args": {}, "id": str(number)} for number in range(3)]
    told = [ToolMessage("x" * 500, tool_call_id=str(number)) for number in range(3)]
    said = [*PROMPT, AIMessage("", tool_calls=calls), *told]
    assert shown(said, 600) == said


def test_that_turns_are_left_out_is_told_and_why_the_pool_did_not_do_stays():
    whole = conversation([10] * 30)
    whole.insert(12, HumanMessage("This was tried: no tool knows the tide."))
    said = shown(whole, 300)
    assert len(said) < len(whole)
    assert [message.text for message in said[2:4]] == [said[2].text, "This was tried: no tool knows the tide."]
    assert "turns are left out" in said[2].text


@given(st.lists(st.integers(0, 3_000), max_size=30), st.integers(0, 20_000))
def test_prompt_and_last_turn_are_always_there_and_every_result_has_its_call(lengths, window):
    whole = conversation(lengths)
    said = shown(whole, window)
    assert said[:2] == PROMPT
    assert said[-1] == whole[-1]
    calls = [call["id"] for message in said if isinstance(message, AIMessage) for call in message.tool_calls]
    assert calls == [message.tool_call_id for message in said if isinstance(message, ToolMessage)]
    told = [message for message in said[2:-1] if not isinstance(message, HumanMessage)]
    assert sum(len(message.text) for message in told) <= max(window, 0) or len(calls) == 1

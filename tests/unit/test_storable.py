"""Integers that no checkpoint can hold, on their way into the state and back into a call."""

import pytest
from langchain_core.messages import AIMessage
from langgraph.types import Overwrite

from tests.support.script import an_api
from toolquiver.nodes.storable import read_back, storable

BIG = 2**70
TEXT = str(BIG)
API = an_api("alpha", inputs={"n": "integer", "note": "string", "all": "array"})


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, BIG])
def test_what_is_beyond_64_bits_becomes_a_text_wherever_it_is(number):
    call = {"name": "alpha", "args": {"n": number}, "id": "1", "type": "tool_call"}
    written = {"calls": Overwrite([{"arguments": {"n": [1, number]}}]), "messages": [AIMessage("", tool_calls=[call])]}
    kept = storable(written)
    assert kept["calls"].value == [{"arguments": {"n": [1, str(number)]}}]
    assert kept["messages"][0].tool_calls[0]["args"] == {"n": str(number)}


def test_what_can_be_held_stays_the_same_object():
    written = {"n": [2**64 - 1, -(2**63), True, 1e300, float("inf"), "5"], "messages": [AIMessage("Hello.")]}
    assert storable(written) is written


@pytest.mark.parametrize("given", [TEXT, f"-{TEXT}"])
def test_a_text_is_read_back_where_the_schema_has_no_text(given):
    read = read_back(API, {"n": given, "note": given, "all": []})
    assert read == {"n": int(given), "note": given, "all": []}


@pytest.mark.parametrize("given", ["5", "5" * 5_000, f"0{TEXT}", TEXT + "x", 5])
def test_other_arguments_stay_as_they_are(given):
    assert read_back(API, {"n": given, "note": "a", "all": []}) == {"n": given, "note": "a", "all": []}

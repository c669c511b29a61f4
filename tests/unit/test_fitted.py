"""Schemas as the clients of single providers take them."""

import asyncio

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import BaseModel, Field

from toolquiver.models import decide, scripted
from toolquiver.models.fitted import decided_by_call, fitted
from toolquiver.models.profile import decision_method


def of(package):
    """A model whose class stands in this package."""
    return type("Stand", (type(scripted(lambda *_: "")),), {"__module__": f"{package}.chat_models"})(
        script=lambda *_: ""
    )


class Hosted(BaseChatModel):
    """Answers every tool that it is bound to, and says so when a schema comes in another way."""

    bound: list = Field(default_factory=list)
    profile: dict | None = Field(default_factory=lambda: {"structured_output": True, "tool_calling": True})

    @property
    def _llm_type(self):
        return "hosted"

    def bind_tools(self, tools, **_):
        self.bound.extend(tools)
        return self

    def with_structured_output(self, *_, **__):
        raise AssertionError("Expected code to be unreachable")

    def _generate(self, *_, **__):
        call = {"name": "Pick", "args": {"value": None}, "id": "1"}
        return ChatResult(generations=[ChatGeneration(message=AIMessage("", tool_calls=[call]))])


class Pick(BaseModel):
    value: dict | None


@pytest.mark.parametrize(
    ("part", "free"),
    [
        ({"type": ["string", "null"]}, True),
        ({}, True),
        (True, True),
        ({"type": "object"}, True),
        ({"type": "object", "additionalProperties": {"type": "string"}, "properties": {"a": {"type": "string"}}}, True),
        ({"type": "array", "items": {}}, True),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, False),
        ({"type": "array", "items": {"type": "string"}}, False),
        ({"type": "object", "properties": {"a": {"enum": ["b"]}}, "additionalProperties": False}, False),
    ],
)
def test_claude_is_asked_for_a_call_where_its_client_cannot_send_the_schema(part, free):
    schema = {"type": "object", "properties": {"one": part}}
    assert decided_by_call(schema, of("langchain_anthropic")) is free
    assert decided_by_call(schema, of("langchain_anthropic").with_config(tags=["mine"])) is free
    assert not decided_by_call(schema, of("langchain_openai"))


def test_a_decision_comes_by_such_a_call():
    model = type("Claude", (Hosted,), {"__module__": "langchain_anthropic.chat_models"})()
    decision = asyncio.run(decide(model, Pick, [HumanMessage("Pick.")], role="pick", tokens_left=2_000))
    assert (decision.value, [tool["title"] for tool in model.bound]) == (Pick(value=None), ["Pick"])


def test_for_gemini_values_that_are_no_texts_are_told_and_not_listed():
    schema = {
        "type": "object",
        "properties": {
            "n": {"type": "integer", "enum": [1, 2]},
            "t": {"enum": ["a"]},
            "l": {"items": {"enum": ["a", None]}},
        },
    }
    made = fitted(schema, of("langchain_google_genai"))["properties"]
    assert made == {
        "n": {"type": "integer", "description": "One of [1, 2]."},
        "t": {"enum": ["a"]},
        "l": {"items": {"description": 'One of ["a", null].'}},
    }
    assert fitted(schema, of("langchain_openai")) == schema


def test_ollama_is_given_a_schema_since_it_cannot_be_made_to_call():
    class Ollama(Hosted):
        num_predict: int | None = None
        profile: dict | None = None

    assert decision_method(Ollama()) == "json_schema"

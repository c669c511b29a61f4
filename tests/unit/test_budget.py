"""The token budget is hard: no call is made that could pass it."""

import asyncio
import json
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableLambda
from pydantic import BaseModel

from toolquiver.errors import BudgetExceeded
from toolquiver.models import InvalidDecision, ScriptedModel, decide, take_turn, tokens
from toolquiver.models.tokens import count_tokens


class Note(BaseModel):
    text: str


class Endless(ScriptedModel):
    """Writes as many characters as its limit allows, as a model does that never ends."""

    field: ClassVar = ""

    def with_structured_output(self, schema, *, method, include_raw):
        return self.bind(schema=schema) | RunnableLambda(lambda reply: {"raw": reply})

    def _generate(self, messages, *rest, max_tokens=None, **options):
        limits.append(max_tokens or getattr(self, type(self).field))
        text = self.script(messages, options)
        while count_tokens(text) > limits[-1]:
            text = text[:-1]
        self_told = ScriptedModel(lambda *_: text)
        return self_told._generate(messages)


class Limited(Endless):
    field: ClassVar = "max_tokens"
    max_tokens: int | None = None


limits: list[int] = []


def ask(left, question, answer, max_tokens=None):
    limits.clear()
    model = Limited(lambda *_: answer, profile={"structured_output": True}, max_tokens=max_tokens)
    work = decide(model, Note, [HumanMessage(question)], role="clerk", tokens_left=left)
    try:
        return tokens(asyncio.run(work).usage)
    except InvalidDecision as error:
        return tokens(error.usage)
    except BudgetExceeded:
        return 0


class Bounded(Limited):
    """A model whose server takes a schema as a grammar."""

    reads_schemas: bool = False


def test_a_schema_that_the_model_does_not_read_costs_nothing():
    rooms = []
    for kind in (Limited, Bounded):
        limits.clear()
        model = kind(lambda *_: '{"text": "no"}', profile={"structured_output": True}, max_tokens=None)
        work = decide(model, Note, [HumanMessage("How much?")], role="clerk", tokens_left=1_000)
        assert asyncio.run(work).value.text == "no"
        rooms.append(limits[0])
    assert rooms[1] - rooms[0] >= count_tokens(json.dumps(Note.model_json_schema()))


@given(st.integers(0, 2_000), st.text(max_size=400), st.integers(0, 6_000))
def test_what_is_spent_never_passes_what_is_left(left, question, length):
    assert ask(left, question, "x" * length) <= left


def test_the_completion_gets_what_the_prompt_leaves():
    ask(500, "How much?", "no")
    assert 48 <= limits[1] < limits[0] < 500


class Likewise(Endless):
    """Has another name for it, and takes it with no call."""

    def bind_tools(self, tools, *, tool_choice=None):
        return self.bind()

    def bind(self, *, schema=None):
        return super().bind(schema=schema)


class Ollamas(Likewise):
    field: ClassVar = "num_predict"
    num_predict: int | None = None


class Googles(Likewise):
    field: ClassVar = "max_output_tokens"
    max_output_tokens: int | None = None


@pytest.mark.parametrize("kind", [Ollamas, Googles])
@pytest.mark.parametrize("method", ["json_schema", "function_calling", "prompt"])
@pytest.mark.parametrize("own", [None, -1, 77])
def test_a_limit_of_another_name_is_as_hard(kind, method, own):
    limits.clear()
    model = kind(lambda *_: "x" * 6_000, **{kind.field: own})
    work = decide(model, Note, [HumanMessage("?")], role="clerk", tokens_left=800, method=method)
    with pytest.raises(InvalidDecision) as failed:
        asyncio.run(work)
    assert tokens(failed.value.usage) <= 800
    assert limits
    assert own != 77 or set(limits) == {77}
    assert getattr(model, kind.field) == own


@pytest.mark.parametrize("kind", [Ollamas, Googles])
@pytest.mark.parametrize("functions", [[], [{"name": "f", "description": "", "parameters": {"type": "object"}}]])
def test_a_turn_has_that_limit_too(kind, functions):
    model = kind(lambda *_: "x" * 6_000)
    work = take_turn(model, [HumanMessage("?")], functions, role="clerk", tokens_left=300, form="native")
    assert tokens(asyncio.run(work).usage) <= 300


def test_a_limit_of_the_user_stays():
    ask(5_000, "How much?", "no", max_tokens=77)
    assert limits == [77, 77]


def test_no_limit_of_the_user_is_none_of_ours():
    ask(500, "How much?", "no", max_tokens=-1)
    assert 48 <= limits[1] < limits[0] < 500


def test_a_large_budget_asks_for_no_more_than_providers_give():
    ask(200_000, "How much?", "no")
    assert limits == [4_096, 4_096]


def test_a_model_inside_another_has_its_limit():
    limits.clear()
    tagged = Limited(lambda *_: "x" * 6_000).with_config(tags=["mine"])
    work = decide(tagged, Note, [HumanMessage("?")], role="clerk", tokens_left=800, method="prompt")
    with pytest.raises(InvalidDecision):
        asyncio.run(work)
    assert all(limit < 800 for limit in limits)

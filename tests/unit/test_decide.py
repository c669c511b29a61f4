"""Decisions: asked in the way a model can, validated, asked for once more, paid for."""

import asyncio
import json
from enum import Enum

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import BaseModel, Field

from toolquiver.errors import BudgetExceeded, DecisionError, ModelError, ModelUnreachable, PromptRefused
from toolquiver.models import AnswerRefused, InvalidDecision, ScriptedModel, decide, scripted, shaped, tokens


class Colour(BaseModel):
    """A colour."""

    name: str
    share: int = Field(ge=0, le=100)


GOOD = {"name": "red", "share": 5}
ASK = [HumanMessage("Which colour?")]


class ToolCaller(BaseChatModel):
    """A model that only knows tool calls; `bound` is what it was bound with."""

    said: AIMessage
    bound: dict

    @property
    def _llm_type(self):
        return "tool caller"

    def bind_tools(self, tools, **options):
        self.bound.update(tools=tools, **options)
        return self

    def _generate(self, messages, *_, **options):
        return ChatResult(generations=[ChatGeneration(message=self.said)])


class Answers:
    """A script that gives one answer after the other and keeps what it was asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []
        self.schemas = []

    def __call__(self, messages, schema):
        self.asked.append(list(messages))
        self.schemas.append(schema)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def run(model, shape=Colour, left=10_000, **options):
    return asyncio.run(decide(model, shape, ASK, role="painter", tokens_left=left, **options))


def test_a_model_with_schemas_gets_the_schema_and_plain_messages():
    script = Answers(GOOD)
    decision = run(scripted(script))
    assert decision.value == Colour(name="red", share=5)
    assert script.asked == [ASK]
    assert script.schemas[0]["title"] == "Colour"
    assert script.schemas[0]["required"] == ["name", "share"]


class Shade(Enum):
    """For programmers: an enumeration."""

    DARK = "dark"


class Part(BaseModel):
    """For programmers: a part."""

    shade: Shade = Field(description="of the part")


class Whole(BaseModel):
    """For programmers: the whole."""

    parts: list[Part]


def test_no_docstring_reaches_a_model():
    script = Answers({"parts": [{"shade": "dark"}]})
    assert run(scripted(script), Whole).value.parts[0].shade is Shade.DARK
    sent = json.dumps(script.schemas[0])
    assert "For programmers" not in sent
    assert "of the part" in sent


def test_a_model_with_tools_is_made_to_call_one():
    said = AIMessage("", tool_calls=[{"name": "Colour", "args": GOOD, "id": "1"}])
    model = ToolCaller(said=said, bound={})
    assert run(model).value.name == "red"
    assert model.bound["tool_choice"] == model.bound["tools"][0]["title"] == "Colour"


def test_a_model_with_tools_that_answers_in_text_is_understood():
    model = ToolCaller(said=AIMessage(json.dumps(GOOD)), bound={})
    assert run(model).value.name == "red"


@pytest.mark.parametrize(
    "said",
    [
        AIMessage(json.dumps(GOOD | {"name": "red \ud83d"})),
        AIMessage("", tool_calls=[{"name": "Colour", "args": GOOD | {"name": "red \ud83d"}, "id": "1"}]),
    ],
)
def test_half_a_surrogate_pair_that_nothing_can_carry_is_replaced(said):
    assert run(ToolCaller(said=said, bound={})).value.name == "red \ufffd"


@pytest.mark.parametrize("answer", [GOOD, f"```json\n{json.dumps(GOOD)}\n```", '{"name": "red", "share": 5}  \n'])
def test_a_model_with_neither_is_told_the_schema(answer):
    script = Answers(answer)
    assert run(ScriptedModel(script)).value.name == "red"
    told = script.asked[0][-1].text
    assert "JSON Schema" in told
    assert '"share"' in told
    assert script.schemas == [{}]


def test_the_title_of_a_schema_is_the_name_of_the_shape():
    class Arguments(BaseModel):
        model_config = {"title": "get weather v2"}

        city: str

    script = Answers({"city": "Rome"})
    run(scripted(script), Arguments)
    assert script.schemas[0]["title"] == "Arguments"


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"name": "red", "share": 101}, "share Input should be less than or equal to 100"),
        ({"name": "red"}, "share Field required"),
        ("I like red.", "it is not a JSON object"),
        ("", "it is not a JSON object"),
        ('{"name": "red", "share": 1', "it is not a JSON object"),
        ("[" * 100_000, "it is not a JSON object"),
        (AIMessage(""), "it is not a JSON object"),
    ],
    ids=["out of range", "missing", "prose", "nothing", "cut in a number", "endless", "no text"],
)
@pytest.mark.parametrize("make", [scripted, ScriptedModel], ids=["schema", "prompt"])
def test_a_bad_answer_is_asked_for_again_with_the_error(make, bad, said):
    script = Answers(bad, GOOD)
    assert run(make(script), left=500_000).value.share == 5
    first, second = script.asked
    assert second[: len(first)] == first
    assert said in second[-1].text
    assert isinstance(second[-2], AIMessage)


def test_two_bad_answers_are_an_error_that_carries_what_both_cost():
    script = Answers("no", "no again")
    with pytest.raises(InvalidDecision, match="'painter'") as caught:
        run(scripted(script))
    assert isinstance(caught.value, DecisionError)
    assert caught.value.usage["painter"]["calls"] == 2
    assert len(script.asked) == 2


def test_both_tries_are_paid_for():
    once = tokens(run(scripted(Answers(GOOD))).usage)
    twice = run(scripted(Answers("no", GOOD))).usage
    assert twice["painter"]["calls"] == 2
    assert tokens(twice) > 2 * once


def test_a_model_that_reports_nothing_is_estimated():
    spent = run(ScriptedModel(Answers(AIMessage(json.dumps(GOOD))))).usage["painter"]
    assert spent["estimated"] == spent["prompt"] + spent["completion"] > 0


def test_without_budget_nothing_is_asked():
    script = Answers(GOOD)
    with pytest.raises(BudgetExceeded, match="'painter'"):
        run(scripted(script), left=50)
    assert script.asked == []


def test_without_budget_for_a_second_try_the_first_is_still_paid_for():
    script = Answers("x" * 300)
    with pytest.raises(InvalidDecision) as caught:
        run(scripted(script), left=180)
    assert caught.value.usage["painter"]["calls"] == 1


@pytest.mark.parametrize("error", [ValueError("maximum context length is 8"), PromptRefused("No.")])
def test_where_the_second_try_may_not_be_read_the_first_is_still_paid_for(error):
    with pytest.raises(InvalidDecision) as caught:
        run(scripted(Answers("no", error)))
    assert caught.value.usage["painter"]["calls"] == 1
    with pytest.raises(ModelError):
        run(scripted(Answers(error)))


def test_a_method_that_the_model_lacks_is_said_to_be_lacking():
    with pytest.raises(ModelError, match="decision_method"):
        run(ScriptedModel(Answers(GOOD)), method="function_calling")


def test_the_errors_of_the_provider_are_translated():
    with pytest.raises(ModelUnreachable):
        run(scripted(Answers(ConnectionError("refused"))))


def test_errors_of_our_own_are_not_hidden():
    with pytest.raises(ZeroDivisionError):
        run(scripted(Answers(ZeroDivisionError())))


@pytest.mark.parametrize(
    "said",
    [
        f"\N{ZERO WIDTH NO-BREAK SPACE}{json.dumps(GOOD)}",
        f"<think>\nIt may be red.\n</think>\n\n{json.dumps(GOOD)}",
        f'It may be {{"name": "blue", "share": 1}}.\n</think>\n\n{json.dumps(GOOD)}',
        f"Here it is: {json.dumps(GOOD)}. I hope that helps.",
        f"```json\n{json.dumps(GOOD)}\n```\nThat is red.",
    ],
)
def test_an_answer_is_found_among_what_else_a_model_says(said):
    script = Answers(said)
    assert run(ScriptedModel(script)).value.name == "red"
    assert len(script.asked) == 1


def test_a_call_is_an_answer_whatever_was_meant():
    script = Answers(AIMessage("", tool_calls=[{"name": "Colour", "args": GOOD, "id": "1"}]))
    assert run(scripted(script), method="json_schema").value.name == "red"


def test_a_call_that_was_cut_is_none_though_it_seems_whole():
    call = {"name": "Colour", "args": GOOD, "id": "1"}
    cut = AIMessage("", tool_calls=[call], response_metadata={"finish_reason": "length"})
    script = Answers(cut, {"name": "blue", "share": 1})
    assert run(scripted(script)).value.name == "blue"


def test_a_call_that_was_cut_in_its_arguments_has_said_something():
    call = {"name": "Colour", "args": '{"name": "re', "id": "1", "error": None, "type": "invalid_tool_call"}
    cut = AIMessage("", invalid_tool_calls=[call], response_metadata={"finish_reason": "length"})
    with pytest.raises(InvalidDecision) as caught:
        run(scripted(Answers(cut, cut)))
    assert not caught.value.speechless


@pytest.mark.parametrize(
    "said",
    [
        AIMessage("", additional_kwargs={"refusal": "I cannot help with that."}),
        AIMessage([{"type": "reasoning", "summary": []}, {"type": "refusal", "refusal": "I cannot help with that."}]),
    ],
)
def test_a_refusal_is_not_asked_again(said):
    script = Answers(said)
    with pytest.raises(AnswerRefused, match="I cannot help with that"):
        run(scripted(script))
    assert len(script.asked) == 1


@pytest.mark.parametrize(("second", "kind"), [("", AnswerRefused), ("Hm.", InvalidDecision)])
def test_an_answer_that_a_filter_ended_is_asked_for_once_more(second, kind):
    ended = AIMessage("", response_metadata={"finish_reason": "content_filter"})
    script = Answers(ended, second or ended)
    with pytest.raises(InvalidDecision) as caught:
        run(scripted(script))
    assert (type(caught.value), len(script.asked)) == (kind, 2)


def test_alternatives_at_the_root_are_asked_for_in_a_property():
    schema = {"type": "object", "anyOf": [{"properties": {"name": {"const": "red"}}}]}
    script = Answers({"decision": GOOD})
    assert run(scripted(script), shaped(Colour, schema, lambda _: [])).value.name == "red"
    (asked,) = script.schemas
    assert "anyOf" not in asked
    assert asked["properties"]["decision"]["anyOf"] == schema["anyOf"]


def test_a_field_may_be_called_decision():
    class Chosen(BaseModel):
        decision: Colour

    assert run(scripted(Answers({"decision": GOOD})), Chosen).value.decision.name == "red"

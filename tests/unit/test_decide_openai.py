"""What is really sent to a server of the OpenAI protocol, and what is made of its answers."""

import asyncio
import json

import openai
import pytest
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from toolquiver.models import InvalidDecision, decide


class Weight(BaseModel):
    """A weight."""

    kilograms: int


def ask(method="auto", left=2_000, **options):
    model = ChatOpenAI(model="stand-in", max_retries=0, http_async_client=client(), **options)
    work = decide(model, Weight, [HumanMessage("How heavy?")], role="scales", tokens_left=left, method=method)
    return asyncio.run(work)


def client():
    return openai.DefaultAsyncHttpxClient(headers={"Connection": "close"})


def test_a_schema_is_sent_as_the_response_format(provider):
    provider.content = '{"kilograms": 12}'
    assert ask("json_schema").value.kilograms == 12
    (body,) = provider.bodies
    assert body["messages"] == [{"role": "user", "content": "How heavy?"}]
    sent = body["response_format"]
    assert sent["type"] == "json_schema"
    assert sent["json_schema"]["name"] == "Weight"
    assert sent["json_schema"]["schema"]["properties"]["kilograms"]["type"] == "integer"
    assert 1_500 < body["max_completion_tokens"] < 2_000
    assert "tools" not in body


def test_a_model_of_an_unknown_server_is_asked_by_schema(provider):
    provider.content = '{"kilograms": 12}'
    ask("auto")
    assert "response_format" in provider.bodies[0]


def test_a_forced_tool_call_is_sent_as_one(provider):
    provider.content, provider.as_tool_call = '{"kilograms": 12}', True
    assert ask("function_calling").value.kilograms == 12
    (body,) = provider.bodies
    assert [tool["function"]["name"] for tool in body["tools"]] == ["Weight"]
    assert body["tool_choice"] == {"type": "function", "function": {"name": "Weight"}}
    assert 1_500 < body["max_completion_tokens"] < 2_000
    assert "response_format" not in body


def test_a_prompt_is_sent_with_the_schema_in_it(provider):
    provider.content = '```json\n{"kilograms": 12}\n```'
    assert ask("prompt").value.kilograms == 12
    (body,) = provider.bodies
    assert "kilograms" in body["messages"][1]["content"]
    assert 1_500 < body["max_completion_tokens"] < 2_000
    assert not {"response_format", "tools"} & body.keys()


def test_the_users_own_limit_is_sent_when_it_is_smaller(provider):
    provider.content = '{"kilograms": 12}'
    ask(max_tokens=99)
    assert provider.bodies[0]["max_completion_tokens"] == 99


def test_a_default_budget_does_not_ask_for_more_than_a_provider_gives(provider):
    provider.content = '{"kilograms": 12}'
    ask(left=200_000)
    assert provider.bodies[0]["max_completion_tokens"] == 4_096


@pytest.mark.parametrize("method", ["json_schema", "function_calling", "prompt"])
def test_an_answer_that_is_cut_at_the_limit_is_no_answer(provider, method):
    provider.content, provider.finish_reason = '{"kilograms": 12', "length"
    provider.as_tool_call = method == "function_calling"
    with pytest.raises(InvalidDecision) as caught:
        ask(method)
    assert len(provider.bodies) == 2
    assert caught.value.usage["scales"] == {"calls": 2, "prompt": 60, "completion": 14, "cached": 0, "estimated": 0}


def test_an_answer_that_is_cut_and_reports_nothing_is_estimated(provider):
    provider.content, provider.finish_reason, provider.usage = '{"kilograms": 12', "length", None
    with pytest.raises(InvalidDecision) as caught:
        ask("json_schema")
    assert caught.value.usage["scales"]["estimated"] > 0


def test_a_refusal_is_no_answer_and_is_not_asked_again(provider):
    def refuse(body):
        answer = provider._plain_answer(body)
        answer["choices"][0]["message"] = {"role": "assistant", "content": None, "refusal": "I would rather not."}
        return answer

    provider.answer = refuse
    with pytest.raises(InvalidDecision, match="I would rather not"):
        ask("json_schema")
    assert len(provider.bodies) == 1


def test_the_second_try_tells_the_error(provider):
    def correcting(body):
        provider.content = json.dumps({"kilograms": "heavy" if len(body["messages"]) == 1 else 12})
        return provider._plain_answer(body)

    provider.answer = correcting
    assert ask().value.kilograms == 12
    assert [message["role"] for message in provider.bodies[1]["messages"]] == ["user", "assistant", "user"]
    assert "kilograms" in provider.bodies[1]["messages"][2]["content"]


def test_the_providers_figures_and_cache_are_in_the_ledger(provider):
    provider.content = '{"kilograms": 12}'
    provider.usage = provider.usage | {"prompt_tokens_details": {"cached_tokens": 25}}
    assert ask().usage == {"scales": {"calls": 1, "prompt": 30, "completion": 7, "cached": 25, "estimated": 0}}


def test_a_provider_that_reports_nothing_is_estimated(provider):
    provider.content, provider.usage = '{"kilograms": 12}', None
    spent = ask().usage["scales"]
    assert spent["estimated"] == spent["prompt"] + spent["completion"] > 0

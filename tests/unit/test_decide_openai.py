"""What is really sent to a server of the OpenAI protocol, and what is made of its answers."""

import asyncio
import contextlib
import json

import openai
import pytest
from langchain_core.messages import HumanMessage
from langchain_openai import AzureChatOpenAI, ChatOpenAI
from pydantic import BaseModel

from toolquiver.errors import BudgetExceeded
from toolquiver.models import InvalidDecision, decide, shaped
from toolquiver.models.asking import limited


class Weight(BaseModel):
    """A weight."""

    kilograms: int


def ask(method="auto", left=2_000, **options):
    return decided(ChatOpenAI(model="stand-in", max_retries=0, http_async_client=client(), **options), method, left)


def decided(model, method="auto", left=2_000, shape=Weight):
    work = decide(model, shape, [HumanMessage("How heavy?")], role="scales", tokens_left=left, method=method)
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
    assert "kilograms" in body["messages"][-1]["content"]
    assert 1_500 < body["max_completion_tokens"] < 2_000
    assert not {"response_format", "tools"} & body.keys()


def test_the_users_own_limit_is_sent_when_it_is_smaller(provider):
    provider.content = '{"kilograms": 12}'
    ask(max_tokens=99)
    assert provider.bodies[0]["max_completion_tokens"] == 99


@pytest.mark.parametrize("method", ["json_schema", "function_calling", "prompt"])
@pytest.mark.parametrize(("own", "limit"), [({}, 4_096), ({"max_tokens": 500}, 500)])
def test_azure_is_told_the_limit_by_its_newer_name_alone(provider, monkeypatch, method, own, limit):
    monkeypatch.delenv("OPENAI_BASE_URL")
    place = {"azure_endpoint": provider.base_url, "api_version": "2024-10-21", "azure_deployment": "mine"}
    model = AzureChatOpenAI(api_key="a key", model="mine", http_async_client=client(), **place, **own)
    provider.content = '{"kilograms": 12}'
    decided(model, method, 200_000)
    decided(model.with_config(tags=["mine"]), method, 200_000)
    body, tagged = provider.bodies
    assert tagged == body
    assert body["max_completion_tokens"] == limit
    assert "max_tokens" not in body


def test_with_a_fallback_of_another_class_the_limit_has_the_name_that_both_know(provider):
    class Other(ChatOpenAI):
        max_tokens: int | None = None

    openai, other = (kind(model="stand-in", http_async_client=client()) for kind in (ChatOpenAI, Other))
    place = {"azure_endpoint": provider.base_url, "api_version": "2024-10-21", "azure_deployment": "mine"}
    azure = AzureChatOpenAI(api_key="a key", model="mine", openai_api_base=None, http_async_client=client(), **place)
    assert limited(azure.with_fallbacks([other]), 99)[1] == {"max_tokens": 99}
    assert limited(azure.with_fallbacks([openai]), 99)[1] == {"max_completion_tokens": 99}
    assert limited(openai, 99)[1] == {"max_tokens": 99}


def test_a_limit_that_is_bound_to_a_model_gives_way_to_the_smaller_one(provider):
    provider.content = '{"kilograms": 12}'
    model = ChatOpenAI(model="stand-in", http_async_client=client()).bind(max_tokens=5_000)
    decided(model, "prompt", 1_000)
    assert provider.bodies[0]["max_completion_tokens"] < 1_000


@pytest.mark.parametrize("method", ["json_schema", "function_calling"])
def test_what_is_no_keyword_at_the_root_of_a_schema_is_not_sent(provider, method):
    schema = Weight.model_json_schema() | {"name": "get_weight", "strict": True, "input_schema": {}, "json_schema": {}}
    model = ChatOpenAI(model="stand-in", http_async_client=client())
    provider.content, provider.as_tool_call = '{"kilograms": 12}', method == "function_calling"
    assert decided(model, method, shape=shaped(Weight, schema, lambda _: [])).value.kilograms == 12
    (body,) = provider.bodies
    sent = body["tools"][0]["function"] if "tools" in body else body["response_format"]["json_schema"]
    assert sent["name"] == "Weight"
    assert not sent.get("strict")
    assert {"name", "strict", "input_schema", "json_schema"}.isdisjoint(sent.get("schema") or sent["parameters"])


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


@pytest.mark.parametrize(("content", "speechless"), [("", True), ('{"kilograms": 12', False)])
def test_of_a_model_that_thinks_up_to_the_limit_it_is_said_what_helps(provider, content, speechless):
    provider.content, provider.finish_reason = content, "length"
    with pytest.raises(InvalidDecision) as caught:
        ask("json_schema", left=20_000)
    assert caught.value.speechless == speechless
    assert ("Give it a larger max_tokens" in str(caught.value)) == speechless


def test_of_a_model_that_thinks_until_the_budget_is_used_up_the_budget_is_named_at_once(provider):
    provider.content, provider.finish_reason = "", "length"
    with pytest.raises(BudgetExceeded, match="budget") as caught:
        ask("json_schema", left=2_000)
    assert (len(provider.bodies), caught.value.usage["scales"]["calls"]) == (1, 1)


@pytest.mark.parametrize(("left", "asked"), [(1_000, 0), (2_500, 1)])
def test_a_model_that_thinks_is_asked_only_where_there_is_room_for_it(provider, left, asked):
    provider.content = '{"kilograms": 12}'
    with contextlib.suppress(BudgetExceeded):
        ask("json_schema", left=left, profile={"reasoning_output": True, "structured_output": True})
    assert len(provider.bodies) == asked


def test_a_user_s_texts_that_follow_each_other_are_sent_as_one(provider):
    provider.content = '{"kilograms": 12}'
    ask("prompt")
    (body,) = provider.bodies
    roles = [message["role"] for message in body["messages"]]
    assert roles.count("user") == 1
    assert "Answer with one JSON object" in body["messages"][-1]["content"]


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

"""Errors that no status tells: inside a success, at a reply's end, of another event loop, of a model in another."""

import asyncio

import httpx
import openai
import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_openai import ChatOpenAI
from openai.types.responses import ResponseError
from pydantic import BaseModel

from toolquiver.errors import MissingKey, ModelError
from toolquiver.models import decide, scripted

KEY = "sk-not-a-real-key-1234567890"


class Answer(BaseModel):
    text: str


def ask(model, method="auto"):
    asyncio.run(decide(model, Answer, [HumanMessage("Hello?")], role="guest", tokens_left=2_000, method=method))


def hosted(base_url):
    client = openai.DefaultAsyncHttpxClient(headers={"Connection": "close"})
    return ChatOpenAI(model="stand-in", base_url=base_url, api_key=KEY, max_retries=0, http_async_client=client)


def failing(error):
    def fail(*_):
        raise error

    return scripted(fail)


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (ValueError({"message": "upstream is overloaded", "code": 502}), "status 502. Try again later"),
        (ValueError({"message": "slow down", "code": 429}), "allows no more requests now"),
        (ValueError({"message": "upstream is overloaded"}), "status 500. Try again later"),
        (ValueError(ResponseError(code="server_error", message="It died.")), "status 500. .*It says: It died"),
        (
            openai.APIError("overloaded", httpx.Request("POST", "http://x.test"), body=None),
            "broke off. Try again later",
        ),
    ],
)
def test_an_error_inside_a_success_is_told(error, advice):
    with pytest.raises(ModelError, match=advice):
        ask(failing(error))


@pytest.mark.parametrize("method", ["json_schema", "function_calling", "prompt"])
@pytest.mark.parametrize(
    ("code", "advice"),
    [(429, "allows no more requests now.*It says: Too many for free"), (502, "status 502. Try again later.*for free")],
)
def test_an_error_inside_a_success_is_told_in_whatever_way_it_was_asked(provider, method, code, advice):
    provider.answer = lambda _: {"error": {"message": "Too many for free", "code": code}}
    with pytest.raises(ModelError, match=advice):
        ask(hosted(provider.base_url), method)


def test_a_reply_that_ends_in_an_error_is_no_answer():
    ended = AIMessage("It is", response_metadata={"finish_reason": "error"})
    with pytest.raises(ModelError, match="broke off in its answer"):
        ask(scripted(lambda *_: ended))


@pytest.mark.parametrize("said", ["Event loop is closed", "<Lock> is bound to a different event loop"])
def test_connections_of_another_event_loop_have_an_error_that_says_what_to_do(said):
    with pytest.raises(ModelError, match=r"another event loop.*'openai:NAME'.*http_async_client"):
        ask(failing(RuntimeError(said)))
    with pytest.raises(RuntimeError, match=r"\Aboom\Z"):
        ask(failing(RuntimeError("boom")))


@pytest.mark.parametrize("wrap", [lambda one: one.with_config(tags=["a"]), lambda one: one.with_fallbacks([one])])
def test_a_model_inside_another_is_told_by_its_name_and_without_its_key(provider, wrap):
    provider.status, provider.error = 403, f"No {KEY} here"
    with pytest.raises(MissingKey, match="'stand-in'") as caught:
        ask(wrap(hosted(provider.base_url)))
    assert KEY not in str(caught.value)

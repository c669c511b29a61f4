"""What a provider's client raises becomes an error that says what to do and shows no key."""

import asyncio
import re
import socket
import traceback

import httpx
import openai
import pytest
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from toolquiver.errors import (
    ContextExceeded,
    MissingKey,
    ModelError,
    ModelUnreachable,
    PromptRefused,
    UnknownModel,
)
from toolquiver.models import InvalidDecision, decide, scripted

KEY = "sk-not-a-real-key-1234567890"


class Answer(BaseModel):
    text: str


def ask(model):
    asyncio.run(decide(model, Answer, [HumanMessage("Hello?")], role="guest", tokens_left=2_000))


def hosted(base_url, **options):
    client = openai.DefaultAsyncHttpxClient(headers={"Connection": "close"})
    return ChatOpenAI(
        model="stand-in", base_url=base_url, api_key=KEY, max_retries=0, http_async_client=client, **options
    )


@pytest.mark.parametrize(
    ("status", "kind", "advice"),
    [
        (400, ModelError, "status 400. Check the model's name and settings. It says:"),
        (401, MissingKey, "Check the key in the environment"),
        (403, MissingKey, "Check both. It says:"),
        (404, UnknownModel, "Check its name and the address. It says:"),
        (429, ModelError, "Wait, or check your quota. It says:"),
        (500, ModelError, "status 500. Try again later"),
        (503, ModelError, "status 503. Try again later"),
    ],
)
def test_a_status_becomes_an_error_that_says_what_to_do(provider, status, kind, advice):
    provider.status, provider.error = status, f"Something\nis wrong with {KEY}"
    with pytest.raises(kind) as caught:
        ask(hosted(provider.base_url))
    said = str(caught.value)
    assert type(caught.value) is kind
    assert advice in said
    assert "'stand-in'" in said
    assert KEY not in said
    assert "\n" not in said


def test_nothing_at_the_address_is_unreachable():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(ModelUnreachable, match=r"Nothing answers.*OPENAI_BASE_URL"):
        ask(hosted(url))


def test_a_server_that_stays_silent_is_unreachable():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        with pytest.raises(ModelUnreachable, match="did not answer in time"):
            ask(hosted(url, timeout=0.05))


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (TimeoutError(), ModelUnreachable),
        (ConnectionRefusedError(), ModelUnreachable),
        (httpx.ReadTimeout("slow"), ModelUnreachable),
        (httpx.ConnectError("gone"), ModelUnreachable),
        (httpx.ReadError("cut off"), ModelUnreachable),
        (NotImplementedError(), ModelError),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else value.__name__,
)
def test_errors_of_other_clients_are_known_by_their_names(error, kind):
    def fail(*_):
        raise error

    with pytest.raises(kind) as caught:
        ask(scripted(fail))
    assert type(caught.value) is kind
    assert type(caught.value.__cause__) is type(error)


def test_an_error_that_tells_the_key_is_not_shown_in_a_traceback(provider):
    provider.status, provider.error = 401, f"{KEY} is wrong"
    with pytest.raises(MissingKey) as caught:
        ask(hosted(provider.base_url))
    assert KEY not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("reply", [{"error": "no credit"}, {"choices": []}, {}, []])
def test_what_is_no_chat_completion_says_where_to_look(provider, reply):
    provider.answer = lambda _: reply
    with pytest.raises(ModelError, match=r"'stand-in'"):
        ask(hosted(provider.base_url))


@pytest.mark.parametrize(
    "said",
    [
        "This model's maximum context length is 8192 tokens.",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
        "An error occurred (ValidationException): Input is too long for requested model.",
        "Input tokens exceed the configured limit of 272000 tokens.",
        "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
        "The decoder prompt (length 5003) is longer than the maximum model length of 4096.",
        "However, the model is loaded with context length of only 4096 tokens, which is not enough.",
        "The input (40035 tokens) is longer than the model's context length (32768 tokens).",
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096.",
        "Please reduce the length of the messages or completion.",
    ],
)
def test_a_context_that_is_full_has_an_error_of_its_own(provider, said):
    provider.status, provider.error = 400, said
    with pytest.raises(ContextExceeded, match="Lower solver_context"):
        ask(hosted(provider.base_url))


@pytest.mark.parametrize(
    "said",
    ["Invalid schema for function 'get_context_window': not an object.", "`max_new_tokens` must be strictly positive"],
)
def test_what_only_has_a_word_of_it_is_told_as_the_provider_says_it(provider, said):
    provider.status, provider.error = 400, said
    with pytest.raises(ModelError, match=re.escape(said)) as caught:
        ask(hosted(provider.base_url))
    assert not isinstance(caught.value, ContextExceeded)


@pytest.mark.parametrize(
    "said",
    [
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
        "Output blocked by content filtering policy",
        "Invalid prompt: we've limited access to this content for safety reasons.",
    ],
)
def test_a_prompt_that_is_refused_for_what_it_says_has_an_error_of_its_own(provider, said):
    provider.status, provider.error = 400, said
    with pytest.raises(PromptRefused, match="Ask in other words"):
        ask(hosted(provider.base_url))
    provider.status = 500
    with pytest.raises(ModelError) as caught:
        ask(hosted(provider.base_url))
    assert type(caught.value) is ModelError


@pytest.mark.parametrize(
    ("about", "kind"),
    [
        ({"code": "context_length_exceeded"}, ContextExceeded),
        ({"type": "exceed_context_size_error"}, ContextExceeded),
        ({"code": "content_filter"}, PromptRefused),
        ({"code": "invalid_prompt"}, PromptRefused),
    ],
)
def test_what_was_wrong_may_stand_in_the_code_or_type_alone(provider, about, kind):
    provider.status, provider.respond = 400, lambda _: {"error": {"message": "That will not do."} | about}
    with pytest.raises(kind):
        ask(hosted(provider.base_url))


@pytest.mark.parametrize(
    ("said", "setting"),
    [
        ("This response_format type is unavailable now", "decision_method to 'function_calling' or 'prompt'"),
        ("registry.ollama.ai/library/gemma does not support tools", "action_form to 'written'"),
        ('"auto" tool choice requires --enable-auto-tool-choice', "action_form to 'written'"),
        ("The model my-tool-model is retired", "Check the model's name and settings"),
    ],
)
def test_where_a_setting_helps_it_is_named(provider, said, setting):
    provider.status, provider.error = 400, said
    with pytest.raises(ModelError, match=setting):
        ask(hosted(provider.base_url))


def test_a_tool_that_is_called_like_a_filter_refuses_no_prompt(provider):
    provider.status, provider.error = 400, "Invalid schema for function 'content_policy_list': 'oops' is not valid."
    with pytest.raises(ModelError) as caught:
        ask(hosted(provider.base_url))
    assert type(caught.value) is ModelError


def test_an_answer_that_was_filtered_out_is_no_valid_one():
    def filtered(*_):
        raise openai.ContentFilterFinishReasonError

    with pytest.raises(InvalidDecision):
        ask(scripted(filtered))


class CodedError(Exception):
    """As Gemini's client raises."""

    def __init__(self, code, said):
        super().__init__(said)
        self.code = code


@pytest.mark.parametrize(
    ("code", "said", "kind"),
    [
        (400, "API key not valid. Please pass a valid API key.", MissingKey),
        (400, "Request contains an invalid argument.", ModelError),
        (404, "models/x is not found", UnknownModel),
        (429, "Resource has been exhausted", ModelError),
        (503, "The model is overloaded.", ModelError),
    ],
)
@pytest.mark.parametrize("as_cause", [False, True])
def test_a_status_may_be_called_a_code_and_stand_in_the_cause(code, said, kind, as_cause):
    def fail(*_):
        if as_cause:
            raise RuntimeError(said) from CodedError(code, said)
        raise CodedError(code, said)

    with pytest.raises(kind) as caught:
        ask(scripted(fail))
    assert type(caught.value) is kind

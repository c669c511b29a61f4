"""Models by name, and used from more than one event loop."""

import asyncio
import threading

import pytest
from langchain_core.messages import HumanMessage
from pydantic import BaseModel

from toolquiver.errors import MissingKey, ModelError, UnknownModel
from toolquiver.models import decide, load_model, model_named


class Answer(BaseModel):
    text: str


@pytest.fixture
def no_keys(monkeypatch):
    for name in ("OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "AZURE_OPENAI_AD_TOKEN"):
        monkeypatch.delenv(name, raising=False)


async def ask(model):
    return (await decide(model, Answer, [HumanMessage("Hi")], role="r", tokens_left=2_000)).value.text


@pytest.mark.parametrize("name", ["", "gpt", ":gpt", "openai:"])
def test_a_name_without_provider_or_model_is_unknown(name):
    with pytest.raises(UnknownModel, match="provider:model"):
        load_model(name)


@pytest.mark.parametrize("name", ["nobody:gpt", "monkey:gpt"])  # one has a key in its name, but lacks none
def test_a_provider_that_nobody_knows_is_unknown(name):
    with pytest.raises(UnknownModel, match=f"'{name}'") as caught:
        load_model(name)
    assert "\n" not in str(caught.value)


def test_a_provider_whose_package_is_missing_says_which(monkeypatch):
    def missing(*_, **__):
        raise ImportError("pip install langchain-anthropic")

    monkeypatch.setattr("toolquiver.models.load.init_chat_model", missing)
    with pytest.raises(UnknownModel, match=r"'anthropic' needs.*pip install langchain-anthropic"):
        load_model("anthropic:claude")


def test_a_missing_key_of_openai_says_what_to_set(no_keys):
    with pytest.raises(MissingKey, match=r"OPENAI_API_KEY.*--model local"):
        load_model("openai:gpt-4o")


def test_a_missing_key_of_azure_says_what_to_set(no_keys):
    with pytest.raises(MissingKey, match="AZURE_OPENAI_API_KEY"):
        load_model("azure_openai:gpt-4o")


def test_a_missing_key_is_told_from_an_unknown_name(monkeypatch):
    def unset(*_, **__):
        raise ValueError("Did not find mistral_api_key, please add an environment variable `MISTRAL_API_KEY`")

    monkeypatch.setattr("toolquiver.models.load.init_chat_model", unset)
    with pytest.raises(MissingKey, match="MISTRAL_API_KEY"):
        load_model("mistralai:small")


def test_a_model_is_greedy_and_found_where_openai_base_url_says(provider):
    provider.content = '{"text": "hello"}'
    assert asyncio.run(ask(load_model("openai:stand-in"))) == "hello"
    assert provider.bodies[0]["model"] == "stand-in"
    assert provider.bodies[0]["temperature"] == 0


def test_one_model_works_in_one_loop_after_another(provider):
    provider.content = '{"text": "hello"}'
    model = load_model("openai:stand-in")
    assert [asyncio.run(ask(model)) for _ in range(3)] == ["hello"] * 3
    assert len(provider.bodies) == 3, "a request was sent again"


def test_one_model_works_in_two_loops_at_once(provider):
    provider.content = '{"text": "hello"}'
    model = load_model("openai:stand-in")
    together = threading.Barrier(2)
    answers = []

    async def several():
        together.wait(5)
        return [await ask(model) for _ in range(5)]

    threads = [threading.Thread(target=lambda: answers.extend(asyncio.run(several()))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == ["hello"] * 10
    assert len(provider.bodies) == 10, "a request was sent again"


def test_a_named_model_works_in_one_loop_after_another(provider):
    provider.content = '{"text": "hello"}'

    async def named():
        return await ask(await model_named("openai:stand-in"))

    assert [asyncio.run(named()) for _ in range(2)] == ["hello"] * 2


def test_a_loop_has_one_model_of_a_name_and_another_loop_its_own(provider):
    async def twice():
        first = await asyncio.gather(*(model_named("openai:stand-in") for _ in range(4)))
        return [*first, await model_named("openai:stand-in"), await model_named("openai:other")]

    (*same, other), (elsewhere, *_) = asyncio.run(twice()), asyncio.run(twice())
    assert len({id(model) for model in same}) == 1
    assert other is not same[0]
    assert elsewhere is not same[0]


def test_a_name_that_could_not_be_loaded_is_tried_again(provider, monkeypatch):
    async def later():
        monkeypatch.delenv("OPENAI_API_KEY")
        with pytest.raises(MissingKey):
            await model_named("openai:stand-in")
        monkeypatch.setenv("OPENAI_API_KEY", "set now")
        return await model_named("openai:stand-in")

    assert asyncio.run(later()).model_name == "stand-in"


@pytest.mark.parametrize("key", ["sk-1\n", " sk-1", "sk-\u201d1"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(monkeypatch, key):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(MissingKey, match="OPENAI_API_KEY") as caught:
        load_model("openai:gpt-4o")
    assert key.strip() not in str(caught.value)


@pytest.mark.parametrize(("name", "temperature"), [("openai:gpt-4o", 0), ("openai:o3-mini", None)])
def test_a_model_that_takes_no_temperature_gets_none(monkeypatch, name, temperature):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    assert load_model(name).temperature == temperature


@pytest.fixture
def refused(provider):
    """A provider whose model refuses these temperatures, as its words say."""
    provider.content = '{"text": "hello"}'

    def refused(said, temperatures):
        def respond(body):
            provider.bodies.append(body)
            provider.status = 400 if body.get("temperature") in temperatures else 200
            error = {"message": said, "type": "invalid_request_error"}
            return provider.answer(body) if provider.status == 200 else {"error": error}

        provider.respond = respond
        return lambda: [body.get("temperature") for body in provider.bodies]

    return refused


@pytest.mark.parametrize(
    "said",
    [
        "Unsupported value: 'temperature' does not support 0 with this model.",
        "Unsupported parameter: 'temperature' is not supported with this model.",
        "`temperature` is deprecated for this model.",
        "litellm.UnsupportedParamsError: this model does not support temperature=0.0.",
    ],
)
def test_a_model_that_refuses_its_temperature_is_asked_again_without_and_keeps_none(refused, said):
    sent = refused(said, {0})
    model = load_model("openai:my-deployment")
    assert [asyncio.run(ask(model)) for _ in range(2)] == ["hello"] * 2
    assert sent() == [0, None, None]


@pytest.mark.parametrize(
    ("said", "temperatures", "tries"),
    [
        ("Unsupported value: 'temperature' does not support 0.", {0, None}, [0, None]),
        ("Invalid schema: 'temperature' is no type.", {0}, [0]),
        ("There is no API called get_temperature.", {0}, [0]),
    ],
)
def test_a_temperature_that_was_not_the_trouble_stays(refused, said, temperatures, tries):
    sent = refused(said, temperatures)
    model = load_model("openai:my-deployment")
    with pytest.raises(ModelError, match="temperature"):
        asyncio.run(ask(model))
    assert (sent(), model.temperature) == (tries, 0)


def test_a_temperature_that_someone_has_chosen_is_not_taken_back(refused):
    sent = refused("Unsupported value: 'temperature' does not support 0.7.", {0.7})
    model = load_model("openai:my-deployment")
    model.temperature = 0.7
    with pytest.raises(ModelError, match="temperature"):
        asyncio.run(ask(model))
    assert sent() == [0.7]


@pytest.mark.parametrize(("address", "asked"), [("", True), ("http://127.0.0.1:1/v1", None)])
def test_openai_is_asked_what_a_stream_costs_and_servers_that_may_not_know_are_not(monkeypatch, address, asked):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    assert load_model("openai:gpt-4o").stream_usage is asked

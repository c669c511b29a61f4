"""Parameters that are credentials: no model sees them, and their values come from the environment alone."""

import asyncio

import pytest

from tests.unit.http_server import Answer
from toolquiver.calling import CallError, perform
from toolquiver.calling.http import HttpCaller
from toolquiver.calling.perform import Limits
from toolquiver.catalog.openapi import Settings
from toolquiver.catalog.operation import HttpOperation

VALUE = "not-a-real-key-1234"


@pytest.fixture(autouse=True)
def _variables(monkeypatch):
    monkeypatch.setenv("A_KEY", VALUE)
    monkeypatch.setenv("A_TOKEN", "not-a-real-token")
    monkeypatch.delenv("MISSING", raising=False)


def parameter(name, place="query", *, text="", required=False, **schema):
    return {"name": name, "in": place, "description": text, "required": required, "schema": {"type": "string"} | schema}


def scheme(name, place="query"):
    return {"type": "apiKey", "name": name, "in": place}


def keys(api):
    return [(key.key, key.location, key.name) for key in HttpOperation.model_validate(api.binding).keys]


@pytest.mark.parametrize(
    "secret",
    [
        parameter("api_key"),
        parameter("apiKey"),
        parameter("X-API-Key", "header"),
        parameter("X-RapidAPI-Key", "header"),
        parameter("Ocp-Apim-Subscription-Key", "header"),
        parameter("access_token"),
        parameter("Authorization", "header"),
        parameter("pin", format="password"),
        parameter("key", text="Your API key."),
        parameter("appid", text="Your unique API key, from your account page"),
        parameter("token", "header", text="Authentication token bearing required scopes."),
    ],
    ids=lambda secret: secret["name"],
)
def test_a_credential_is_no_argument(api, secret):
    made = api({"parameters": [parameter("q"), secret]})
    assert list(made.parameters["properties"]) == ["q"]
    assert secret["name"] not in repr(made.parameters)
    assert keys(made) == [(secret["name"], secret["in"], secret["name"])]


@pytest.mark.parametrize(
    "plain",
    [
        parameter("key", text="The key of the entry."),
        parameter("token", text="Where the next page begins."),
        parameter("appid", text="The number of the game."),
        parameter("access_token", "path", required=True),
        parameter("password"),
        parameter("NextToken", format="password"),
        parameter("session", "cookie"),
    ],
    ids=lambda plain: plain["name"],
)
def test_what_only_could_be_a_credential_is_an_argument(api, plain):
    path = "/pets/{access_token}" if plain["in"] == "path" else "/pets"
    made = api({"parameters": [plain]}, path=path)
    assert list(made.parameters["properties"]) == [plain["name"]]
    assert keys(made) == []


def test_the_format_is_known_by_reference_and_in_version_2(api):
    schemas = {"Secret": {"type": "string", "format": "password"}}
    by_reference = parameter("pin") | {"schema": {"$ref": "#/components/schemas/Secret"}}
    assert keys(api({"parameters": [by_reference]}, components={"schemas": schemas})) == [("pin", "query", "pin")]
    in_2 = {"name": "pin", "in": "query", "type": "string", "format": "password"}
    assert keys(api({"parameters": [in_2]}, swagger="2.0")) == [("pin", "query", "pin")]


def test_what_the_document_calls_a_key_goes_by_its_name_there(api):
    schemes = {"Mine": scheme("key"), "Other": scheme("X-Other", "header"), "Broken": {"type": "apiKey"}}
    operation = {"parameters": [parameter("key"), parameter("x-other", "header"), parameter("key", "header")]}
    made = api(operation, components={"securitySchemes": schemes})
    assert list(made.parameters["properties"]) == ["key"]
    assert keys(made) == [("Mine", "query", "key"), ("Other", "header", "X-Other")]


def test_a_key_that_is_asked_for_anyway_is_not_asked_for_twice(api):
    components = {"securitySchemes": {"Mine": scheme("key"), "Bearer": {"type": "http", "scheme": "bearer"}}}
    operation = {
        "parameters": [parameter("key", required=True), parameter("Authorization", "header", required=True)],
        "security": [{"Mine": [], "Bearer": []}],
    }
    made = api(operation, components=components)
    assert made.parameters["properties"] == {}
    assert keys(made) == []


def test_the_user_says_what_is_a_credential_and_what_is_none(api):
    operation = {"parameters": [parameter("key"), parameter("api_key")]}
    settings = Settings(calling={"credentials": {"key": "A_KEY"}}, arguments=("api_key",))
    made = api(operation, settings=settings)
    assert list(made.parameters["properties"]) == ["api_key"]
    assert keys(made) == [("key", "query", "key")]


def call(server, made, arguments=None, **credentials):
    callers = {made.source: HttpCaller(server.settings(credentials=credentials))}
    return asyncio.run(perform(made, arguments or {}, callers, Limits()))


def test_its_value_is_sent_and_comes_back_nowhere(server, api):
    operation = {"parameters": [parameter("q"), parameter("api_key", required=True), parameter("X-Api-Key", "header")]}
    made = api(operation, servers=[{"url": server.url}])
    server.answer = lambda got: Answer(body=f"{got.path} {got.headers['x-api-key']}".encode())
    said = call(server, made, {"q": "a"}, api_key="A_KEY", **{"X-Api-Key": "A_TOKEN"})
    assert server.got[0].path == f"/pets?q=a&api_key={VALUE}"
    assert said.text == "/pets?q=a&api_key=[secret] [secret]"


def test_a_required_one_that_is_not_set_is_a_failure_before_anything_is_sent(server, api):
    made = api({"parameters": [parameter("api_key", required=True)]}, servers=[{"url": server.url}])
    unset = call(server, made, api_key="MISSING")
    assert (unset.kind, "Set MISSING in the environment" in unset.message) == ("unauthorized", True)
    unnamed = call(server, made)
    assert (unnamed.kind, "--credential api_key=NAME" in unnamed.message) == ("unauthorized", True)
    assert server.got == []


def test_an_optional_one_that_is_not_set_is_left_out(server, api):
    made = api({"parameters": [parameter("api_key")]}, servers=[{"url": server.url}])
    call(server, made)
    assert server.got[0].path == "/pets"


def test_a_model_cannot_give_one(server, api):
    made = api({"parameters": [parameter("api_key")]}, servers=[{"url": server.url}])
    refused = call(server, made, {"api_key": "made up"}, api_key="A_KEY")
    assert refused.kind == "invalid_arguments"
    assert VALUE not in refused.message
    with pytest.raises(CallError, match="is needed"):
        server.call(
            api({"parameters": [parameter("api_key", required=True)]}, servers=[{"url": server.url}]),
            {"api_key": "made up"},
        )
    assert server.got == []


def test_two_that_are_required_together_are_both_sent_though_the_document_gives_a_choice(server, api):
    components = {"securitySchemes": {"api_key": scheme("key"), "api_token": scheme("token")}}
    operation = {
        "parameters": [parameter("key", required=True), parameter("token", required=True)],
        "security": [{"api_key": []}, {"api_token": []}],
    }
    made = api(operation, components=components, servers=[{"url": server.url}])
    assert made.parameters["properties"] == {}
    call(server, made, api_key="A_KEY", api_token="A_TOKEN")
    assert server.got[0].path == f"/pets?key={VALUE}&token=not-a-real-token"
    assert "'api_token'" in call(server, made, api_key="A_KEY").message

"""Parameters that are credentials: no model sees them, and their values come from the environment alone."""

import asyncio
import json
from urllib.parse import parse_qsl

import pytest

from tests.support.http_server import Answer
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


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        ("master_password", True),
        ("newPassword2", True),
        ("x-amz-server-side-encryption-customer-key", True),
        ("sessionToken", True),
        ("x-amz-server-side-encryption-aws-kms-key-id", False),
        ("x-amz-server-side-encryption-context", False),
        ("secretArn", False),
        ("emailAddress", False),
        ("ClientRequestToken", False),
        ("paginationToken", False),
    ],
)
def test_the_format_counts_where_the_name_speaks_of_a_secret(api, name, hidden):
    """Documents of AWS give the format to all that a screen should not show: names, texts, the number of a key."""
    made = api({"parameters": [parameter(name, format="password")]})
    assert list(made.parameters["properties"]) == ([] if hidden else [name])
    assert len(keys(made)) == hidden


def body(properties, required=(), kind="application/json", **schema):
    described = {"type": "object", "properties": properties, "required": list(required)} | schema
    return {"requestBody": {"required": True, "content": {kind: {"schema": described}}}}


TEXT = {"type": "string"}
PLAIN = {
    "password": TEXT,
    "page_token": TEXT,
    "nextToken": TEXT | {"format": "password"},
    "max_tokens": {"type": "integer"},
    "token": TEXT | {"description": "The token used to validate payloads."},
    "key": TEXT | {"description": "The key of the entry."},
    "authorization": TEXT | {"description": "Number of the payment that was authorised."},
    "client_secret": {"type": "object", "description": "What the API gave."},
    "idempotency_key": TEXT,
}
SECRET = {
    "api_key": TEXT,
    "access_token": TEXT,
    "client_secret": TEXT,
    "refresh_token": TEXT,
    "user_password": TEXT | {"format": "password"},
    "token": TEXT | {"description": "Authentication token. Needs a scope."},
}
FORM = "application/x-www-form-urlencoded"
KINDS = [("application/json", "body"), (FORM, "form"), ("multipart/form-data", "form")]


@pytest.mark.parametrize(("kind", "place"), KINDS, ids=[kind for kind, _ in KINDS])
def test_credentials_in_a_body_are_no_arguments_and_what_is_none_is_one(api, kind, place):
    made = api(body({"q": TEXT} | SECRET, SECRET, kind), method="post")
    assert list(made.parameters["properties"]) == ["q"]
    assert "required" not in made.parameters
    assert keys(made) == [(name, place, name) for name in SECRET]
    kept = api(body(PLAIN, kind=kind), method="post")
    assert (list(kept.parameters["properties"]), keys(kept)) == (list(PLAIN), [])


def test_a_body_that_is_one_argument_is_without_them_too(api):
    operation = body({"id": TEXT, "api_key": TEXT}, ["id", "api_key"]) | {"parameters": [parameter("id")]}
    made = api(operation, method="post")
    assert made.parameters["properties"]["body"] == {"type": "object", "properties": {"id": TEXT}, "required": ["id"]}
    assert keys(made) == [("api_key", "body", "api_key")]


def test_a_key_of_the_security_schemes_does_not_go_into_a_body_of_its_name(api):
    components = {"securitySchemes": {"api_key": scheme("X-Key", "header"), "token": scheme("X-Token", "header")}}
    settings = Settings(calling={"credentials": {"api_key": "A_KEY", "token": "A_TOKEN"}})
    made = api(body({"api_key": TEXT, "token": TEXT}), method="post", settings=settings, components=components)
    assert list(made.parameters["properties"]) == ["token"]
    assert keys(made) == [("body_api_key", "body", "api_key")]


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


@pytest.mark.parametrize(("kind", "place"), KINDS, ids=[kind for kind, _ in KINDS])
def test_its_value_is_sent_in_a_body_and_comes_back_nowhere(server, api, kind, place):
    operation = body({"q": TEXT, "api_key": TEXT, "access_token": TEXT}, ["api_key"], kind)
    made = api(operation, method="post", servers=[{"url": server.url}])
    server.answer = lambda got: Answer(body=got.body)
    said = call(server, made, {"q": "a"}, api_key="A_KEY")
    assert VALUE.encode() in server.got[0].body
    assert b"access_token" not in server.got[0].body
    assert "[secret]" in said.text
    assert VALUE not in said.text
    assert call(server, made, {"q": "a"}).kind == "unauthorized"
    assert call(server, made, {"q": "a", "api_key": "made up"}, api_key="A_KEY").kind == "invalid_arguments"
    assert len(server.got) == 1


def test_nor_can_a_model_put_one_into_a_body_that_is_one_argument(server, api):
    operation = body({"id": TEXT, "api_key": TEXT}) | {"parameters": [parameter("id")]}
    made = api(operation, method="post", servers=[{"url": server.url}])
    arguments = {"id": "1", "body": {"id": "2", "api_key": "made up"}}
    call(server, made, arguments)
    call(server, made, arguments, api_key="A_KEY")
    assert [got.body for got in server.got] == [b'{"id":"2"}', f'{{"id":"2","api_key":"{VALUE}"}}'.encode()]


def test_a_body_with_one_goes_to_no_other_host(server, api):
    made = api(body({"q": TEXT, "api_key": TEXT}), method="post", servers=[{"url": server.url}])
    server.answers(Answer(307, {"Location": f"http://localhost:{server.port}/pets"}))
    callers = {
        made.source: HttpCaller(server.settings(credentials={"api_key": "A_KEY"}, hosts=("127.0.0.1", "localhost")))
    }
    refused = asyncio.run(perform(made, {"q": "a"}, callers, Limits(retries=0)))
    assert (refused.kind, "credential in the body" in refused.message) == ("blocked", True)
    assert len(server.got) == 1


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


DEEP = {
    "name": TEXT,
    "auth": {
        "type": "object",
        "properties": {"client_secret": TEXT, "realm": TEXT, "next_token": TEXT},
        "required": ["client_secret", "realm"],
    },
    "hooks": {"type": "array", "items": {"$ref": "#/components/schemas/Hook"}},
}
HOOK = {
    "type": "object",
    "required": ["url", "api_key"],
    "properties": {"url": TEXT, "api_key": TEXT, "next": {"$ref": "#/components/schemas/Hook"}},
}


def deep(api, kind="application/json", **more):
    return api(body(DEEP, ["auth"], kind), method="post", components={"schemas": {"Hook": HOOK}}, **more)


@pytest.mark.parametrize(("kind", "place"), KINDS, ids=[kind for kind, _ in KINDS])
def test_credentials_deeper_in_a_body_are_not_shown_either(api, kind, place):
    made = deep(api, kind)
    assert "client_secret" not in repr(made.parameters)
    assert "api_key" not in repr(made.parameters)
    auth = made.parameters["properties"]["auth"]
    assert (list(auth["properties"]), auth["required"]) == (["realm", "next_token"], ["realm"])
    found = HttpOperation.model_validate(made.binding).keys
    assert {key.location for key in found} == {place}
    assert [(key.key, key.path, key.required) for key in found][:2] == [
        ("auth.client_secret", ("auth",), True),
        ("hooks[].api_key", ("hooks", "[]"), False),
    ]
    assert "hooks[].next.api_key" in [key.key for key in found]


def test_they_are_not_shown_where_there_is_a_choice_nor_far_down(api):
    one_of = {"oneOf": [{"type": "object", "properties": {"api_key": TEXT, "q": TEXT}}, TEXT]}
    far = {"client_secret": TEXT, "q": TEXT}
    for name in "abcdefgh":
        far = {name: {"type": "object", "properties": far}}
    extended = {"allOf": [{"$ref": "#/components/schemas/Hook"}, {"required": ["api_key"]}]}
    schemas = {"schemas": {"Hook": HOOK}}
    made = api(
        body({"one": one_of, "far": {"type": "object", "properties": far}, "more": extended}),
        method="post",
        components=schemas,
    )
    assert not [word for word in ("api_key", "client_secret") if word in repr(made.parameters)]
    assert {"one.api_key", "more.api_key"} <= {key.key for key in HttpOperation.model_validate(made.binding).keys}


def test_what_the_user_calls_an_argument_is_shown_however_deep(api):
    made = deep(api, settings=Settings(arguments=("client_secret",)))
    assert "client_secret" in made.parameters["properties"]["auth"]["properties"]
    assert "auth.client_secret" not in [key.key for key in HttpOperation.model_validate(made.binding).keys]


def test_the_value_of_a_deep_one_is_sent_where_it_belongs_and_a_made_up_one_is_not(server, api):
    made = deep(api, servers=[{"url": server.url}])
    server.answer = lambda got: Answer(body=got.body)
    arguments = {
        "auth": {"realm": "r", "client_secret": "made up"},
        "hooks": [{"url": "u", "api_key": "made up"}, {"url": "v", "next": {"url": "w"}}],
    }
    said = call(server, made, arguments, **{"auth.client_secret": "A_KEY", "hooks[].api_key": "A_TOKEN"})
    assert json.loads(server.got[0].body) == {
        "auth": {"realm": "r", "client_secret": VALUE},
        "hooks": [
            {"url": "u", "api_key": "not-a-real-token"},
            {"url": "v", "api_key": "not-a-real-token", "next": {"url": "w"}},
        ],
    }
    assert VALUE not in said.text
    assert "not-a-real-token" not in said.text
    call(server, made, {"auth": {"realm": "r"}}, **{"auth.client_secret": "A_KEY"})
    assert json.loads(server.got[1].body) == {"auth": {"realm": "r", "client_secret": VALUE}}
    unset = call(server, made, arguments)
    assert (unset.kind, "--credential auth.client_secret=NAME" in unset.message) == ("unauthorized", True)
    assert len(server.got) == 2


def test_a_deep_one_is_sent_in_a_form_and_in_a_body_that_is_one_argument(server, api):
    made = deep(api, FORM, servers=[{"url": server.url}])
    call(server, made, {"auth": {"realm": "r"}}, **{"auth.client_secret": "A_KEY"})
    ((name, value),) = parse_qsl(server.got[0].body.decode())
    assert (name, json.loads(value)) == ("auth", {"realm": "r", "client_secret": VALUE})
    inner = {"type": "object", "properties": {"api_key": TEXT, "q": TEXT}}
    operation = body({"id": TEXT, "auth": inner}) | {"parameters": [parameter("id")]}
    made = api(operation, method="post", servers=[{"url": server.url}])
    assert "api_key" not in repr(made.parameters)
    call(server, made, {"id": "1", "body": {"id": "2"}}, **{"auth.api_key": "A_KEY"})
    call(server, made, {"id": "1", "body": {"id": "2", "auth": {"q": "x", "api_key": "made up"}}})
    assert [json.loads(got.body) for got in server.got[1:]] == [
        {"id": "2", "auth": {"api_key": VALUE}},
        {"id": "2", "auth": {"q": "x"}},
    ]

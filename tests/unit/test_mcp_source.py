"""The settings of an MCP server."""

import pytest
from pydantic import ValidationError

from toolquiver.calling.mcp import McpSource


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "give a command or a url"),
        ({"command": "server", "url": "https://example.com"}, "give a command or a url"),
        ({"command": "server", "bearer": "TOKEN"}, "are for a url"),
        ({"command": "server", "headers": {"X-Key": "KEY"}}, "are for a url"),
        ({"command": "server", "query": {"key": "KEY"}}, "are for a url"),
        ({"command": "server", "requests_per_second": 5}, "is for a url"),
        ({"url": "https://example.com", "secrets": ["KEY"]}, "are for a command"),
        ({"url": "https://example.com", "args": ["-v"]}, "are for a command"),
        ({"url": "ftp://example.com"}, "must begin with http"),
        ({"url": "https:///mcp"}, "name a host"),
        ({"url": "https://user:password@example.com"}, "must not carry a password"),
        ({"url": "https://example.com?tavilyApiKey=sk-secret"}, "--credential tavilyApiKey=VARIABLE"),
        ({"url": "https://example.com?a=1&code=sk-secret-0123456789"}, "Write code= there without its value"),
        ({"url": "https://example.com?token"}, "--credential token=VARIABLE"),
        ({"url": "https://example.com?a=1&b", "query": {"a": "KEY"}}, "query names 'a', which must stand"),
        ({"url": "https://example.com", "headers": {"X Key": "KEY"}}, "headers"),
        ({"command": "server", "max_bytes": 0}, "max_bytes"),
        ({"command": "server", "timeout": 3}, "timeout"),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings, message):
    with pytest.raises(ValidationError, match=message) as caught:
        McpSource(**settings)
    assert not any(secret in str(caught.value) for secret in ("password@", "sk-secret"))


def test_what_is_no_credential_may_stand_in_the_query():
    url = "https://example.com?project_ref=abc&read_only=true&pageToken=7&login&apiKey="
    assert McpSource(url=url, query={"apiKey": "KEY", "login": "NAME"}).url == url


def test_a_secret_in_place_of_a_variable_is_not_repeated():
    with pytest.raises(ValidationError) as caught:
        McpSource(command="server", secrets=("sk-secret-4711",))
    assert "sk-secret" not in str(caught.value)


def test_a_server_is_called_by_its_host_or_its_command():
    assert McpSource(url="https://example.com:8443/mcp?x=1").label == "example.com:8443"
    assert McpSource(command="/usr/bin/npx", args=("--token", "x")).label == "npx"

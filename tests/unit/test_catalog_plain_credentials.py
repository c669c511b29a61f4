"""Credentials that stand in the command of an MCP server."""

import shlex

import pytest

from toolquiver.catalog.plain_credentials import keys_in, told_in


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("npx -y server --api-key sk-1", "--api-key"),
        ("npx server --figma-api-key=sk-1 --stdio", "--figma-api-key"),
        ("server -v --password 'two words'", "--password"),
        ("sh -c 'server --token \"sk-1\"'", "--token"),
        ("docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN=sk-1 server", "GITHUB_PERSONAL_ACCESS_TOKEN"),
        ("env 'X_SECRET=sk-1' server", "X_SECRET"),
        ("API_KEY=sk-1 server", "API_KEY"),
        ("npx mcp-remote https://mcp.test/?plan=free&tavilyApiKey=sk-1", "tavilyApiKey"),
        ("npx mcp-remote https://mcp.test --header 'Authorization: Bearer sk-1'", "Authorization"),
        ("npx mcp-remote https://mcp.test --header 'X-API-Key: abc123'", "X-API-Key"),
        ("npx mcp-remote https://mcp.test --header Authorization:abc123", "Authorization"),
        ("server 'Server=x;Password=abc;'", "Password"),
        ("npx server postgresql://admin:hunter2@db/app", "password"),
        ("server --password letmein", "--password"),
        (f"server {'one-' * 20_000} --token sk-1", "--token"),
    ],
)
def test_a_credential_in_a_command_is_found(command, name):
    assert told_in(shlex.split(command)) == name


@pytest.mark.parametrize(
    "command",
    [
        "server",
        "docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/acme/auth:latest",
        "sh -c 'server --api-key \"$KEY\" --token=${TOKEN}'",
        "npx mcp-remote https://mcp.test --header 'Authorization: Bearer ${TOKEN}'",
        "npx mcp-remote https://mcp.test/?tavilyApiKey= --header Authorization:${TOKEN}",
        "server --no-auth main.py --auth oauth --use-token --verbose",
        "server --password-file /run/secrets/pw --secrets-file s.json --private-key /etc/k --tls-key server.key",
        "server --sort-key date --primary-key id --max-token 100 --bypass 1 https://mcp.test:8080/a",
        "npx server postgresql://admin:${PASSWORD}@db/app",
        "server --token-file /etc/token --max-tokens 100 --local-timezone Europe/Rome",
    ],
)
def test_what_only_speaks_of_one_is_none(command):
    assert told_in(shlex.split(command)) == ""


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ("apiKey=sk-1&plan=free", ["apiKey"]),
        ("code=DE&monkey=1&author_compass=1&read_only=true", []),
        ("code=0123456789abcdef0123&sig=", ["code", "sig"]),
        ("access_token=&k=1", ["access_token"]),
    ],
)
def test_keys_of_a_url_are_known_by_their_names(query, keys):
    assert keys_in(f"https://mcp.test/?{query}") == keys

"""Credentials that stand in the command of an MCP server."""

import shlex

import pytest

from toolquiver.calling.mcp.openly import told_in


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
        "server --token-file /etc/token --max-tokens 100 --local-timezone Europe/Rome",
    ],
)
def test_what_only_speaks_of_one_is_none(command):
    assert told_in(shlex.split(command)) == ""

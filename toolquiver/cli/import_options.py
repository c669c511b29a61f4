"""What the options of `toolquiver catalog import` say of a source, and which of them fit which kind."""

from typing import Any

from pydantic import ValidationError

from toolquiver.calling.http import HttpSource
from toolquiver.catalog.importing import Kind
from toolquiver.errors import InputError

_FIT: dict[Kind, frozenset[str]] = {
    "openapi": frozenset(
        {"server", "base", "variable", "credential", "host", "private-host", "argument", "skip-broken"}
    ),
    "mcp": frozenset({"credential", "private-host", "secret", "trust-annotations"}),
    "toolbench": frozenset(),
    "langchain": frozenset(),
}
"""The options of single kinds; name, category and tool are everyone's."""


def refuse_unfit(kind: Kind, given: dict[str, Any]) -> None:
    """Refuse options, of those given by name, that mean nothing for a source of this kind.

    Raises:
        InputError: there is one.
    """
    for name, value in given.items():
        if value and name not in _FIT[kind]:
            raise InputError(f"--{name} says nothing about a source of the kind {kind}. Leave it out, or set --kind.")


def http_settings(credentials: list[str] | None, hosts: list[str] | None, private: list[str] | None) -> dict[str, Any]:
    """How the APIs are called, as it is kept: names of environment variables, never what they hold.

    Raises:
        InputError: something does not fit.
    """
    named = {key: value.split(",") for key, value in pairs(credentials, "--credential").items()}
    given: dict[str, Any] = {
        "credentials": {key: names if len(names) > 1 else names[0] for key, names in named.items()},
        "hosts": hosts or [],
        "private_hosts": private or [],
    }
    try:
        return HttpSource.model_validate(given).model_dump(mode="json", exclude_defaults=True)
    except ValidationError as error:
        raise InputError("--credential names a credential and an environment variable: KEY=VARIABLE.") from error


def mcp_settings(
    credentials: list[str] | None, secrets: list[str] | None, private: list[str] | None, *, trusted: bool = False
) -> dict[str, Any]:
    """What was said of an MCP server: for a URL `bearer` or headers by variable, for a command variables."""
    headers = pairs(credentials, "--credential")
    bearer = headers.pop("bearer", None)
    given = {
        "headers": headers,
        "bearer": bearer,
        "secrets": secrets,
        "private_hosts": private,
        "trust_annotations": trusted,
    }
    return {name: value for name, value in given.items() if value}


def pairs(given: list[str] | None, option: str) -> dict[str, str]:
    """What is written NAME=VALUE, by name.

    Raises:
        InputError: something is not written so.
    """
    parts = [text.partition("=") for text in given or ()]
    for name, equals, _ in parts:
        if not (name and equals):
            raise InputError(f"{option} {name!r} is not written NAME=VALUE. Write it so.")
    return {name: value for name, _, value in parts}

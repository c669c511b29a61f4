"""What the options of `toolquiver catalog import` say of a source, and which of them fit which kind."""

import ssl
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from toolquiver.calling.http import HttpSource
from toolquiver.catalog.importing import Kind
from toolquiver.errors import InputError

_CALLED = frozenset(
    {
        "credential",
        "private-host",
        "requests-per-second",
        "max-bytes",
        "connect-timeout",
        "read-timeout",
        "certificates",
    }
)
_FIT: dict[Kind, frozenset[str]] = {
    "openapi": _CALLED | {"server", "base", "variable", "host", "argument", "skip-broken"},
    "mcp": _CALLED | {"secret", "trust-annotations", "skip-broken"},
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


class Bounds(NamedTuple):
    """How fast a source is asked, how much is read of an answer, how long it is waited for, and who is trusted."""

    requests_per_second: float | None
    max_bytes: int | None
    connect_timeout: float | None
    read_timeout: float | None
    certificates: Path | None

    def given(self) -> dict[str, Any]:
        """Those that were given, by name, as a source keeps them.

        Raises:
            InputError: the certificates cannot be used.
        """
        found = {name: value for name, value in self._asdict().items() if value is not None}
        if self.certificates:
            try:
                ssl.create_default_context(cafile=self.certificates)
            except OSError as error:
                raise InputError(
                    f"--certificates {str(self.certificates)!r} cannot be used ({error.strerror or error}). Name a PEM "
                    "file of the authorities to trust."
                ) from error
            found["certificates"] = str(self.certificates.resolve())  # calls may be made in another folder
        return found


def http_settings(
    credentials: list[str] | None, hosts: list[str] | None, private: list[str] | None, bounds: Bounds
) -> dict[str, Any]:
    """How the APIs are called, as it is kept: names of environment variables, never what they hold.

    Raises:
        InputError: something does not fit.
    """
    named = {key: value.split(",") for key, value in pairs(credentials, "--credential").items()}
    said = {
        "credentials": {key: names if len(names) > 1 else names[0] for key, names in named.items()},
        "hosts": hosts,
        "private_hosts": private,
    }
    given = {name: value for name, value in said.items() if value} | bounds.given()
    try:
        return HttpSource.model_validate(given).model_dump(mode="json", exclude_unset=True)
    except ValidationError as error:
        raise InputError("--credential names a credential and an environment variable: KEY=VARIABLE.") from error


def mcp_settings(
    credentials: list[str] | None,
    secrets: list[str] | None,
    private: list[str] | None,
    bounds: Bounds,
    *,
    trusted: bool = False,
) -> dict[str, Any]:
    """What was said of an MCP server: for a URL `bearer` or headers by variable, for a command variables.

    Raises:
        InputError: something does not fit.
    """
    headers = pairs(credentials, "--credential")
    bearer = headers.pop("bearer", None)
    given = {
        "headers": headers,
        "bearer": bearer,
        "secrets": secrets,
        "private_hosts": private,
        "trust_annotations": trusted,
    }
    return {name: value for name, value in given.items() if value} | bounds.given()


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

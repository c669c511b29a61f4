"""How the APIs of one source may be called over HTTP: the settings that the user writes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Variable = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
"""The name of an environment variable."""


class HttpSource(BaseModel):
    """The settings of one source.

    `server` stands in for the server that the document names. `hosts` are the only hosts that may be asked, a name,
    an address, either with `:port`, or `*.name` for all below; without any, only the server and, for OAuth 2, where
    the tokens are. `private_hosts` are those that may be on this machine or in a private network.

    `credentials` names, for each credential's key in the document, the environment variable that holds it: the API
    key, the token, or `user:password`. A pair names two: user and password, or an OAuth 2 client's id and secret. They
    are read when a request is built.

    `certificates` is a PEM file of authorities to trust instead of the usual ones. Of an answer at most `max_bytes`
    are read. Times are in seconds; proxies are not used, for the guard could not see where they connect to.
    """

    # A secret that was put where a variable's name belongs must not come back in the error.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    server: str = ""
    hosts: tuple[str, ...] = ()
    private_hosts: tuple[str, ...] = ()
    credentials: dict[str, Variable | tuple[Variable, Variable]] = Field(default_factory=dict)
    certificates: Path | None = None
    max_bytes: int = Field(default=5_000_000, ge=1)
    requests_per_second: float = Field(default=10.0, gt=0)
    connect_timeout: float = Field(default=10.0, gt=0)
    read_timeout: float = Field(default=30.0, gt=0)

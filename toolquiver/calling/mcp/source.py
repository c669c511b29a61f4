"""How one MCP server is reached: the settings that the user writes."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from toolquiver.calling.http.source import Variable
from toolquiver.catalog.plain_credentials import blanks, keys_in

HeaderName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")]


class McpSource(BaseModel):
    """The settings of one server: a `command` that is started here, or the `url` of streamable HTTP.

    The command gets `args`, runs in `directory` where that is there, and sees of the environment only PATH, HOME
    and the like, besides the variables that `environment` and `secrets` name. What the variables of `secrets` hold is
    hidden in everything that comes back. Over HTTP, `headers` names for each header the variable that holds its value,
    `query` the same for parameters that stand in the URL without one (`?key=`), `bearer` the variable that holds the
    token; `private_hosts` are those that may be on this machine or in a private network, `certificates` is a PEM file
    of authorities to trust instead of the usual ones, and of calls there are at most `requests_per_second`.

    A server's annotations are hints that anyone can write: only with `trust_annotations` they give its tools their
    effects. A tool that reads is called without the approval of writes, and again after a failure that may pass.

    Of one message at most `max_bytes` are read. Times are in seconds; `connect_timeout` is for starting the server
    and agreeing with it, which takes long for a command that is downloaded first.
    """

    # A secret that was put where a variable's name belongs must not come back in the error.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    command: str = ""
    args: tuple[str, ...] = ()
    directory: Path | None = None
    environment: tuple[Variable, ...] = ()
    secrets: tuple[Variable, ...] = ()
    url: str = ""
    headers: dict[HeaderName, Variable] = Field(default_factory=dict)
    query: dict[str, Variable] = Field(default_factory=dict)
    bearer: Variable | None = None
    private_hosts: tuple[str, ...] = ()
    certificates: Path | None = None
    trust_annotations: bool = False
    max_bytes: int = Field(default=5_000_000, ge=1)
    requests_per_second: float = Field(default=10.0, gt=0)
    connect_timeout: float = Field(default=60.0, gt=0)
    read_timeout: float = Field(default=30.0, gt=0)

    @model_validator(mode="after")
    def _is_one_server(self) -> Self:
        if bool(self.command) == bool(self.url):
            raise ValueError("give a command or a url, not both")
        if self.command and any((self.headers, self.query, self.bearer, self.private_hosts, self.certificates)):
            raise ValueError(
                "headers, query, bearer, private_hosts and certificates are for a url; name variables in secrets"
            )
        if self.command and "requests_per_second" in self.model_fields_set:
            raise ValueError("requests_per_second is for a url; a command is this machine's own")
        if self.url and (self.args or self.directory or self.environment or self.secrets):
            raise ValueError("args, directory, environment and secrets are for a command; name variables in headers")
        if self.url:
            _check_address(self.url)
            _check_query(self.url, self.query)
        return self

    @property
    def label(self) -> str:
        """The server in messages: its host, or its command without the arguments."""
        return urlsplit(self.url).netloc if self.url else Path(self.command).name


def _check_address(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("url must begin with http:// or https:// and name a host")
    if "@" in parts.netloc:
        raise ValueError("url must not carry a password; name the variable that holds it in headers or bearer")


def _check_query(url: str, variables: Collection[str]) -> None:
    """Refuse credentials that stand openly in the query: it is kept, shown and logged."""
    empty = blanks(url)
    for name in variables:
        if name not in empty:
            raise ValueError(f"query names {name!r}, which must stand in the url without a value: ?{name}=")
    for name in keys_in(url):
        if name not in empty.intersection(variables):
            raise ValueError(
                f"{name} in the url is a credential. Write {name}= there without its value, and name the variable that"
                f" holds it: `--credential {name}=VARIABLE`, or the setting query"
            )

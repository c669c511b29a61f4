"""How the APIs of one source may be called over HTTP: the settings that the user writes."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

_LONG = 30  # characters
_ISSUED = re.compile(  # how GitHub, Stripe, OpenAI, Slack, Google, AWS, Hugging Face, npm and Shopify begin their keys
    r"gh[pousr]_|github_pat_|[rs]k_(?:live_|test_|\w{16})|xox[a-z]|AIza|A[KS]IA[A-Z0-9]{16}$|hf_[A-Za-z]{20}|npm_[A-Za-z0-9]{20}|shp[a-z]{2}_"
)
_RANDOM = re.compile(r"(?=[^_]*[a-z])(?=[^_]*[0-9])[^_]{16}")


def _no_secret(name: str) -> str:
    is_secret = _ISSUED.match(name) or (len(name) >= _LONG and _RANDOM.search(name))
    if is_secret and name not in os.environ:
        raise ValueError("this looks like a secret itself; name the environment variable that holds it")
    return name


Variable = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$"), AfterValidator(_no_secret)]
"""The name of an environment variable; what looks like a secret is one only where such a variable is set."""


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

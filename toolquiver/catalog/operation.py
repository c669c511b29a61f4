"""How an API is called over HTTP: which server, where each argument goes, which credentials.

Plain data, stored beside the API as its `binding`; importers write it, the HTTP caller reads it.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Location = Literal["path", "query", "header", "cookie", "body", "form", "file"]
"""`body`: the whole body, or a member of a JSON body; `form`: a field of a form; `file`: a file part of one."""

Style = Literal["simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited", "deepObject", "tabDelimited"]
"""How arrays and objects are written, in the words of OpenAPI 3; `tabDelimited` is the `tsv` of 2.0."""


class Placement(BaseModel):
    """Where one argument goes.

    `argument` is the name among the API's parameters, `name` the one on the wire; "" is the whole body, or in `query`
    the whole query. `media_type` is that of a parameter, part or file which is serialised by itself (such as
    `application/json`), else "".
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    argument: str
    name: str
    location: Location
    style: Style = "form"
    explode: bool = True
    allow_reserved: bool = False
    media_type: str = ""


class Credential(BaseModel):
    """One thing that a server asks for before it answers. Only how it is sent: the secret is never stored.

    `key` is the name that the document gives it. For `api_key`, `name` in `location` carries it; for `oauth2`,
    a token is fetched from `token_url` with the client's credentials. `other` is a kind that cannot be sent.
    `required`, and a `location` in the body, are meant for the `keys` of an operation; there `path` are the members
    that lead to it from the body's top, `[]` for each of a list.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    kind: Literal["api_key", "basic", "bearer", "oauth2", "other"]
    name: str = ""
    location: Literal["", "header", "query", "cookie", "body", "form"] = ""
    path: tuple[str, ...] = ()
    token_url: str = ""
    scopes: tuple[str, ...] = ()
    required: bool = True


class HttpOperation(BaseModel):
    """One operation of an HTTP API.

    `server` is a URL without the path's template, `path` the template with `{name}` for path arguments.
    `credentials` are alternatives, the first that can be met is taken; each needs all of its members. None at all,
    or an empty alternative, needs nothing. `keys` are parameters, or members of the body, that are credentials: each
    is sent beside the alternative when it is set, and without a required one nothing is.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    server: str
    path: str
    method: str
    placements: tuple[Placement, ...] = ()
    body_media_type: str = ""
    credentials: tuple[tuple[Credential, ...], ...] = ()
    keys: tuple[Credential, ...] = ()

"""What may be said about an OpenAPI document when it is imported."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Settings(BaseModel):
    """What overrides a document. Kept beside the catalogue, so that the import can be repeated: no secrets.

    `category` and `tool` replace the document's title and the operations' tags, `server` is the URL of all operations,
    `base` the URL that relative servers are relative to, `variables` the values of variables in the servers' URLs.
    `calling` says how the APIs are called, in the words of `toolquiver.calling.http.HttpSource`; a parameter that goes
    by the key of one of its `credentials` is one. `arguments` names parameters that look like credentials and are not.
    With `skip_broken` operations that the document breaks are left out, and the descriptions of answers that it breaks.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    category: str = ""
    tool: str = ""
    server: str = ""
    base: str = ""
    variables: dict[str, str] = Field(default_factory=dict)
    calling: dict[str, Any] = Field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    skip_broken: bool = False

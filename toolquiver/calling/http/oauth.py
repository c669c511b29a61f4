"""Tokens by OAuth 2's client credentials (RFC 6749, 4.4), kept until shortly before they expire."""

from __future__ import annotations

import base64
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import quote_plus, urlencode

from pydantic import BaseModel, ConfigDict, ValidationError

from toolquiver.calling.http.credentials import Held, Keys
from toolquiver.calling.http.exchange import Reply
from toolquiver.calling.http.request import Outgoing, address
from toolquiver.calling.outcome import CallError

_MARGIN = 30.0  # seconds before its end a token is not used any more
_USUAL_LIFE = 300.0  # of a token that does not say

Send = Callable[[Outgoing, Keys], Awaitable[Reply]]
"""Sends a request and gives the reply, whatever its status."""


class _Granted(BaseModel):
    model_config = ConfigDict(hide_input_in_errors=True)

    access_token: str
    expires_in: float | None = None


@dataclass
class Tokens:
    """The tokens of one source."""

    clock: Callable[[], float] = time.monotonic
    _kept: dict[tuple[str, ...], tuple[str, float]] = field(default_factory=dict, repr=False)

    async def token(self, held: Held, keys: Keys, send: Send) -> str:
        """A token for the client whose id and secret are held, a kept one as long as it lasts.

        `keys` learns what must be hidden.

        Raises:
            CallError: `unauthorized`, when the server grants none; else as `send` does.
        """
        name = _name(held)
        token, end = self._kept.get(name, ("", 0.0))
        if not token or end <= self.clock():
            granted = await self._fetch(held, keys, send)
            token = granted.access_token
            life = granted.expires_in or _USUAL_LIFE
            self._kept[name] = (token, self.clock() + life - min(_MARGIN, life / 2))
        keys.secrets.add(token)
        return token

    def forget(self, held: Held) -> bool:
        """Fetch anew next time; whether there was something to forget."""
        return self._kept.pop(_name(held), None) is not None

    async def _fetch(self, held: Held, keys: Keys, send: Send) -> _Granted:
        client, secret = held.values
        # The id and the secret are encoded before they are joined (RFC 6749, 2.3.1).
        pair = base64.b64encode(f"{quote_plus(client)}:{quote_plus(secret)}".encode()).decode()
        keys.secrets.update({secret, pair})
        form = {"grant_type": "client_credentials", "scope": " ".join(held.credential.scopes)}
        url = address(held.credential.token_url)
        asked = Outgoing(
            method="POST",
            url=url,
            content=urlencode({name: value for name, value in form.items() if value}).encode(),
            content_type="application/x-www-form-urlencoded",
        )
        reply = await send(asked, Keys(headers=[("Authorization", f"Basic {pair}")], secrets=keys.secrets))
        try:
            granted = _Granted.model_validate_json(reply.content)
        except ValidationError:
            raise CallError(
                "unauthorized",
                f"{url.host} grants no token for {held.credential.key!r} (status {reply.status})."
                " Check the client's id and secret.",
            ) from None
        return granted


def _name(held: Held) -> tuple[str, ...]:
    return (held.credential.token_url, *held.credential.scopes, *held.values)

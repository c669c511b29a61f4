"""Tokens by OAuth 2's client credentials (RFC 6749, 4.4), kept until shortly before they expire.

A client shows its id and secret as HTTP Basic, which every server must take; one that does not is asked once more with
both in the form (2.3.1), and from then on so.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import quote_plus, urlencode

from pydantic import BaseModel, ConfigDict, ValidationError

from toolquiver.calling.http.answer import parsed
from toolquiver.calling.http.credentials import Held, Keys
from toolquiver.calling.http.exchange import Reply
from toolquiver.calling.http.request import Outgoing, address
from toolquiver.calling.outcome import CallError

_MARGIN = 30.0  # seconds before its end a token is not used any more
_USUAL_LIFE = 300.0  # of a token that does not say
_REFUSED = {400, 401}
_NOT_KNOWN = {"invalid_client", "invalid_request"}  # what servers say that have not seen who asks

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
    _in_form: set[str] = field(default_factory=set, repr=False)  # the places that want id and secret there

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
        place = held.credential.token_url
        reply = await send(*_asked(held, keys, in_form=place in self._in_form))
        if place not in self._in_form and _not_known(reply):
            again = await send(*_asked(held, keys, in_form=True))
            if granted := _grant_in(again):
                self._in_form.add(place)
                return granted
        if granted := _grant_in(reply):
            return granted
        raise CallError(
            "unauthorized",
            f"{address(place).host} grants no token for {held.credential.key!r} (status {reply.status})."
            " Check the client's id and secret.",
        )


def _asked(held: Held, keys: Keys, *, in_form: bool) -> tuple[Outgoing, Keys]:
    """The request for a token, with the client's id and secret as HTTP Basic or in the form, never both."""
    client, secret = held.values
    # The id and the secret are encoded before they are joined (RFC 6749, 2.3.1).
    pair = base64.b64encode(f"{quote_plus(client)}:{quote_plus(secret)}".encode()).decode()
    keys.secrets.update({secret, pair})
    form = {"grant_type": "client_credentials", "scope": " ".join(held.credential.scopes)}
    if in_form:
        form |= {"client_id": client, "client_secret": secret}
    asked = Outgoing(
        method="POST",
        url=address(held.credential.token_url),
        content=urlencode({name: value for name, value in form.items() if value}).encode(),
        content_type="application/x-www-form-urlencoded",
        is_secret=in_form,
    )
    return asked, Keys(headers=[] if in_form else [("Authorization", f"Basic {pair}")], secrets=keys.secrets)


def _grant_in(reply: Reply) -> _Granted | None:
    try:
        return _Granted.model_validate_json(reply.content)
    except ValidationError:
        return None


def _not_known(reply: Reply) -> bool:
    """Whether the server has not seen the client, or not who it is."""
    if reply.status not in _REFUSED:
        return False
    told = parsed(reply)
    return isinstance(told, dict) and str(told.get("error")) in _NOT_KNOWN


def _name(held: Held) -> tuple[str, ...]:
    return (held.credential.token_url, *held.credential.scopes, *held.values)

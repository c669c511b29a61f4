"""Calling the APIs of one source over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import httpx
from pydantic import ValidationError

from toolquiver.calling.guard import Guard, Resolver, look_up, place_of
from toolquiver.calling.http.answer import answer
from toolquiver.calling.http.connections import Connections
from toolquiver.calling.http.credentials import Held, Keys, add, beside, held, in_body
from toolquiver.calling.http.exchange import Exchange, Reply
from toolquiver.calling.http.failures import failure
from toolquiver.calling.http.oauth import Tokens
from toolquiver.calling.http.pace import Pace
from toolquiver.calling.http.request import Outgoing, address, outgoing
from toolquiver.calling.http.source import HttpSource
from toolquiver.calling.outcome import CallError, Observation
from toolquiver.catalog.operation import HttpOperation
from toolquiver.catalog.records import API


class HttpCaller:
    """Calls the APIs whose binding is an `HttpOperation`, by the settings of their source.

    Connections are kept open as long as the caller lives, and the event loop that they were made in. Callers that
    share a `pace` ask no host faster together than one alone would. `resolve` looks host names up.
    """

    def __init__(
        self, source: HttpSource | None = None, *, pace: Pace | None = None, resolve: Resolver = look_up
    ) -> None:
        self._source = source or HttpSource()
        self._pace = pace or Pace()
        self._tokens = Tokens()
        guard = Guard(private_hosts=self._source.private_hosts, resolve=resolve)
        self._connections = Connections(guard, self._source.certificates)

    async def call(self, api: API, arguments: dict[str, Any]) -> Observation:
        """Send the request and read the answer; secrets are hidden in both answers and failures.

        Raises:
            CallError: the call failed.
        """
        keys = Keys()
        try:
            text = await self._answer(api, arguments, keys)
        except CallError as error:
            failed = error
        else:
            return Observation(text=keys.hide(text))
        # Raised here, so that the error it stems from, which may hold a secret, does not hang on it.
        raise CallError(failed.kind, keys.hide(str(failed)), retry_after=failed.retry_after)

    async def aclose(self) -> None:
        """Close the connections that were made in the running event loop."""
        await self._connections.aclose()

    async def _answer(self, api: API, arguments: dict[str, Any], keys: Keys) -> str:
        operation = _operation(api)
        found = held(operation.credentials, self._source)
        found += [one for one in beside(operation.keys, self._source) if one not in found]
        inside = in_body(found)
        keys.secrets.update(value for _, value in inside)
        request = outgoing(operation, api, arguments, self._source.server, inside)
        exchange = Exchange(
            transport=await self._connections.transport(),
            source=self._source,
            hosts=self._source.hosts or tuple(_own_hosts(request, found)),
            pace=self._pace,
        )
        reply = await self._sent(exchange, request, found, keys)
        if reply.status == httpx.codes.UNAUTHORIZED and [one for one in found if self._tokens.forget(one)]:
            reply = await self._sent(exchange, request, found, keys)
        failed = failure(reply, keys.hide)
        if failed:
            raise failed
        return answer(reply, keys.hide)

    async def _sent(self, exchange: Exchange, request: Outgoing, found: list[Held], keys: Keys) -> Reply:
        """The reply to the request with what lets it in; `keys` learns the secrets that were used."""
        sent = Keys(secrets=keys.secrets)
        for one in found:
            values = one.values
            if one.needs_token:
                values = (await self._tokens.token(one, keys, exchange.send),)
            add(sent, one.credential, values)
        return await exchange.send(request, sent)


def http_callers(sources: Mapping[str, HttpSource], *, pace: Pace | None = None) -> dict[str, HttpCaller]:
    """A caller for each source, by the source's key; together they ask no host too fast."""
    pace = pace or Pace()
    return {key: HttpCaller(source, pace=pace) for key, source in sources.items()}


def _operation(api: API) -> HttpOperation:
    """How the API is called, by its record; the method must be the one that a person may have approved."""
    operation: HttpOperation | None = None
    with suppress(ValidationError):
        operation = HttpOperation.model_validate(api.binding)
    if operation is None or operation.method.upper() != api.method.upper():
        raise CallError("unknown_api", f"The catalogue does not say how to call {api.id}. Import it again.")
    return operation


def _own_hosts(request: Outgoing, found: list[Held]) -> list[str]:
    """The server's host with its port, and those that give the tokens for it; also https in place of http."""
    urls = [request.url, *(address(one.credential.token_url) for one in found if one.needs_token)]
    urls += [url.copy_with(scheme="https") for url in urls if url.scheme == "http" and url.port is None]
    return [place_of(url) for url in urls]

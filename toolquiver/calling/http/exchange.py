"""Requests and replies: every one through the guard and in its turn, redirects one by one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

import httpx

from toolquiver.calling.guard import allowed_url, host_of
from toolquiver.calling.http.credentials import Keys
from toolquiver.calling.http.pace import Pace, retry_after
from toolquiver.calling.http.reading import ACCEPTED, read
from toolquiver.calling.http.redirects import MOST_REDIRECTS, onward, same_origin
from toolquiver.calling.http.request import Outgoing
from toolquiver.calling.http.source import HttpSource
from toolquiver.calling.outcome import CallError

_STANDARD = {
    "accept": "application/json, text/plain;q=0.9, text/*;q=0.8, */*;q=0.5",
    "user-agent": "toolquiver",
}
_BUSY = {httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE}


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a server answered. `whole` is false when `content` is the beginning of more than was read."""

    method: str
    status: int
    headers: httpx.Headers = field(repr=False)
    content: bytes = field(repr=False)
    whole: bool = True

    @property
    def retry_after(self) -> float | None:
        """The seconds that the server wants to be left alone for, where it says so."""
        return retry_after(self.headers.get("retry-after", ""), datetime.now(UTC))


async def reply_of(method: str, response: httpx.Response, limit: int) -> Reply:
    """The reply that a response is, at most `limit` bytes of it; the response is closed in any case.

    Raises:
        CallError: `network`: what came cannot be unpacked, or ended too early.
        httpx.TransportError: the network or the server failed.
    """
    content = await read(response, limit)
    return Reply(
        method=method,
        status=response.status_code,
        headers=response.headers,
        content=content.data,
        whole=content.whole,
    )


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """Sends the requests of one call. `hosts` are all that may be asked."""

    transport: httpx.AsyncBaseTransport
    source: HttpSource
    hosts: tuple[str, ...]
    pace: Pace

    async def send(self, request: Outgoing, keys: Keys) -> Reply:
        """The reply to a request, after at most five redirects; the keys go to no other origin than the first.

        Raises:
            CallError: the guard refuses, or the network failed, or the server sends on and on.
        """
        inside = keys
        for _ in range(MOST_REDIRECTS + 1):
            reply = await self._once(request, inside)
            following = onward(request, reply.status, reply.headers.get("location", ""))
            if following is None:
                return reply
            if not same_origin(request.url, following.url):
                if keys.hide(str(following.url)) != str(following.url):
                    raise CallError("blocked", "The server redirects to another host with a credential in the address.")
                if following.content and following.is_secret:
                    raise CallError("blocked", "The server redirects to another host with a credential in the body.")
                inside = Keys()
            request = following
        raise CallError("tool_error", f"{request.url.host} redirects more than {MOST_REDIRECTS} times.")

    async def _once(self, request: Outgoing, keys: Keys) -> Reply:
        host = host_of(allowed_url(request.url, self.hosts))
        await self.pace.turn(host, self.source.requests_per_second)
        try:
            response = await self.transport.handle_async_request(self._built(request, keys))
            reply = await reply_of(request.method, response, self.source.max_bytes)
        except httpx.TimeoutException as error:
            raise CallError("timeout", f"{host} took too long to answer.") from error
        except (httpx.TransportError, httpx.InvalidURL, OSError) as error:
            raise CallError(
                "network", f"The connection to {host} failed: {str(error) or type(error).__name__}."
            ) from error
        if reply.status in _BUSY and reply.retry_after:
            self.pace.leave(host, reply.retry_after)
        return reply

    def _built(self, request: Outgoing, keys: Keys) -> httpx.Request:
        query = _joined([pair for pair in request.url.query.decode("ascii").split("&") if pair], keys.query)
        url = request.url.copy_with(query="&".join(query).encode() or None)
        headers = _STANDARD | {name.lower(): value for name, value in (*request.headers, *keys.headers)}
        headers["accept-encoding"] = ACCEPTED
        if request.content_type:
            headers["content-type"] = request.content_type
        if cookies := _joined(request.cookies, keys.cookies):
            headers["cookie"] = "; ".join(cookies)
        timeouts = {
            "connect": self.source.connect_timeout,
            "read": self.source.read_timeout,
            "write": self.source.read_timeout,
            "pool": self.source.read_timeout,
        }
        return httpx.Request(
            request.method,
            url,
            headers=[(name.encode(), value.encode()) for name, value in headers.items()],
            content=request.content or None,
            extensions={"timeout": timeouts},
        )


def _joined(given: Iterable[str], stronger: list[str]) -> list[str]:
    """The `name=value` texts given, those of the same name replaced by the stronger ones."""
    names = {pair.partition("=")[0] for pair in stronger}
    return [pair for pair in given if pair.partition("=")[0] not in names] + stronger

"""A response's body: read as it comes, unpacked, never more than a limit of either."""

from __future__ import annotations

import zlib
from typing import NamedTuple

import httpx

from toolquiver.calling.outcome import CallError

ACCEPTED = "gzip, deflate"
_ANY_HEADER = 47  # gzip's or zlib's
_NO_HEADER = -15
_GZIP = b"\x1f\x8b"
_MOST_MEMBERS = 100


class Content(NamedTuple):
    """What was read, and whether that is all there was."""

    data: bytes
    whole: bool


async def read(response: httpx.Response, limit: int) -> Content:
    """At most `limit` bytes of the body, unpacked; the response is closed in any case.

    Raises:
        CallError: `network`: what came cannot be unpacked, or ended too early.
        httpx.TransportError: the network or the server failed.
    """
    data, received = bytearray(), 0
    try:
        unpacker = _unpacker(response.headers.get("content-encoding", ""))
        async for chunk in response.aiter_raw():
            received += len(chunk)
            data += unpacker.unpack(chunk, limit - len(data) + 1) if unpacker else chunk
            if len(data) > limit or received > limit:
                return Content(bytes(data[:limit]), whole=False)
    finally:
        await response.aclose()
    if unpacker and received and not unpacker.ended:
        raise CallError("network", "The answer ended too early.")
    return Content(bytes(data), whole=True)


class _Unpacker:
    """Undoes gzip and deflate, which some servers send without zlib's header."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(_ANY_HEADER)
        self._begun = False
        self._members = 1
        self._held = b""  # of a header, which takes two bytes to know

    @property
    def ended(self) -> bool:
        """Whether the end was seen."""
        return self._inner.eof

    def unpack(self, data: bytes, most: int) -> bytes:
        """The next bytes, `most` of them at most; then the rest is left where it is."""
        out = b""
        data, self._held = self._held + data, b""
        while data and len(out) < most:
            if self.ended:
                data = data.lstrip(b"\0")  # gzip may have several members, and is often padded
            if len(data) < len(_GZIP) and (self.ended or not self._begun):
                self._held = data
                break
            if self.ended and not data.startswith(_GZIP):
                break  # what stands behind the end is no part of the answer
            if self.ended:
                self._open_another()
            out += self._step(data, most - len(out))
            data = self._inner.unused_data
        return out

    def _open_another(self) -> None:
        self._members += 1
        if self._members > _MOST_MEMBERS:
            raise CallError("network", "The answer is packed in too many pieces.")
        self._inner = zlib.decompressobj(_ANY_HEADER)

    def _step(self, data: bytes, most: int) -> bytes:
        begun, self._begun = self._begun, True
        try:
            return self._inner.decompress(data, most)
        except zlib.error as error:
            if begun:
                raise CallError("network", "The answer cannot be unpacked.") from error
            self._inner = zlib.decompressobj(_NO_HEADER)
            return self._step(data, most)


def _unpacker(encoding: str) -> _Unpacker | None:
    coding = encoding.strip().lower()
    if coding in {"", "identity"}:
        return None
    if coding not in {"gzip", "x-gzip", "deflate"}:
        raise CallError("network", f"The answer is packed as {coding!r}, which was not asked for.")
    return _Unpacker()

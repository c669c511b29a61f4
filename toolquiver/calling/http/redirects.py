"""Where a redirect leads, and as what (RFC 9110, 15.4)."""

from __future__ import annotations

from dataclasses import replace

import httpx

from toolquiver.calling.guard import host_of, port_of, require_web
from toolquiver.calling.http.request import Outgoing
from toolquiver.calling.outcome import CallError

MOST_REDIRECTS = 5
_FOLLOWED = {301, 302, 303, 307, 308}


def onward(sent: Outgoing, status: int, location: str) -> Outgoing | None:
    """The request that a response sends on to; None when it is no redirect.

    Headers and cookies that arguments have set do not go to another origin.

    Raises:
        CallError: `blocked`: the place is no address, or one of neither http nor https.
    """
    if status not in _FOLLOWED or not location:
        return None
    try:
        url = sent.url.join(location).copy_with(fragment=None)
    except (httpx.InvalidURL, ValueError) as error:
        raise CallError("blocked", "The server redirects to something that is no address.") from error
    require_web(url)
    request = replace(sent, url=url)
    if _becomes_get(sent.method, status):
        request = replace(request, method="GET", content=b"", content_type="")
    return request if same_origin(sent.url, url) else replace(request, headers=(), cookies=())


def _becomes_get(method: str, status: int) -> bool:
    if status == httpx.codes.SEE_OTHER:
        return method != "HEAD"
    return method == "POST" and status in {httpx.codes.MOVED_PERMANENTLY, httpx.codes.FOUND}  # as all browsers do


def same_origin(one: httpx.URL, other: httpx.URL) -> bool:
    """Whether what is sent to one may be sent to the other: the same, or its https instead of http."""
    if host_of(one) != host_of(other):
        return False
    upgraded = (one.scheme, port_of(one), other.scheme, port_of(other)) == ("http", 80, "https", 443)
    return upgraded or (one.scheme, port_of(one)) == (other.scheme, port_of(other))

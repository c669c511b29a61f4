"""What went wrong, as one of the kinds of failure: by the status, or by what a body says."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from toolquiver.calling.http.answer import compact, excerpt, page_text, parsed, text_of
from toolquiver.calling.http.exchange import Reply
from toolquiver.calling.http.styles import plain
from toolquiver.calling.outcome import CallError, FailureKind
from toolquiver.calling.statuses import KINDS

_SERVER = 500
_BESIDE_ERRORS = {
    "code",
    "description",
    "detail",
    "details",
    "error",
    "error_code",
    "error_description",
    "error_message",
    "errors",
    "message",
    "msg",
    "ok",
    "reason",
    "request_id",
    "status",
    "success",
    "timestamp",
}
"""What stands in a body that tells an error and nothing else."""
_NO_ERROR = {"0", "false", "no", "no error", "none", "null", "ok", "success"}


def failure(reply: Reply, hide: Callable[[str], str] = str) -> CallError | None:
    """Why the reply is no answer, None when it is one; `hide` takes secrets out of a text before it is cut."""
    if HTTPStatus(200) <= reply.status < HTTPStatus(300):
        return _told(parsed(reply), hide)
    kind: FailureKind = KINDS.get(reply.status, "server_error" if reply.status >= _SERVER else "tool_error")
    message = f"The server answered {reply.status}{_phrase(reply.status)}"
    details = _details(reply, hide)
    return CallError(kind, f"{message}: {details}" if details else f"{message}.", retry_after=reply.retry_after)


def _told(body: Any, hide: Callable[[str], str]) -> CallError | None:
    """An error that a body tells although the status is that of a success; only where nothing else can be meant."""
    if not isinstance(body, dict) or body.get("success") is True or body.get("ok") is True:
        return None
    error = body.get("error") or body.get("errors")
    if error is not True and isinstance(error, int | float):  # as in a margin of error
        return None
    if isinstance(error, str) and error.strip(" .").lower() in _NO_ERROR:
        error = None
    denied = any(body.get(name) is False for name in ("success", "ok"))
    others = {name for name, value in body.items() if value not in (None, [], {}, "")} - _BESIDE_ERRORS
    if not (error and denied) and (others or not (error or denied)):
        return None
    reason = error if error and error is not True else body.get("message") or body.get("msg") or body
    said = plain(reason).encode("utf-8", "replace").decode()  # JSON may hold half a letter, which cannot be printed
    return CallError("tool_error", f"The tool says: {excerpt(hide(said))}")


def _details(reply: Reply, hide: Callable[[str], str]) -> str:
    """The beginning of what the server says about it; of JSON written anew, in which no letter is escaped."""
    text = text_of(reply) or ""
    if text.lstrip()[:1] == "<":
        return excerpt(hide(page_text(text)))
    with suppress(ValueError):
        text = compact(text)
    return excerpt(hide(text))


def _phrase(status: int) -> str:
    try:
        return f" {HTTPStatus(status).phrase}"
    except ValueError:
        return ""

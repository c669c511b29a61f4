"""What a response of ToolBench's wrapper, `{"error": ..., "response": ...}`, says: an answer, or why there is none.

The wrapper's error texts decide, not its codes: the published codes of "not subscribed" and "unauthorised" are
swapped in the data. "Message error..." only means that the letters "error" stand somewhere in the response, and
gateways' refusals came through with no error at all, so the response itself is looked at too.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from typing import Any

from toolquiver.calling.outcome import Failure, FailureKind, Observation
from toolquiver.calling.statuses import KINDS

_NOBODY = "No such function name"  # the trajectory's own list had it not; no API was asked
_LETTERS = "Message error"

_TOLD: list[tuple[str, FailureKind]] = [
    (r"Unsubscribed|not subscribed|disabled for your subscription", "forbidden"),
    (r"Too many requests|Rate limit|exceeded the rate limit", "rate_limited"),
    (r"unexpected keyword argument|missing \d+ required|input parse error", "invalid_arguments"),
    (r"Timeout error|timed out|temporarily not working", "timeout"),
    (r"Max retries exceeded|redirects", "network"),
    (r"API not working|Gateway error|error in the gateway|API is unreachable", "server_error"),
    (r"API doesn't exists|Endpoint '.*' does not exist|DEPRECATED_ENDPOINT|^Not Found", "not_found"),
    (r"Blocked|^forbidden", "forbidden"),
    (r"Unauthorized|API[ -]key|Authorization header|Authentication Token", "unauthorized"),
]
"""The sentences of the wrapper, of RapidAPI's gateway and of APIs that say nothing else, the surer ones first."""

_SENTENCES = {"message", "messages", "info", "detail"}
_ERRORS = ("error", "errors", "err", "fault")
_CODES = ("status", "statusCode", "status_code", "errorCode", "error")
_BESIDE_ERRORS = {
    *_ERRORS,
    *_CODES,
    *_SENTENCES,
    "code",
    "description",
    "details",
    "error_code",
    "error_description",
    "error_message",
    "meta",
    "msg",
    "ok",
    "reason",
    "stat",
    "success",
    "timestamp",
    "traceId",
    "type",
    "valid",
}
"""What stands in a body that tells an error and nothing else."""

_STATUS_CODE = re.compile(r"status_code=(\d{3})")
_HEADING = re.compile(
    r"(\d{3})[\s-]+(?:Forbidden|Not Found|Service|Bad Gateway|Gateway|Server Error|Internal)", re.IGNORECASE
)
_WRAPPED = re.compile(r'\{"error": "((?:[^"\\]|\\.)*)", "response": "')
_HALF_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$")
_CUT = "..."


def outcome_of(response: str) -> Observation | Failure | None:
    """The outcome that the wrapper's text tells; None when no API was asked."""
    error, said = (_sound(text) for text in _unwrapped(response))
    if error.startswith(_NOBODY) or response.startswith(f'{{"error": "{_NOBODY}'):
        return None
    value = _value(said)
    text = said if value is None else json.dumps(value, ensure_ascii=False)
    if error and not error.startswith(_LETTERS):
        code = _STATUS_CODE.search(error)
        told: FailureKind = _by_words(error) or (KINDS.get(int(code[1])) if code else None) or "tool_error"
        return Failure(kind=told, message=text or error)
    kind = _by_body(value, marked=bool(error)) if isinstance(value, dict) else _by_page(said)
    # A page or a sentence with the letters "error" is no answer; data with these letters may be one.
    if kind is None and error and value is None and said.lstrip()[:1] not in {"{", "["}:
        kind = "tool_error"
    return Observation(text=text) if kind is None else Failure(kind=kind, message=text)


def _by_page(text: str) -> FailureKind | None:
    """The kind of failure that is the heading of a page; None when it is another page."""
    heading = _HEADING.match(re.sub(r"<[^>]*>", " ", text).strip())
    return KINDS.get(int(heading[1])) if heading else None


def _by_body(body: dict[str, Any], *, marked: bool) -> FailureKind | None:
    """The kind of failure that a JSON object tells at its top; None when it may be an answer.

    `marked`: the letters "error" stand in it.
    """
    sentence = _by_words(" ".join(str(part) for part in body.values())) if body.keys() <= _SENTENCES else None
    error = next((body[name] for name in _ERRORS if isinstance(body.get(name), str | list | dict) and body[name]), None)
    denied = any(body.get(name) is False for name in ("success", "ok")) or any(
        str(body.get(name)).lower().startswith(("error", "fail")) for name in ("status", "stat", "type", "code")
    )
    told = sentence or _by_code(body, error)
    if told or (error and denied):
        return told or "tool_error"
    others = {name for name, part in body.items() if part} - _BESIDE_ERRORS
    return "tool_error" if (error or denied or marked) and not others else None


def _by_code(body: dict[str, Any], error: Any) -> FailureKind | None:
    """The kind of the first HTTP status that stands where bodies tell theirs."""
    codes = [body.get(name) for name in _CODES] + [body.get("code") if error or "message" in body else None]
    codes += [error.get("code"), error.get("status")] if isinstance(error, dict) else []
    return next((kind for code in codes if (kind := KINDS.get(_integer(code)))), None)


def _by_words(text: str) -> FailureKind | None:
    return next((kind for words, kind in _TOLD if re.search(words, text, re.IGNORECASE)), None)


def _integer(code: Any) -> int:
    return int(code) if re.fullmatch(r"\d{3}", str(code), re.ASCII) else 0


def _unwrapped(response: str) -> tuple[str, str]:
    """The wrapper's `error` and `response`, of a text that was cut too; such a response ends in `...`."""
    try:
        wrapped = json.loads(response, strict=False)
    except (ValueError, RecursionError):
        wrapped = None
    if isinstance(wrapped, dict) and "error" in wrapped:
        return str(wrapped["error"]), str(wrapped.get("response", ""))
    if start := _WRAPPED.match(response):
        rest = _HALF_ESCAPE.sub(r"\1", response[start.end() :].removesuffix(_CUT))
        try:
            return _unescaped(start[1]), _unescaped(rest) + _CUT
        except ValueError:
            pass
    return "", response


def _sound(text: str) -> str:
    """The text with half surrogates, which a cut leaves, as `?`."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _unescaped(text: str) -> str:
    return str(json.loads(f'"{text}"', strict=False))


def _value(text: str) -> Any:
    """The value that the text writes, in JSON or, as the wrapper does, in Python; None when it is other text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        with warnings.catch_warnings(action="ignore"):
            value = ast.literal_eval(text) if text[:1] in {"{", "["} else None
        json.dumps(value)  # a set or bytes are no JSON
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
    return value

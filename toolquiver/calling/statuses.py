"""What the statuses of HTTP mean, as kinds of failure."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from toolquiver.calling.outcome import FailureKind

KINDS: Mapping[int, FailureKind] = MappingProxyType(
    {
        400: "invalid_arguments",
        401: "unauthorized",
        402: "forbidden",
        403: "forbidden",
        404: "not_found",
        408: "timeout",
        410: "not_found",
        413: "invalid_arguments",
        414: "invalid_arguments",
        422: "invalid_arguments",
        425: "rate_limited",
        429: "rate_limited",
        451: "forbidden",
        500: "server_error",
        501: "tool_error",
        502: "server_error",
        503: "server_error",
        504: "timeout",
    }
)
"""The statuses that say what went wrong."""

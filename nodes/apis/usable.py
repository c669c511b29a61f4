"""The APIs that may still be used: those that turned out not to help are left out everywhere (AnyTool, 4.3)."""

from __future__ import annotations

from collections.abc import Sequence

from toolquiver.catalog import API, ApiId


def usable(apis: Sequence[API], removed: Sequence[ApiId] | None) -> list[API]:
    """The APIs without those that a reflection has removed, where the graph reflects."""
    return [api for api in apis if api.id not in (removed or ())]

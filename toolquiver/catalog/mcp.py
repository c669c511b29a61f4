"""The tools of an MCP server as records of the catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from pydantic import ValidationError

from toolquiver.catalog.ids import Named, unique_ids
from toolquiver.catalog.inlining import written_out
from toolquiver.catalog.records import API, ApiId, Effect, api_id, slug
from toolquiver.errors import CatalogError

if TYPE_CHECKING:
    from mcp_types import ListToolsResult, Tool

_MOST_PAGES = 1_000


class Server(Protocol):
    """A server that can be asked for its tools, page by page; the SDK's `Client` is one."""

    async def list_tools(self, *, cursor: str | None = None) -> ListToolsResult:
        """The tools of the page at `cursor`, of the first without one."""
        ...


async def all_tools(server: Server) -> list[Tool]:
    """The tools of all pages.

    Raises:
        CatalogError: the pages do not end.
    """
    tools, cursors, cursor = list["Tool"](), set[str](), None
    while len(cursors) < _MOST_PAGES:
        page = await server.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if not cursor:
            return tools
        if cursor in cursors:
            break
        cursors.add(cursor)
    raise CatalogError("The server's list of tools does not end. Tell those who run it, or import another server.")


def source_key(name: str) -> str:
    """The `source` of the APIs of the server that goes by this name."""
    return f"mcp:{slug(name)}"


def records(
    tools: Sequence[Tool],
    *,
    server: str,
    category: str = "mcp",
    group: str = "",
    trusted: bool = False,
    skipped: list[str] | None = None,
) -> list[API]:
    """The tools of the server that goes by the name `server`; tools of one slug get ids of their own.

    `group` is what the catalogue calls their tool, the server's name otherwise. A server that is `trusted` is believed
    which of its tools read, and which write. A tool that is broken is left out where `skipped` is given, which then
    says so.

    Raises:
        CatalogError: a tool takes no object, or its schemas are broken; with `skipped`, all tools are.
    """
    group, found = group or server, list[API]()
    ids = unique_ids([Named(category, group, tool.name, tool.name) for tool in tools])
    for tool, id_ in zip(tools, ids, strict=True):
        try:
            found.append(record(tool, server=server, category=category, group=group, id_=id_, trusted=trusted))
        except CatalogError as error:
            # An import that came to nothing must not remove what an earlier one brought.
            if skipped is None:
                raise CatalogError(f"{error} `--skip-broken` imports its other tools.") from error
            if len(skipped) + 1 == len(tools):
                raise
            skipped.append(str(error))
    return found


def record(
    tool: Tool,
    *,
    server: str,
    category: str = "mcp",
    group: str = "",
    id_: ApiId | None = None,
    trusted: bool = False,
) -> API:
    """A tool as an API of the server that goes by the name `server`, with an id by its names unless one is given.

    Its effect is what the annotations of a `trusted` server say, else unknown. What it is called by stands in its
    binding.

    Raises:
        CatalogError: the tool takes no object, or its schemas are broken.
    """
    try:
        return API(
            id=id_ or api_id(category, group or server, tool.name),
            name=tool.name,
            description=_description(tool),
            effect=_effect(tool) if trusted else "unknown",
            parameters={"type": "object", "properties": {}} | written_out(tool.input_schema),
            output=None if tool.output_schema is None else written_out(tool.output_schema),
            tool=group or server,
            category=category,
            source=source_key(server),
            binding={"tool": tool.name},
        )
    except (CatalogError, LookupError, ValueError, RecursionError) as error:
        raise CatalogError(
            f"The schema of the tool {tool.name!r} cannot be used ({_cause(error)}). Tell those who made the server"
            f" {server!r}."
        ) from error


def _effect(tool: Tool) -> Effect:
    """What the annotations say; that a tool may destroy something counts only where it is not said to only read."""
    notes = tool.annotations
    if notes is None:
        return "unknown"
    if notes.read_only_hint:
        return "read"
    return "write" if notes.read_only_hint is False or notes.destructive_hint else "unknown"


def _cause(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error.errors()[0]["msg"] if isinstance(error, ValidationError) else error).rstrip(".")


def _description(tool: Tool) -> str:
    """The description after the title, where that says more, and before a warning."""
    notes = tool.annotations
    title = tool.title or (notes and notes.title) or ""
    text = (tool.description or "").strip()
    parts = [text]
    if title and slug(title) != slug(tool.name) and title.lower() not in text.lower():
        parts.insert(0, f"{title.rstrip('.')}.")
    if notes and notes.destructive_hint and not notes.read_only_hint:
        parts.append("May delete or overwrite something.")
    return " ".join(part for part in parts if part)

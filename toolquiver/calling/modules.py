"""Calling the LangChain tools of a module that was imported as a source."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

from toolquiver.calling.outcome import CallError, Observation
from toolquiver.calling.python import PythonCaller
from toolquiver.catalog.modules import load_tools
from toolquiver.catalog.records import API
from toolquiver.catalog.sources import Source
from toolquiver.errors import CatalogError

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


class ModuleCaller:
    """Calls the tools of a source of the kind `langchain`. Its module is imported by the first call, not before."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._tools: dict[str, BaseTool] | None = None
        self._lock = threading.Lock()

    async def call(self, api: API, arguments: dict[str, Any]) -> Observation:
        """Run the tool that the API's binding names.

        Raises:
            CallError: the call failed; `unknown_api` where the module, or the tool in it, is not there.
        """
        tools = await asyncio.to_thread(self._loaded)
        tool = tools.get(str(api.binding.get("tool")))
        if tool is None:
            raise CallError(
                "unknown_api",
                f"{self._source.location} has no tool {api.name!r} any more. Import it again: "
                f"toolquiver catalog import {self._source.location} --into FILE.",
            )
        return await PythonCaller({api.id: tool}).call(api, arguments)

    def _loaded(self) -> dict[str, BaseTool]:
        """The tools by name, from the module or from before; what cannot be imported is tried again each time."""
        with self._lock:
            if self._tools is None:
                try:
                    self._tools = {tool.name: tool for tool in load_tools(self._source.location)}
                except CatalogError as error:
                    raise CallError("unknown_api", str(error)) from error
            return self._tools

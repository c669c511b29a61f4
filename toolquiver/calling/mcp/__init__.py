"""Calls of MCP servers: one session for all calls, opened anew when it breaks; typed failures."""

from toolquiver.calling.mcp.caller import Listing, McpCaller, mcp_callers, read_mcp
from toolquiver.calling.mcp.source import McpSource

__all__ = ["Listing", "McpCaller", "McpSource", "mcp_callers", "read_mcp"]

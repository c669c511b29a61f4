"""A run as one HTML page: the path through the graph, calls, agents, tokens, time."""

from toolquiver.report.page import run_page
from toolquiver.report.trace import Event, Trace

__all__ = ["Event", "Trace", "run_page"]

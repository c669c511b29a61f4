"""A run as one HTML page: the path through the graph, calls, agents, tokens, time."""

from toolquiver.report.about_run import about_run
from toolquiver.report.page import run_page
from toolquiver.report.trace import Asking, Event, Trace

__all__ = ["Asking", "Event", "Trace", "about_run", "run_page"]

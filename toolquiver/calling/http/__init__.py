"""Calls over HTTP: requests out of records, a guard at the door, typed failures, secrets that stay secret."""

from toolquiver.calling.http.caller import HttpCaller, http_callers
from toolquiver.calling.http.pace import Pace
from toolquiver.calling.http.source import HttpSource

__all__ = ["HttpCaller", "HttpSource", "Pace", "http_callers"]

"""Making a call safely: callers behind one protocol, typed failures, limits."""

from toolquiver.calling.approval import Approval, needs_approval
from toolquiver.calling.arguments import problems
from toolquiver.calling.normal import normalised
from toolquiver.calling.outcome import FAILURE_KINDS, Caller, CallError, Failure, FailureKind, Observation
from toolquiver.calling.perform import Limits, perform
from toolquiver.calling.python import PythonCaller
from toolquiver.calling.sources import Served, callers_of, served

__all__ = [
    "FAILURE_KINDS",
    "Approval",
    "CallError",
    "Caller",
    "Failure",
    "FailureKind",
    "Limits",
    "Observation",
    "PythonCaller",
    "Served",
    "callers_of",
    "needs_approval",
    "normalised",
    "perform",
    "problems",
    "served",
]

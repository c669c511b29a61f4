"""Programs in the sandbox: run up to the requests that are still open.

Nothing of a running program is kept. A program is run again from its start with the results that are recorded, which
takes milliseconds, and stands where it was. The sandbox has no files and no network; its clock and its random numbers
are those of the run, so that it takes the same way each time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pydantic_monty import (
    CollectString,
    ExternalExceptionData,
    ExternalSettledResult,
    FunctionSnapshot,
    FutureSnapshot,
    Monty,
    MontyComplete,
    MontyError,
    MontyRuntimeError,
    MontySession,
    NameLookupSnapshot,
    OSPolicy,
    ResourceLimits,
)

from toolquiver.calling import Failure
from toolquiver.programs.functions import UNKNOWN, Function
from toolquiver.programs.requests import Request, request_of
from toolquiver.programs.source import ANSWER, assigned, awaited, looks_only, reads, runnable
from toolquiver.programs.values import plain, value_of

_LIMITS = ResourceLimits(max_feed_duration_secs=5.0, max_memory=100_000_000, max_suspensions=2_000)
# The sandbox makes lists of generators, of which Python's own `next` takes none.
# Its own `gather` takes no plain values, which calls are that have answered before.
_PRELUDE = """import asyncio as _asyncio
answer = None
async def _value(call):
    return await call if type(call).__name__ == "coroutine" else call
async def gather(*calls, **more):
    return await _asyncio.gather(*[_value(call) for call in calls], **more)
class asyncio:
    gather = gather
    run = _asyncio.run
def next(items, *default):
    for item in items:
        return item
    if default:
        return default[0]
    raise StopIteration
"""
PRINTED = 1_000_000  # bytes that a program may print


@dataclass(frozen=True)
class Waiting:
    """The program waits for these requests; all of them can be answered side by side."""

    requests: list[Request]


@dataclass(frozen=True)
class Ended:
    """The program came to its end. `answer` is what it set, or its last expression; None where there is neither."""

    printed: str
    answer: Any


@dataclass(frozen=True)
class Broken:
    """The program stopped with an error. `failed` is the request whose failure it did not catch, if that was it."""

    printed: str
    error: str
    failed: str


@dataclass(frozen=True)
class GaveUp:
    """The program called `give_up`: it cannot be done, and why."""

    why: str


Outcome = Waiting | Ended | Broken | GaveUp
Results = Mapping[str, str | Failure]
"""What the requests came to, by id: the text that was returned, or the failure."""


def run_programs(programs: Sequence[str], known: Mapping[str, Function], results: Results, now: str) -> Outcome:
    """Run the last of these programs after the earlier ones, whose variables it has, with what is recorded.

    `now` is the run's clock, an ISO time.
    """
    at = datetime.fromisoformat(now)
    offset = at.utcoffset() or timedelta()
    clock = OSPolicy(
        datetime=at, timezone={"offset_seconds": int(offset.total_seconds())}, sleep="zero", random_start={"seed": 0}
    )
    outcome: Outcome = Ended("", None)
    with Monty() as pool, session_of(pool, clock=clock) as session:
        session.feed_run(_PRELUDE)
        for number, program in enumerate(programs):
            outcome = _Feed(session, program, number, known, results).outcome()
            if isinstance(outcome, Waiting):  # a program that was edited since may wait before the last one does
                break
    return outcome


def session_of(pool: Monty, *, stubs: str | None = None, clock: OSPolicy | None = None) -> MontySession:
    """A session with the limits of programs; with `stubs` each program is checked against them first."""
    return pool.checkout(
        limits=_LIMITS, type_check=stubs is not None, type_check_stubs=stubs, type_check_format="json", os_policy=clock
    )


class _Feed:
    """One program, fed to a session and answered until it ends or waits."""

    def __init__(
        self, session: MontySession, program: str, number: int, known: Mapping[str, Function], results: Results
    ) -> None:
        self._session, self._program, self._number = session, runnable(program), number
        self._known, self._results = known, results
        self._source = program
        self._printed = CollectString(PRINTED)
        self._asked = 0
        self._together: dict[int, Request] = {}  # by the sandbox's own number of the call
        self._told: dict[str, str] = {}  # the text of a failure that the program was told, with its request
        self._side_by_side = awaited(self._program)
        self._gave_up: GaveUp | None = None

    def outcome(self) -> Outcome:
        if not reads(self._source, ANSWER):  # that of an earlier program does not count for this one
            self._session.feed_run(f"{ANSWER} = None", skip_type_check=True)
        try:
            step: Any = self._session.feed_start(
                self._program, inputs={UNKNOWN: ...}, print_callback=self._printed, skip_type_check=True
            )
            while not isinstance(step, MontyComplete):
                step = self._ended(step) if self._gave_up else self._next(step)
                if isinstance(step, Waiting):
                    return step
            return self._gave_up or Ended(self._printed.output, self._answer(step.output))
        except MontyError as error:
            if self._gave_up:
                return self._gave_up
            told = error.display("type-msg") if isinstance(error, MontyRuntimeError) else str(error)
            said = max((one for one in self._told if one in told), key=len, default="")
            return Broken(self._printed.output, f"{self._place(error)}{told}", self._told.get(said, ""))
        except TypeError as error:  # of its answer
            return Broken(self._printed.output, str(error), "")

    def _next(self, step: Any) -> Any:
        """Answer what the program stopped at; `Waiting` where that is not known yet."""
        if isinstance(step, NameLookupSnapshot):
            return step.resume()
        if isinstance(step, FutureSnapshot):
            together = {one: self._together[one] for one in sorted(step.pending_call_ids)}
            if waiting := [request for request in together.values() if not self._is_known(request)]:
                return Waiting(waiting)
            return step.resume({one: self._value(request) for one, request in together.items()})
        assert isinstance(step, FunctionSnapshot)
        return self._called(step)

    def _called(self, step: FunctionSnapshot) -> Any:
        if step.is_os_function:  # files, clocks of the machine: there are none
            return step.resume_not_handled()
        if step.function_name == "give_up":
            self._gave_up = GaveUp(" ".join(map(str, [*step.args, *step.kwargs.values()])))
            return self._ended(step)
        place = f"{self._number}.{self._asked}"
        try:
            request = request_of(str(step.function_name), step.args, step.kwargs, self._known, place)
        except (NameError, TypeError) as wrong:
            return step.resume({"exception": wrong})
        self._asked += 1
        if (step.position.start, step.position.end) in self._side_by_side:
            self._together[step.call_id] = request
            return step.resume({"future": ...})
        return step.resume(self._value(request)) if self._is_known(request) else Waiting([request])

    @staticmethod
    def _ended(step: Any) -> Any:
        """The program ended where it stands, so that the session can run the next one."""
        if isinstance(step, NameLookupSnapshot):
            return step.resume()
        # No handler of `Exception` takes it.
        end: ExternalSettledResult = ExternalExceptionData(exc_type="SystemExit", message="given up")
        if isinstance(step, FutureSnapshot):
            return step.resume({one: end for one in step.pending_call_ids})  # noqa: C420 - of the wider type
        return step.resume(end)

    def _is_known(self, request: Request) -> bool:
        return request["id"] in self._results

    def _value(self, request: Request) -> Any:
        """What a request came to, as the sandbox takes it."""
        result = self._results[request["id"]]
        if isinstance(result, Failure):
            said = f"{request['function']} failed ({result.kind}): {result.message}"
            self._told[said] = request["id"]
            return {"exc_type": "RuntimeError", "message": said}
        function = self._known.get(request["function"])
        return {"return_value": value_of(result, function.api.output if function else None)}

    def _answer(self, last: Any) -> Any:
        if looks_only(self._source):
            last = None
        if ANSWER in assigned([self._source]):
            given = self._session.feed_run(ANSWER, skip_type_check=True)
            last = last if given is None else given
        last = str(last) if isinstance(last, Exception) else last
        return None if isinstance(last, str) and not last.strip() else plain(last)

    def _place(self, error: MontyError) -> str:
        frames = [*error.traceback()] if isinstance(error, MontyRuntimeError) else []
        own = [frame.line for frame in frames if frame.filename == frames[0].filename]  # not of the prelude
        return f"Line {own[-1]}: " if own else ""

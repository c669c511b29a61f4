"""Cron schedules."""

from datetime import datetime
from typing import Annotated

from croniter import croniter
from croniter.croniter import CroniterError
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import check_limit, parse_time, refused

CATEGORY = "Developer Tools"
TOOL = "CronHelper"

MAX_RUNS = 50

Cron = Annotated[str, Field(description="cron expression of five fields")]
Moment = Annotated[str, Field(description="date and time, ISO 8601")]


class Match(TypedDict):
    """Whether a job runs at a time."""

    runs: bool


class Valid(TypedDict):
    """Whether an expression is well-formed."""

    valid: bool


def _schedule(expression: str, start: str) -> croniter:
    with refused(f"{expression!r} is not a cron expression", CroniterError, ValueError):
        return croniter(expression, parse_time(start))


def cron_next_runs(expression: Cron, after: Moment, count: int = 3) -> list[str]:
    """The next times at which a cron job runs after a moment."""
    schedule = _schedule(expression, after)
    with refused("the schedule never comes", CroniterError):
        return [schedule.get_next(datetime).isoformat() for _ in range(min(check_limit(count), MAX_RUNS))]


def cron_previous_run(expression: Cron, before: Moment) -> str:
    """The last time at which a cron job ran before a moment."""
    with refused("the schedule never came", CroniterError):
        return str(_schedule(expression, before).get_prev(datetime).isoformat())


def cron_matches(expression: Cron, at: Moment) -> Match:
    """Does the job run at this minute?"""
    _schedule(expression, at)
    return {"runs": croniter.match(expression, parse_time(at))}


def cronValid(expression: str) -> Valid:
    """Validate cron."""
    return {"valid": croniter.is_valid(expression)}


APIS = [cron_next_runs, cron_previous_run, cron_matches, cronValid]

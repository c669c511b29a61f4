"""The clock of a run: what its prompts say of the date, the weekday, the time and the zone."""

from __future__ import annotations

from datetime import datetime, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from typing_extensions import TypedDict

from toolquiver.errors import InputError


class Clocked(TypedDict):
    """The slice of a state that has a clock: `now` is an ISO time, `zone` its zone's name."""

    now: str
    zone: str


def clock_at(today: str, time_zone: str) -> Clocked:
    """The clock as a run begins: the setting's day at noon, else the time, in the zone that is set, else the machine's.

    Raises:
        InputError: there is no such zone.
    """
    try:
        zone = ZoneInfo(time_zone) if time_zone else datetime.now().astimezone().tzinfo
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InputError(f"There is no time zone {time_zone!r}. Name one such as Europe/Vienna.") from error
    now = datetime.combine(datetime.fromisoformat(today), time(12), zone) if today else datetime.now(zone)
    return Clocked(now=now.isoformat(timespec="minutes"), zone=getattr(now.tzinfo, "key", "") or str(now.tzname()))


def clock(state: Clocked) -> dict[str, str]:
    """The date, the weekday, the time and the zone of a `Clocked` state, as prompts say them."""
    now = datetime.fromisoformat(state["now"])
    return {
        "weekday": f"{now:%A}",
        "date": f"{now:%Y-%m-%d}",
        "time": f"{now:%H:%M}",
        "zone": f"{state['zone']} (UTC{now:%z})",
    }

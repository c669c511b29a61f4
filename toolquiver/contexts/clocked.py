"""The settings of every graph whose prompts say the date and the time zone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from toolquiver.bounds import Day
from toolquiver.context import Context


@dataclass(frozen=True, kw_only=True)
class ClockedContext(Context):
    """What every graph reads, and the clock of a run."""

    today: Annotated[Day, Field(description="the date, YYYY-MM-DD, that models are told; empty: the clock's")] = ""
    time_zone: Annotated[str, Field(description="the zone, such as Europe/Vienna; empty: the machine's")] = ""

"""The settings of Reverse Chain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from toolquiver.bounds import MOST, CompletionMode
from toolquiver.contexts.clocked import ClockedContext


@dataclass(frozen=True, kw_only=True)
class ReverseChainContext(ClockedContext):
    """The settings of Reverse Chain: these, and no others. The defaults are the paper's algorithm."""

    completion: Annotated[
        CompletionMode,
        Field(
            description="how the arguments of an API are completed: all at once, one by one, or values first, then APIs"
            " (section 3.2.2 of the paper)"
        ),
    ] = "at_once"
    max_depth: Annotated[int, Field(description="calls that may be nested", ge=1, le=MOST["max_depth"])] = 6
    max_calls: Annotated[
        int, Field(description="hard limit of API calls in a run; a plan with so many gets no more", ge=1)
    ] = 30
    plan_only: Annotated[bool, Field(description="plan and call nothing; the plan is the answer")] = False
    ask: Annotated[bool, Field(description="ask the user for what no API gives; off: say what is missing")] = True

"""The settings of Smurfs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from toolquiver.contexts.clocked import ClockedContext


@dataclass(frozen=True, kw_only=True)
class SmurfsContext(ClockedContext):
    """The settings of Smurfs: these, and no others."""

    planner: Annotated[bool, Field(description="split the request into subtasks; off: it is the only subtask")] = True
    tool_check: Annotated[bool, Field(description="answer a subtask directly when it needs no tool")] = True
    answerer: Annotated[bool, Field(description="digest each response; off: the response is the answer")] = True
    verifier: Annotated[bool, Field(description="end a subtask when it is done; off: go on to max_steps")] = True
    max_subtasks: Annotated[int, Field(description="subtasks a plan may have", ge=1)] = 10
    max_steps: Annotated[int, Field(description="steps that a trajectory may have", ge=1)] = 3
    max_calls: Annotated[int, Field(description="hard limit of calls per subtask, failed ones too", ge=1)] = 60
    registration: Annotated[
        Literal["all", "on_demand"],
        Field(description="how tools are listed: all with what they are for, or by name until one is chosen (EcoAct)"),
    ] = "all"

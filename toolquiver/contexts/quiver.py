"""The settings of quiver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from toolquiver.bounds import MOST, PlanForm, Verification
from toolquiver.contexts.clocked import ClockedContext


@dataclass(frozen=True, kw_only=True)
class QuiverContext(ClockedContext):
    """The settings of quiver: these, and no others."""

    plan_form: Annotated[
        PlanForm,
        Field(
            description="how the planner writes: a program, or one call a step; auto goes by the model's profile, and"
            " takes steps after two programs that could not run"
        ),
    ] = "auto"
    max_plans: Annotated[
        int, Field(description="programs or steps that the planner may write", ge=1, le=MOST["max_plans"])
    ] = 12
    max_calls: Annotated[int, Field(description="hard limit of API calls in a run", ge=1, le=MOST["max_calls"])] = 30
    ask: Annotated[bool, Field(description="ask the user for what no API gives; off: say what is missing")] = True
    verification: Annotated[
        Verification,
        Field(description="when a verifier reads the answer: where something is missing or unsupported, always, never"),
    ] = "in_doubt"
    max_reflections: Annotated[
        int, Field(description="how often an unsolved request is tried again", ge=0, le=MOST["max_reflections"])
    ] = 2
    agents: Annotated[
        bool, Field(description="agents search the catalogue where the planner finds no API (AnyTool)")
    ] = True

"""The settings of a run: plain values only, so that Studio draws them as a form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Self

from pydantic import Field

from toolquiver.bounds import (
    MOST,
    DecisionMethod,
    check,
)
from toolquiver.calling import Approval, Limits
from toolquiver.catalog.shown import Documentation


@dataclass(frozen=True, kw_only=True)
class Context:
    """The settings that every graph reads. Times are in seconds, the budget in tokens."""

    model: Annotated[str, Field(description="'local', or 'provider:model' as LangChain names it")] = "local"
    role_models: Annotated[dict[str, str], Field(description="another model for single roles, such as plan")] = field(
        default_factory=dict
    )
    decision_method: Annotated[
        DecisionMethod, Field(description="how decisions are constrained; auto goes by the model's profile")
    ] = "auto"
    catalog: Annotated[str, Field(description="'demo', or the path of a catalogue file")] = "demo"
    documentation: Annotated[
        Documentation,
        Field(
            description="what models see of an API: its instruction where there is one (EasyTool), that without the"
            " example, its documentation without markup, or as it is"
        ),
    ] = "instructions"
    top_k: Annotated[int, Field(description="candidate APIs of one search", ge=1)] = 10
    token_budget: Annotated[int, Field(description="hard limit of tokens per query", ge=1)] = 200_000
    approval: Annotated[
        Approval,
        Field(
            description="ask before a call: never, before those that may write, always, or auto: those that may write,"
            " where the run can wait for a person"
        ),
    ] = "auto"
    call_timeout: Annotated[float, Field(description="seconds one call may take", gt=0, le=MOST["call_timeout"])] = 30.0
    call_retries: Annotated[
        int, Field(description="further tries of a call that may yet work", ge=0, le=MOST["call_retries"])
    ] = 2

    def __new__(cls, **given: object) -> Self:
        """Note which settings are given: see `contexts.within`."""
        made = super().__new__(cls)
        object.__setattr__(made, "_given", frozenset(given))
        return made

    def __post_init__(self) -> None:
        """Check the settings; an InputError says which is out of its bounds, or no choice."""
        check(self)

    @property
    def call_limits(self) -> Limits:
        """The limits of one call."""
        return Limits(timeout=self.call_timeout, retries=self.call_retries)

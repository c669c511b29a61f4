"""The settings of the judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from toolquiver.bounds import MOST, Unsure
from toolquiver.context import Context


@dataclass(frozen=True, kw_only=True)
class VotingContext(Context):
    """The settings of what takes votes."""

    votes: Annotated[int, Field(description="votes that a judge's verdict is made of", ge=1, le=MOST["votes"])] = 1


@dataclass(frozen=True, kw_only=True)
class JudgeContext(VotingContext):
    """The settings of the judge: these, and no others."""

    unsure: Annotated[
        Unsure, Field(description="how an answer counts when the judge cannot tell whether it solves the query")
    ] = "unsolved"

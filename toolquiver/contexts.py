"""The settings of graphs whose parts work together under other defaults than they have alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from toolquiver.context import Context
from toolquiver.registration import Listing, Mode


@dataclass(frozen=True, kw_only=True)
class AnyToolContext(Context):
    """The settings of AnyTool: the same, but its solver does not see a whole pool in full.

    64 APIs are about 7,500 tokens in every turn, which do not fit a small model's context of 8,192.
    """

    registration: Annotated[
        Mode,
        Field(description="which tools the solver sees in full: all, on demand (EcoAct), or auto: all of a short list"),
    ] = "auto"
    register_above: Annotated[
        int, Field(description="tokens of all tools in full above which auto registers on demand", ge=1)
    ] = 3_000


@dataclass(frozen=True, kw_only=True)
class QuiverContext(Context):
    """The settings of quiver: the same, with defaults under which all its parts work together.

    Its agents go down once where search did not suffice: a page each of what fits best, few turns, and no questions of
    theirs whether the pool suffices, which quiver asks itself.
    """

    registration: Annotated[
        Mode, Field(description="which tools are shown in full: all, or one at a time (EcoAct)")
    ] = "on_demand"
    listing: Annotated[Listing, Field(description="what is listed of tools that can be registered")] = "descriptions"
    max_reflections: Annotated[int, Field(description="how often an unsolved query is tried again", ge=0)] = 2
    agent_turns: Annotated[int, Field(description="turns that an agent of the search may take", ge=1)] = 4
    agent_context: Annotated[
        int, Field(description="tokens of its conversation that an agent of the search is shown", ge=1)
    ] = 1_500
    page: Annotated[int, Field(description="names on a page of a listing", ge=1)] = 12
    check_function: Annotated[
        bool, Field(description="agents can ask whether the pool suffices; a yes ends the search for all")
    ] = False

"""The settings of the solvers: ReAct and DFSDT, with registration on demand (EcoAct)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Self

from pydantic import Field

from toolquiver.bounds import MOST, ActionForm
from toolquiver.context import Context
from toolquiver.contexts.clocked import ClockedContext
from toolquiver.registration import Delivery, Listing, Mode, Registration


@dataclass(frozen=True, kw_only=True)
class SolverContext(ClockedContext):
    """What both solvers read."""

    max_steps: Annotated[
        int, Field(description="turns of the agent, in a tree from the question to a leaf (24 in EcoAct's runs)", ge=1)
    ] = 12
    solver_calls: Annotated[int, Field(description="hard limit of API calls, failed and refused ones too", ge=1)] = 10
    action_form: Annotated[
        ActionForm,
        Field(description="how an agent calls: native tool calls, or a decision in JSON; auto goes by the profile"),
    ] = "auto"
    solver_context: Annotated[
        int,
        Field(
            description="tokens of its conversation that a solver is shown; fewer where its model is known to see less",
            ge=1,
        ),
    ] = 32_000
    catalogue_functions: Annotated[
        bool,
        Field(description="offer `api_docs`, and `search_apis` where no candidates are given; off: the paper's solver"),
    ] = True
    registration: Annotated[
        Mode,
        Field(
            description="which APIs the agent sees in full: all, those it registers on demand (EcoAct), or auto: on"
            " demand where all together are long"
        ),
    ] = "all"
    register_above: Annotated[
        int, Field(description="tokens of all APIs in full above which auto registers on demand", ge=1)
    ] = 1_200
    register_several: Annotated[bool, Field(description="one call may register several APIs")] = False
    listing: Annotated[Listing, Field(description="what is listed of APIs that can be registered")] = "names"
    delivery: Annotated[
        Delivery, Field(description="a registered API's schema is bound, or is the result of registering it")
    ] = "bind"

    @property
    def registering(self) -> Registration:
        """How APIs come into the agent's sight."""
        return Registration(
            mode=self.registration,
            several=self.register_several,
            listing=self.listing,
            delivery=self.delivery,
            above=self.register_above,
        )

    @classmethod
    def within(cls, around: Context) -> Self:
        """The settings of a solver in another graph: its settings of the same names, else the defaults.

        Such a solver has the APIs that it is handed, and no functions of the catalogue, unless that graph says so.
        """
        named = {one.name: getattr(around, one.name) for one in fields(cls) if hasattr(around, one.name)}
        return cls(**{"catalogue_functions": False, **named})


@dataclass(frozen=True, kw_only=True)
class ReactContext(SolverContext):
    """The settings of ReAct: these, and no others."""


@dataclass(frozen=True, kw_only=True)
class DfsdtContext(SolverContext):
    """The settings of DFSDT: these, and no others."""

    branches: Annotated[
        int, Field(description="ways that the search tries from a node below the question", ge=1, le=MOST["branches"])
    ] = 2

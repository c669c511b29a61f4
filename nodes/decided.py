"""What the deciding nodes of an executor, a chain, and quiver around them, come to: routers and nodes go by it."""

from __future__ import annotations

from typing import Final, Literal

Decided = Literal[
    "",
    # before the work, and around it
    "needs tools",
    "needs none",
    "sure",
    "not sure",
    "no tool fits",
    "agents are done",
    "the pool suffices",
    "the pool is full",
    "tries again",
    "the budget is spent",
    "no model may be asked any more",
    "the reflections are used up",
    "only the user can help",
    "no candidate is left",
    "no agent is left to wake, and there is nothing new to try",
    # executor
    "tools",
    "sums",
    "pages",
    "drafted",
    "by a chain",
    "to be looked up",
    "looked up first",
    "cannot fill",
    "answered",
    "guessed",
    "failed",
    "digested",
    "undigested",
    "subtask done",
    "not yet",
    "at the limit",
    "next subtask",
    "all done",
    "choose again",
    "nothing left",
    "call limit",
    "rollback is off",
    "given up",
    # chain
    "to be selected",
    "needs an API",
    "completes more",
    "can run",
    "asks",
    "ends",
    "given",
    "asks again",
    "not given",
    "complete",
    "next calls",
    "complete again",
    "select again",
    "goal over",
    "next goal",
    "plan made",
]

DRAFTED: Final = "drafted"
"""What is decided where the planner has written the call of a subtask down."""

"""A solver's node within another graph: it runs with the solver's own settings, taken from those around it."""

from __future__ import annotations

from dataclasses import replace
from functools import wraps
from typing import Any

from toolquiver.contexts import SolverContext
from toolquiver.nodes.bridge import Node, Update
from toolquiver.nodes.run import Run


def embedded(role: Node, kind: type[SolverContext]) -> Node:
    """The node, with a run whose settings are of this kind."""

    @wraps(role)
    async def inner(state: Any, run: Run[Any]) -> Update:
        return await role(state, replace(run, context=kind.within(run.context)))

    return inner

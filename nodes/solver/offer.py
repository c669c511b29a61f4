"""What a turn shows the model: the prompt, and the functions that it may call."""

from __future__ import annotations

from langchain_core.messages import BaseMessage

from toolquiver.catalog import API
from toolquiver.contexts import SolverContext
from toolquiver.models import Function, function_with
from toolquiver.nodes.clock import clock
from toolquiver.nodes.run import Run
from toolquiver.nodes.solver.begin import registering
from toolquiver.nodes.solver.state import DOCS, SEARCH, SHOW, SolverState
from toolquiver.prompts import load_prompt
from toolquiver.registration import REGISTER

ANSWER, RESTART, GIVE_UP = "give_answer", "give_up_and_restart", "give_up"
"""The three ends of a way (ToolLLM's `Finish`; AnyTool, 4.2): the second is DFSDT's alone."""

_PROMPT = load_prompt("solver/act")
_TEXT = {"type": "string"}
_NAMES = {"type": "array", "items": _TEXT, "description": "names of functions that are of no use or do not work"}
_KNOWN = {"type": "string", "description": "what is known so far about the request; empty if nothing is"}
GIVE_ANSWER = function_with(ANSWER, "End with the answer to the request.", {"answer": _TEXT})
GO_BACK = function_with(RESTART, "Go back and try another way: this one leads nowhere.", {"reason": _TEXT})
GIVING_UP = function_with(
    GIVE_UP, "End: the functions cannot answer the request.", {"reason": _TEXT, "failed": _NAMES, "known": _KNOWN}
)
_SEARCHING = function_with(SEARCH, "Search the catalogue for functions.", {"what": _TEXT})
_DOCUMENTED = function_with(DOCS, "Show the whole documentation of a function.", {"name": _TEXT})
_SHOWN = function_with(
    SHOW,
    "Show more of what a call returned, from a character on.",
    {"call": {"type": "integer", "description": "the number of the call"}, "start": {"type": "integer", "minimum": 0}},
)


async def functions(state: SolverState, run: Run[SolverContext], *, ends: list[Function], last: bool) -> list[Function]:
    """What the model can call in this turn; in the `last` one it can only end."""
    if last:
        return ends
    apis = await run.callables(state["pool"])
    of_apis = (await registering(state, run)).functions(apis, state["registered"])
    own = [_SEARCHING] if _searches(state, run) else []
    own += [_DOCUMENTED] if run.context.catalogue_functions else []
    return [*ends, *own, *of_apis, *([_SHOWN] if _is_cut(state) else [])]


async def opening(state: SolverState, run: Run[SolverContext], *, restart: bool) -> list[BaseMessage]:
    """What the conversation begins with: the rules, the date, what can be registered, and the request.

    It stays the same from turn to turn, so that providers can cache it.
    """
    apis: list[API] = (await run.apis(state["pool"]))[: state["listed"]]
    how = await registering(state, run)
    return _PROMPT.messages(
        query=state["query"],
        answer=ANSWER,
        give_up=GIVE_UP,
        restart=RESTART if restart else "",
        search=SEARCH if _searches(state, run) else "",
        docs=DOCS if run.context.catalogue_functions else "",
        register=REGISTER if how.mode == "on_demand" else "",
        listed=how.listed(apis),
        **clock(state),
    )


def _searches(state: SolverState, run: Run[SolverContext]) -> bool:
    return run.context.catalogue_functions and not state["allowed"]


def _is_cut(state: SolverState) -> bool:
    """Whether a result was cut, so that there is more to see."""
    return any(call["cut"] for call in state["calls"])

"""The pool is handed to the solver, with what it said before and what is left of the budget (AnyTool, 4.2 and 4.3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from toolquiver.bounds import Solver
from toolquiver.models import tokens
from toolquiver.nodes.approve import is_refusal
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.context_window import fit_to_context
from toolquiver.nodes.dialogue import requests_in
from toolquiver.nodes.loop.anytool_state import AnyToolState, stands_on_failed
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.filling import filled
from toolquiver.prompts import load_prompt
from toolquiver.registration import callable_ids, called_names

_PROMPT = load_prompt("retry")
_ROLES: dict[Solver, str] = {"react": "act", "dfsdt": "explore"}
_FOR_THE_JUDGE = 2_000  # tokens that the solver must leave


async def hand_over(state: AnyToolState, run: Run) -> Update:
    """What the solver begins with; after a reflection what it said and registered, but for APIs that were removed.

    What agents left open of the pool search fills, if it is to. A try has `try_part` of the tokens left, while another
    can follow: a small budget would otherwise be spent before the first reflection.

    Raises:
        InputError: nothing was found, for the search's part of the budget did not hold a single turn.
    """
    spent = tokens(state["usage"])
    left = run.context.token_budget - spent
    gone = {api.function for api in await run.apis(state["removed"])}
    earlier = cleaned(state["messages"], gone)
    if state["reflections"]:
        _, told = _PROMPT.messages(answer=_answer_so_far(state), reason=state["failures"][-1])
        earlier = [*earlier, HumanMessage(str(told.text))]
    pool = await filled(state, run)
    if not (pool or state["usage"]) and any(agent["short"] for agent in state["agents"].values()):
        raise run.too_small()
    return {
        "pool": pool,
        "earlier": await fit_to_context(_ROLES[run.context.solver], earlier, run),
        "registered_before": sorted(callable_ids(state.get("registered") or []) - set(state["removed"])),
        "made": [call for call in state["calls"] if call["api"] not in state["removed"] or is_refusal(call)],
        "spent": spent + _kept_back(left, state, run),
        "given_up": None,
        "passed": False,
        "verdict": "unsure",
        "verdict_reason": "",
        "decided": run.context.solver,
    }


def _answer_so_far(state: AnyToolState) -> str:
    """The last answer; none where it may stand on what an API has said that was just removed."""
    return "" if stands_on_failed(state) else state["answer"]


def _kept_back(left: int, state: AnyToolState, run: Run) -> int:
    """The tokens that the solver must leave: the judge's, and while it can be reflected on, those of the next try."""
    last = state["reflections"] >= run.context.max_reflections
    for_the_next = 0 if last else left - int(left * run.context.try_part)
    return max(min(_FOR_THE_JUDGE, left // 10), for_the_next)


def cleaned(messages: Sequence[AnyMessage], gone: Collection[str]) -> list[AnyMessage]:
    """A conversation without the calls of these functions, and without what came of them."""
    kept: list[AnyMessage] = []
    bad: set[str] = set()
    for message in messages:
        if isinstance(message, AIMessage):
            requests = requests_in(message)
            # Some servers number the calls of each turn anew, so that an id says nothing of other turns.
            bad = {one["id"] for one in requests if called_names(one["name"], one["arguments"] or {}) & set(gone)}
            good = [call for call in message.tool_calls if call["id"] not in bad]
            broken = [call for call in message.invalid_tool_calls if call["id"] not in bad]
            if not bad:
                kept.append(message)
            elif good or broken:
                kept.append(AIMessage(str(message.text), tool_calls=good, invalid_tool_calls=broken))
        elif not (isinstance(message, ToolMessage) and message.tool_call_id in bad):
            kept.append(message)
    return kept


def after_hand_over(state: AnyToolState) -> Literal["depth first", "in a line"]:
    """Which solver answers is a setting."""
    return "depth first" if state["decided"] == "dfsdt" else "in a line"


def after_solver(state: AnyToolState) -> Literal["has an answer", "gave up"]:
    """An answer is judged; without one, or where it gave up, the solver has said why."""
    return "has an answer" if state["answer"].strip() and not state["given_up"] else "gave up"

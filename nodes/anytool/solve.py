"""The pool is handed to the solver; after a reflection with a cleaned history (AnyTool, 4.2 and 4.3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from toolquiver.contexts import AnyToolContext
from toolquiver.models import tokens
from toolquiver.nodes.anytool.state import AnyToolState
from toolquiver.nodes.approve import is_refusal
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.dialogue import requests_in
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt
from toolquiver.registration import callable_ids, called_names

_PROMPT = load_prompt("anytool/retry")
_FOR_THE_JUDGE = 2_000  # tokens that the solver must leave


async def hand_over(state: AnyToolState, run: Run[AnyToolContext]) -> Update:
    """What the solver begins with; after a reflection what it said before, without calls of the APIs removed."""
    gone = {api.function for api in await run.apis(state["removed"])}
    earlier = cleaned(state["messages"], gone)
    if state["failures"]:
        _, told = _PROMPT.messages(answer=state["answer"], reason=state["failures"][-1])
        earlier = [*earlier, HumanMessage(str(told.text))]
    return {
        "pool": state["found"],
        "earlier": earlier,
        "registered_before": sorted(callable_ids(state["registered"]) - set(state["removed"])),
        "made": [call for call in state["calls"] if call["api"] not in state["removed"] or is_refusal(call)],
        "spent": tokens(state["usage"]) + min(_FOR_THE_JUDGE, run.left(state) // 10),
        "given_up": None,
        "passed": False,
        "verdict": "unsure",
        "verdict_reason": "",
    }


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
    return "depth first" if state["solver"] == "dfsdt" else "in a line"


def after_solver(state: AnyToolState) -> Literal["has an answer", "gave up"]:
    """A solution is judged. Where the solver gave up, or had nothing to say, it has said why."""
    return "has an answer" if state["answer"].strip() and not state["given_up"] else "gave up"

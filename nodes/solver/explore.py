"""DFSDT agent: the next node of the tree, or one of the three ends (anytool.txt, solver)."""

from __future__ import annotations

import json
from typing import Literal

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from toolquiver.catalog import API
from toolquiver.catalog.text import shortened
from toolquiver.models import function_with
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.dialogue import CallRequest, answer_in, first_request, found_out, requests_in, said_by
from toolquiver.nodes.run import Run
from toolquiver.nodes.solver.act import ANSWER, REPEATS, answering, end_among, opening, put_off
from toolquiver.nodes.solver.context_window import fit_to_context, to_finish
from toolquiver.nodes.solver.giving_up import GIVE_UP, REASON, give_up, given_up
from toolquiver.nodes.solver.grow import everything
from toolquiver.nodes.solver.tree import DfsdtState, Mark, TreeNode, calls_on, children_of, path_to, said_on
from toolquiver.prompts import load_prompt

RESTART = "give_up_and_restart"
_ENDINGS = (ANSWER, RESTART, GIVE_UP)
_LONGEST_RESULT = 200
_PROMPT, _AGAIN = load_prompt("explore"), load_prompt("again")
_GO_BACK = function_with(RESTART, "Go back and try another way: this one leads nowhere.", REASON)


async def explore(state: DfsdtState, run: Run) -> Update:
    """Grow the tree by a turn of the model, told what was tried from here before, or end.

    Text without a call is the answer, once a call has succeeded: before that there is nothing to answer with. The last
    turn of a way on which one has can only end it or go back: what it called, nobody would answer with. A turn that
    makes the very calls of an earlier child, or those of the turns before it again and again, is a failure: nothing new
    can come of it. An end without an answer has the messages of all ways.
    """
    tree, at = state["tree"], state["at"]
    apis = await run.apis(state["pool"])
    registering = await run.registering(apis)
    way, tried = path_to(tree, at), children_of(tree, at)
    found_here = any(call["ok"] for call in calls_on(way, tree, state["calls"]))
    last = found_here and len(way) >= run.context.max_turns
    functions = [] if last else registering.functions(apis, state["registered"])
    functions += [_GO_BACK, give_up(apis), *answering(state)]
    prompt = opening(_PROMPT, state["query"], apis, registering)
    before = said_on(way)
    said = await fit_to_context("explore", before, run, opening=prompt, functions=functions)
    messages = [*prompt, *said, *_told(tried)]
    begun = found_out(state)
    leave = await to_finish(messages, state, run)
    message, cost = await run.turn("explore", functions, messages, state, must_call=not begun, leave=leave)
    if message is None:
        why = "out of budget" if "stopped" in cost else "no action"
        return everything(tree) | {"decided": why, "requests": [], **cost}
    requests = requests_in(message)
    update: Update = {"turn": state["turn"] + 1, "requests": [], **cost}
    if not requests:
        return update | _answer(state, said_by(message) if begun else "", message)
    ends = end_among(requests, _ENDINGS, before)
    if ends:
        return update | _end(state, ends, message, apis)
    requests, told = put_off(requests, _ENDINGS)
    calls = [_text(request) for request in requests]
    if any(node["calls"] == calls for node in tried) or _repeated(way, calls):
        return update | _grown(state, message, calls, "failed") | {"decided": "goes back"}
    acts: Update = {"requests": requests, "messages": [message, *told], "decided": "acts"}
    return update | _grown(state, message, calls, "open") | acts


def _end(state: DfsdtState, request: CallRequest, message: AIMessage, apis: list[API]) -> Update:
    if request["name"] == ANSWER:
        return _answer(state, answer_in(request), message)
    if request["name"] == RESTART:
        return _grown(state, message, [_text(request)], "given up") | {"decided": "goes back"}
    ended: Update = {"given_up": given_up(request["arguments"], apis, state["calls"]), "decided": "gives up"}
    return _grown(state, message, [_text(request)], "given up") | everything(state["tree"]) | ended


def _answer(state: DfsdtState, answer: str, message: AIMessage) -> Update:
    if not answer:
        return everything(state["tree"]) | {"decided": "no action"}
    return _grown(state, message, [], "answered") | {"answer": answer, "decided": "answered"}


def _grown(state: DfsdtState, message: AIMessage, calls: list[str], mark: Mark) -> Update:
    """One node more in the tree, below the one it is at, and that as the place."""
    node = TreeNode(
        id=len(state["tree"]),
        parent=state["at"],
        thought=str(message.text),
        calls=calls,
        observations=[],
        mark=mark,
        messages=[message] if mark == "open" else [],
        registered=state["registered"],
        calls_before=len(state["calls"]),
    )
    return {"tree": [node], "at": node["id"]}


def _repeated(path: list[TreeNode], calls: list[str]) -> bool:
    """Whether the last turns of this way made the same calls."""
    before = path[1:][1 - REPEATS :]
    return len(before) == REPEATS - 1 and all(node["calls"] == calls for node in before)


def _told(tried: list[TreeNode]) -> list[AnyMessage]:
    """What was tried from here before, so that something else is tried."""
    if not tried:
        return []
    children = [
        {"call": "; ".join(node["calls"]), "result": shortened("; ".join(node["observations"]), _LONGEST_RESULT)}
        for node in tried
    ]
    _, told = _AGAIN.messages(children=children)
    return [HumanMessage(str(told.text))]


def _text(request: CallRequest) -> str:
    return f"{request['name']}({json.dumps(request['arguments'], ensure_ascii=False, sort_keys=True)})"


def after_explore(state: DfsdtState) -> Literal["registers", "calls", "goes back", "ends"]:
    """Calls are made; a way that leads nowhere is gone back; every other turn is the end."""
    if state["requests"] and not state["stopped"]:
        return first_request(state)
    return "goes back" if state["decided"] == "goes back" else "ends"

"""Does the answer solve the query? (AnyTool, 3.2 and 4.3.)

The judge sees the calls with what they returned, whole up to a limit that goes by its model's context.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal, NotRequired, get_args

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from typing_extensions import TypedDict

from toolquiver.contexts import JudgeContext
from toolquiver.marks import as_data
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.dialogue import requests_in
from toolquiver.nodes.records import Call
from toolquiver.nodes.room import cut, room_each
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Budgeted
from toolquiver.nodes.votes import UNSURE, Vote, asked_in_turn, ruling, votes_of
from toolquiver.prompts import load_prompt

Verdict = Literal["solved", "unsolved", "unsure"]

_PROMPT = load_prompt("judge/judge")
_NO_ANSWER = Vote(reason="There is no answer.", verdict="unsolved")


class JudgedCall(Call):
    """A call with what it returned, where that is known."""

    text: NotRequired[str]


class Evidence(TypedDict):
    """A call as text, what came of it, and whether it failed."""

    call: str
    outcome: str
    failed: bool


class Judgement(Vote):
    """Whether the answer solves the query."""

    verdict: Verdict


class Judging(Budgeted):
    """What the judge reads: query, answer, and the calls that were made for it.

    What they returned stands beside the calls (`text`), or in the `messages` of the conversation that made them.
    """

    query: str
    answer: str
    calls: NotRequired[list[JudgedCall]]
    messages: NotRequired[list[AnyMessage]]


async def judge(state: Judging, run: Run[JudgeContext]) -> Update:
    """The verdict of the majority of `votes` and the reason for it; no valid vote, or no budget, is "unsure".

    `passed` is what the verdict counts as: "unsure" goes by the setting `unsure`. No answer at all is unsolved,
    unasked.
    """
    if not state["answer"].strip():
        return {**ruling([_NO_ANSWER], {}), "passed": False}
    evidence = [_said_of(call) for call in state.get("calls") or ()]
    if messages := state.get("messages"):
        evidence = [*_in_conversation(messages), *(one for one in evidence if one["failed"])]
    shown = {
        "query": state["query"],
        "answer": as_data(state["answer"], "answer"),
        "calls": await _fitting(evidence, state, run),
    }
    prompts = asked_in_turn(_PROMPT, get_args(Verdict), run.context.votes, **shown)
    votes, cost = await votes_of("judge", Judgement, prompts, state, run)
    ruled = ruling(votes, cost)
    counts_as = run.context.unsure if ruled["verdict"] == UNSURE else ruled["verdict"]
    return {**ruled, "passed": counts_as == "solved", **cost}


def _said_of(call: JudgedCall) -> Evidence:
    written = ", ".join(f"{name}={_json(value)}" for name, value in call["arguments"].items())
    outcome = f"returned: {call['text']}" if call.get("text") else "it worked; what it returned is not known"
    if not call["ok"]:
        outcome = f"failed ({call['failure']}): {call.get('message') or ''}"
    return Evidence(call=f"{call['api']}({written})", outcome=outcome, failed=not call["ok"])


def _in_conversation(messages: Sequence[AnyMessage]) -> list[Evidence]:
    """The calls of a conversation and what each returned; those that failed are told from the records of calls."""
    found, asked = list[Evidence](), dict[str, str]()
    for message in messages:
        if isinstance(message, AIMessage):
            asked = {one["id"]: f"{one['name']}({_json(one['arguments'])})" for one in requests_in(message)}
        elif isinstance(message, ToolMessage) and message.status != "error" and message.tool_call_id in asked:
            outcome = f"returned: {message.text}"
            found.append(Evidence(call=asked[message.tool_call_id], outcome=outcome, failed=False))
    return found


async def _fitting(evidence: Sequence[Evidence], state: Budgeted, run: Run[JudgeContext]) -> list[dict[str, str]]:
    """The evidence as data; where all of it is too long for the model, the longest are cut, with a word on it."""
    each = await room_each("judge", state, run, [text for one in evidence for text in (one["call"], one["outcome"])])
    return [
        {part: as_data(cut(text, each), "call") for part, text in (("call", one["call"]), ("outcome", one["outcome"]))}
        for one in evidence
    ]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def after_judge(state: Update) -> Literal["solved", "unsolved"]:
    """What the verdict counts as."""
    return "solved" if state["passed"] else "unsolved"

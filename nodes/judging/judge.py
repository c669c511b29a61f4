"""Judge: does the answer solve the query? (AnyTool, 3.2 and 4.3.)"""

from __future__ import annotations

from typing import Literal, NotRequired, cast, get_args

from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.catalog.text import shortened
from toolquiver.marks import as_data
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.judging.voting import UNSURE, Vote, asked_in_turn, ruling, votes_of
from toolquiver.nodes.records import Call
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Budgeted
from toolquiver.prompts import load_prompt

Verdict = Literal["solved", "unsolved", "unsure"]

_PROMPT = load_prompt("judge")
_NO_ANSWER = Vote(reason="There is no answer.", verdict="unsolved")
_NO_CALL = Vote(reason="No call has succeeded, so nothing supports the answer.", verdict="unsolved")
_LONGEST_EVIDENCE = 300


class Judgement(Vote):
    """Whether the answer solves the query."""

    verdict: Verdict


class Judged(TypedDict):
    """What the judge writes.

    `verdict_votes` are the votes that it stands on. `passed` is what the verdict counts as: "unsure" goes by the
    setting `unsure`.
    """

    verdict: Verdict
    verdict_reason: str
    verdict_votes: list[Verdict]
    passed: bool


class Judging(Budgeted):
    """What the judge reads: the query, the answer, and the calls that were made for it, if any."""

    query: str
    answer: str
    calls: NotRequired[list[Call]]


class Supported(Judging):
    """The same where `removed` are the APIs that turned out irrelevant."""

    removed: list[ApiId]


async def judge(state: Judging, run: Run) -> Update:
    """The verdict of the majority of `votes` and the reason for it; no valid vote, or no budget, is "unsure".

    No answer at all is unsolved, unasked.
    """
    if not state["answer"].strip():
        return {**ruling([_NO_ANSWER], {}), "passed": False}
    answer = as_data(state["answer"], "answer")
    calls = [_evidence(call) for call in state.get("calls", [])]
    prompts = asked_in_turn(
        _PROMPT, get_args(Verdict), run.context.votes, query=state["query"], answer=answer, calls=calls
    )
    votes, cost = await votes_of("judge", Judgement, prompts, state, run)
    ruled = ruling(votes, cost)
    counts_as = run.context.unsure if ruled["verdict"] == UNSURE else ruled["verdict"]
    return {**ruled, "passed": counts_as == "solved", **cost}


async def judge_by_calls(state: Judging, run: Run) -> Update:
    """The same where answers come of calls: one that no call supports is unsolved, unasked.

    A small model may say that it has done what it only means to do, and then judge that this solves the query.
    """
    if state["answer"].strip() and not any(call["ok"] for call in state.get("calls", [])):
        return {**ruling([_NO_CALL], {}), "passed": False}
    return await judge(state, run)


async def judge_by_kept_calls(state: Supported, run: Run) -> Update:
    """The same where the solver forgets what an API said that was removed: that supports nothing."""
    calls = [call for call in state.get("calls", []) if call["api"] not in state["removed"]]
    return await judge_by_calls(cast("Judging", {**state, "calls": calls}), run)


def _evidence(call: Call) -> dict[str, str]:
    """A call and its outcome, each on one line."""
    arguments = ", ".join(f"{name}={value!r}" for name, value in call["arguments"].items())
    outcome = "it worked" if call["ok"] else f"it failed ({call['failure']})"
    said = f": {call['message']}" if call["message"] else ""
    return {
        "call": shortened(f"{call['api']}({arguments})", _LONGEST_EVIDENCE),
        "outcome": shortened(f"{outcome}{said}", _LONGEST_EVIDENCE),
    }


def after_judge(state: Judged) -> Literal["solved", "unsolved"]:
    """What the verdict counts as."""
    return "solved" if state["passed"] else "unsolved"

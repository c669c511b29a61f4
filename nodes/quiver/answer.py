"""The answer agent: sentences in the language of the request, each with the calls it stands on."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from pydantic import BaseModel, Field

from toolquiver.contexts import QuiverContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.quiver.sight import findings, replies
from toolquiver.nodes.quiver.state import Answer, QuiverState, Statement
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Budgeted, Status
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("quiver/answer")
_STANDS = "The answer stands on the calls that were made."
_REPLIED = "The answer stands on what the user has replied."
_UNSUPPORTED = "Not every sentence of the answer stands on a call or a reply."
_WIDE = {"W", "F"}  # of characters after which no space is written


class Sentence(BaseModel):
    """One sentence, and the numbers of the calls and of the user's replies it stands on."""

    text: str
    calls: list[int] = Field(default_factory=list)


class Worded(BaseModel):
    """The answer in sentences, and what is missing of what was asked."""

    sentences: list[Sentence] = Field(min_length=1)
    missing: list[str] = Field(default_factory=list)


async def answer(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Word the answer from the calls, what they returned, and what the program made of it.

    The text is kept as the model wrote it. Code only looks which calls and replies exist: a sentence on none is
    `unsupported`. Where the model gives no answer, what the program put into `answer` is told.
    """
    ended, proposed = state["reason"], state["proposed"]  # of a planner that went on the reason is empty again
    if ended and not any(call["ok"] for call in state["calls"]):
        return {"draft": _as_proposed(proposed, "failed", ended), "decided": "done"}
    found = await findings("answer", state, run)
    messages = _PROMPT.messages(query=state["query"], why=ended, **found, **clock(state))
    budget = Budgeted(usage=state["usage"], spent_before=state.get("spent_before", 0), stopped="")
    worded, cost = await run.decide("answer", Worded, messages, budget)
    if worded is None:
        reason = str(cost.get("stopped") or ended or "The model gave no answer.")
        return {**cost, "draft": _as_proposed(proposed, "partial" if proposed else "failed", reason), "decided": "done"}
    evidence = [_statement(one, state) for one in worded.sentences]
    nothing = not any(one["calls"] for one in evidence)
    draft = Answer(
        text=joined(one.text for one in worded.sentences),
        status="failed" if ended and nothing else "partial" if worded.missing or ended else "solved",
        reason=ended or _why(worded.missing, evidence),
        evidence=evidence,
        missing=worded.missing,
    )
    return {**cost, "draft": draft, "decided": "in doubt" if not ended and _to_verify(draft, run) else "done"}


def _as_proposed(text: str, status: Status, reason: str) -> Answer:
    return Answer(text=text, status=status, reason=reason, evidence=[], missing=[])


def _statement(sentence: Sentence, state: QuiverState) -> Statement:
    """A sentence with those of its calls that answered; unsupported with none of them, and no reply of the user."""
    answered = {number for number, call in enumerate(state["calls"]) if call["ok"]}
    on = sorted(answered & {number - 1 for number in sentence.calls})
    replied = any(one["number"] in sentence.calls for one in replies(state))
    return Statement(text=sentence.text, calls=on, unsupported=not on and not replied)


def _why(missing: list[str], evidence: list[Statement]) -> str:
    """Why the answer is rated as it is, where the work did not end early."""
    if missing:
        return f"Missing: {'; '.join(missing)}"
    if any(one["unsupported"] for one in evidence):
        return _UNSUPPORTED
    return _STANDS if any(one["calls"] for one in evidence) else _REPLIED


def _to_verify(draft: Answer, run: Run[QuiverContext]) -> bool:
    doubt = bool(draft["missing"]) or any(one["unsupported"] for one in draft["evidence"])
    return run.context.verification == "always" or (run.context.verification == "in_doubt" and doubt)


def joined(sentences: Iterable[str]) -> str:
    """Sentences as one text: a space between them, where the script has one and there is no white space yet."""
    text = ""
    for sentence in sentences:
        spaced = not text or text[-1].isspace() or sentence[:1].isspace()
        wide = bool(text) and unicodedata.east_asian_width(text[-1]) in _WIDE
        text += sentence if spaced or wide else f" {sentence}"
    return text

"""The answer agent: sentences in the language of the request, each with the calls it stands on."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, cast

from pydantic import BaseModel, Field

from toolquiver.contexts import QuiverContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.quiver.functions import functions
from toolquiver.nodes.quiver.sight import cut
from toolquiver.nodes.quiver.state import AfterAnswer, Answer, Made, QuiverState, Statement
from toolquiver.nodes.room import room
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Budgeted, Status
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("quiver/answer")
_LEAST = 200  # characters of a result, however many there are
_WIDE = {"W", "F"}  # of characters after which no space is written


class Sentence(BaseModel):
    """One sentence, and the numbers of the calls it stands on."""

    text: str
    calls: list[int] = Field(default_factory=list)


class Worded(BaseModel):
    """The answer in sentences, and what is missing of what was asked."""

    sentences: list[Sentence] = Field(min_length=1)
    missing: list[str] = Field(default_factory=list)


async def answer(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Word the answer from the calls, what they returned, and what the program made of it.

    The text is kept as the model wrote it. Code only looks which calls exist: a sentence on none is `unsupported`.
    Where the model gives no answer, what the program put into `answer` is told.
    """
    failed = not any(call["ok"] for call in state["calls"])
    ended = bool(state["reason"])  # of a planner that went on it is empty again
    if ended and failed:
        return {"draft": _answer(state["proposed"], "failed", state["reason"], [], []), "decided": "done"}
    told = replies(state)
    messages = _PROMPT.messages(
        query=state["query"],
        calls=await shown_calls("answer", state, run),
        replies=told,
        proposed=""
        if state["proposed"] == state["reason"]
        else cut(state["proposed"], await room("answer", state, run)),
        why=state["reason"] if ended else "",
        **clock(state),
    )
    budget = Budgeted(usage=state["usage"], spent_before=state.get("spent_before", 0), stopped="")
    worded, cost = await run.decide("answer", Worded, messages, budget)
    if worded is None:
        reason = str(cost.get("stopped") or state["reason"] or "The model gave no answer.")
        text = state["proposed"]
        return {**cost, "draft": _answer(text, "partial" if text else "failed", reason, [], []), "decided": "done"}
    evidence = [_statement(one, state["calls"], told) for one in worded.sentences]
    nothing = not any(one["calls"] for one in evidence)
    status: Status = "failed" if ended and nothing else "partial" if worded.missing or ended else "solved"
    reason = _reason(worded.missing, state["reason"] if ended else "")
    draft = _answer(joined(one.text for one in worded.sentences), status, reason, evidence, worded.missing)
    return {**cost, "draft": draft, "decided": "in doubt" if not ended and _to_verify(draft, run) else "done"}


def _answer(text: str, status: Status, reason: str, evidence: list[Statement], missing: list[str]) -> Answer:
    return Answer(text=text, status=status, reason=reason, evidence=evidence, missing=missing)


def _reason(missing: list[str], ended: str) -> str:
    if ended:
        return ended
    return f"Missing: {'; '.join(missing)}" if missing else "The answer stands on the calls that were made."


def _statement(sentence: Sentence, calls: Sequence[Made], told: Sequence[Any]) -> Statement:
    """A sentence with those of its calls that answered.

    With none it is unsupported, where any call was made; what the user has replied may support it too.
    """
    on = sorted({number - 1 for number in sentence.calls if 0 < number <= len(calls) and calls[number - 1]["ok"]})
    return Statement(text=sentence.text, calls=on, unsupported=bool(calls) and not on and not told)


def _to_verify(draft: Answer, run: Run[QuiverContext]) -> bool:
    if run.context.verification == "always":
        return True
    doubt = bool(draft["missing"]) or any(one["unsupported"] for one in draft["evidence"])
    return run.context.verification == "in_doubt" and doubt


def joined(sentences: Iterable[str]) -> str:
    """Sentences as one text: a space between them, where the script has one and there is no white space yet."""
    text = ""
    for sentence in sentences:
        spaced = not text or text[-1].isspace() or sentence[:1].isspace()
        wide = bool(text) and unicodedata.east_asian_width(text[-1]) in _WIDE
        text += sentence if spaced or wide else f" {sentence}"
    return text


async def shown_calls(role: str, state: QuiverState, run: Run[QuiverContext]) -> list[dict[str, Any]]:
    """The calls and what came of them, whole as far as there is room; each gets an equal part, what is cut says so."""
    each = max(_LEAST, await room(role, state, run) * 2 // max(1, len(state["calls"])))
    apis = await run.apis([*state["pool"], *(call["api"] for call in state["calls"])])
    names = {one.api.id: one.name for one in functions(list({api.id: api for api in apis}.values())).values()}
    return [
        {
            "number": number,
            "call": f"{names.get(call['api'], call['api'])}({_arguments(call['arguments'])})",
            "outcome": cut(call["text"], each) if call["ok"] else f"failed ({call['failure']}): {call['message']}",
        }
        for number, call in enumerate(state["calls"], 1)
    ]


def _arguments(given: dict[str, Any]) -> str:
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in given.items())


def replies(state: QuiverState) -> list[dict[str, str]]:
    """What the user was asked by the program, and the replies."""
    return [
        {"question": one["asked"], "reply": one["text"]}
        for one in state["lookups"]
        if one["function"] == "ask_user" and one["ok"]
    ]


def after_answer(state: QuiverState) -> AfterAnswer:
    """The edge that the node has decided on."""
    return cast("AfterAnswer", state["decided"])

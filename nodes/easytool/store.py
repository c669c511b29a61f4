"""What holds goes into the catalogue: each function the moment it is finished, the tool's purpose at the end."""

from __future__ import annotations

import asyncio
import hashlib
from datetime import UTC, datetime

from toolquiver.catalog.instruction import (
    Guideline,
    Purpose,
    Stored,
    by_rule,
    differing,
    parameters_of,
    rendered,
    tool_subject,
)
from toolquiver.catalog.text import shortened
from toolquiver.contexts import EasyToolContext
from toolquiver.models.tokens import count_tokens
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.easytool.documents import next_api, tool_apis, tool_document
from toolquiver.nodes.easytool.state import WHOLE, AfterKeep, Draft, EasyToolState, Function
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

_LONGEST_PROBLEM = 300
_PROMPTS = tuple(load_prompt(f"easytool/{name}") for name in ("describe", "join", "guideline"))


async def keep_guideline(state: EasyToolState, run: Run[EasyToolContext]) -> Update:
    """Store the function, without an example that does not hold, and with a mark on what is wrong.

    It is not stored at all if it lost, invented or changed a parameter. Where no example holds, but a call has proven
    an earlier one, that one stays: to write a function anew loses nothing.
    """
    api_id, *todo = state["todo"]
    api, draft, proof = await next_api(state, run), state["draft"], state["proof"]
    instructions = run.catalog.shown("raw").instructions
    kept = draft if draft and proof != "none" else Draft(scenario="", arguments=None)
    if proof == "none":
        before = (await asyncio.to_thread(instructions.guidelines, [api])).get(api.id)
        if before and before.proof == "called":
            kept, proof = Draft(scenario=before.scenario, arguments=before.arguments), before.proof
    said = dict.fromkeys(filter(None, (state["unwritten"].get(api_id, ""), state["wrong"])))
    problem, line = shortened(" ".join(said), _LONGEST_PROBLEM), state["lines"][api_id]
    guideline = Guideline(
        description=line,
        parameters=parameters_of(api),
        scenario=kept["scenario"],
        arguments=kept["arguments"],
        proof=proof,
        problem=problem,
    )
    if not differing(api, guideline):
        await _keep(api_id, state["documents"][api_id], guideline, run)
    written = Function(api=api_id, description=line, draft=kept, proof=proof, problem=problem)
    return {"functions": [*state["functions"], written], "todo": todo, "draft": None, "wrong": "", "proof": "none"}


async def store_instruction(state: EasyToolState, run: Run[EasyToolContext]) -> Update:
    """Store what the tool is for, for the document as it was read; say what the whole instruction saves."""
    apis = await tool_apis(state, run)
    purpose = Purpose(purpose=state["purpose"], problem=state["unwritten"].get(WHOLE, ""))
    if state["writes_purpose"]:
        await _keep(tool_subject(state["category"], state["tool"]), state["documents"][WHOLE], purpose, run)
    kept = await asyncio.to_thread(run.catalog.shown("raw").instructions.guidelines, apis)
    text = rendered(state["tool"], state["purpose"], [(api.function, kept.get(api.id) or by_rule(api)) for api in apis])
    return {
        "instruction": text,
        "problem": purpose.problem,
        "tokens_before": count_tokens(tool_document(apis)),
        "tokens_after": count_tokens(text),
    }


async def _keep(subject: str, document: str, content: Guideline | Purpose, run: Run[EasyToolContext]) -> None:
    """Store what was written, unless the last version says just that."""
    instructions = run.catalog.shown("raw").instructions
    new = Stored(
        subject=subject,
        document=document,
        prompt=prompt_version(),
        model=run.model_name("write_guideline"),
        made=datetime.now(UTC),
        content=content,
    )
    same = {"version", "made"}
    last = (await asyncio.to_thread(instructions.versions, subject))[-1:]
    if not last or last[0].model_dump(exclude=same) != new.model_dump(exclude=same):
        await asyncio.to_thread(instructions.put, [new])


def prompt_version() -> str:
    """A digest of the prompts that instructions are written with: with other words others come out."""
    texts = [text for prompt in _PROMPTS for _, text in prompt.parts]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def after_keep(state: EasyToolState) -> AfterKeep:
    """Whether a function is left."""
    return "next function" if state["todo"] else "all written"

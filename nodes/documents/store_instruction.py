"""Store: what a tool is for, in the catalogue, when all its functions are there; and what the instruction saves."""

from __future__ import annotations

import asyncio

from toolquiver.catalog.instruction import Purpose, by_rule, rendered, tool_subject
from toolquiver.models.tokens import count_tokens
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.documents.documenting import WHOLE, EasyToolState, as_it_is
from toolquiver.nodes.documents.open_document import tool_apis
from toolquiver.nodes.documents.write_guideline import keep
from toolquiver.nodes.run import Run


async def store_instruction(state: EasyToolState, run: Run) -> Update:
    """Store the purpose, for the document as it was when it was read; say what the whole instruction saves.

    A purpose that was not to be written stays as it is; one that the model was asked for and rules had to make is
    marked with the reason.
    """
    apis = await tool_apis(state, run)
    instructions = run.catalog.shown("raw").instructions
    subject = tool_subject(state["category"], state["tool"])
    purpose = Purpose(purpose=state["purpose"], problem=state["unwritten"].get(WHOLE, ""))
    if not state.get("keeps_purpose"):
        await keep(subject, state["documents"][WHOLE], purpose, run)
    kept = await asyncio.to_thread(instructions.guidelines, apis)
    text = rendered(state["tool"], state["purpose"], [(api.function, kept.get(api.id) or by_rule(api)) for api in apis])
    before = count_tokens(as_it_is(apis))
    return {
        "instruction": text,
        "problem": purpose.problem,
        "tokens_before": before,
        "tokens_after": count_tokens(text),
    }

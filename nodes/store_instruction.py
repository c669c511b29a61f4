"""Store: the instruction of a tool and its functions in the catalogue, the moment it is finished."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

from toolquiver.catalog import API
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
from toolquiver.models.tokens import count_tokens
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.documenting import WHOLE, Documenting, Function, as_it_is
from toolquiver.nodes.open_document import tool_apis
from toolquiver.nodes.run import Run
from toolquiver.nodes.write_guideline import prompt_version


async def store_instruction(state: Documenting, run: Run) -> Update:
    """Store what was written, and say what it saves; a function that lost or changed a parameter is not stored."""
    apis = await tool_apis(state, run)
    instructions = run.catalog.shown("raw").instructions
    await asyncio.to_thread(instructions.put, _stored(apis, state, run))
    kept = await asyncio.to_thread(instructions.guidelines, apis)
    text = rendered(state["tool"], state["purpose"], [(api.function, kept.get(api.id) or by_rule(api)) for api in apis])
    before = count_tokens(as_it_is(apis))
    return {"instruction": text, "tokens_before": before, "tokens_after": count_tokens(text)}


def guideline_of(api: API, function: Function) -> Guideline:
    """A written function as the catalogue keeps it."""
    draft = function["draft"]
    return Guideline(
        description=function["description"],
        parameters=parameters_of(api, draft["meanings"]),
        scenario=draft["scenario"],
        arguments=draft["arguments"],
        proof=function["proof"],
        problem=function["problem"],
    )


def _stored(apis: Sequence[API], state: Documenting, run: Run) -> list[Stored]:
    """The tool's instruction and those of its functions, for the documents as they were when they were read."""
    documents = state["documents"]
    by_id = {api.id: api for api in apis}
    written = [(by_id[one["api"]], one) for one in state["functions"] if one["api"] in by_id]
    made = [(api, guideline_of(api, one)) for api, one in written]
    subject = tool_subject(state["category"], state["tool"])
    said: list[tuple[str, str, Guideline | Purpose]] = [
        (subject, documents[WHOLE], Purpose(purpose=state["purpose"])),
        *((api.id, documents[api.id], guideline) for api, guideline in made if not differing(api, guideline)),
    ]
    prompt, model, made_at = prompt_version(), run.model_name("write_guideline"), datetime.now(UTC)
    return [
        Stored(subject=key, document=digest, prompt=prompt, model=model, made=made_at, content=content)
        for key, digest, content in said
    ]

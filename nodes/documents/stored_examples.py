"""Examples that an earlier run has written, and that nobody could call then."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from toolquiver.catalog import API, ApiId
from toolquiver.catalog.instruction import Guideline, parameters_of
from toolquiver.nodes.documents.documenting import Draft, EasyToolState
from toolquiver.nodes.run import Run


async def stored_examples(apis: Sequence[API], state: EasyToolState, run: Run) -> dict[ApiId, Draft]:
    """The examples in force of those functions that are only to be tried, as drafts."""
    tries = set(state.get("tries") or ()) - set(state.get("apis") or ())
    wanted = [api for api in apis if api.id in tries]
    found = await asyncio.to_thread(run.catalog.shown("raw").instructions.guidelines, wanted) if wanted else {}
    return {api.id: draft_of(api, found[api.id]) for api in wanted if api.id in found}


def draft_of(api: API, guideline: Guideline) -> Draft:
    """What the model wrote of it: the meanings that the documentation does not give, too."""
    meanings = {one.name: guideline.meaning(one.name) for one in parameters_of(api) if not one.meaning}
    return Draft(
        scenario=guideline.scenario,
        arguments=guideline.arguments,
        meanings={name: meaning for name, meaning in meanings.items() if meaning},
    )

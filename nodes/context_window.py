"""What a solver is shown of its conversation: as much as its model sees, or as the settings say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AnyMessage, BaseMessage

from toolquiver.models import Function
from toolquiver.models.tokens import count_message_tokens, count_tokens, table_loaded
from toolquiver.models.written import as_text
from toolquiver.nodes.run import Run
from toolquiver.nodes.windows import shown

_ANSWER = 512  # tokens that a model needs for a turn of its own
_SENTENCES = 120  # tokens that an answer needs
_MARGIN = 1.1  # our count may be this much too low
_CHARACTERS_A_TOKEN = 4
_RESULT, _TURNS = "(Left out here, because it is long ago.)", "(Earlier turns are left out here.)"


async def fit_to_context(
    role: str,
    said: Sequence[AnyMessage],
    run: Run[Any],
    *,
    opening: Sequence[BaseMessage] = (),
    functions: Sequence[Function] = (),
    left: int = 0,
    calls_as_text: bool = False,
) -> list[AnyMessage]:
    """What was said after the `opening`, the newest parts first, with a word on what is left out.

    It has at most `solver_context` tokens, and together with opening and functions fits into the context of the role's
    model, where the model's profile knows that, and into the `left` tokens of the budget, where they are given. Who is
    offered no function reads calls and results as text, which is a little longer: `calls_as_text`.
    """
    if not said:
        return []
    await table_loaded()
    limit = run.context.solver_context
    sees = ((await run.model(role)).profile or {}).get("max_input_tokens")
    if bounds := [(most, answer) for most, answer in ((sees, _ANSWER), (left, _SENTENCES)) if most]:
        beside = count_message_tokens(opening) + (count_tokens(json.dumps(functions)) if functions else 0)
        limit = min(limit, *(int(most / _MARGIN) - answer - beside for most, answer in bounds))
    part, window = list(said), max(0, limit) * _CHARACTERS_A_TOKEN
    while count_message_tokens(as_text(part, ()) if calls_as_text else part) > limit:
        part = shown(said, window, begins=0, result=_RESULT, turns=_TURNS)
        if not window:
            break
        window = window * 3 // 4
    return part

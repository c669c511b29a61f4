"""What a solver is shown of its conversation: as much as its model sees, or as the settings say."""

from __future__ import annotations

import json
from collections.abc import Sequence

from langchain_core.messages import AnyMessage, BaseMessage

from toolquiver.models import Function
from toolquiver.models.tokens import count_message_tokens, count_tokens, table_loaded
from toolquiver.nodes.run import Run
from toolquiver.nodes.windows import shown

_ANSWER = 512  # tokens that a model needs for a turn of its own
_MARGIN = 1.1  # our count may be this much too low
_CHARACTERS_A_TOKEN = 4
_RESULT, _TURNS = "(Left out here, because it is long ago.)", "(Earlier turns are left out here.)"


async def in_sight(
    role: str,
    said: Sequence[AnyMessage],
    run: Run,
    *,
    opening: Sequence[BaseMessage] = (),
    functions: Sequence[Function] = (),
) -> list[AnyMessage]:
    """What was said behind the `opening`, the newest parts first, with a word on what is left out.

    It has at most `solver_context` tokens, and together with opening and functions fits into the context of the role's
    model, where the model's profile knows that.
    """
    if not said:
        return []
    await table_loaded()
    limit = run.context.solver_context
    most = ((await run.model(role)).profile or {}).get("max_input_tokens")
    if most:
        beside = count_message_tokens(opening) + (count_tokens(json.dumps(functions)) if functions else 0)
        limit = min(limit, int(most / _MARGIN) - _ANSWER - beside)
    part, window = list(said), max(0, limit) * _CHARACTERS_A_TOKEN
    while count_message_tokens(part) > limit:
        part = shown(said, window, begins=0, result=_RESULT, turns=_TURNS)
        if not window:
            break
        window = window * 3 // 4
    return part

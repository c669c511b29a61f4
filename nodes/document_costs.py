"""What it will about cost to write a tool's instruction: its prompts are counted, its answers are guessed."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pydantic import BaseModel

from toolquiver.catalog import API
from toolquiver.models import RoleUsage
from toolquiver.models.tokens import count_message_tokens, count_tokens
from toolquiver.nodes.describe_tool import described_as, described_from
from toolquiver.nodes.open_document import split
from toolquiver.nodes.write_guideline import guideline_as, guideline_from, undescribed

_LINE = 30  # tokens of a sentence in JSON
_EXAMPLE = 60
_MEANING = 15
_AGAIN = 1.25  # repairs, and answers that are asked for once more


def estimated_usage(apis: Sequence[API], document_tokens: int) -> RoleUsage:
    """The tokens and model calls for these functions of one tool, before any call."""
    by_id = {api.id: api for api in apis}
    parts = [[by_id[id_] for id_ in part] for part in split(apis, document_tokens)]
    prompt = sum(count_message_tokens(described_from(part)) + _schema(described_as(part)) for part in parts)
    completion = _LINE * (len(parts) + len(apis))
    for api in apis:
        prompt += count_message_tokens(guideline_from(api, api.tool, "")) + _LINE + _schema(guideline_as(api))
        completion += _EXAMPLE + _MEANING * len(undescribed(api))
    return RoleUsage(
        calls=round(_AGAIN * (len(parts) + len(apis))),
        prompt=round(_AGAIN * prompt),
        completion=round(_AGAIN * completion),
        cached=0,
        estimated=round(_AGAIN * (prompt + completion)),
    )


def _schema(shape: type[BaseModel]) -> int:
    return count_tokens(json.dumps(shape.model_json_schema()))

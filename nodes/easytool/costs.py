"""What it will about cost to write a tool's instruction: its prompts are counted, its answers are guessed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from toolquiver.catalog import API
from toolquiver.catalog.instruction import by_rule, purpose_by_rule
from toolquiver.contexts import EasyToolContext
from toolquiver.models import RoleUsage
from toolquiver.models.tokens import count_message_tokens, count_tokens
from toolquiver.nodes.easytool.describe import Joined, described_as, described_from, joined_from
from toolquiver.nodes.easytool.documents import split
from toolquiver.nodes.easytool.guideline import example_as, guideline_from

_LINE = 30  # tokens of a sentence in JSON
_EXAMPLE = 60
_AGAIN = 1.25  # repairs, and answers that are asked for once more

Asked = tuple[list[BaseMessage], type[BaseModel], int]
"""The prompt of a model call, the shape of its answer, and the answer's tokens."""


def estimated_usage(
    apis: Sequence[API], context: EasyToolContext, *, whole: bool = True, every: Sequence[API] | None = None
) -> RoleUsage:
    """The tokens and model calls for these functions of one tool, before any call.

    `whole` is whether to say what the tool is for, and `every` are all of its functions, where these are not all.
    """
    asked = list(_asked(apis, context, every or apis, whole))
    prompt = sum(count_message_tokens(messages) + _schema(shape) for messages, shape, _ in asked)
    completion = sum(tokens for _, _, tokens in asked)
    return RoleUsage(
        calls=round(_AGAIN * len(asked)),
        prompt=round(_AGAIN * prompt),
        completion=round(_AGAIN * completion),
        cached=0,
        estimated=round(_AGAIN * (prompt + completion)),
    )


def _asked(apis: Sequence[API], context: EasyToolContext, every: Sequence[API], due: bool) -> Iterator[Asked]:
    by_id = {api.id: api for api in apis}
    parts = split(apis, context.document_tokens)
    several = [len(part) for part in parts] != [len(every)]
    for part in parts:
        described, whole = [by_id[id_] for id_ in part], due and not several
        yield described_from(described, whole=whole), described_as(described, whole=whole), _LINE * (len(part) + whole)
    if several and due and every:
        yield joined_from(every, [by_rule(api).description for api in every]), Joined, _LINE
    for api in apis:
        purpose = purpose_by_rule(every).purpose
        yield guideline_from(api, purpose, by_rule(api).description), example_as(api), _EXAMPLE


def _schema(shape: type[BaseModel]) -> int:
    return count_tokens(json.dumps(shape.model_json_schema()))

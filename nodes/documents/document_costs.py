"""What it will about cost to write a tool's instruction: its prompts are counted, its answers are guessed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from toolquiver.catalog import API
from toolquiver.catalog.instruction import by_rule
from toolquiver.context import Context
from toolquiver.models import RoleUsage
from toolquiver.models.tokens import count_message_tokens, count_tokens
from toolquiver.nodes.documents.describe_tool import described_as, described_from
from toolquiver.nodes.documents.join_parts import Joined, joined_from
from toolquiver.nodes.documents.open_document import in_several_parts, settled_purpose, split, to_describe
from toolquiver.nodes.documents.write_guideline import (
    guideline_as,
    guideline_from,
    guidelines_as,
    meanings_as,
    meanings_asked,
    together,
)

_LINE = 30  # tokens of a sentence in JSON
_EXAMPLE = 60
_MEANING = 15
_AGAIN = 1.25  # repairs, and answers that are asked for once more

Asked = tuple[list[BaseMessage], type[BaseModel], int]
"""The prompt of a model call, the shape of its answer, and the answer's tokens."""


def estimated_usage(
    apis: Sequence[API], context: Context, *, whole: bool = True, every: Sequence[API] | None = None
) -> RoleUsage:
    """The tokens and model calls for these functions of one tool, before any call.

    `whole` is whether to say what the tool is for, and `every` are all of its functions, where these are not all.
    """
    asked = [*_described(apis, context, every or apis, whole), *_exemplified(apis, context)] if every or apis else []
    prompt = sum(count_message_tokens(messages) + _schema(shape) for messages, shape, _ in asked)
    completion = sum(tokens for _, _, tokens in asked)
    return RoleUsage(
        calls=round(_AGAIN * len(asked)),
        prompt=round(_AGAIN * prompt),
        completion=round(_AGAIN * completion),
        cached=0,
        estimated=round(_AGAIN * (prompt + completion)),
    )


def _described(apis: Sequence[API], context: Context, every: Sequence[API], due: bool) -> Iterator[Asked]:
    by_id = {api.id: api for api in apis}
    parts = split(to_describe(apis, context.describe), context.document_tokens)
    several = in_several_parts(parts, every)
    settled = not due or settled_purpose(every, context.describe)
    for part in parts:
        described = [by_id[id_] for id_ in part]
        whole = not (settled or several)
        yield described_from(described, whole=whole), described_as(described, whole=whole), _LINE * (len(part) + whole)
    if several and not settled:
        yield joined_from(every, [by_rule(api).description for api in every]), Joined, _LINE


def _exemplified(apis: Sequence[API], context: Context) -> Iterator[Asked]:
    having = {api.id: api for api in apis if api.parameter_list()}
    for part in together(list(having.values()), context):
        asked = [having[id_] for id_ in part]
        messages = guideline_from(asked, {api.id: by_rule(api).description for api in asked})
        shape = guidelines_as(asked) if len(asked) > 1 else guideline_as(asked[0])
        yield messages, shape, sum(_EXAMPLE + _MEANING * len(meanings_asked(api)[0]) for api in asked)
    for api in having.values():
        for names in meanings_asked(api)[1:]:
            messages = guideline_from([api], {api.id: by_rule(api).description})
            yield messages, meanings_as(names), _MEANING * len(names)


def _schema(shape: type[BaseModel]) -> int:
    return count_tokens(json.dumps(shape.model_json_schema()))

"""Instructions and documentation as text that a person reads, in the same form, so that they can be compared."""

from __future__ import annotations

import json
from collections.abc import Sequence

from toolquiver.catalog import API
from toolquiver.catalog.instruction import Purpose, Stored, example_of


def documentation(apis: Sequence[API], *, whole: bool) -> str:
    """What the source says of an API, or of the tool as a `whole`."""
    if whole:
        return apis[0].tool_description
    (api,) = apis
    said = [_parameter(one.name, one.type, one.description, required=one.required) for one in api.parameter_list()]
    return "\n".join([api.description, *said])


def instruction(one: Stored) -> str:
    """What an instruction says, in the form of `documentation`."""
    content = one.content
    wrong = [f"! {content.problem}"] if content.problem else []
    if isinstance(content, Purpose):
        return "\n".join([content.purpose, *wrong])
    said = [_parameter(kept.name, kept.type, kept.meaning, required=kept.required) for kept in content.parameters]
    example = [f"e.g. {example_of(content)} ({content.proof})"] if content.arguments is not None else []
    return "\n".join([content.description, *said, *example, *wrong])


def in_full(one: Stored, standing: str) -> str:
    """A version as it is stored, under a line that says where it is from and whether it counts."""
    head = f"version {one.version}, {one.made:%Y-%m-%d %H:%M}, {one.model}, prompts {one.prompt}, {standing}\n"
    return head + json.dumps(one.content.model_dump(mode="json"), indent=1, ensure_ascii=False)


def _parameter(name: str, type_: str, meaning: str, *, required: bool) -> str:
    return f"{name}{'' if required else '?'} ({type_}): {meaning}".rstrip(": ")

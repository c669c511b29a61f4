"""The settings of EasyTool: of writing instructions, and of the four stages that use them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from toolquiver.bounds import MOST, DocumentForm, Examples
from toolquiver.context import Context
from toolquiver.contexts.clocked import ClockedContext


@dataclass(frozen=True, kw_only=True)
class EasyToolContext(Context):
    """The settings of the graph `easytool`: these, and no others."""

    document: Annotated[
        DocumentForm, Field(description="the documentation that the model reads: as it is, or without markup")
    ] = "raw"
    document_tokens: Annotated[
        int, Field(description="tokens of documentation shown at once; longer documents are split by function", ge=1)
    ] = 4_000
    try_examples: Annotated[
        Examples,
        Field(description="which examples are called to prove them: none, of calls that only read, all"),
    ] = "reading"
    max_repairs: Annotated[
        int,
        Field(
            description="how often an example that does not hold is written again before it is dropped",
            ge=0,
            le=MOST["max_repairs"],
        ),
    ] = 2


@dataclass(frozen=True, kw_only=True)
class PipelineContext(ClockedContext):
    """The settings of the graph `easytool_pipeline`: these, and no others. `top_k` is the paper's K."""

    max_tries: Annotated[
        int, Field(description="tools that are tried for a subtask before it is given up (R in the paper)", ge=1)
    ] = 3
    max_subtasks: Annotated[int, Field(description="subtasks that a plan may have", ge=1)] = 10

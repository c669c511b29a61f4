"""Baselines that write a nested call as a plan and call nothing (Reverse Chain, 3 and A.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel, Field

from toolquiver.context import Context
from toolquiver.errors import BudgetExceeded
from toolquiver.evaluation.records import Question, Resources, Result
from toolquiver.evaluation.systems.candidates import candidates_of
from toolquiver.models import InvalidDecision, decide
from toolquiver.nodes.describe import function_lines
from toolquiver.prompts import load_prompt

Way = Literal["zero-shot", "few-shot", "zero-shot-cot", "few-shot-cot"]

ROLE = "plan"
_PROMPT = load_prompt("nested")


class NestedCall(BaseModel):
    """The whole plan as one nested call."""

    call: str = Field(max_length=2_000)


class ReasonedCall(BaseModel):
    """The steps that lead to the plan, and then the plan."""

    steps: list[str] = Field(max_length=12)
    call: str = Field(max_length=2_000)


@dataclass(frozen=True, kw_only=True)
class NestedSystem:
    """One question to the model: with an example (few-shot) or without, with steps before the plan (CoT) or without."""

    way: Way
    model: BaseChatModel
    context: Context

    async def __call__(self, question: Question, resources: Resources) -> Result:
        """The plan, which is the answer too."""
        apis = candidates_of(question, resources, self.context)
        reasons = self.way.endswith("cot")
        shape: type[NestedCall | ReasonedCall] = ReasonedCall if reasons else NestedCall
        messages = _PROMPT.messages(
            query=question.query,
            functions=[function_lines(api) for api in apis],
            shown_one=self.way.startswith("few"),
            reasons=reasons,
        )
        known = {"question": "", "candidates": tuple(api.id for api in apis)}
        method, budget = self.context.decision_method, self.context.token_budget
        try:
            made = await decide(self.model, shape, messages, role=ROLE, tokens_left=budget, method=method)
        except (BudgetExceeded, InvalidDecision) as error:
            return Result.model_validate({**known, "outcome": "failed", "reason": str(error), "usage": error.usage})
        return Result.model_validate(
            {
                **known,
                "outcome": "solved",
                "answer": made.value.call,
                "plan": made.value.call,
                "usage": made.usage,
                "trace": [[ROLE, made.value.model_dump()]],
            }
        )

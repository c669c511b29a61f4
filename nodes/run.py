"""What a node works with besides the state: settings, catalogue, callers and models."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict, TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from pydantic import BaseModel
from toolquiver.nodes.state import Budgeted

from toolquiver.calling import Caller, Failure, Observation, PythonCaller, perform
from toolquiver.catalog import API, ApiId, Catalog
from toolquiver.catalog.langchain import PYTHON
from toolquiver.catalog.named import catalog_named
from toolquiver.context import Context
from toolquiver.errors import BudgetExceeded, InputError
from toolquiver.models import InvalidDecision, decide, model_named, tokens

T = TypeVar("T", bound=BaseModel)


class Resources(TypedDict, total=False):
    """What a graph can be bound to when it is built; what is left out comes from the run's `Context`.

    `models` are models of single roles, by role. `callers` call the APIs of further sources, by source.
    `context` stands in where a run is given none.
    """

    model: BaseChatModel | str
    models: Mapping[str, BaseChatModel | str]
    catalog: Catalog
    callers: Mapping[str, Caller]
    context: Context


@dataclass(frozen=True, kw_only=True)
class Run:
    """One node's view of a run."""

    context: Context
    catalog: Catalog
    bound: Resources

    @classmethod
    async def of(cls, context: Context, bound: Resources) -> Run:
        """The run's resources: those bound at build time, else those that `context` names."""
        catalog = bound.get("catalog") or await catalog_named(context.catalog)
        return cls(context=context, catalog=catalog, bound=bound)

    async def decide(
        self, role: str, shape: type[T], messages: list[BaseMessage], state: Budgeted
    ) -> tuple[T | None, dict[str, Any]]:
        """Let `role` decide, and say what that changes in the state: `usage`, or `stopped` with the reason.

        The decision is None when the model gave no valid one, or when the budget is spent: then every node goes
        on with what it has, and the routers lead to the answer.

        Raises:
            InputError: not even the first call of the run fits the budget.
            ModelError: the model cannot be used.
        """
        if state.get("stopped"):
            return None, {}
        model = self.bound.get("models", {}).get(role) or self.bound.get("model") or self.context.model_of(role)
        if isinstance(model, str):
            model = await model_named(model)
        usage = state.get("usage", {})
        left = self.context.token_budget - tokens(usage)
        try:
            decision = await decide(
                model, shape, messages, role=role, tokens_left=left, method=self.context.decision_method
            )
        except InvalidDecision as failed:
            return None, {"usage": failed.usage}
        except BudgetExceeded as error:
            if usage:
                return None, {"stopped": str(error)}
            raise InputError(
                f"The token budget of {self.context.token_budget} is too small to start. Raise token_budget."
            ) from error
        return decision.value, {"usage": decision.usage}

    async def call(self, api: API, arguments: dict[str, Any]) -> Observation | Failure:
        """Call an API under the run's limits."""
        callers = {PYTHON: PythonCaller(self.catalog.tools), **self.bound.get("callers", {})}
        return await perform(api, arguments, callers, self.context.call_limits)

    async def apis(self, ids: list[ApiId]) -> list[API]:
        """The APIs of these ids, in order; ids that the catalogue does not have are left out."""
        found = await asyncio.to_thread(lambda: [self.catalog.find(api_id) for api_id in ids])
        return [api for api in found if api is not None]

    async def search(self, text: str, k: int) -> list[ApiId]:
        """The ids of the at most `k` APIs that fit `text` best."""
        hits = await asyncio.to_thread(self.catalog.search, text, k)
        return [hit.api.id for hit in hits]

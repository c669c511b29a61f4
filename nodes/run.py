"""What a node works with besides the state: settings, catalogue, callers and models."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypedDict

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel
from typing_extensions import TypeVar

from toolquiver.calling import Caller, Failure, Observation, PythonCaller, callers_of, perform
from toolquiver.catalog import API, Catalog
from toolquiver.catalog.named import catalog_named
from toolquiver.catalog.sources import PYTHON
from toolquiver.context import Context
from toolquiver.errors import BudgetExceeded, ContextExceeded, InputError, PromptRefused
from toolquiver.models import (
    AnswerRefused,
    Decision,
    Function,
    InvalidDecision,
    Meter,
    Turn,
    decide,
    model_named,
    take_turn,
    tokens,
)
from toolquiver.nodes.finder import Finder, Settings
from toolquiver.nodes.state import Budgeted

T = TypeVar("T", bound=BaseModel)
Reply = TypeVar("Reply", Decision[Any], Turn)


class Resources(TypedDict, total=False):
    """What a graph can be bound to when it is built; what is left out comes from the run's `Context`.

    `models` are models of single roles, by role. `callers` call the APIs of further sources, by source.
    `context` has the settings that a run does not name.
    """

    model: BaseChatModel | str
    models: Mapping[str, BaseChatModel | str]
    catalog: Catalog
    callers: Mapping[str, Caller]
    context: Context


@dataclass(frozen=True, kw_only=True)
class Run(Finder[Settings]):
    """One node's view of a run; what it spends is added to `meter`, where there is one."""

    bound: Resources
    meter: Meter | None = None

    @classmethod
    async def of(cls, context: Settings, bound: Resources) -> Run[Settings]:
        """The run's resources: those bound at build time, else those that `context` names."""
        catalog = bound["catalog"] if "catalog" in bound else await catalog_named(context.catalog)
        return cls(context=context, catalog=catalog.shown(context.documentation), bound=bound)

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
        method = self.context.decision_method
        decision, cost = await self._asked(role, state, partial(decide, shape=shape, messages=messages, method=method))
        return decision.value if decision else None, cost

    async def turn(
        self,
        role: str,
        functions: list[Function],
        messages: list[BaseMessage],
        state: Budgeted,
        *,
        must_call: bool = False,
        several: int = 1,
        leave: int = 0,
    ) -> tuple[AIMessage | None, dict[str, Any]]:
        """Let `role` go on with a conversation, and say what that changes in the state, as `decide` does.

        With `must_call`, a turn without a call is asked for once more. A written turn may make `several` calls.
        `leave` tokens of the budget stay unspent.

        Raises:
            InputError: not even the first call of the run fits the budget.
            ModelError: the model cannot be used.
        """
        ask = partial(
            take_turn,
            messages=messages,
            functions=functions,
            form=getattr(self.context, "action_form", "auto"),
            method=self.context.decision_method,
            must_call=must_call,
            several=several,
        )
        turn, cost = await self._asked(role, state, ask, leave)
        return turn.message if turn else None, cost

    async def _asked(
        self, role: str, state: Budgeted, ask: Callable[..., Awaitable[Reply]], leave: int = 0
    ) -> tuple[Reply | None, dict[str, Any]]:
        """What the role's model says when it is asked within the budget that is left, and what that cost."""
        if state.get("stopped"):
            return None, {}
        model, left = await self.model(role), self.left(state) - leave
        try:
            reply = await ask(model, role=role, tokens_left=left, meter=self.meter)
        except AnswerRefused as refused:
            return None, {"usage": refused.usage, "stopped": str(refused), "refused": True}
        except InvalidDecision as failed:
            first = not (state.get("usage") or state.get("spent_before"))
            ended = {"stopped": str(failed), "refused": True} if failed.speechless and first else {}
            return None, {"usage": failed.usage, **ended}
        except (ContextExceeded, PromptRefused) as error:
            if not (state.get("usage") or state.get("spent_before")):
                raise
            return None, {"stopped": str(error), "refused": True}
        except BudgetExceeded as error:
            return None, {"usage": error.usage, **self._stop(state, error)}
        return reply, {"usage": reply.usage}

    async def model(self, role: str) -> BaseChatModel:
        """The model of a role, loaded."""
        model = self._model_of(role)
        return await model_named(model) if isinstance(model, str) else model

    def _model_of(self, role: str) -> BaseChatModel | str:
        """The model of a role or its name: bound or named for it, else the run's."""
        named = (self.bound.get("models", {}).get(role), self.context.role_models.get(role), self.bound.get("model"))
        return next((model for model in named if model is not None), self.context.model)

    def left(self, state: Budgeted) -> int:
        """The tokens that may still be spent, of the budget or of the share that the state has of it."""
        return self.context.token_budget - tokens(state.get("usage", {})) - (state.get("spent_before") or 0)

    def _stop(self, state: Budgeted, error: BudgetExceeded) -> dict[str, Any]:
        """The end of all asking; an error where nothing was asked yet."""
        if state.get("usage") or state.get("spent_before"):
            return {"stopped": f"{error} Raise token_budget.", "refused": False}
        raise self.too_small() from error

    def too_small(self) -> InputError:
        """What a user is told of a budget in which not even the first question fits."""
        return InputError(f"The token budget of {self.context.token_budget} is too small to start. Raise token_budget.")

    async def call(self, api: API, arguments: dict[str, Any], *, characters: int = 0) -> Observation | Failure:
        """Call an API under the run's limits; with `characters` of its response, where so many must be kept."""
        callers = {PYTHON: PythonCaller(self.catalog.tools), **self.bound.get("callers", {})}
        if api.source not in callers:
            callers = await asyncio.to_thread(callers_of, self.catalog)
        limits = self.context.call_limits
        return await perform(api, arguments, callers, replace(limits, characters=characters or limits.characters))

    async def can_call(self, api: API) -> bool:
        """Whether there is somebody to call this API."""
        if api.source in self.bound.get("callers", {}):
            return True
        if api.source == PYTHON:
            return api.id in self.catalog.tools
        return api.source in await asyncio.to_thread(callers_of, self.catalog)

    def model_name(self, role: str) -> str:
        """What the model of a role is called, to tell its work from another's."""
        model = self._model_of(role)
        return model if isinstance(model, str) else getattr(model, "model_name", "") or type(model).__name__

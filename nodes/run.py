"""What a node works with besides the state: settings, catalogue, callers and models."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypedDict, TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel

from toolquiver.calling import Caller, Failure, Observation, PythonCaller, callers_of, perform
from toolquiver.catalog import API, ApiId, Catalog, Hit
from toolquiver.catalog.named import catalog_named
from toolquiver.catalog.sources import PYTHON
from toolquiver.context import Context
from toolquiver.errors import BudgetExceeded, ContextExceeded, InputError
from toolquiver.models import Decision, Function, InvalidDecision, Meter, Turn, decide, model_named, take_turn, tokens
from toolquiver.models.tokens import table_loaded
from toolquiver.nodes.apis.converters import converters, takes
from toolquiver.nodes.apis.usable import usable
from toolquiver.nodes.state import Budgeted, ExecutorState
from toolquiver.registration import Registration

_CONSUMERS = 5  # so many of the best hits are taken for what the question may end in
_PRODUCERS = 2
_RANKED = 100

T = TypeVar("T", bound=BaseModel)
Reply = TypeVar("Reply", Decision[Any], Turn)


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
    """One node's view of a run; what it spends is added to `meter`, where there is one."""

    context: Context
    catalog: Catalog
    bound: Resources
    meter: Meter | None = None

    @classmethod
    async def of(cls, context: Context, bound: Resources) -> Run:
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
            form=self.context.action_form,
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
        except InvalidDecision as failed:
            return None, {"usage": failed.usage}
        except ContextExceeded as error:
            if not state.get("usage"):
                raise
            return None, {"stopped": str(error)}
        except BudgetExceeded as error:
            return None, self._stop(state, error)
        return reply, {"usage": reply.usage}

    async def model(self, role: str) -> BaseChatModel:
        """The model of a role, loaded."""
        model = self._model_of(role)
        return await model_named(model) if isinstance(model, str) else model

    def _model_of(self, role: str) -> BaseChatModel | str:
        """The model of a role or its name: bound or named for it, else the run's."""
        return (
            self.bound.get("models", {}).get(role)
            or self.context.role_models.get(role)
            or self.bound.get("model")
            or self.context.model
        )

    def left(self, state: Budgeted) -> int:
        """The tokens that may still be spent, of the budget or of the share that the state has of it."""
        return self.context.token_budget - tokens(state.get("usage", {})) - (state.get("spent_before") or 0)

    def _stop(self, state: Budgeted, error: BudgetExceeded) -> dict[str, Any]:
        """The end of all asking; an error where nothing was asked yet."""
        if state.get("usage") or state.get("spent_before"):
            return {"stopped": str(error)}
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

    async def registering(self, apis: list[API]) -> Registration:
        """How these tools come into an agent's sight."""
        if self.context.registration == "auto":
            await table_loaded()
        return self.context.registering.over(apis)

    async def has_apis(self) -> bool:
        """Whether the catalogue has any."""
        return bool(await asyncio.to_thread(len, self.catalog))

    async def named(self, function: str) -> API | None:
        """The API that models know by this function name, or None."""
        return await asyncio.to_thread(self.catalog.by_function, function)

    async def apis(self, ids: list[ApiId]) -> list[API]:
        """The APIs of these ids, in order; ids that the catalogue does not have are left out."""
        if (at_hand := self.catalog.at_hand(ids)) is not None:
            return at_hand
        return await asyncio.to_thread(self.catalog.found, ids)

    async def api(self, id_: ApiId) -> API:
        """The API of this id, which the state names.

        Raises:
            InputError: the catalogue has lost it since: the run was begun with what another import has replaced.
        """
        if not (found := await self.apis([id_])):
            raise InputError(
                f"The catalogue no longer has {id_!r}, which this run uses. Import it, or start a new run."
            )
        return found[0]

    async def chosen(self, state: ExecutorState) -> API:
        """The API that was chosen for the current step, where one was; the errors are those of `api`."""
        assert state["chosen"] is not None
        return await self.api(state["chosen"])

    async def candidates(self, state: ExecutorState, text: str, planned: list[ApiId] | None = None) -> list[API]:
        """The APIs the user gave; else the planned ones, what agents found that fits `text` best, and `search`.

        None is among them that was removed.
        """
        if state["allowed"] is not None:
            return usable(await self.apis(state["allowed"]), state.get("removed"))
        if found := state.get("found") or []:
            ranks = {hit.api.id: rank for rank, hit in enumerate(await self.hits(text, _RANKED))}
            found = sorted(found, key=lambda api: ranks.get(api, _RANKED))[: self.context.shown]
        apis = await self.search(text, list(dict.fromkeys([*(planned or []), *found])))
        return usable(apis, state.get("removed"))

    async def hits(self, text: str, most: int | None = None) -> list[Hit]:
        """What search finds for `text`, the best first: `top_k`, unless told otherwise; all where there are no more."""
        few = self.context.top_k
        return await asyncio.to_thread(self.catalog.candidates, text, most or few, few)

    async def search(self, text: str, planned: list[ApiId] | None = None) -> list[API]:
        """The APIs planned, the `top_k` that fit `text` best, and a few that return what the first of these need."""
        first = await self.apis(planned or [])
        best = first + [hit.api for hit in await self.hits(text) if hit.api not in first]
        return best + await self.feeding(best[:_CONSUMERS], text, best)

    async def helpers(self, hint: str) -> list[API]:
        """The APIs that fit what a hint says is missing; where that is a conversion, those that make it come first."""
        apis = await self.search(hint)
        first = converters(apis, hint)
        return first + [api for api in apis if takes(api, hint) and api not in first]

    async def feeding(self, consumers: list[API], text: str, known: list[API]) -> list[API]:
        """A few APIs that return what the consumers need, those first that fit `text`; none that are `known`."""

        def found() -> list[API]:
            have = {api.id for api in known}
            apis = [api for api in self.catalog.producers(consumers) if api.id not in have]
            if self.context.feeding:  # one field by its name suffices, where the planner is told what it is for
                named = [api for api in self.catalog.producers_by_name(consumers) if api.id not in have]
                apis += [api for api in named if api not in apis]
            ranks = {hit.api.id: rank for rank, hit in enumerate(self.catalog.search(text, _RANKED))} if apis else {}
            return sorted(apis, key=lambda api: ranks.get(api.id, _RANKED))[:_PRODUCERS]

        return await asyncio.to_thread(found)

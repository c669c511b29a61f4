"""The systems that plan nested calls: Reverse Chain with its ablations, and what the paper compares it with.

The baselines are the evaluation's: one decision that writes the plan, without or with an example, and without or with
steps before it; and ReAct, which calls for real.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple, cast, get_args

from langchain_core.language_models import BaseChatModel

from tests.bench.nested import Nested, read
from toolquiver import Catalog
from toolquiver.bounds import CompletionMode
from toolquiver.catalog import API
from toolquiver.context import Context
from toolquiver.contexts import ReverseChainContext
from toolquiver.evaluation.records import Question, Resources
from toolquiver.evaluation.systems.nested import NestedSystem, Way
from toolquiver.graphs import react, reverse_chain
from toolquiver.models import total_usage

CHAINS: dict[str, CompletionMode] = {"at once": "at_once", "one by one": "one_by_one", "three step": "three_step"}
"""How each completes arguments; at once is Reverse Chain as the paper has it."""

REACT = "ReAct"
_RECURSION = {"recursion_limit": 500}


class Outcome(NamedTuple):
    """What a system came to: plans, what it would ask for, its last call with its arguments, what it cost.

    `calls` is whether it makes any.
    """

    plans: list[Nested]
    unfilled: list[str]
    last: tuple[str, dict[str, Any]] | None
    model_calls: int
    prompt: int
    completion: int
    text: str
    calls: bool = False


System = Callable[[str, Sequence[API], Sequence[str]], Awaitable[Outcome]]
"""From a request, the APIs and the conversation before it to an outcome."""


def systems(catalog: Catalog, model: BaseChatModel, *, run: bool) -> dict[str, System]:
    """All systems over a catalogue; with `run` the calls are made, and ReAct is among them."""
    found: dict[str, System] = {name: _chain(catalog, model, mode, run=run) for name, mode in CHAINS.items()}
    found |= {way: _one_call(catalog, model, way) for way in cast("tuple[Way, ...]", get_args(Way))}
    return found | ({REACT: _react(catalog, model)} if run else {})


def _chain(catalog: Catalog, model: BaseChatModel, mode: CompletionMode, *, run: bool) -> System:
    graph = reverse_chain.build(catalog=catalog, model=model)

    async def plan(query: str, apis: Sequence[API], conversation: Sequence[str]) -> Outcome:
        context = ReverseChainContext(plan_only=not run, ask=False, completion=mode, approval="never")
        asked = {"query": query, "candidates": [api.id for api in apis], "conversation": list(conversation)}
        result = await graph.ainvoke(asked, context=context)
        result["usage"].pop("answer", None)  # the others only plan
        names = _names(catalog, apis)
        plans = [_named(found, names) for text in result["plan"] if (found := read(text.replace("=?", "=None")))]
        unfilled = [entry["name"] for entry in result["unfilled"]]
        return _outcome(result, plans, unfilled, "; ".join(result["plan"]), catalog)._replace(calls=run)

    return plan


def _react(catalog: Catalog, model: BaseChatModel) -> System:
    graph = react.build(catalog=catalog, model=model)

    async def act(query: str, apis: Sequence[API], _: Sequence[str]) -> Outcome:
        asked = {"query": query, "candidates": [api.id for api in apis]}
        return _outcome(await graph.ainvoke(asked, _RECURSION), [], [], "", catalog)._replace(calls=True)

    return act


def _outcome(result: dict[str, Any], plans: list[Nested], unfilled: list[str], text: str, catalog: Catalog) -> Outcome:
    total = total_usage(result["usage"])
    made = [call for call in result["calls"] if call["ok"]]
    api = catalog.find(made[-1]["api"]) if made else None
    last = (api.function, made[-1]["arguments"]) if api else None
    spent = (total["calls"], total["prompt"], total["completion"])
    return Outcome(plans, unfilled, last, *spent, text or result["answer"])


def _one_call(catalog: Catalog, model: BaseChatModel, way: Way) -> System:
    system = NestedSystem(way=way, model=model, context=Context())

    async def answer(query: str, apis: Sequence[API], conversation: Sequence[str]) -> Outcome:
        said = "".join(f"(Said before: {text}) " for text in conversation)
        asked = Question(id=query, query=said + query, candidates=tuple(api.id for api in apis))
        result = await system(asked, Resources(catalog=catalog))
        parameters = {api.function: [parameter.name for parameter in api.parameter_list()] for api in apis}
        plan = read(result.plan or "", parameters)
        plans = [_named(plan, _names(catalog, apis))] if plan else []
        total = total_usage(result.usage)
        text = result.plan or result.reason
        return Outcome(plans, [], None, total["calls"], total["prompt"], total["completion"], text)

    return answer


def _names(catalog: Catalog, apis: Sequence[API]) -> dict[str, str]:
    return {catalog.get(api.id).function: api.name for api in apis}


def _named(call: Nested, names: dict[str, str]) -> Nested:
    """The call with the names that the set gives its APIs, instead of their function names."""
    arguments = {k: _named(v, names) if isinstance(v, Nested) else v for k, v in call.arguments.items()}
    return Nested(names.get(call.api, call.api), arguments)

"""The systems that plan nested calls: Reverse Chain and its ablations, and what the paper compares it with.

The baselines are one call of the model, with the APIs in the prompt, without or with an example, and without or with
reasoning before the answer; and ReAct, which calls for real. Their prompts are our own words for the same request.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage, SystemMessage

from tests.bench.nested import Nested, read
from toolquiver import Catalog
from toolquiver.catalog import API
from toolquiver.context import Context
from toolquiver.graphs import react, reverse_chain
from toolquiver.models import total_usage

_RECURSION = {"recursion_limit": 500}
_TASK = "Write the one nested function call that does what the request asks for, arguments by name. Where an argument "
_TASK += "is the output of another function, write the call of that one in its place."
_EXAMPLE = """Functions:
{"name": "find_shelf", "parameters": {"title": "string"}, "returns": ["shelf"]}
{"name": "reserve_shelf", "parameters": {"shelf": "string", "day": "string"}, "returns": ["receipt"]}
Request: Reserve the shelf of Middlemarch for Monday.
"""
_REASONED = "The shelf is not given, find_shelf tells it from the title. The day is given.\n"
_ANSWERED = "reserve_shelf(shelf=find_shelf(title='Middlemarch'), day='Monday')\n\n"


class Outcome(NamedTuple):
    """What a system came to: plans, what it would ask for, its last call with its arguments, what it cost."""

    plans: list[Nested]
    unfilled: list[str]
    last: tuple[str, dict[str, Any]] | None
    model_calls: int
    prompt: int
    completion: int
    text: str


System = Callable[[str, Sequence[API], Sequence[str]], Awaitable[Outcome]]
"""From a request, the APIs and the conversation before it to an outcome."""


def systems(catalog: Catalog, model: BaseChatModel, *, run: bool) -> dict[str, System]:
    """All systems over a catalogue; with `run` the calls are made, and ReAct is among them."""
    found: dict[str, System] = {
        name: _chain(catalog, model, run, mode)
        for name, mode in (
            ("reverse chain", "at_once"),
            ("one by one", "one_by_one"),
            ("three step", "three_step"),
        )
    }
    for name, example, reasons in (
        ("zero-shot", False, False),
        ("few-shot", True, False),
        ("zero-shot CoT", False, True),
        ("few-shot CoT", True, True),
    ):
        found[name] = _one_call(model, example=example, reasons=reasons)
    return found | ({"ReAct": _react(catalog, model)} if run else {})


def _chain(catalog: Catalog, model: BaseChatModel, run: bool, mode: str) -> System:
    graph = reverse_chain.build(catalog=catalog, model=model)

    async def plan(query: str, apis: Sequence[API], conversation: Sequence[str]) -> Outcome:
        context = Context(plan_only=not run, ask=False, completion=mode, answerer=False)  # type: ignore[arg-type]
        asked = {"query": query, "candidates": [api.id for api in apis], "conversation": list(conversation)}
        result = await graph.ainvoke(asked, _RECURSION, context=context)
        names = {catalog.get(api.id).function: api.name for api in apis}
        plans = [_named(found, names) for text in result["plan"] if (found := read(text.replace("=?", "=None")))]
        unfilled = [entry["name"] for entry in result["unfilled"]]
        return _outcome(result, plans, unfilled, "; ".join(result["plan"]), catalog)

    return plan


def _react(catalog: Catalog, model: BaseChatModel) -> System:
    graph = react.build(catalog=catalog, model=model)

    async def act(query: str, apis: Sequence[API], _: Sequence[str]) -> Outcome:
        asked = {"query": query, "candidates": [api.id for api in apis]}
        return _outcome(await graph.ainvoke(asked, _RECURSION), [], [], "", catalog)

    return act


def _outcome(result: dict[str, Any], plans: list[Nested], unfilled: list[str], text: str, catalog: Catalog) -> Outcome:
    total = total_usage(result["usage"])
    made = [call for call in result["calls"] if call["ok"]]
    api = catalog.find(made[-1]["api"]) if made else None
    last = (api.function, made[-1]["arguments"]) if api else None
    spent = (total["calls"], total["prompt"], total["completion"])
    return Outcome(plans, unfilled, last, *spent, text or result["answer"])


def _one_call(model: BaseChatModel, *, example: bool, reasons: bool) -> System:
    async def answer(query: str, apis: Sequence[API], conversation: Sequence[str]) -> Outcome:
        shown = _EXAMPLE + (_REASONED if reasons else "") + _ANSWERED if example else ""
        end = "Think step by step, then write the call on the last line." if reasons else "Write the call alone."
        said = "".join(f"Said before: {text}\n" for text in conversation)
        functions = "\n".join(_function(api) for api in apis)
        messages = [
            SystemMessage(f"{_TASK} {end}"),
            HumanMessage(f"{shown}Functions:\n{functions}\n{said}Request: {query}"),
        ]
        reply = await model.bind(max_tokens=400).ainvoke(messages)
        named = {api.function: [parameter.name for parameter in api.parameter_list()] for api in apis}
        plan = read(str(reply.text), named)
        plan = _named(plan, {api.function: api.name for api in apis}) if plan else None
        spent = reply.usage_metadata or {"input_tokens": 0, "output_tokens": 0}
        plans = [plan] if plan else []
        return Outcome(plans, [], None, 1, spent["input_tokens"], spent["output_tokens"], str(reply.text))

    return answer


def _function(api: API) -> str:
    parameters = {p.name: f"{p.type}{'' if p.required else ', optional'}" for p in api.parameter_list()}
    outputs = list((api.output or {}).get("properties", {}))
    told = {"name": api.function or api.name, "description": api.description.split("\n")[0][:200]}
    return json.dumps(told | {"parameters": parameters, "returns": outputs}, ensure_ascii=False)


def _named(call: Nested, names: dict[str, str]) -> Nested:
    """The call with the names that the set gives its APIs, instead of their function names."""
    arguments = {k: _named(v, names) if isinstance(v, Nested) else v for k, v in call.arguments.items()}
    return Nested(names.get(call.api, call.api), arguments)

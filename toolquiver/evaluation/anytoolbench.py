"""Query sets from any catalogue, as AnyToolBench was made (AnyTool, A.8 and table 21).

A model looks through the catalogue, puts APIs into a pool, calls them, and writes a question and its answer from what
they returned. The question is kept if every API of its pool has answered, a judge of tools says that these APIs can
solve it, and a judge says that the answer, with these calls, does.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from langchain_core.messages import AnyMessage, HumanMessage

from toolquiver.calling import Failure, needs_approval, problems
from toolquiver.catalog import API, ApiId
from toolquiver.contexts import AnyToolContext
from toolquiver.evaluation.records import Question
from toolquiver.models import Function, Usage, add_usage, function_with
from toolquiver.models.turn import never_empty
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock, clock_at
from toolquiver.nodes.dialogue import CallRequest, answered, requests_in
from toolquiver.nodes.judge.verdict import JudgedCall, judge
from toolquiver.nodes.records import call_record
from toolquiver.nodes.retriever.functions import ADD, functions_of
from toolquiver.nodes.retriever.sight import Said, Sight
from toolquiver.nodes.run import Resources, Run
from toolquiver.nodes.solvability import solvability
from toolquiver.nodes.state import Budgeted
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("anytool/benchmark")
_LEAST, _MOST = 2, 5  # categories of a question
_LOOKS = 20  # calls of the functions that look around
_TURNS = 40
_AT_ONCE = 8  # calls of a turn that is written down
_REMOVE, _CALL, _FINISH, _GIVE_UP = "remove_API_from_API_pool", "call_API", "finish", "give_up"
_GO_ON = "Call one of the functions. When the question is ready, call finish."
_TEXT = {"type": "string", "minLength": 1}


@dataclass(frozen=True)
class Built:
    """A question that was kept, or None with the reason why none was; and what it cost."""

    question: Question | None
    reason: str
    usage: Usage


@dataclass
class _Draft:
    """A question in the making: its pool, the calls made, how often was looked, and what was handed in."""

    sight: Sight
    run: Run[AnyToolContext]
    categories: int
    pool: dict[str, API] = field(default_factory=dict)
    calls: list[JudgedCall] = field(default_factory=list)
    looks: int = 0
    query: str = ""
    answer: str = ""
    given_up: str = ""

    def answers(self, api: API) -> bool:
        """Whether a call of this API has answered."""
        return any(call["ok"] and call["api"] == api.id for call in self.calls)


async def build_question(number: int, bound: Resources, context: AnyToolContext) -> Built:
    """Make question `number` (from 1) of a set; each begins with other categories.

    `context.token_budget` is the hard limit of tokens of one question. APIs that may write are not called.

    Raises:
        InputError: the budget is too small to start.
        ModelError: the model cannot be used.
    """
    run = await Run.of(context, bound)
    sight = Sight(catalog=run.catalog, wanted=(), page=context.page)
    listed = await asyncio.to_thread(sight.categories)
    random.Random(number).shuffle(listed)  # noqa: S311 - no secret
    draft = _Draft(sight, run, len(listed))
    state = Budgeted(usage={}, stopped="")
    spent = await _explore(draft, listed, state)
    if not draft.query:
        return Built(None, draft.given_up or spent.get("stopped") or "The model handed nothing in.", state["usage"])
    reason = await _unsolvable(draft, state)
    if reason:
        return Built(None, reason, state["usage"])
    gold = tuple(ApiId(api.id) for api in draft.pool.values())
    made = [{"api": call["api"], "arguments": call["arguments"]} for call in draft.calls if call["ok"]]
    labels = {"solution": draft.answer, "calls": cast("Any", made)}
    question = Question(id=str(number), query=draft.query, gold_apis=gold, labels=labels)
    return Built(question, "", state["usage"])


async def _explore(draft: _Draft, listed: Sequence[str], state: Budgeted) -> Update:
    """Let the model look, choose, call and write, up to a question that passes what code can check."""
    least = min(_LEAST, draft.categories)
    prompt = _PROMPT.messages(
        listed=listed,
        looks=str(_LOOKS),
        least=str(least),
        most=str(_MOST),
        **clock(clock_at("", "")),
    )
    said: list[AnyMessage] = []
    for _ in range(_TURNS):
        message, cost = await draft.run.turn("benchmark", _functions(), [*prompt, *said], state, several=_AT_ONCE)
        state["usage"] = add_usage(state["usage"], cost.get("usage", {}))
        if message is None:
            return cost
        requests = requests_in(message)
        said += [never_empty(message), *([] if requests else [HumanMessage(_GO_ON)])]
        for request in requests:
            told = await _done(request, draft, least)
            said.append(answered(request, told.text, failed=not told.valid))
        if draft.query or draft.given_up:
            return {}
    return {"stopped": f"There was no question after {_TURNS} turns."}


def _functions() -> list[Function]:
    looks = [one for one in functions_of("flat", most_tools=1, checks=False) if one["name"] != "finish_search"]
    name = {"type": "string", "description": "as it was listed"}
    remove = next(one for one in looks if one["name"] == ADD)
    return [
        *looks,
        Function(name=_REMOVE, description="Take APIs out of the pool.", parameters=remove["parameters"]),
        function_with(_CALL, "Call an API of the pool.", {"API": name, "arguments": {"type": "object"}}),
        function_with(_FINISH, "Hand the question and its answer in.", {"query": _TEXT, "answer": _TEXT}),
        function_with(_GIVE_UP, "End without a question.", {"reason": _TEXT}),
    ]


async def _done(request: CallRequest, draft: _Draft, least: int) -> Said:
    """Carry a call out, and say what came of it."""
    name, arguments = request["name"], request["arguments"]
    if not isinstance(arguments, dict):
        return Said("The arguments are not a JSON object.", valid=False)
    if name in (ADD, _REMOVE):
        return await asyncio.to_thread(_in_pool, name, arguments, draft)
    if name == _CALL:
        return await _called(arguments, draft)
    if name == _FINISH:
        return _handed_in(arguments, draft, least)
    if name == _GIVE_UP:
        draft.given_up = str(arguments.get("reason") or "The model gave no reason.")
        return Said("So be it.")
    return await asyncio.to_thread(_looked, name, arguments, draft)


def _looked(name: str, arguments: Mapping[str, Any], draft: _Draft) -> Said:
    sight = draft.sight
    look = {
        "get_tools_in_category": sight.tools_in_category,
        "get_tool_descriptions": sight.tool_descriptions,
        "get_APIs_in_tool": sight.apis_in_tool,
        "get_API_detail": sight.api_detail,
    }.get(name)
    if look is None:
        return Said(f"There is no function {name!r}.", valid=False)
    draft.looks += 1
    if draft.looks > _LOOKS:
        return Said(f"You have looked {_LOOKS} times. Go on with what you have seen.", valid=False)
    return look(arguments)


def _in_pool(name: str, arguments: Mapping[str, Any], draft: _Draft) -> Said:
    apis, unknown = draft.sight.apis_named(arguments)
    for api in apis:
        if name == ADD:
            draft.pool[api.function] = api
        else:
            draft.pool.pop(api.function, None)
    told = f"In the pool: {', '.join(draft.pool) or 'nothing'}."
    return Said(" ".join(filter(None, [told, unknown])), valid=not unknown)


async def _called(arguments: Mapping[str, Any], draft: _Draft) -> Said:
    api, given = draft.pool.get(str(arguments.get("API", ""))), arguments.get("arguments")
    if api is None:
        return Said(f"It is not in the pool. In the pool: {', '.join(draft.pool) or 'nothing'}.", valid=False)
    if needs_approval(api, "writes"):
        return Said(f"{api.function} may write, so it is not called here. Remove it.", valid=False)
    if not isinstance(given, dict):
        return Said("The arguments are not a JSON object.", valid=False)
    if wrong := problems(api, given):
        return Said(" ".join(wrong), valid=False)
    outcome = await draft.run.call(api, given)
    text = f"It failed ({outcome.kind}): {outcome.message}" if isinstance(outcome, Failure) else outcome.text
    record = call_record(0, ApiId(api.id), given, outcome)
    draft.calls.append(JudgedCall(**record, text="" if isinstance(outcome, Failure) else text))
    return Said(text, valid=record["ok"])


def _handed_in(arguments: Mapping[str, Any], draft: _Draft, least: int) -> Said:
    """Take a question in, if its pool has answered and is of so many categories as it has to be."""
    query, answer = (str(arguments.get(key) or "").strip() for key in ("query", "answer"))
    silent = [name for name, api in draft.pool.items() if not draft.answers(api)]
    categories = {api.category for api in draft.pool.values()}
    wrong = ""
    if not (query and answer):
        wrong = "A question and an answer are needed."
    elif silent:
        wrong = f"These APIs of the pool have not answered yet: {', '.join(silent)}. Call them, or remove them."
    elif not least <= len(categories) <= _MOST:
        wrong = f"The pool has APIs of {len(categories)} categories; it needs {least} to {_MOST}."
    if wrong:
        return Said(f"Not handed in. {wrong}", valid=False)
    draft.query, draft.answer = query, answer
    return Said("It is handed in.")


async def _unsolvable(draft: _Draft, state: Budgeted) -> str:
    """Why the question cannot be solved by its APIs, or its answer does not solve it; empty where all is well."""
    ruled = await solvability(draft.query, list(draft.pool.values()), state, draft.run)
    state["usage"] = add_usage(state["usage"], ruled.get("usage", {}))
    if ruled["verdict"] != "solvable":
        return f"Its APIs cannot solve it ({ruled['verdict']}): {ruled['verdict_reason']}"
    case = {**state, "query": draft.query, "answer": draft.answer, "calls": draft.calls}
    verdict = await judge(cast("Any", case), cast("Any", draft.run))
    state["usage"] = add_usage(state["usage"], verdict.get("usage", {}))
    return (
        "" if verdict["passed"] else f"Its answer does not solve it ({verdict['verdict']}): {verdict['verdict_reason']}"
    )

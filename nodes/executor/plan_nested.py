"""A nested call as the plan: where few tools are given that feed each other, or search finds two that the query names.

Asked for a plan, a small model names one tool for `the 9th prime number as a Roman numeral`; asked for a nested call it
writes `to_roman(nth_prime(9))`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import permutations
from typing import cast

from toolquiver.catalog import API
from toolquiver.catalog.fits import Fit, feeding
from toolquiver.catalog.stems import stems
from toolquiver.nodes.apis.words import SAYING_NOTHING, told_by
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain.draft import nested
from toolquiver.nodes.chain.frames import ChainState
from toolquiver.nodes.executor.calculate import by_formula
from toolquiver.nodes.executor.read import by_reading
from toolquiver.nodes.run import Run
from toolquiver.nodes.scripts.drafts import Apis, Written
from toolquiver.nodes.scripts.left_out import left_out, omissions, unsaid
from toolquiver.nodes.scripts.mending import can_be
from toolquiver.nodes.scripts.nested_calls import calls_of, through
from toolquiver.nodes.state import Draft, ExecutorState
from toolquiver.nodes.texts.parts import parts_of

_MOST_UNKNOWN = 2  # words of a query that none of the first APIs speaks of, for a nested call to be worth asking for
_MORE = 2  # APIs that are looked for by the words that the first ones leave


async def nested_plan(state: ExecutorState, run: Run) -> tuple[list[Written], Update]:
    """What a nested call comes to, and what it cost; nothing where no call can be expected to take another's output.

    Of given tools one has to return what another needs. So have two of those that search has first for a query in one
    part, each with a word of it that the other does not have; and only a call that says all of it is taken: of what
    other tools do the planner may know.
    """
    if state["allowed"] is None:
        return await _of_found(state, run)
    apis = await run.apis(state["allowed"])
    if len(apis) > run.context.top_k or by_formula(apis, run) or by_reading(apis, run):
        return [], {}
    if not await asyncio.to_thread(_feed_each_other, apis):
        return [], {}
    return await nested(apis, _goal(state), run, given=True)


async def _of_found(state: ExecutorState, run: Run) -> tuple[list[Written], Update]:
    """What a nested call of tools that search finds comes to, and what it cost."""
    query = state["query"]
    if parts_of(query)[1:]:
        return [], {}
    known = [hit.api for hit in await run.hits(query)]
    first = known[: run.context.shown]
    first += await _for_the_rest(first, query, run)
    if by_formula(first, run) or by_reading(first, run):
        return [], {}
    if not await asyncio.to_thread(_promises, first, query):
        return [], {}
    written, cost = await nested(first, _goal(state), run, given=False, again=False)
    drafts, apis = [one.draft for one in written], {api.id: api for api in [*known, *first]}
    return written if _says_all(drafts, apis, query) else [], cost


async def _for_the_rest(first: Sequence[API], query: str, run: Run) -> list[API]:
    """A few more APIs, that speak of words of the query which the first ones do not."""
    words = [word for word in _unknown(first, query) if len(word) > len("th")]  # of `24th`
    rest = set(stems(" ".join(words)))
    hits = await run.hits(" ".join(words)) if words else []
    return [hit.api for hit in hits if hit.api not in first and rest & told_by(hit.api)][:_MORE]


def _unknown(apis: Sequence[API], query: str) -> list[str]:
    """The words of the query that none of the APIs speaks of."""
    return unsaid([Draft(api=api.id, values={}, calls={}) for api in apis], {api.id: api for api in apis}, query)


def _goal(state: ExecutorState) -> ChainState:
    return cast("ChainState", {**state, "subtasks": [state["query"]], "current": 0, "said": []})


def _feed_each_other(apis: Sequence[API]) -> bool:
    """Whether what one of the APIs returns can be what another one needs, for more than its type."""
    return any(_feeds(producer, consumer) for producer, consumer in permutations(apis, 2))


def _promises(apis: Sequence[API], query: str) -> bool:
    """Whether the query names an API that is documented to return what another needs that it speaks of.

    And hardly has words that none of the APIs knows: a story is for the planner.
    """
    if len(_unknown(apis, query)) > _MOST_UNKNOWN:
        return False
    said = set(stems(query)) - SAYING_NOTHING
    told = {api.id: told_by(api) for api in apis}
    return any(
        producer.output is not None
        and (said & _named_by(producer)) - told[consumer.id]
        and (said & told[consumer.id]) - told[producer.id]
        and _feeds(producer, consumer)
        for producer, consumer in permutations(apis, 2)
    )


def _feeds(producer: API, consumer: API) -> bool:
    return any(feeding(producer, consumer, one).fit > Fit.TYPE for one in consumer.required_list())


def _says_all(drafts: Sequence[Draft], apis: Apis, query: str) -> bool:
    """Whether the calls can be made, and speak of all in the query that the APIs speak of.

    Each has something to say; and what an API is called is no value: a `Hijri` date has no country of this name.
    """
    calls, bare = calls_of(*drafts), [through(draft, lambda call: call | {"values": {}}) for draft in drafts]
    said = set(stems(query)) - SAYING_NOTHING
    return (
        all(_can_be_made(call, apis) and _says_something(call, calls, apis, said) for call in calls)
        and not omissions(drafts, apis, query, described=True)
        and not left_out(bare, apis, query, described=False)
    )


def _can_be_made(call: Draft, apis: Apis) -> bool:
    api = apis[call["api"]]
    given = {**call["values"], **call["calls"]}
    return all(can_be(given[p.name], p, api, apis) for p in api.parameter_list() if p.name in given)


def _says_something(call: Draft, calls: Sequence[Draft], apis: Apis, said: set[str]) -> bool:
    """Whether the call takes a value, or its name or all that is told of it has a word that is said, as no other's."""
    own, others = apis[call["api"]], [apis[other["api"]] for other in calls if other["api"] != call["api"]]
    return bool(call["values"]) or any(
        (said & words(own)) - set[str]().union(*map(words, others)) for words in (_named_by, told_by)
    )


def _named_by(api: API) -> set[str]:
    return set(stems(api.name))

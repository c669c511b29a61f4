"""The goal as one nested call, written down before the chain looks at any of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from operator import itemgetter
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from toolquiver.catalog import API, ApiId
from toolquiver.catalog.stems import stems
from toolquiver.models import shaped
from toolquiver.nodes.apis.ids import ids_of
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain.doubts import texts_of
from toolquiver.nodes.chain.frames import ChainState, a_frame
from toolquiver.nodes.chain.select_api import at_hand
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.describe import function_lines, remembered
from toolquiver.nodes.run import Run
from toolquiver.nodes.scripts.drafted_goals import goals_of
from toolquiver.nodes.scripts.drafts import Apis, Written, read_drafts, told_apart
from toolquiver.nodes.scripts.entity_draft import Request, by_entities, with_things
from toolquiver.nodes.scripts.left_out import Texts, made_up, omissions, unsaid
from toolquiver.nodes.scripts.mending import givers, mended
from toolquiver.nodes.state import Draft, current_task
from toolquiver.nodes.texts.parts import sentences
from toolquiver.prompts import Prompt, load_prompt

_RANKED = 1_000  # of candidates that were given, by search
_MORE = 3  # APIs that are looked for between two drafts


class Drafted(BaseModel):
    """The whole plan as one nested call."""

    call: str = Field(max_length=1_000)

    @property
    def text(self) -> str:
        """The plan as Python."""
        return self.call


class Scripted(BaseModel):
    """The whole plan as lines that build on each other, each after a comment."""

    lines: list[Annotated[str, Field(max_length=300)]] = Field(max_length=24)

    @property
    def text(self) -> str:
        """The plan as Python."""
        return "\n".join(self.lines)


_WAYS: tuple[tuple[type[Drafted | Scripted], Prompt, dict[str, bool]], ...] = (
    (Drafted, load_prompt("nested"), {"shown_one": True, "reasons": False}),
    (Scripted, load_prompt("script"), {}),
)
"""How a draft is asked for, and how once more; of several sentences the other way round."""


async def draft(state: ChainState, run: Run) -> Update:
    """Ask the model for the goal as one nested call of the APIs at hand, and begin the chain with the outermost call.

    If the call omits an API that the goal mentions, or has values that stand in no text, the model is asked again, for
    a script, and the better of both is kept; for a goal of several sentences the script comes first. What is still
    missing is put in by rule; where search found the APIs, further ones are searched for what the goal mentions and no
    call covers. Several calls of a script that do not depend on each other become goals of their own, which come next.

    If there are more APIs than can be shown, and some need IDs that others give, a script about entities is written
    instead. The chain takes only what holds of a draft: see `complete_arguments`. If nothing can be read, if there is
    nothing to nest, or with `drafts` off, the goal's API is selected.
    """
    if not run.context.drafts:
        return {"decided": "to be selected"}
    if waiting := state.get("waiting"):
        return {**_begun(waiting[0], state), "waiting": waiting[1:]}
    pool, written, spent = await _by_script(state, run)
    shown = pool
    if not written:
        pool, _, cost = await at_hand(after(state, spent), run)
        spent = both(spent, cost)
        shown = await _likeliest(pool, state, run)
        given = state["allowed"] is not None and len(shown) == len(pool)
        written, cost = await nested(shown, after(state, spent), run, given=given) if shown[1:] else ([], Update())
        spent = both(spent, cost)
    if not written:
        return {"decided": "to be selected", **spent}
    subtasks = list(state["subtasks"])
    room = 1 + max(run.context.max_subtasks - len(subtasks), 0)
    written, others = written[:room], written[room:]
    if written[1:]:
        subtasks[state["current"] : state["current"] + 1] = told_apart([one.words for one in written])
    return {
        **_begun(written[0].draft, {**state, "subtasks": subtasks}),
        "pool": list(dict.fromkeys(api.id for api in [*pool, *shown])),
        "subtasks": subtasks,
        "waiting": [one.draft for one in written[1:]],
        "unplanned": [*state.get("unplanned", []), *(one.words for one in others)],
        **spent,
    }


async def _by_script(state: ChainState, run: Run) -> tuple[list[API], list[Written], Update]:
    """The APIs that a script about things is told of, what it comes to, and what asking cost; nothing where none is."""
    every = await with_things(state["allowed"], run)
    if not every:
        return [], [], {}
    texts = texts_of(state) if run.context.grounding else None
    request = Request(current_task(state), texts, state["said"], state["known"])
    return every, *await by_entities(every, request, state, run)


def _begun(call: Draft, state: ChainState) -> Update:
    """The chain of the current goal begins with the call on the outside."""
    frame = a_frame(state["frames"], call["api"], current_task(state), state["current"], draft=call)
    return {"frames": [*state["frames"], frame], "stack": [frame["id"]], "failure": "", "decided": "drafted"}


async def _likeliest(apis: list[API], state: ChainState, run: Run) -> list[API]:
    """Of many candidates those that fit the goal best, in the order in which they were given; all that search found.

    One that needs an ID brings along what gives it: of a request with a person's name that one hardly ever fits best.
    """
    if state["allowed"] is None or len(apis) <= run.context.top_k:
        return list(apis)
    ranks = {hit.api.id: rank for rank, hit in enumerate(await run.hits(current_task(state), _RANKED))}
    best = sorted(apis, key=lambda api: ranks.get(api.id, _RANKED))
    kept = await asyncio.to_thread(_with_givers, best, run.context.top_k)
    return [api for api in apis if api.id in kept]


def _with_givers(apis: list[API], most: int) -> list[ApiId]:
    """The first of the APIs, each followed by those that give the IDs it needs."""
    kept = list[ApiId]()
    for api in apis:
        needed = [other.id for parameter in ids_of(api) for other, _ in givers(api, parameter, apis)[:1]]
        kept = list(dict.fromkeys([*kept, api.id, *needed]))
        if len(kept) >= most:
            break
    return kept


async def nested(
    shown: list[API], state: ChainState, run: Run, *, given: bool, again: bool = True
) -> tuple[list[Written], Update]:
    """What is best of two drafts, of which the second is only asked for where something speaks against the first.

    Of several sentences the lines come first, and what they ask for is separate rather than one. What is looked for
    between two drafts joins those that are `shown`. `given` is whether they are all that there are, so
    that their descriptions count as well as their names. Without `again` there is no second draft.
    """
    task, found, spent = current_task(state), list[tuple[int, list[Written]]](), Update()
    texts = texts_of(state) if run.context.grounding else None
    order = -1 if len(sentences(task)) > 1 else 1
    for shape, prompt, more in _WAYS[::order][: None if again else 1]:
        messages = prompt.messages(
            query=task,
            conversation=state["said"],
            known=remembered(state["known"]),
            functions=[function_lines(api) for api in shown],
            **more,
        )
        decision, cost = await run.decide("draft", _of(shape, shown), messages, after(state, spent))
        spent = both(spent, cost)
        if decision:
            written = read_drafts(decision.text, shown, task)
            shown += [] if given else await _looked_for(written, shown, state, run)
            found += _readings(written, {api.id: api for api in shown}, task, texts, described=given)[::order]
        if any(not against for against, _ in found):
            break
    return min(found, key=itemgetter(0), default=(0, []))[1], spent


def _readings(
    written: list[Written], apis: Apis, task: str, texts: Texts, *, described: bool
) -> list[tuple[int, list[Written]]]:
    """The last call with what it leaves out, and all that is needed of them as separate goals; first their faults."""
    last = written[-1]
    alone = [last._replace(draft=mended(last.draft, apis, task, texts, described=described))]
    several = goals_of(written, apis, task, texts, described=described)

    def faults(goals: list[Written], before: list[Written]) -> int:
        invented = made_up([one.draft for one in before], apis, texts)
        return omissions([one.draft for one in goals], apis, task, described=described) + invented

    return [(faults(alone, [last]), alone), (faults(several, written), several)]


async def _looked_for(written: list[Written], shown: Sequence[API], state: ChainState, run: Run) -> list[API]:
    """More candidates, whose names have a word that no call of the draft speaks of."""
    words = unsaid([one.draft for one in written], {api.id: api for api in shown}, current_task(state))
    allowed, said = state["allowed"], set(stems(" ".join(words)))
    hits = await run.hits(" ".join(words), _RANKED if allowed is not None else None) if words else []
    found = [hit.api for hit in hits if hit.api not in shown and (allowed is None or hit.api.id in allowed)]
    return [api for api in found if said & set(stems(api.name))][:_MORE]


def _of(shape: type[Drafted | Scripted], apis: Sequence[API]) -> type[Drafted | Scripted]:
    """A draft that can be read as calls of these APIs."""

    def wrong(given: Drafted | Scripted) -> list[str]:
        try:
            read_drafts(given.text, apis)
        except ValueError as error:
            return [str(error)]
        return []

    return shaped(shape, shape.model_json_schema(), wrong)


def after_draft(state: ChainState) -> Literal["drafted", "to be selected"]:
    """Without a draft the goal's API is chosen alone."""
    return "drafted" if state["decided"] == "drafted" else "to be selected"

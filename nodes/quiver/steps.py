"""Planning one call at a time, for models that cannot write a program: parts of the request, then a call for each.

A step is a program of one line, so that all behind the planner is the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel, Field, create_model

from toolquiver.catalog import ApiId
from toolquiver.catalog.text import shortened
from toolquiver.contexts import QuiverContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.finder import found_by_search
from toolquiver.nodes.quiver.fill import filled, named
from toolquiver.nodes.quiver.rollback import step_of
from toolquiver.nodes.quiver.sight import cut, left_for_answer, over
from toolquiver.nodes.quiver.state import Aim, QuiverState, failed_before
from toolquiver.nodes.room import longest_whole, room
from toolquiver.nodes.run import Run
from toolquiver.programs import Function, functions, summary
from toolquiver.prompts import load_prompt

_PARTS, _STEP = load_prompt("quiver/parts"), load_prompt("quiver/step")
_SEARCH, _ASK = load_prompt("quiver/search"), load_prompt("quiver/ask")
_FINISH = "finish"
_MOST = 6  # parts of a request
_LEAST = 200  # characters of an outcome, however many there are
_EXAMPLES = 3  # functions that show how descriptions are written


class Parts(BaseModel):
    """What must be found out, in order."""

    questions: list[str] = Field(max_length=_MOST)


class Searched(BaseModel):
    """What a function must do."""

    what: str


class Asked(BaseModel):
    """A question to the user."""

    what: str
    type: Literal["str", "int", "float", "bool", "list"]


async def step(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Decide on the next call, and write it as a program of one line.

    The request is split into parts once (Smurfs, 3.1), and again when an answer was not complete. For the first part
    that is open the model chooses a function among what search finds for it, then the arguments. A part is done
    when its call answers, or when a call is chosen that was made before. The plan ends when all parts are done.
    """
    spent = state.get("spent_before", 0) + left_for_answer(state, run)
    state = {**state, "spent_before": spent}
    cost: Update = {}
    if not state["parts"]:
        split, cost = await _split(state, run)
        if split is None:
            return over(cost)
        before: QuiverState = {**state, "parts": split}
        state = after(before, cost)
    made: Update = {"decided": "the plan ends"}
    while (place := _open_part(state)) is not None:
        made, more = await _next(place, state, run)
        cost = both(cost, more)
        if made.get("decided") != "not needed":
            break
        before = {**state, "parts": [*state["parts"][:place], "", *state["parts"][place + 1 :]]}
        state, made = after(before, more), {"decided": "the plan ends"}
    if not made:
        return over(cost)
    return {"parts": state["parts"], **cost, **made}


async def _split(state: QuiverState, run: Run[QuiverContext]) -> tuple[list[str] | None, Update]:
    """The parts of the request; none where it needs no function."""
    examples = (await run.apis(state["pool"]) or await run.best(state["query"]))[:_EXAMPLES]
    messages = _PARTS.messages(
        query=state["query"],
        examples=[shortened(one.description) for one in examples],
        steps=await _steps(state, run),
        told=state["failures"],
        **clock(state),
    )
    split, cost = await run.decide("plan", Parts, messages, state)
    return (None if split is None else [part for part in split.questions if part.strip()]), cost


def _open_part(state: QuiverState) -> int | None:
    """The first part whose call has not answered yet; None where all have."""
    requests = [one["request"] for one in [*state["calls"], *state["lookups"]] if one["ok"]]
    answered = {_number(one) for one in requests if "/" not in one and one not in state["set_aside"]}
    done = {aim["part"] for aim in state["aims"] if aim["ends"] and aim["program"] in answered}
    return next((place for place, part in enumerate(state["parts"]) if part and place not in done), None)


def _number(request: str) -> int:
    """The number of the program that a request is of."""
    return int(request.partition(".")[0])


async def _next(place: int, state: QuiverState, run: Run[QuiverContext]) -> tuple[Update, Update]:
    """The next program for a part, and what the decisions cost; no program where the model gave none."""
    pool, offered = await _offered(place, state, run)
    said: list[BaseMessage] = _STEP.messages(
        functions=[summary(one, failed_before(state, one.api.id)) for one in offered.values()],
        steps=await _steps(state, run),
        part=state["parts"][place],
    )
    name, cost = _misfilled(place, state, offered), Update()
    if not name:
        name, cost = await _chosen(said, offered, state, run)
    if not name:
        return {}, cost
    if name == _FINISH:
        return {"decided": "not needed"}, cost
    said = [*said, AIMessage(json.dumps({"function": name}))]
    call, ends, more = await _call(name, offered, said, after(state, cost), run)
    cost = both(cost, more)
    if not call:
        return {}, cost
    if call in [program.partition(" = ")[2] for program in state["programs"]]:
        return {"decided": "not needed"}, cost
    program = f"{named(len(state['programs']))} = {call}"
    return {
        "pool": pool,
        "programs": [*state["programs"], program],
        "aims": [*state["aims"], Aim(program=len(state["programs"]), part=place, ends=ends)],
        "decided": "program written",
    }, cost


async def _chosen(
    said: list[BaseMessage], offered: Mapping[str, Function], state: QuiverState, run: Run[QuiverContext]
) -> tuple[str, Update]:
    """The function that the model chooses, and what that costs; "" where it chooses none."""
    names = (*offered, "search_apis", "ask_user", _FINISH)
    chosen: dict[str, Any] = {"function": (Literal[names], ...)}
    choice, cost = await run.decide("plan", create_model("Choice", **chosen), said, state)
    return ("" if choice is None else str(choice.function)), cost


def _misfilled(place: int, state: QuiverState, offered: Mapping[str, Function]) -> str:
    """The function whose last call for this part did not fit its schema: its arguments are asked for again."""
    if not state["calls"] or state["calls"][-1]["failure"] != "invalid_arguments":
        return ""
    last = state["calls"][-1]
    own = any(aim["program"] == last["program"] and aim["part"] == place for aim in state["aims"])
    return next((name for name, one in offered.items() if own and one.api.id == last["api"]), "")


async def _offered(place: int, state: QuiverState, run: Run[QuiverContext]) -> tuple[list[ApiId], dict[str, Function]]:
    """The pool with what search finds for a part, and the functions to choose from for it.

    Those are what the searches made for the part found, the last one first, what was found for the part, or for the
    request where nothing was, and by agents; all of the pool where the candidates are given. A function that has left
    the list of this step is not offered.
    """
    found = list(state["pool"])
    if state["allowed"] is None:
        own = {aim["program"] for aim in state["aims"] if aim["part"] == place and not aim["ends"]}
        texts = [one["asked"] for one in state["lookups"] if _number(one["request"]) in own]
        by_agents = [api for api in state["found"] if api not in state["hits"]]
        searched = [await found_by_search(text, run) for text in [*reversed(texts), state["parts"][place]]]
        hits = [api.id for apis in searched for api in apis]
        found = list(dict.fromkeys([*(hits or state["hits"]), *by_agents]))
    gone = {*state["removed"], *(api for one in state["banned"][step_of(state) :][:1] for api in one)}
    pool = list(dict.fromkeys([*state["pool"], *found]))
    known = {one.api.id: one for one in functions(await run.apis(pool)).values()}
    return pool, {known[api].name: known[api] for api in found if api in known and api not in gone}


async def _call(
    name: str, offered: dict[str, Function], said: list[BaseMessage], state: QuiverState, run: Run[QuiverContext]
) -> tuple[str, bool, Update]:
    """The call of a function as code, and whether it answers the part; no code where the model gives no arguments."""
    if name in offered:
        return await filled(offered[name], offered, said, state, run)
    prompt, shape = (_SEARCH, Searched) if name == "search_apis" else (_ASK, Asked)
    asked, cost = await run.decide("plan", shape, [*said, *prompt.messages()], state)
    given = asked.model_dump() if isinstance(asked, BaseModel) else {}
    return (f"{name}({', '.join(map(repr, given.values()))})" if given else ""), name == "ask_user", cost


async def _steps(state: QuiverState, run: Run[QuiverContext]) -> list[dict[str, str]]:
    """The steps so far, each with what it returned, or how it failed.

    What a search found is among the functions. A step that was set aside is not shown.
    """
    last, shown = len(state["programs"]) - 1, list[tuple[str, str]]()
    for number, program in enumerate(state["programs"]):
        calls = [one for one in state["calls"] if one["program"] == number]
        looked = [one for one in state["lookups"] if _number(one["request"]) == number]
        aside = any(one["request"] in state["set_aside"] for one in calls)
        if aside or any(one["function"] == "search_apis" for one in looked):
            continue
        outcomes = [one["text"] if one["ok"] else f"failed ({one['failure']}): {one['message']}" for one in calls]
        outcomes += [one["text"] for one in looked]
        problem = state["problem"] if number == last else ""
        shown.append((program, "\n".join(outcomes) or problem or "null"))
    each = max(_LEAST, longest_whole([len(outcome) for _, outcome in shown], await room("plan", state, run)))
    return [{"program": program, "outcome": cut(outcome, each)} for program, outcome in shown]

"""Planning agent: the query as subtasks that one tool each can do (Smurfs, 3.3)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import BaseModel, Field, create_model

from toolquiver.catalog import ApiId
from toolquiver.models import takes_orders_whole
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.describe import api_line, feeds_line
from toolquiver.nodes.executor import finding
from toolquiver.nodes.executor.calculate import by_formula
from toolquiver.nodes.executor.plan_script import scripted
from toolquiver.nodes.executor.read import by_reading
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.expand import expanded
from toolquiver.nodes.shapes import brief, one_of
from toolquiver.nodes.state import ExecutorState
from toolquiver.nodes.texts.comparisons import only_compares
from toolquiver.nodes.texts.conversions import each_conversion, only_converts
from toolquiver.nodes.texts.coverage import forgets, names_more, passed_over, touching
from toolquiver.nodes.texts.languages import is_foreign
from toolquiver.nodes.texts.parts import lacks_its_condition, orders, parts_of
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("plan")
_EXAMPLES = set(re.findall(r"\d\. ([^?]+\?)", _PROMPT.system))  # the questions of the prompt's own example plan

PartPlan = tuple[list[str], list[ApiId | None], int, Update]


class Subtask(BaseModel):
    """A question and the tool that could answer it."""

    question: str = brief(240, least=3)
    tool: str


class Plan(BaseModel):
    """How many calls are needed, then the subtasks in the order in which they are to be done.

    A small model that has first said how many there are plans fewer that nobody asked for.
    """

    calls: int
    subtasks: list[Subtask]


def plan_with(names: Sequence[str], most: int) -> type[Plan]:
    """A `Plan` of 1 to `most` subtasks, each with one of the tools named."""
    subtask = create_model("Subtask", __base__=Subtask, tool=(one_of(names), ...))
    subtasks = (list[subtask], Field(min_length=1, max_length=most))  # type: ignore[valid-type]
    calls = (int, Field(ge=1, le=most))
    return create_model("Plan", __base__=Plan, calls=calls, subtasks=subtasks)


async def plan(state: ExecutorState, run: Run) -> Update:
    """Split the query, each of its parts by itself: a small model loses parts, and adds what nobody asked for.

    A part is the only subtask itself when the planner is off or gives nothing valid. The planner names a tool a
    subtask so that it plans nothing that no tool can do; the executor is free to choose another one. Where APIs need
    IDs that others give, the calls of a script are the subtasks. An order says itself what is to be done, and so do a
    conversion, into each of its units, and which of two quantities is more: of one a small model makes questions that
    nobody has asked.
    """
    if not run.context.planner:
        return {"subtasks": [state["query"]], "planned": [], "sure": 1, "unplanned": []}
    spent = await scripted(state, run)
    if "subtasks" in spent:
        return spent
    subtasks, planned = list[str](), list[ApiId | None]()
    sure = 0
    *_, last = parts = parts_of(state["query"])
    unplanned = list[str]()
    for part in parts:
        room = run.context.max_subtasks - len(subtasks)
        if not room:
            unplanned.append(part)
            continue
        questions, tools, needed, cost = await _plan_part(part, room, after(state, spent), run)
        if part is not last:  # what may not be needed does not come before what is
            needed = max(needed, questions.index(part) + 1 if part in questions else 0)
            questions, tools = questions[:needed], tools[:needed]
        subtasks, planned, sure = [*subtasks, *questions], [*planned, *tools], sure + needed
        spent = both(spent, cost)
    return {"subtasks": subtasks, "planned": planned, "sure": sure, "unplanned": unplanned, **spent}


async def _plan_part(part: str, room: int, state: ExecutorState, run: Run) -> PartPlan:
    """The questions of a part of the query, the tool in mind for each, how many are certainly needed, and the cost."""
    if 0 < len(several := each_conversion(part)) <= room:
        return several, [None] * len(several), len(several), {}
    if only_converts(part) or only_compares(part) or (orders(part) and takes_orders_whole(await run.model("plan"))):
        return [part], [None], 1, {}
    return await _asked_for(part, room, state, run)


async def _asked_for(part: str, room: int, state: ExecutorState, run: Run) -> PartPlan:
    """What the model plans of a part."""
    text, spent = await expanded(part, state, run)
    apis = await finding.candidates(run, state, text)
    if not apis or by_formula(apis, run) or by_reading(apis, run):
        return [part], [None], 1, spent
    by_function = {api.function: api.id for api in apis}
    fed = {api.id: feeds_line(api, apis) if run.context.feeding else "" for api in apis}
    messages = _PROMPT.messages(query=part, tools=[api_line(api) + fed[api.id] for api in apis])
    decision, cost = await run.decide("plan", plan_with(list(by_function), room), messages, after(state, spent))
    cost = both(spent, cost)
    if decision is None:
        return [part], [None], 1, cost
    wanted, rest = _needed(decision.subtasks[: decision.calls], part)
    questions = [subtask.question for subtask in wanted + rest]
    tools: list[ApiId | None] = [by_function[subtask.tool] for subtask in wanted + rest]
    if len(wanted) <= 1:  # the question is to answer the part, whose own words lose nothing
        return [part, *questions[1:]], tools or [by_function[decision.subtasks[0].tool]], 1, cost
    forgotten = forgets(questions, part) or passed_over(questions, part) > 0
    if forgotten and len(wanted) < room:  # the ground is laid, the part itself comes last
        return [*questions[: len(wanted)], part], [*tools[: len(wanted)], None], len(wanted), cost
    *before, final = questions[: len(wanted)]
    if names_more(final, before, part) or passed_over(before, part) > passed_over(questions, part):
        return questions, tools, len(wanted), cost
    return [*before, part], tools[: len(wanted)], len(before), cost  # it needs what comes before


def _needed(subtasks: list[Subtask], request: str) -> tuple[list[Subtask], list[Subtask]]:
    """The subtasks that touch something new of the request, and those after the last of them.

    Small models plan what nobody asked for: what the request gives already, or what the tools could tell besides. But
    a last question that only combines what was found out has no words of the request either: such ones are asked
    only if the request is not answered by then. A question of the prompt's own example was copied. Of a request in
    another language the words tell nothing. A first one that has lost the request's condition stands for all of it.
    """
    subtasks = [subtask for subtask in subtasks if subtask.question.strip() not in _EXAMPLES]
    if is_foreign(request):
        return subtasks, []
    if subtasks and lacks_its_condition(subtasks[0].question, request):
        return subtasks[:1], []
    new = touching([subtask.question for subtask in subtasks], request)
    end = max((place for place, is_new in enumerate(new, 1) if is_new), default=0)
    return [subtask for subtask, is_new in zip(subtasks, new, strict=True) if is_new], subtasks[end:] if end else []

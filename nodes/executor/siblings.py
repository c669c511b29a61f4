"""APIs of one tool belong together: what else of a tool the task names is called too, and it comes first for the rest.

`The main characters as well as the recurring ones` are two APIs of one tool, and `Additionally, the user "ada"` means
the shop of the sentence before. Measured over ToolBench's queries: docs/results/siblings.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from toolquiver.catalog import API, ApiId
from toolquiver.catalog.stems import stems
from toolquiver.nodes.apis.changing import harmless
from toolquiver.nodes.apis.usable import usable
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.executor.settled import denies
from toolquiver.nodes.records import Step
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import ExecutorState, current_task
from toolquiver.nodes.texts.conversions import with_conversion
from toolquiver.nodes.texts.kinds import other_kind
from toolquiver.nodes.texts.news import has_news
from toolquiver.nodes.texts.units import other_unit

_MOST = 3  # siblings of one call
_NEAR = 1.0  # points of search's score: so far behind the first, an API of a tool in use is still the likelier one
_CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_BETWEEN = re.compile(r"[\W_]+")
# What APIs are called besides what they are about.
_SAYING_NOTHING = frozenset(
    stems(
        "all api by data detail details endpoint fetch find from get given id ids info information item list name names"
        " one query random search show specific test using v1 v2 v3"
    )
)


def named(api: API) -> str:
    """The subtask that an API's name is: `Also: recurring characters`."""
    return f"Also: {_apart(api.name)}"


async def with_siblings(step: Step, state: ExecutorState, run: Run) -> Update:
    """The plan with a subtask for each sibling of the called API that the task names; empty where it names none.

    Only after an answer that tells something, and does not deny; what of the task it lacks the siblings are to tell.
    """
    task = current_task(state)
    if state["allowed"] is not None or state["subtasks"][state["current"]] in state.get("drafts", {}):
        return {}
    if is_sibling(state) or not _tells(step, task):
        return {}
    room = min(_MOST, run.context.max_subtasks - len(state["subtasks"]))
    siblings = {named(api): api.id for api in await siblings_of(step, state, run)}
    added = [text for text in siblings if text not in state["subtasks"]][: max(0, room)]
    if not added:
        return {}
    after, subtasks = state["current"] + 1, state["subtasks"]
    planned = [*state["planned"], *[None] * (after - len(state["planned"]))]
    return {
        "subtasks": [*subtasks[:after], *added, *subtasks[after:]],
        "planned": [*planned[:after], *(siblings[text] for text in added), *planned[after:]],
        "sure": max(state["sure"], after) + len(added),
        "siblings": [*state.get("siblings", []), *added],
    }


def is_sibling(state: ExecutorState) -> bool:
    """Whether the current subtask is a sibling that was added to the plan."""
    return state["subtasks"][state["current"]] in state.get("siblings", [])


async def in_use(state: ExecutorState, run: Run) -> ApiId | None:
    """The best hit for the task of a tool that has answered in this run, if it is near the first; none called before.

    Of 124 parts of requests whose first hit was of such a tool it was right in 109; of 56 where another one was first,
    but such a hit near, that was right in 32, and the first in 9.
    """
    worked = {call["api"] for call in state["calls"] if call["ok"]}
    if not worked:
        return None
    tools = {(api.category, api.tool) for api in await run.apis([*worked])}
    hits = [hit for hit in await run.hits(with_conversion(current_task(state))) if hit.score]
    if not hits or hits[0].api.id in worked:  # which may be wanted again, for another thing
        return None
    near = (hit.api for hit in hits if hits[0].score - hit.score <= _NEAR and hit.api.id in state["tool_lists"][-1])
    return next((api.id for api in near if (api.category, api.tool) in tools and api.id not in worked), None)


async def siblings_of(step: Step, state: ExecutorState, run: Run) -> list[API]:
    """The APIs of the same tool that take no more than the called one, and whose own words are all in the task.

    What is a parameter of the called one is asked of that one, and what a later subtask asks it will find itself.
    """
    api, task = await run.api(step["api"]), current_task(state)
    later = set(stems(" ".join(state["subtasks"][state["current"] + 1 :])))
    asked = set(stems(task)) - later - _words(*(parameter.name for parameter in api.parameter_list()))
    before = {*(call["api"] for call in state["calls"]), *state["planned"]}
    found, covered = list[API](), _words(api.name, api.tool) | _SAYING_NOTHING
    for other in usable(harmless(await run.of_tool(api), task), state.get("removed")):
        own = _words(other.name) - covered
        if own and own <= asked and other.id not in before and _required(other) <= _required(api):
            found.append(other)
            covered |= own
    return found


def _tells(step: Step, task: str) -> bool:
    answer = step["answer"]
    return has_news(answer, step["observation"], task) and not (
        denies(answer) or other_unit(task, answer) or other_kind(task, answer)
    )


def _apart(name: str) -> str:
    """The words of a name, and not the whole as `spaced` has it: a task is not written like that."""
    return _BETWEEN.sub(" ", _CAMEL.sub(" ", name)).strip().lower()


def _words(*names: str) -> set[str]:
    return set(stems(" ".join(map(_apart, names))))


def _required(api: API) -> set[str]:
    required: Iterable[str] = api.parameters.get("required", ())
    return set(required)

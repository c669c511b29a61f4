"""APIs of one tool belong together: what else of a tool the task names is called too, and it comes first for the rest.

`The main characters as well as the recurring ones` are two APIs of one tool, and `Additionally, the user "ada"` means
the shop of the sentence before.
"""

from __future__ import annotations

import re

from toolquiver.catalog import API, ApiId
from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import apart
from toolquiver.nodes.apis.changing import may_change
from toolquiver.nodes.apis.usable import usable
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.executor.choosable import choosable
from toolquiver.nodes.records import Step
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import ExecutorState, current_task, looked_up_here
from toolquiver.nodes.texts.compounds import parted
from toolquiver.nodes.texts.denials import denies
from toolquiver.nodes.texts.kinds import other_kind
from toolquiver.nodes.texts.news import has_news
from toolquiver.nodes.texts.parts import QUOTED, sentences
from toolquiver.nodes.texts.units import other_unit

MOST = 3
"""Siblings of one call."""

_NEAR = 1.0  # points of search's score: so far behind the first, an API of a tool in use is still the likelier one
_BETWEEN = re.compile(r"[\W_]+")
_LEFT_OUT = re.compile(
    r"\b(?:not|no|without|except|excluding|instead of|rather than|other than)\b[^,;.?!]*", re.IGNORECASE
)
# What APIs are called besides what they are about.
_FILLING = frozenset(
    "all api by data detail details endpoint fetch find from get given id ids info information item list name names"
    " one query random search show specific test using v1 v2 v3".split()
)
_SAYING_NOTHING = frozenset(stems(" ".join(_FILLING)))
_BARE = frozenset(["id", "ids", "key", "code", "uuid", "guid", "slug"])  # which does not say of what


def named(api: API) -> str:
    """The subtask that an API's name is: `Also: recurring characters`."""
    return f"Also: {_in_words(api.name)}"


async def siblings_named(step: Step, state: ExecutorState, run: Run) -> dict[str, ApiId]:
    """The subtasks for siblings of the called API that the task names, each with its API; empty where it names none.

    Only after an answer that tells something, whatever else it denies. What is looked up for another subtask has none.
    """
    if state["allowed"] is not None or state["subtasks"][state["current"]] in state.get("drafts", {}):
        return {}
    if is_sibling(state) or looked_up_here(state) or not _tells(step, current_task(state)):
        return {}
    room = min(MOST, run.context.max_subtasks - len(state["subtasks"]))
    found = {named(api): api.id for api in await siblings_of(step, state, run)}
    new = [text for text in found if text not in state["subtasks"]]
    return {text: found[text] for text in new[: max(0, room)]}


def with_siblings(found: dict[str, ApiId], state: ExecutorState, *, needed: bool) -> Update:
    """The plan with these subtasks after the current one; `needed` is whether its answer lacks what they tell."""
    after, subtasks = state["current"] + 1, state["subtasks"]
    planned = [*state["planned"], *[None] * (after - len(state["planned"]))]
    return {
        "subtasks": [*subtasks[:after], *found, *subtasks[after:]],
        "planned": [*planned[:after], *found.values(), *planned[after:]],
        "sure": max(state["sure"], after) + len(found),
        "siblings": {**state.get("siblings", {}), **dict.fromkeys(found, needed)},
    }


def is_sibling(state: ExecutorState) -> bool:
    """Whether the current subtask is a sibling that was added to the plan."""
    return state["subtasks"][state["current"]] in state.get("siblings", {})


async def _is_open(state: ExecutorState, run: Run) -> bool:
    """Whether neither agents, nor what is to be looked up, converted or dated, say which tools fit."""
    shown = [api.id for api in await choosable(state, run)]
    return not (state.get("found") or looked_up_here(state)) and shown == state["tool_lists"][-1][: len(shown)]


async def siblings_of(step: Step, state: ExecutorState, run: Run) -> list[API]:
    """The APIs of the same tool that take no more than the called one, and whose own words are all in the task.

    None that changes something. What is a parameter of the called one is asked of that one, what a later subtask asks
    it will find itself, and of what is quoted or left out nothing is asked. Where both need an ID that does not say of
    what, their names must have something in common.
    """
    api = await run.api(step["api"])
    task = _LEFT_OUT.sub(" ", QUOTED.sub(" ", current_task(state)))
    later = set(stems(" ".join(state["subtasks"][state["current"] + 1 :])))
    asked = set(stems(task)) - later - _words(*(parameter.name for parameter in api.parameter_list()))
    before = {*(call["api"] for call in state["calls"]), *state["planned"]}
    found, covered = list[API](), _words(api.name, api.tool, text=task)
    for other in usable(await run.of_tool(api), state.get("removed")):
        own = own_words(other, task) - covered
        if not own or not own <= asked or all(map(str.isdigit, own)):
            continue
        if other.id not in before and not may_change(other) and _takes_the_same(other, api):
            found.append(other)
            covered |= own
    return found


def _takes_the_same(other: API, api: API) -> bool:
    wants, given = (set(one.parameters.get("required", ())) for one in (other, api))
    if not wants <= given:
        return False
    bare = any(name.lower() in _BARE for name in wants)
    return not bare or bool((_words(other.name) & _words(api.name)) - _SAYING_NOTHING)


def own_words(api: API, text: str) -> set[str]:
    """The stems of an API's name that say what it is about; of one word, those of the text's that it is made of."""
    return _words(api.name, text=text) - _SAYING_NOTHING


def told(answer: str) -> str:
    """An answer without the sentences that deny: what one API does not tell, its siblings are asked."""
    return " ".join(sentence for sentence in sentences(answer) if not denies(sentence))


def _tells(step: Step, task: str) -> bool:
    answer = told(step["answer"])
    return has_news(answer, step["observation"], task) and not (other_unit(task, answer) or other_kind(task, answer))


def _in_words(name: str) -> str:
    """The words of a name, and not the whole as `spaced` has it: a task is not written like that."""
    return _BETWEEN.sub(" ", apart(name)).strip().lower()


def _words(*names: str, text: str = "") -> set[str]:
    said = set(re.findall(r"[^\W\d_]+", text.lower()))
    words = " ".join(map(_in_words, names)).split()
    return set(stems(" ".join(part for word in words for part in parted(word, said, _FILLING))))

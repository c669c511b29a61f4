"""A user's own agent as a system: `module:attribute` leads to something that can be called, or to a graph."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from langchain_core.messages import BaseMessage
from pydantic import ValidationError

from toolquiver.catalog.modules import attribute_at
from toolquiver.errors import CatalogError, InputError
from toolquiver.evaluation.records import Question, Resources, Result
from toolquiver.evaluation.systems.asked import asking_way
from toolquiver.evaluation.systems.conversation import result_of_messages
from toolquiver.evaluation.systems.graphs import shown
from toolquiver.json_texts import is_number
from toolquiver.threads import in_daemon_thread

_FIELDS = set(Result.model_fields) - {"question", "seconds", "simulated"}


@dataclass(frozen=True)
class OwnSystem:
    """An agent that takes the query's text, or a `Question` and the `Resources` it is asked over.

    It may be a function, async or not, an object that can be called, or a chat model, graph or other Runnable
    (`ainvoke`), which is asked by its input (`asking_way`). It returns the answer as text, number or message, a
    `Result`, or a mapping with `answer` and any other field of a `Result`, or with `messages`, which are read for their
    calls and tokens.
    """

    agent: Any
    location: str = "The agent"

    @cached_property
    def as_input(self) -> Callable[[str], Any]:
        """What makes of a query the input of a Runnable.

        Raises:
            InputError: the agent needs something else than a text.
        """
        return asking_way(self.location, self.agent)

    async def __call__(self, question: Question, resources: Resources) -> Result:
        """The agent's answer; one that is not async runs in a thread, which goes on when its time has ended.

        Such a thread keeps nothing waiting: the process ends without it.

        Raises:
            InputError: what it returned is not one.
        """
        if hasattr(self.agent, "ainvoke"):
            said = await self.agent.ainvoke(self.as_input(question.query))
        elif inspect.iscoroutinefunction(self.agent) or inspect.iscoroutinefunction(type(self.agent).__call__):
            said = await self.agent(*_arguments(self.agent, question, resources))
        else:
            said = await in_daemon_thread(self.agent, *_arguments(self.agent, question, resources), name="own agent")
            said = await said if inspect.isawaitable(said) else said
        return as_result(said)


def own_system(location: str) -> OwnSystem:
    """The agent that `module:attribute` leads to; the module is found in the current folder too, and runs.

    Raises:
        InputError: there is no such module or attribute, it fails, or nothing can be called there.
    """
    try:
        found = attribute_at(location)
    except CatalogError as error:
        raise InputError(str(error)) from error
    if not (callable(found) or hasattr(found, "ainvoke")):
        raise InputError(f"{location} is a {type(found).__name__}, which cannot be called. Name a function or a graph.")
    if inspect.isclass(found) or inspect.isgeneratorfunction(found) or inspect.isasyncgenfunction(found):
        raise InputError(f"{location} makes an object or yields parts. Name what returns the whole answer at once.")
    if hasattr(found, "ainvoke"):
        asking_way(location, found)
    else:
        _refuse_other_arguments(location, found)
    return OwnSystem(found, location)


def as_result(said: Any) -> Result:
    """What an agent returned, as a result.

    Raises:
        InputError: it is nothing that says what the answer is.
    """
    if isinstance(said, Result):
        return _plain(said)
    if isinstance(said, BaseMessage):
        return result_of_messages([said])
    if is_number(said):
        said = str(said)
    if isinstance(said, str):
        return Result(question="", outcome="solved" if said.strip() else "failed", answer=said)
    if isinstance(said, Mapping) and "answer" in said:
        given = {key: value for key, value in said.items() if key in _FIELDS}
        given |= {"answer": str(said["answer"])} if is_number(said["answer"]) else {}
        outcome = said.get("outcome", said.get("status", "solved" if str(said["answer"]).strip() else "failed"))
        try:
            return _plain(Result.model_validate({**given, "question": "", "outcome": outcome}))
        except ValidationError as error:
            raise InputError(f"The agent's result does not fit: {error.errors()[0]['loc']}.") from error
    if isinstance(said, Mapping) and isinstance(said.get("messages"), list):
        return result_of_messages(said["messages"])
    raise InputError(
        f"The agent returned a {type(said).__name__}. "
        "Return text, a number, a message, a Result, or a mapping with answer."
    )


def _plain(result: Result) -> Result:
    """The result with whatever its trace and its calls' arguments hold as plain data, which a journal can keep.

    An agent that says nothing of its usage has not said that there was none.
    """
    calls = tuple(call.model_copy(update={"arguments": shown(call.arguments)}) for call in result.calls)
    told = result.tells_usage and "usage" in result.model_fields_set
    return result.model_copy(update={"calls": calls, "trace": tuple(shown(result.trace)), "tells_usage": told})


def _arguments(agent: Callable[..., Any], question: Question, resources: Resources) -> tuple[Any, ...]:
    return (question, resources) if len(_required(agent)) > 1 else (question.query,)


def _required(agent: Callable[..., Any]) -> list[inspect.Parameter]:
    """The arguments that a call must have."""
    given = inspect.signature(agent).parameters.values()
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [one for one in given if one.default is inspect.Parameter.empty and (one.kind in places)]


def _refuse_other_arguments(location: str, agent: Callable[..., Any]) -> None:
    try:
        fits = len(_required(agent)) in (1, 2)
    except ValueError:  # it does not say what it takes
        fits = True
    if not fits:
        raise InputError(f"{location} must take the query, or a question and resources. Write such a function.")

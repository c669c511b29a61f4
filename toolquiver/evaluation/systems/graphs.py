"""Our graphs as systems, with the trace of each run; a question in progress may be kept in checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Overwrite
from pydantic_core import to_jsonable_python

from toolquiver.context import Context
from toolquiver.evaluation.reached import reached
from toolquiver.evaluation.records import ASKS, Called, Question, Resources, Result
from toolquiver.models import Usage, add_usage

INTERRUPT = "__interrupt__"
_METADATA = "__metadata__"  # in the update of a node that had run before; LangGraph tells it again
_STEPS_ENOUGH = 1_000  # supersteps; the graphs' own limits end a run long before

Update = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class GraphSystem:
    """A graph, by its `build`, with a model and settings.

    With a `checkpointer` a question that was interrupted goes on where it was; `run` tells this run's threads from
    those of others in the same file. `approval` of `auto` is `never`, because nobody is there to reply.
    """

    build: Callable[..., Any]
    model: BaseChatModel | str
    context: Context
    checkpointer: BaseCheckpointSaver[Any] | None = None
    run: str = ""

    def __post_init__(self) -> None:
        """Ask nobody about calls, unless the settings say so."""
        if self.context.approval == "auto":
            object.__setattr__(self, "context", replace(self.context, approval="never"))

    async def __call__(self, question: Question, resources: Resources) -> Result:
        """The graph's answer."""
        graph = self.build(
            model=self.model,
            catalog=resources.catalog,
            callers=resources.callers,
            context=self.context,
            checkpointer=self.checkpointer or InMemorySaver(),  # without one a graph cannot stop and ask
        )
        config = {"recursion_limit": _STEPS_ENOUGH, "configurable": {"thread_id": self._thread(question)}}
        trace = [] if self.checkpointer is None else await _before(graph, config)
        begun = bool(trace)
        state: dict[str, Any] = {}
        reached(lambda: unfinished(trace))
        ended = False
        if begun:
            before = await graph.aget_state(config)
            # `next` leaves out tasks whose writes are saved and whose step has no checkpoint yet.
            state, ended = before.values, not before.tasks
        if not ended:
            asked = None if begun else _asked(question)
            modes = ["updates", "values"]
            async for inside, mode, event in graph.astream(asked, config, stream_mode=modes, subgraphs=True):
                if mode == "updates":
                    known = begun and not inside and event.get(_METADATA, {}).get("cached")  # `_before` has it
                    names = () if known else event.keys() - {INTERRUPT, _METADATA}
                    trace.extend((_name(inside, node), event[node]) for node in event if node in names)
                elif not inside:
                    state = event
        return asking(state[INTERRUPT], trace) if INTERRUPT in state else finished(state, trace)

    async def forget(self, question: Question) -> None:
        """Delete the checkpoints of a question whose result is written down."""
        if self.checkpointer is not None:
            await self.checkpointer.adelete_thread(self._thread(question))

    def _thread(self, question: Question) -> str:
        return f"{self.run} {question.id}"


def _asked(question: Question) -> dict[str, Any]:
    given = {} if question.candidates is None else {"candidates": list(question.candidates)}
    return {"query": question.query, **given}


def _name(inside: Sequence[str], node: str) -> str:
    """A node with the graphs that it is a part of: "dfsdt/explore"."""
    return "/".join([*(name.split(":")[0] for name in inside), node])


async def _before(graph: Any, config: dict[str, Any]) -> list[tuple[str, Any]]:
    """What the nodes did before the run was interrupted, in order, out of the checkpoints."""
    history = [snapshot async for snapshot in graph.aget_state_history(config)]
    return [
        (task.name, task.result)
        for snapshot in reversed(history)
        for task in snapshot.tasks
        if task.result is not None and not task.name.startswith("__")
    ]


def finished(state: Update, trace: list[tuple[str, Any]]) -> Result:
    """The result of a run that came to its end."""
    return Result(
        question="",
        outcome=state["status"],
        answer=state["answer"],
        reason=state["reason"],
        calls=_calls(state["calls"]),
        plan="\n".join(state["plan"]) if state.get("plan") else None,
        candidates=_pool(trace),
        usage=state["usage"],
        trace=readable(trace),
    )


def asking(interrupts: Sequence[Any], trace: list[tuple[str, Any]]) -> Result:
    """The result of a run that waits for a person: what it asks is its answer, and nobody is there to reply."""
    asked = [
        one.value.get("question", one.value) if isinstance(one.value, Mapping) else one.value for one in interrupts
    ]
    said = {"outcome": "partial", "answer": " ".join(map(str, asked)), "reason": ASKS}
    return unfinished(trace).model_copy(update=said)


def unfinished(trace: list[tuple[str, Any]]) -> Result:
    """What a run had come to that was broken off: its calls and what they cost, out of the trace."""
    updates = _counted(trace)
    calls = [call for update in updates for call in update.get("calls", ())]
    usage: Usage = {}
    for update in updates:
        usage = add_usage(usage, update.get("usage"))
    return Result(
        question="",
        outcome="failed",
        calls=_calls(calls),
        candidates=_pool(trace),
        usage=usage,
        trace=readable(trace),
    )


def readable(trace: list[tuple[str, Any]]) -> tuple[Any, ...]:
    """The trace as plain data: pairs of a node and its update; the steps of a graph within stand before its own."""
    return tuple([node, shown(_plain(update))] for node, update in trace)


def shown(value: Any) -> Any:
    """Whatever a state holds as plain data; of messages what was said and called."""
    if isinstance(value, BaseMessage):
        calls = [{"name": call["name"], "arguments": call["args"]} for call in getattr(value, "tool_calls", ())]
        return {"type": value.type, "text": str(value.text), **({"calls": calls} if calls else {})}
    if isinstance(value, Mapping):
        return {str(key): shown(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [shown(part) for part in value]
    return to_jsonable_python(value, fallback=str)


def _plain(update: Any) -> dict[str, Any]:
    """An update without LangGraph's marks; a node that changes nothing has none."""
    if not isinstance(update, Mapping):
        return {}
    return {key: value.value if isinstance(value, Overwrite) else value for key, value in update.items()}


def _counted(trace: list[tuple[str, Any]]) -> list[dict[str, Any]]:
    """The updates that together are all that happened.

    A graph within ends with an update of all it did; its own steps count only where it did not come to its end.
    """
    counted: list[tuple[str, Any]] = []
    for node, update in trace:
        counted = [(other, earlier) for other, earlier in counted if not other.startswith(f"{node}/")]
        counted.append((node, update))
    return [_plain(update) for _, update in counted]


def _calls(calls: Any) -> tuple[Called, ...]:
    return tuple(
        Called.model_validate({key: call[key] for key in Called.model_fields if key in call}) for call in calls
    )


def _pool(trace: list[tuple[str, Any]]) -> tuple[Any, ...] | None:
    """Every API that was a candidate, in the order they came up; not those that may give an argument."""
    pools = [_plain(update).get("pool") for node, update in trace if "/" not in node]
    if all(pool is None for pool in pools):
        return None
    return tuple(dict.fromkeys(api for pool in pools for api in pool or ()))

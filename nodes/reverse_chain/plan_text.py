"""The plan as nested calls, and as a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolquiver.catalog import API, ApiId
from toolquiver.catalog.text import shortened
from toolquiver.contexts import ReverseChainContext
from toolquiver.nodes.reverse_chain.frames import below, roots
from toolquiver.nodes.reverse_chain.state import Frame, PlanNode, ReverseChainState
from toolquiver.nodes.run import Run

OPEN = "?"
_MARKS = {"open": "open", "planned": "planned", "called": "answered", "failed": "failed"}


async def plans_of(state: ReverseChainState, run: Run[ReverseChainContext]) -> list[str]:
    """A nested call for each task that has an API."""
    return [await plan_of(root["id"], state["frames"], run) for root in roots(state["frames"])]


async def plan_of(root: int, frames: Sequence[Frame], run: Run[ReverseChainContext]) -> str:
    """The plan as nested calls, such as `BookRoom(person_ID=Name2ID(person_name='Jack'))`; what is open is `?`.

    Where an argument takes its value from a call, the call stands for it, also when it was made.
    """
    apis = await _apis(frames, run)
    texts = dict[int, str]()
    for frame in reversed(below(frames, root)):  # what feeds a frame stands after it: no recursion at any depth
        texts[frame["id"]] = _call(frame, apis[frame["api"]], texts)
    return texts[root]


def _call(frame: Frame, api: API, texts: Mapping[int, str]) -> str:
    """A frame as a call, with the texts of the calls that it takes from."""
    values = {name: repr(value) for name, value in frame["arguments"].items()}
    values |= {name: texts.get(taken, OPEN) for name, taken in frame["takes"].items()}
    inputs = (f"{p.name}={values.get(p.name, OPEN)}" for p in api.parameter_list() if p.required or p.name in values)
    return f"{api.function}({', '.join(inputs)})"


async def tree_of(state: ReverseChainState, run: Run[ReverseChainContext]) -> list[PlanNode]:
    """All frames as a tree below the question, each labelled with the argument that it gives."""
    apis = await _apis(state["frames"], run)
    question = PlanNode(id=0, parent=None, label="", thought=state["query"], calls=[], observations=[], mark="open")
    return [question, *(_node(frame, apis[frame["api"]]) for frame in state["frames"])]


def _node(frame: Frame, api: API) -> PlanNode:
    return PlanNode(
        id=frame["id"] + 1,
        parent=0 if frame["parent"] is None else frame["parent"] + 1,
        label=", ".join(frame["fills"]),
        thought=frame["task"],
        calls=[_call(frame, api, {})],
        observations=[shortened(frame["observation"])] if frame["observation"] else [],
        mark=_MARKS[frame["stage"]],
    )


async def _apis(frames: Sequence[Frame], run: Run[ReverseChainContext]) -> dict[ApiId, API]:
    return {api.id: api for api in await run.apis(list(dict.fromkeys(frame["api"] for frame in frames)))}

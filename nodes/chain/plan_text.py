"""The plan of a reverse chain as nested calls, and as a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolquiver.catalog import API, ApiId
from toolquiver.catalog.text import shortened
from toolquiver.nodes.chain.frames import ChainState, Frame, PlanNode, below
from toolquiver.nodes.run import Run

OPEN = "?"
_BY_DESCRIPTION = "; by its description, for it is not documented what it returns"
_MARKS = {"open": "open", "planned": "planned", "called": "answered", "failed": "failed"}


async def plan_of(root: int, frames: Sequence[Frame], run: Run) -> str:
    """The plan as nested calls, such as `BookRoom(person_ID=Name2ID(person_name='Jack'))`; what is open is `?`.

    Where an argument takes its value from a call, the call stands for it, also when it was made.
    """
    apis = await _apis(frames, run)
    texts = dict[int, str]()
    for frame in reversed(below(frames, root)):  # what feeds a frame stands after it: no recursion at any depth
        texts[frame["id"]] = call_of(frame, apis[frame["api"]], texts)
    return texts[root]


def call_of(frame: Frame, api: API, texts: Mapping[int, str]) -> str:
    """A frame as a call, with the texts of the calls that it takes from."""
    values = {name: repr(value) for name, value in frame["arguments"].items()}
    values |= {name: texts.get(taken, OPEN) for name, taken in frame["takes"].items()}
    needed = {p.name for p in api.required_list()}
    inputs = (
        f"{p.name}={values.get(p.name, OPEN)}" for p in api.parameter_list() if p.name in needed or p.name in values
    )
    return f"{api.function}({', '.join(inputs)})"


async def tree_of(state: ChainState, run: Run) -> list[PlanNode]:
    """All frames as a tree below the question, each labelled with the argument that it gives."""
    frames = state["frames"]
    apis = await _apis(frames, run)
    question = PlanNode(id=0, parent=None, label="", thought=state["query"], calls=[], observations=[], mark="open")
    return [
        question,
        *(
            PlanNode(
                id=frame["id"] + 1,
                parent=0 if frame["parent"] is None else frame["parent"] + 1,
                label=", ".join(frame["feeds"]),
                thought=frame["task"] + (_BY_DESCRIPTION if _is_undocumented(frame, apis) else ""),
                calls=[call_of(frame, apis[frame["api"]], {})],
                observations=[shortened(frame["observation"])] if frame["observation"] else [],
                mark=_MARKS[frame["stage"]],
            )
            for frame in frames
        ),
    ]


async def undocumented(frames: Sequence[Frame], run: Run) -> str:
    """Which calls of the plan are taken for what they return by their description only, in a sentence; or nothing."""
    apis = await _apis(frames, run)
    found = dict.fromkeys(apis[frame["api"]].function for frame in frames if _is_undocumented(frame, apis))
    return (
        f"It is not documented what {' and '.join(found)} returns: that is read from the description." if found else ""
    )


def _is_undocumented(frame: Frame, apis: Mapping[ApiId, API]) -> bool:
    return frame["parent"] is not None and apis[frame["api"]].output is None


async def _apis(frames: Sequence[Frame], run: Run) -> dict[ApiId, API]:
    return {api.id: api for api in await run.apis(list(dict.fromkeys(frame["api"] for frame in frames)))}

"""A frame for an API whose output an argument needs: completing that one is the next task (Reverse Chain, 2)."""

from __future__ import annotations

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.fits import Feeding, feeding
from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import shortened
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain.frames import ChainState, Frame, a_frame, changed, written_for
from toolquiver.nodes.run import Run
from toolquiver.nodes.scripts.drafts import carried
from toolquiver.nodes.state import Draft


async def push(state: ChainState, run: Run) -> Update:
    """Push a frame for the first argument on top that waits for one.

    Arguments that are different fields of one thing, such as latitude and longitude of one place, share it.
    """
    frame = state["frames"][state["stack"][-1]]
    consumer = await run.api(frame["api"])
    producer = await run.api(frame["wanted"][next(iter(frame["wanted"]))])
    wanting = [p for p in consumer.parameter_list() if frame["wanted"].get(p.name) == producer.id]
    fed = _together(producer, consumer, wanting)
    names = [parameter.name for parameter in fed]
    meaning = "; ".join(dict.fromkeys(p.description for p in fed if p.description))
    task = f"{' and '.join(names)} of {consumer.function}" + (f" ({shortened(meaning)})" if meaning else "")
    draft = await _carried(frame, names[0], producer, run)
    child = a_frame(state["frames"], producer.id, task, state["current"], parent=frame["id"], feeds=names, draft=draft)
    frames = changed(
        state["frames"],
        frame["id"],
        wanted={name: api for name, api in frame["wanted"].items() if name not in names},
        takes=frame["takes"] | dict.fromkeys(names, child["id"]),
    )
    return {"frames": [*frames, child], "stack": [*state["stack"], child["id"]]}


async def _carried(frame: Frame, name: str, producer: API, run: Run) -> Draft | None:
    """What was written down for this argument, for the API that gives it.

    Of `offset(zone=offset(zone=city('Oslo')))`, where an offset gives no zone, it is what the inner call takes.
    """
    call = written_for(frame, name)
    while call and call["api"] == frame["api"] != producer.id and name in call["calls"]:
        call = call["calls"][name]
    apis = {api.id: api for api in await run.apis([call["api"]])} if call else {}
    return carried(call, producer, apis)


def _together(producer: API, consumer: API, wanting: list[Parameter]) -> list[Parameter]:
    """The first parameter, and those that are other fields of the same thing: alike but for the field's name."""
    feeds = [(parameter, feeding(producer, consumer, parameter)) for parameter in wanting]
    (first, fed), found = feeds[0], [feeds[0]]
    for parameter, other in feeds[1:]:
        fields = {field.path for _, before in found for field in before.fields}
        if (
            _mark(parameter, other) == _mark(first, fed)
            and other.fields
            and not fields & {f.path for f in other.fields}
        ):
            found.append((parameter, other))
    return [parameter for parameter, _ in found]


def _mark(parameter: Parameter, fed: Feeding) -> tuple[str, ...]:
    """What a parameter's name says besides its field's: `1` of `latitude1`, `origin` of `origin_lat`."""
    field = {stem for found in fed.fields for stem in stems(found.name)}
    digits = parameter.name[len(parameter.name.rstrip("0123456789")) :]
    words = stems(parameter.name.removesuffix(digits).replace("_", " "))
    return (*(word for word in words if not any(word.startswith(f[:3]) for f in field)), digits)

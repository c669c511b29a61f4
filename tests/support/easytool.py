"""Fakes for EasyTool: functions about lakes, somebody who answers their calls, and a scripted writer."""

import asyncio

from toolquiver.calling import CallError, Observation
from toolquiver.catalog import API, Catalog
from toolquiver.catalog.effects import of_stored
from toolquiver.cli.documenting import callable_now, left_to_write, write_all
from toolquiver.contexts import EasyToolContext
from toolquiver.graphs import easytool
from toolquiver.models import scripted

CONFIG = {"configurable": {"thread_id": "one"}}
LAKES = {"category": "Food", "tool": "Lakes"}
FISH = "food/lakes/fish"


def an_api(name="fish", method="GET", tool="Lakes", description=None, tool_description="", **properties):
    return API(
        id=f"food/{tool.lower()}/{name}",
        name=name,
        description=f"Lists **{name}**. Sign up for free!" if description is None else description,
        method=method,
        effect=of_stored(method),
        parameters={
            "type": "object",
            "properties": {
                "lake": {"type": "string", "description": "Which lake", "examples": ["Garda"]},
                **properties,
            },
            "required": ["lake"],
        },
        tool=tool,
        tool_description=tool_description,
        category="Food",
        source="lakes",
    )


class Lakes:
    """Knows every lake; the first calls fail in these ways."""

    def __init__(self, *failures):
        self.got, self.failures = [], list(failures)

    async def call(self, api, arguments):
        self.got.append((api.name, arguments))
        if self.failures:
            raise CallError(self.failures.pop(0), "no such lake")
        return Observation(text="trout")


def example(scenario="if you want to fish in Como", **arguments):
    return {"scenario": scenario, "arguments": arguments or {"lake": "Como"}}


class Writer:
    """A scripted model: the examples in turn, the last again and again; `line` for each function."""

    def __init__(self, *examples, line="lists it", purpose="tells of lakes"):
        self.examples, self.line, self.purpose = list(examples) or [example()], line, purpose
        self.asked = []

    def __call__(self, messages, schema):
        self.asked.append((schema["title"], "\n".join(message.text for message in messages)))
        if schema["title"] == "Description":
            names = schema["properties"]["functions"]["properties"]
            return {"purpose": self.purpose, "functions": dict.fromkeys(names, self.line)}
        if schema["title"] == "Joined":
            return {"purpose": f"{self.purpose} as a whole"}
        return self.examples.pop(0) if len(self.examples) > 1 else self.examples[0]

    def titles(self):
        return [title for title, _ in self.asked]

    def texts(self, title):
        return [text for asked, text in self.asked if asked == title]

    def since(self):
        """What was asked since this was called last."""
        asked, self.asked = self.titles(), []
        return asked


def written(*apis, model=None, caller=None, checkpointer=None, given=None, **settings):
    """A catalogue of these APIs, and what the graph makes of their tool."""
    catalog = Catalog.create()
    catalog.add(*apis)
    callers = {"lakes": caller} if caller else {}
    graph = easytool.build(
        catalog=catalog, model=scripted(model or Writer()), callers=callers, checkpointer=checkpointer
    )
    context = EasyToolContext(**{"call_retries": 0} | settings)
    return catalog, graph.invoke(LAKES | (given or {}), CONFIG, context=context)


def the_function(result):
    (function,) = result["functions"]
    return function


def write(catalog, writer, *, again=False, caller=None, concurrency=1, **settings):
    """Write all that is left in a catalogue: how each tool ended."""
    model, callers = scripted(writer), {"lakes": caller} if caller else {}
    context = EasyToolContext(**{"call_retries": 0} | settings)
    can_try = callable_now(catalog, context, callers)
    works = left_to_write(catalog, type(model).__name__, again=again, can_try=can_try)
    bound = {"model": model, "callers": callers}
    return asyncio.run(write_all(catalog, works, context, concurrency=concurrency, progress=lambda *_: None, **bound))


def left(catalog, **more):
    """What is left to write for the scripted model."""
    return left_to_write(catalog, type(scripted(Writer())).__name__, **more)

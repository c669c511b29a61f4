"""A stage for the four stages: APIs that answer as told, a model whose answers are given by decision, the graph."""

import json

from toolquiver.calling import CallError, Observation
from toolquiver.catalog import API, Catalog, api_id
from toolquiver.contexts import PipelineContext
from toolquiver.graphs import easytool_pipeline
from toolquiver.models import scripted

PIPELINE_SOURCE = "stage"
THREAD = {"configurable": {"thread_id": "one"}}


def a_tool(name, *, effect="read", about="", **inputs):
    """An API whose parameters have these types; all are required."""
    properties = {key: {"type": kind} for key, kind in (inputs or {"note": "string"}).items()}
    return API(
        id=api_id("tests", "tests", name),
        name=name,
        description=about or f"Look up {name}.",
        parameters={"type": "object", "properties": properties, "required": list(properties)},
        tool="tests",
        category="tests",
        source=PIPELINE_SOURCE,
        effect=effect,
    )


def subtasks(*tasks):
    """A plan of these tasks, each a text, or a pair of text and the numbers of the subtasks that it comes after."""
    pairs = [one if isinstance(one, tuple) else (one, []) for one in tasks]
    return {"subtasks": [{"task": task, "after": list(after)} for task, after in pairs]}


def in_turn(*answers):
    """An answer that is another one each time, and the last again and again."""
    left = list(answers)
    return lambda *_: left.pop(0) if len(left) > 1 else left[0]


def named_tool(text, schema):
    """Choose the tool that the subtask names, where it is offered, else the first of the alphabet."""
    offered = schema["properties"]["tool"].get("enum") or [schema["properties"]["tool"]["const"]]
    task = text.rpartition("Subtask: ")[2]
    named = [name for name in offered if name in task]
    return {"tool": (named or sorted(set(offered) - {"none of these"}) or offered)[0]}


def filled(missing=(), **arguments):
    return {"arguments": arguments or {"note": "x"}, "missing": list(missing)}


class PipelineStage:
    """A catalogue of these APIs, their caller, and a model that answers by the title of the decision.

    An answer is data, or a function of the text that the model is shown and the schema. `failing` are names of APIs
    whose calls fail, with the kind of the failure.
    """

    def __init__(self, *apis, failing=None, respond=None, **answers):
        self.catalog = Catalog.create()
        self.catalog.add(*apis)
        self.ids = [api.id for api in apis]
        self.failing = failing or {}
        self.respond = respond or (lambda api, arguments: f"{api.name} says so")
        self.answers = {
            "TaskPlan": subtasks("Look up alpha."),
            "Choice": named_tool,
            "Filled": filled(),
            "FinalAnswer": {"answer": "Here it is.", "missing": []},
        } | answers
        self.asked, self.made = [], []

    def reply(self, messages, schema):
        text = "\n".join(message.text for message in messages)
        self.asked.append((schema["title"], text, schema))
        said = self.answers[schema["title"]]
        return said(text, schema) if callable(said) else said

    async def call(self, api, arguments):
        self.made.append((api.name, arguments))
        if api.name in self.failing:
            raise CallError(self.failing[api.name], "It is broken.")
        said = self.respond(api, arguments)
        return Observation(text=said if isinstance(said, str) else json.dumps(said))

    def titles(self):
        return [title for title, _, _ in self.asked]

    def texts(self, title):
        return [text for asked, text, _ in self.asked if asked == title]

    def offered(self):
        """The names that each choice was among."""
        properties = [schema["properties"]["tool"] for title, _, schema in self.asked if title == "Choice"]
        return [one.get("enum") or [one["const"]] for one in properties]

    def build(self, **more):
        bound = {"model": scripted(self.reply), "catalog": self.catalog, "callers": {PIPELINE_SOURCE: self}}
        return easytool_pipeline.build(**(bound | more))

    def ask(self, query="Where is alpha?", *, candidates=True, saver=None, config=THREAD, **settings):
        """One run; the candidates are all APIs, unless search is to find them."""
        given = {"query": query} if isinstance(query, str) else query
        if isinstance(query, str) and candidates:
            given["candidates"] = self.ids if candidates is True else candidates
        return self.build(checkpointer=saver).invoke(given, config, context=settings_of(**settings))


def settings_of(**settings):
    return PipelineContext(**{"call_retries": 0, "today": "2026-11-29", "time_zone": "UTC"} | settings)

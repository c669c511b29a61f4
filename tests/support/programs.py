"""A stage for quiver: APIs that answer as told, a planner whose n-th reply is given, and the graph bound to both."""

import json

from langchain_core.messages import AIMessage
from langgraph.types import Command

from tests.support.script import SOURCE, RecordingCaller
from toolquiver.catalog import API, Catalog, api_id
from toolquiver.contexts import QuiverContext
from toolquiver.graphs import quiver
from toolquiver.models import scripted

THREAD = {"configurable": {"thread_id": "one"}}


def code(program):
    """A reply with this program in a block."""
    return f"```python\n{program.strip()}\n```"


def worded(*sentences, missing=()):
    """An answer of these sentences, each a text that stands on the first call, or a pair of text and call numbers."""
    pairs = [one if isinstance(one, tuple) else (one, [1]) for one in sentences]
    return {"sentences": [{"text": text, "calls": calls} for text, calls in pairs], "missing": list(missing)}


def choosing(*functions):
    """A planner of steps that chooses these functions, in turn."""
    left = iter(functions)
    return lambda *_: {"function": next(left)}


def an_api(name, properties=None, *, required=None, output=None, effect="read", about="", category="tests"):
    """An API of the scripted source, whose parameters have these JSON Schemas; all are required unless said."""
    properties = {"note": {"type": "string"}} if properties is None else properties
    return API(
        id=api_id(category, "tests", name),
        name=name,
        description=about or f"Look up {name}.",
        parameters={
            "type": "object",
            "properties": properties,
            "required": list(properties) if required is None else list(required),
        },
        output=output,
        tool="tests",
        category=category,
        source=SOURCE,
        effect=effect,
    )


class Programs:
    """A catalogue of these APIs, what they return, and a planner whose n-th reply is the n-th of `plans`.

    `respond(api, arguments)` gives JSON data, or a text as it is. `decisions` are answers by the title of the decision:
    data, or a function of the text that the model is shown and the schema.
    """

    def __init__(self, *apis, plans=(), respond=None, catalog=None, agents=None, **decisions):
        self.catalog = catalog or Catalog.create()
        if catalog is None:
            self.catalog.add(*apis)
        self.apis = list(apis)
        self.ids = [api.id for api in apis]
        self.plans = [plans] if isinstance(plans, str) else list(plans)
        self.decisions = {"Worded": worded("Found it."), "Verdict": {"reason": "It is all there.", "done": True}}
        self.decisions |= {"Parts": {"questions": ["What is asked?"]}} | decisions
        self.agents = agents
        self.asked = []
        self.shown = []
        self.caller = RecordingCaller(self._respond)
        self._data = respond or (lambda api, arguments: f"{api.name} says so")

    def _respond(self, api, arguments):
        data = self._data(api, arguments)
        return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)

    def reply(self, messages, schema):
        """What the model says: as every role of the graph."""
        title = schema.get("title", "plan")
        self.asked.append((title, "\n".join(str(message.text) for message in messages)))
        if title == "Turn":
            return self.agents(messages, schema)
        if title == "plan":
            self.shown.append(list(messages))
            turn = sum(isinstance(message, AIMessage) for message in messages)
            said = self.plans[min(turn, len(self.plans) - 1)]
            return said(messages) if callable(said) else said
        said = self.decisions[title]
        return said(self.asked[-1][1], schema) if callable(said) else said

    def titles(self):
        return [title for title, _ in self.asked]

    def texts(self, title):
        return [text for asked, text in self.asked if asked == title]

    def told(self):
        """The last message to the planner."""
        return str(self.shown[-1][-1].text)

    def made(self, name=None):
        """The calls that were made, as pairs of name and arguments; of one API only its arguments."""
        if name is None:
            return self.caller.made
        return [arguments for called, arguments in self.caller.made if called == name]

    def build(self, **more):
        bound = {"model": scripted(self.reply), "catalog": self.catalog, "callers": {SOURCE: self.caller}}
        return quiver.build(**(bound | more))

    def ask(self, query="What is it?", *, saver=None, candidates=True, config=THREAD, **settings):
        """One run up to its end or its question; the candidates are all APIs, unless search is to find them."""
        given = query if isinstance(query, Command) or query is None else {"query": query}
        if isinstance(given, dict) and candidates:
            given["candidates"] = self.ids if candidates is True else candidates
        return self.build(checkpointer=saver).invoke(given, config, context=settings_of(**settings))


def settings_of(**settings):
    return QuiverContext(**{"call_retries": 0, "today": "2026-11-29", "time_zone": "UTC"} | settings)

"""A stage for Reverse Chain: typed APIs, a policy that says where arguments come from, and the graph bound to both."""

import json

from langgraph.types import Command

from toolquiver.calling import CallError, Observation
from toolquiver.catalog import API, Catalog, api_id
from toolquiver.catalog.sources import PYTHON
from toolquiver.contexts import ReverseChainContext
from toolquiver.graphs import reverse_chain
from toolquiver.models import scripted

THREAD = {"configurable": {"thread_id": "one"}}
NOBODY = {"nobody": True}
LEFT_OUT = {"leave_out": True}


def value(given):
    return {"value": given}


def from_api(name, call=None):
    return {"api": name} if call is None else {"api": name, "call": call}


def typed_api(name, inputs, output=None, *, effect="read", optional=(), description=""):
    """An API with these inputs, and an output with these fields: names with a JSON type, or with a schema.

    An output that is a text is the type of the whole.
    """

    def schemas(given):
        return {key: kind if isinstance(kind, dict) else {"type": kind} for key, kind in given.items()}

    whole = (
        {"type": output} if isinstance(output, str) else output and {"type": "object", "properties": schemas(output)}
    )
    return API(
        id=api_id("tests", "tests", name),
        name=name,
        description=description or f"Work on {name}.",
        effect=effect,
        parameters={
            "type": "object",
            "properties": schemas(inputs),
            "required": [key for key in inputs if key not in optional],
        },
        output=whole,
        tool="tests",
        category="tests",
        source=PYTHON,  # scripted APIs stand for tools of a program
    )


class Responding:
    """Answers calls with what `respond(api, arguments)` returns, as JSON, and keeps them; an error is a failed call."""

    def __init__(self, respond):
        self.respond, self.made = respond, []

    async def call(self, api, arguments):
        self.made.append((api.name, arguments))
        said = self.respond(api, arguments)
        if isinstance(said, CallError):
            raise said
        return Observation(text=said if isinstance(said, str) else json.dumps(said))


class Chain:
    """A catalogue of these APIs, what they return, and a model.

    `policy(name, offered, text)` says where an argument comes from; what is not among the outcomes counts as nobody.
    `tasks` are the tasks with their APIs; the last API is the task's unless told otherwise. `searches` are the words
    that are searched with before, in turn. `take(name, paths)` chooses the path of an argument's value. `missing` is
    what the answer says is missing.
    """

    def __init__(self, *apis, policy, respond, tasks=None, searches=(), take=None, missing=(), answer="All done."):
        self.catalog = Catalog.create()
        self.catalog.add(*apis)
        self.ids = [api.id for api in apis]
        self.policy, self.take, self.missing, self.said = policy, take, list(missing), answer
        self.tasks = tasks or [("do it", apis[-1].name)]
        self.searches = list(searches)
        self.caller = Responding(respond)
        self.asked = []
        self.offered = []
        self.decisions = []

    def __call__(self, messages, schema):
        text = "\n".join(str(message.text) for message in messages)
        title = schema.get("title", "Outcomes")
        self.asked.append((title, text))
        if title == "Tasks" and self.searches and "search" in schema["properties"]:
            return {"tasks": [], "search": self.searches.pop(0)}
        if title == "Tasks":
            return {"tasks": [{"task": task, "api": api} for task, api in self.tasks]}
        if title == "Places":
            paths = {name: part["enum"] for name, part in schema["properties"].items()}
            return {name: self.take(name, those) if self.take else those[0] for name, those in paths.items()}
        if title == "Answer":
            return {"answer": self.said, "missing": self.missing}
        self.decisions.append(list(schema["properties"]))
        return {name: self._outcome(name, part, text) for name, part in schema["properties"].items()}

    def _outcome(self, name, part, text):
        ways = [next(iter(way["properties"].items())) for way in part["anyOf"]]
        offered = [api for key, way in ways if key == "api" for api in way["enum"]]
        self.offered.append((name, offered))
        said = self.policy(name, offered, text)
        key, given = next(iter(said.items()))
        possible = key in [way for way, _ in ways] and (key != "api" or given in offered)
        return said if possible else {ways[-1][0]: True}

    def titles(self):
        return [title for title, _ in self.asked]

    def texts(self, wanted):
        return [text for title, text in self.asked if title == wanted]

    def build(self, **more):
        bound = {"model": scripted(self), "catalog": self.catalog, "callers": {PYTHON: self.caller}}
        return reverse_chain.build(**(bound | more))

    def ask(self, query="go", *, saver=None, candidates=True, conversation=(), config=THREAD, **settings):
        """One run up to its end or its question; the candidates are all APIs, unless search is to find them."""
        given = query if isinstance(query, Command) or query is None else {"query": query}
        if isinstance(given, dict):
            given |= {"candidates": self.ids if candidates is True else candidates} if candidates is not None else {}
            given |= {"conversation": list(conversation)} if conversation else {}
        return self.build(checkpointer=saver).invoke(given, config, context=settings_of(**settings))


def settings_of(**settings):
    usual = {"call_retries": 0, "approval": "never", "today": "2026-11-29", "time_zone": "UTC"}
    return ReverseChainContext(**usual | settings)


# ---- the example of the paper (2.1), in our own words

BOOKING = (
    typed_api("Name2ID", {"person_name": "string"}, {"person_ID": "integer"}, description="Find the ID of a person."),
    typed_api("RecommendRoom", {"start_time": "string", "end_time": "string"}, {"room_ID": "string"}),
    typed_api(
        "BookRoom",
        {"person_ID": "integer", "room_ID": "string", "start_time": "string", "end_time": "string"},
        {"room_info": "string"},
        effect="write",
        description="Book a meeting room.",
    ),
)
BOOK = "Please book a meeting room for Jack from 9am to 10am."
PLAN = (
    "BookRoom(person_ID=Name2ID(person_name='Jack'), "
    "room_ID=RecommendRoom(start_time='9am', end_time='10am'), start_time='9am', end_time='10am')"
)
MADE = [
    ("Name2ID", {"person_name": "Jack"}),
    ("RecommendRoom", {"start_time": "9am", "end_time": "10am"}),
    ("BookRoom", {"person_ID": 17, "room_ID": "R2", "start_time": "9am", "end_time": "10am"}),
]
_TOLD = {"start_time": "9am", "end_time": "10am", "person_name": "Jack"}
_FROM = {"person_ID": "Name2ID", "room_ID": "RecommendRoom"}
_RETURNED = {
    "Name2ID": {"person_ID": 17},
    "RecommendRoom": {"room_ID": "R2"},
    "BookRoom": {"room_info": "Room R2 is yours."},
}


def books(name, *_):
    return value(_TOLD[name]) if name in _TOLD else from_api(_FROM[name])


def without(*names):
    """The policy of the booking, which gives these arguments to nobody."""
    return lambda name, *_: NOBODY if name in names else books(name)


def booking(policy=books, **more):
    return Chain(*BOOKING, policy=policy, **{"respond": lambda api, _: _RETURNED[api.name]} | more)

"""What the tests of reverse chains stand on: typed APIs, a policy that says where arguments come from, a graph."""

import json

from langgraph.types import Command

from tests.graphs.script import SOURCE, RecordingCaller, fitting
from toolquiver.catalog import API, Catalog, api_id
from toolquiver.catalog.effects import of_stored
from toolquiver.context import Context
from toolquiver.graphs import reverse_chain
from toolquiver.models import scripted
from toolquiver.nodes.sources import NOBODY, REQUEST


def a_typed_api(name, inputs, outputs, *, method="GET", optional=(), description=""):
    """An API with these inputs and outputs: names with a JSON type, or with a schema."""
    inputs, outputs = (
        {key: kind if isinstance(kind, dict) else {"type": kind} for key, kind in given.items()}
        for given in (inputs, outputs or {})
    )
    return API(
        id=api_id("tests", "tests", name),
        name=name,
        description=description or f"Work on {name}.",
        method=method,
        effect=of_stored(method),
        parameters={
            "type": "object",
            "properties": inputs,
            "required": [key for key in inputs if key not in optional],
        },
        output={"type": "object", "properties": outputs} if outputs else None,
        tool="tests",
        category="tests",
        source=SOURCE,
    )


def value(given):
    return {"from": REQUEST, "value": given}


def from_api(name):
    return {"from": name}


NONE = {"from": NOBODY}


class Chain:
    """A catalogue, a caller, and a policy: from (parameter, what is offered, prompt) to where that comes from."""

    def __init__(self, *apis, policy, respond, goal="", **answers):
        self.catalog = Catalog.create()
        self.catalog.add(*apis)
        self.ids = [api.id for api in apis]
        self.policy, self.goal, self.answers = policy, goal, answers
        self.caller = RecordingCaller(respond)
        self.asked = []
        self.offered = []

    def __call__(self, messages, schema):
        text = "\n".join(str(message.text) for message in messages)
        title = schema.get("title", "Text")
        self.asked.append((title, text))
        if title == "Text":
            return self.answers.get(title, "")
        if title == "Completion":
            return {name: self._source(name, part, text) for name, part in schema["properties"].items()}
        if title == "Choice":
            names = options_of(schema)
            return {"tool": next((name for name in self.goal.split() if name in names), names[0])}
        answer = self.answers.get(title, {})
        answer = answer(text, schema) if callable(answer) else answer
        defaults = {"Digest": {"answer": "Done."}, "FinalAnswer": {"answer": "All done."}}
        return fitting(schema, defaults.get(title, {}) | answer)

    def _source(self, name, part, text):
        ways = [way["properties"]["from"] for way in part["anyOf"]]
        offered = [api for way in ways for api in way.get("enum", ())]
        self.offered.append((name, offered))
        said = self.policy(name, offered, text)
        return said if said["from"] in [*offered, *(way.get("const") for way in ways)] else NONE

    def titles(self):
        return [title for title, _ in self.asked]

    def texts(self, wanted):
        return [text for title, text in self.asked if title == wanted]

    def build(self, **more):
        bound = {"model": scripted(self), "catalog": self.catalog, "callers": {SOURCE: self.caller}}
        return reverse_chain.build(**(bound | more))

    def ask(self, query="go", *, config=None, checkpointer=None, candidates=None, conversation=(), **settings):
        asked = {"query": query, "candidates": self.ids if candidates is None else candidates}
        asked |= {"conversation": list(conversation)} if conversation else {}
        return self.build(checkpointer=checkpointer).invoke(
            asked,
            {"recursion_limit": 5_000} | (config or {}),
            context=Context(**{"call_retries": 0, "planner": False, "drafts": False, "approval": "never"} | settings),
        )


def options_of(schema):
    tool = schema["properties"]["tool"]
    return tool.get("enum") or [tool["const"]]


def as_json(respond):
    """Responses as JSON text."""
    return lambda api, arguments: json.dumps(respond(api, arguments))


BOOKING = (
    a_typed_api("Name2ID", {"person_name": "string"}, {"person_ID": "integer"}, description="Find the id of a person."),
    a_typed_api(
        "RecommendRoom",
        {"start_time": "string", "end_time": "string"},
        {"room_ID": "string"},
        description="Recommend a free room.",
    ),
    a_typed_api(
        "BookRoom",
        {"person_ID": "integer", "room_ID": "string", "start_time": "string", "end_time": "string"},
        {"room_info": "string"},
        method="POST",
        description="Book a meeting room.",
    ),
)
"""The example of the paper, in our own words."""

BOOK = "Please book a meeting room for Jack from 9am to 10am."
TIMES = {"start_time": value("9am"), "end_time": value("10am"), "person_name": value("Jack")}


def books(name, offered, _):
    return TIMES[name] if name in TIMES else from_api(offered[0]) if offered else NONE


def rooms(api, _):
    return {
        "Name2ID": {"person_ID": 17},
        "RecommendRoom": {"room_ID": "R2"},
        "BookRoom": {"room_info": "Room R2 is yours."},
    }[api.name]


def booking(policy=books, *, kind=Chain, **more):
    return kind(*BOOKING, policy=policy, respond=as_json(rooms), goal="BookRoom", **more)


THREAD = {"configurable": {"thread_id": "one"}}
NESTED = (
    "BookRoom(person_ID=Name2ID(person_name='Jack'), "
    "room_ID=RecommendRoom(start_time='9am', end_time='10am'), start_time='9am', end_time='10am')"
)
MADE = [
    ("Name2ID", {"person_name": "Jack"}),
    ("RecommendRoom", {"start_time": "9am", "end_time": "10am"}),
    ("BookRoom", {"person_ID": 17, "room_ID": "R2", "start_time": "9am", "end_time": "10am"}),
]


def without(*names):
    """The policy of the booking, which gives these arguments to nobody."""
    return lambda name, offered, text: NONE if name in names else books(name, offered, text)


def asked(result):
    (question,) = result.get("__interrupt__", [None])
    return question and question.value


def resumed(chain, saver, answer):
    return chain.build(checkpointer=saver).invoke(
        Command(resume=answer), THREAD, context=Context(planner=False, drafts=False, call_retries=0)
    )

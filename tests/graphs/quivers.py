"""A stage for quiver: a catalogue in two categories, a script for decisions, and agents that play their parts."""

from tests.graphs.script import SOURCE, RecordingCaller, Script, an_api, numbered_notes
from tests.graphs.searching import Policy
from toolquiver.catalog import Catalog
from toolquiver.contexts import QuiverContext
from toolquiver.graphs import quiver
from toolquiver.models import scripted

TOPICS = "height age name shape owner colour weather".split()
NAMES = "alpha bravo charlie delta echo foxtrot golf".split()
QUERY = "How high is Alpha, and how old is the Bravo mountain?"


def mountains():
    """Seven APIs that search cannot tell apart by much."""
    return [
        an_api(name, description=f"Tell the {topic} of a mountain.") for name, topic in zip(NAMES, TOPICS, strict=True)
    ]


class Whole:
    """The graph bound to these APIs, a script, agents and a caller."""

    def __init__(self, *apis, respond=lambda api, _: f"{api.name} says 8848", plays=None, **answers):
        self.catalog = Catalog.create()
        self.catalog.add(*(apis or mountains()))
        self.script = Script(**{"Arguments": numbered_notes(), "Digest": {"answer": "It is 8848 m."}} | answers)
        self.policy = Policy(**(plays or {}))
        self.caller = RecordingCaller(respond)

    def model(self, messages, schema):
        return self.policy(messages, schema) if schema.get("title") == "Turn" else self.script(messages, schema)

    def build(self, **more):
        bound = {"model": scripted(self.model), "catalog": self.catalog, "callers": {SOURCE: self.caller}}
        return quiver.build(**(bound | more))

    def ask(self, query=QUERY, *, checkpointer=None, candidates=None, **settings):
        asked = {"query": query} | ({} if candidates is None else {"candidates": candidates})
        config = {"configurable": {"thread_id": "one"}, "recursion_limit": 1_000}
        context = QuiverContext(**{"call_retries": 0, "top_k": 3, "pool_size": 6} | settings)
        return self.build(checkpointer=checkpointer).invoke(asked, config, context=context)

    def made(self):
        return [name for name, _ in self.caller.made]


AIRPORT = ["tests/tests/distance", "tests/tests/find_code"]


def an_airport(**answers):
    """The distance needs a code, which the model makes up, and which another tool gives."""
    apis = [
        an_api("distance", inputs={"code": "string"}, description="The distance to an airport by its code."),
        an_api("find_code", inputs={"city": "string"}, outputs=("code",), description="The airport code of a city."),
    ]

    def completion(question):
        value = {"from": "the request", "value": "Lisbon"}
        return {"city": value} if "city" in question.schema["properties"] else {"code": {"from": "find_code"}}

    return Whole(
        *apis,
        respond=lambda api, _: '{"code": "L77123"}' if api.name == "find_code" else "8848 km",
        Arguments=lambda question: dict.fromkeys(question.schema["properties"], "X12345"),
        Completion=completion,
        **answers,
    )

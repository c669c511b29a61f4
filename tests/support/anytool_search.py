"""A small catalogue of categories, tools and APIs, and a model that plays every agent of a search over it."""

import re
import threading

from langchain_core.messages import AIMessage, HumanMessage

from tests.support.script import SOURCE, RecordingCaller, fitting
from toolquiver.catalog import API, Catalog, api_id
from toolquiver.graphs import retriever
from toolquiver.models import scripted

ADD, CHECK, FINISH = "add_API_into_API_pool", "check_if_request_solvable", [("finish_search", {})]
SIZES = {"Weather": 7, "Music": 7, "Maps": 2}
"""Tools by category; each has three APIs."""
TOPICS = "rain rivers lions engines violins glaciers parliament".split()
"""What the APIs of a category's tools are about, by the tool's number."""


def an_api(category, tool, name, topic):
    return API(
        id=api_id(category, tool, name),
        name=f"{tool} {name}",
        description=f"Tell of {topic} for {category}.",
        parameters={"type": "object", "properties": {"note": {"type": "string"}}},
        tool=tool,
        category=category,
        source=SOURCE,
    )


def a_catalog(sizes=SIZES, apis=3):
    catalog = Catalog.create()
    catalog.add(
        *(
            an_api(category, f"{category} tool {number}", f"api {letter}", TOPICS[number % len(TOPICS)])
            for category, tools in sizes.items()
            for number in range(tools)
            for letter in "abcdefghijkl"[:apis]
        )
    )
    return catalog


def agent_of(schema):
    """Which kind of agent has these functions."""
    names = {function["name"] for function in schema["functions"]}
    if "create_agent_category_level" in names:
        return "meta"
    if "create_agent_tool_level" in names:
        return "category"
    if "get_tools_in_category" in names:
        return "flat"
    if "get_APIs_in_tool" in names:
        return "tool"
    return "plain" if "add_API_into_API_pool" in names else "solver"


def listed(messages, marker="Their APIs"):
    """The names of the last list that an agent was shown, in its prompt or when it was woken."""
    said = [message.text for message in messages if isinstance(message, HumanMessage)]
    for text in reversed(said):
        names = names_in(text.split(marker)[-1] if marker in text else text.split("first:")[-1])
        if names:
            return [re.split(r"[:(]", name)[0].strip() for name in names]
    return []


def most_tools(schema):
    """How many tools an agent may be given."""
    (create,) = (one for one in schema["functions"] if one["name"] == "create_agent_tool_level")
    return create["parameters"]["properties"]["tools"]["maxItems"]


def turns_so_far(messages):
    return sum(isinstance(message, AIMessage) for message in messages)


class Policy:
    """Plays each kind of agent by `plays[kind](messages, schema)`, which gives calls or text; decisions by `decides`.

    `asked` has every turn as (kind, messages); the judge and the check of the pool say what `decides` has for them.
    """

    def __init__(self, **plays):
        self.plays = {"meta": perfect_meta, "category": perfect_category, "tool": perfect_tool, "solver": done} | plays
        self.decides = {
            "Solvability": {"reason": "Enough.", "verdict": "unsolvable"},
            "Judgement": {"reason": "Fine.", "verdict": "solved"},
        }
        self.asked = []
        self.lock = threading.Lock()

    def __call__(self, messages, schema):
        title = schema.get("title")
        if title != "Turn":
            said = self.decides.get(title, {})
            return fitting(schema, said(messages) if callable(said) else said) if schema else "What is known."
        kind = agent_of(schema)
        with self.lock:
            self.asked.append((kind, list(messages)))
        said = self.plays[kind](messages, schema)
        if isinstance(said, str):
            return AIMessage(said)
        number = len(messages)
        calls = [{"name": name, "args": args, "id": f"{kind}-{number}-{n}"} for n, (name, args) in enumerate(said)]
        return AIMessage("So be it.", tool_calls=calls)

    def kinds(self):
        return [kind for kind, _ in self.asked]

    def told(self, kind):
        """All that the agents of a kind were told."""
        return "\n".join(message.text for one, messages in self.asked if one == kind for message in messages)


def in_writing(policy):
    """The policy for a model that writes its calls down."""

    def script(messages, schema):
        if schema.get("title") not in {"Action", "Actions"}:
            return policy(messages, schema)
        several = schema["title"] == "Actions"
        of = schema["properties"]
        among = (of["calls"]["items"] if several else of["decision"])["anyOf"]
        calls = [one["properties"] for one in among]
        functions = [{"name": one["function"]["const"], "parameters": one["arguments"]} for one in calls]
        said = policy(messages, {"title": "Turn", "functions": functions})
        made = [{"function": call["name"], "arguments": call["args"]} for call in said.tool_calls]
        return {"thought": str(said.text), **({"calls": made} if several else made[0])}

    return script


def perfect_meta(messages, schema):
    if turns_so_far(messages):
        return FINISH
    return [("create_agent_category_level", {"category_name": name}) for name in listed(messages)]


def perfect_category(messages, schema):
    if turns_so_far(messages):
        return FINISH
    tools, size = listed(messages), most_tools(schema)
    return [("create_agent_tool_level", {"tools": tools[at : at + size]}) for at in range(0, len(tools), size)]


def perfect_tool(messages, schema):
    return FINISH if turns_so_far(messages) else [(ADD, {"APIs": listed(messages)})]


def done(messages, schema):
    return [("give_answer", {"answer": "It is done."})]


class Search:
    """A catalogue, a policy, and the graphs bound to both."""

    def __init__(self, policy=None, *, catalog=None, graph=retriever, respond=None):
        self.policy = policy or Policy()
        self.catalog = a_catalog() if catalog is None else catalog
        self.caller = RecordingCaller(respond or (lambda api, _: f"{api.name} says so"))
        self.graph = graph

    def build(self, **more):
        bound = {"model": scripted(self.policy), "catalog": self.catalog, "callers": {SOURCE: self.caller}}
        return self.graph.build(**(bound | more))

    def ask(self, query="alpha", *, thread=None, checkpointer=None, **settings):
        config = {"configurable": {"thread_id": thread or "one"}, "recursion_limit": 1_000}
        context = self.graph.graph.context_schema(**{"call_retries": 0} | settings)
        return self.build(checkpointer=checkpointer).invoke({"query": query}, config, context=context)


def names_in(text):
    """The list items of a prompt."""
    return re.findall(r"^- (.+)$", text, re.MULTILINE)


def first_then(calls, then=FINISH):
    """Make these calls in the first turn, then others."""
    return lambda messages, _: then if turns_so_far(messages) else calls


def add_first(count):
    return lambda messages, _: FINISH if turns_so_far(messages) else [(ADD, {"APIs": listed(messages)[:count]})]


def kinds(result):
    return sorted((agent["kind"], agent["category"]) for agent in result["agents"].values())


def results(search, kind):
    """What the agents of a kind were told by their functions."""
    return [m.text for one, messages in search.policy.asked if one == kind for m in messages if m.type == "tool"]


def only(*categories):
    return first_then([("create_agent_category_level", {"category_name": name}) for name in categories])

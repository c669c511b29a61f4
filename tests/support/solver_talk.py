"""A stage for the solvers: APIs that answer as told, an agent whose n-th turn is given, and a graph bound to both."""

from langchain_core.messages import AIMessage, ToolMessage

from toolquiver.calling import CallError, Observation
from toolquiver.catalog import API, Catalog, api_id
from toolquiver.catalog.sources import PYTHON
from toolquiver.models import scripted

NAMES = ("alpha", "bravo", "charlie")
DONE = ("give_answer", {"answer": "It is done."})
BACK = ("give_up_and_restart", {"reason": "This leads nowhere."})
THREAD = {"configurable": {"thread_id": "one"}}


def solver_api(name, *, tool="tests", effect="read", **more):
    """An API of the program that needs the text `note`."""
    properties = {"type": "object", "properties": {"note": {"type": "string"}}, "required": ["note"]}
    given = {"description": f"Look up {name}.", "parameters": properties, "effect": effect} | more
    return API(id=api_id("tests", tool, name), name=name, tool=tool, category="tests", source=PYTHON, **given)


def call(name, note="a"):
    """A call of an API with this note."""
    return (name, {"note": note})


def registers(*names):
    """A registration of these names, of one alone as `name`."""
    return ("tool_register", {"name": names[0]} if len(names) == 1 else {"names": list(names)})


def failing(*names, kind="tool_error"):
    """Respond to every call but those of these APIs."""

    def respond(api, arguments):
        if api.name in names:
            raise CallError(kind, "It is broken.")
        return f"{api.name} {arguments['note']}"

    return respond


class Caller:
    """Answers calls with what `respond(api, arguments)` returns or raises, and keeps them."""

    def __init__(self, respond):
        self.respond = respond
        self.made = []

    async def call(self, api, arguments):
        self.made.append((api.name, arguments["note"]))
        return Observation(text=self.respond(api, arguments))


class Talk:
    """An agent that takes these turns, each a list of calls, a text or a message; the last one again and again.

    `shown` are the messages of each turn, `functions` what it could call, `bound` the names of these.
    `last_words` is said where there are none.
    """

    def __init__(self, solver, *turns, respond=None, apis=NAMES, last_words="What is known."):
        self.solver = solver
        self.turns = list(turns)
        self.last_words = last_words
        self.shown, self.functions, self.bound = [], [], []
        self.caller = Caller(respond or failing())
        self.catalog = Catalog.create()
        self.apis = [solver_api(one) if isinstance(one, str) else one for one in apis]
        self.catalog.add(*self.apis)
        self.model = scripted(self.reply)

    def reply(self, messages, schema):
        if not schema:
            self.shown.append(list(messages))
            return self.last_words
        self.shown.append(list(messages))
        self.functions.append(schema["functions"])
        self.bound.append([function["name"] for function in schema["functions"]])
        said = self.turns[min(len(self.bound), len(self.turns)) - 1]
        if not isinstance(said, list):
            return said
        number = len(self.bound)
        calls = [{"name": name, "args": args, "id": f"{number}-{place}"} for place, (name, args) in enumerate(said)]
        return AIMessage(f"Thought {number}.", tool_calls=calls)

    def build(self, checkpointer=None):
        """The graph of the solver."""
        bound = {"model": self.model, "catalog": self.catalog, "callers": {PYTHON: self.caller}}
        return self.solver.build(**bound, checkpointer=checkpointer)

    def query(self, text="What is it?", **more):
        """The input: the question, with all APIs as candidates."""
        return {"query": text, "candidates": [api.id for api in self.apis], **more}

    def ask(self, given=None, *, checkpointer=None, **settings):
        """What comes out, of the question with all APIs as candidates unless another input is given."""
        graph = self.build(checkpointer)
        context = graph.context_schema(**{"call_retries": 0, "approval": "never"} | settings)
        return graph.invoke(self.query() if given is None else given, THREAD, context=context)

    def results(self, turn=-1):
        """What the functions returned, as a turn saw it."""
        return [message.text for message in self.shown[turn] if isinstance(message, ToolMessage)]

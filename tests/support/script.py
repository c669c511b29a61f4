"""What the graph tests stand on: scripted answers by schema, scripted APIs, and a graph bound to both."""

from typing import NamedTuple

from toolquiver.calling import CallError, Observation
from toolquiver.catalog import API, Catalog, api_id
from toolquiver.catalog.effects import of_stored
from toolquiver.catalog.sources import PYTHON
from toolquiver.contexts import SmurfsContext
from toolquiver.graphs import smurfs
from toolquiver.models import scripted

FOUND = "Found it."
SOURCE = PYTHON  # scripted APIs stand for tools of a program

DEFAULTS = {
    "Text": FOUND,
    "NeedsTool": {"needs_tool": True},
    "Digest": {"answer": FOUND},
    "Verdict": {"done": True},
    "FinalAnswer": {"answer": FOUND},
}
NO_TOOL = "none of these"


class Asked(NamedTuple):
    """One question to the model: which decision it was, `Text` where it was none, what it was shown, and the schema."""

    title: str
    text: str
    schema: dict


class Script:
    """Answers by the schema's title with what `answers` has for it: text, values of fields, or a function for these."""

    def __init__(self, **answers):
        self.answers = DEFAULTS | answers
        self.asked = []

    def __call__(self, messages, schema):
        question = Asked(schema.get("title", "Text"), "\n".join(str(message.text) for message in messages), schema)
        self.asked.append(question)
        if question.title == "Filled" and "Filled" not in self.answers:
            return self._filled(question)
        answer = self.answers.get(question.title, {})
        if callable(answer):
            answer = answer(question)
        return answer if isinstance(answer, str) else fitting(schema, answer)

    def _filled(self, question):
        """Arguments as Smurfs has them: beside the name of what is missing."""
        inner = question.schema["properties"]["arguments"]
        inner = {key: question.schema[key] for key in ("$defs",) if key in question.schema} | inner.get(
            "anyOf", [inner]
        )[0]
        answer = self.answers.get("Arguments", {})
        given = answer(question._replace(schema=inner)) if callable(answer) else answer
        return given if isinstance(given, str) else {"arguments": fitting({"title": "Arguments"} | inner, given)}

    def titles(self):
        return [question.title for question in self.asked]

    def texts(self, title):
        return [question.text for question in self.asked if question.title == title]


def fitting(schema, values=None):
    """Data that fits a JSON Schema, its fields as in `values`, each of which the schema must have."""
    values = values or {}
    unknown = set(values) - set(schema["properties"])
    assert not unknown, f"{schema['title']} has no field {unknown}"
    return {name: _part(part, values.get(name), schema.get("$defs", {})) for name, part in schema["properties"].items()}


def _part(schema, value, defs):
    if "$ref" in schema:
        schema = {"title": "part"} | defs[schema["$ref"].rsplit("/", 1)[1]]
    if schema.get("type") == "object":
        return fitting({"$defs": defs} | schema, value)
    if schema.get("type") == "array" and value is not None:
        return [_part(schema["items"], item, defs) for item in value]
    if value is not None:
        return value
    if schema.get("type") == "array":
        return [_part(schema["items"], None, defs)] * schema.get("minItems", 0)
    if "anyOf" in schema:
        return _part(schema["anyOf"][0], None, defs)
    simple = {"boolean": False, "integer": 1, "number": 1, "string": "word", "null": None}
    return schema.get("const", schema["enum"][0] if "enum" in schema else simple[schema["type"]])


def plan_of(*questions):
    """An answer of the planner: these subtasks."""
    return {"subtasks": list(questions)}


def options(question):
    """The tools that a choice allows."""
    tool = question.schema["properties"]["tool"]
    return [name for name in tool.get("enum") or [tool["const"]] if name != NO_TOOL]


def numbered_notes():
    """Arguments that are different each time, so that no call is made twice."""
    made = []

    def arguments(_):
        made.append(None)
        return {"note": f"note {len(made)}"}

    return arguments


def an_api(name, *, inputs=None, outputs=(), description=""):
    """An API of the scripted source; it needs the text `note` unless `inputs` says otherwise."""
    inputs = {"note": "string"} if inputs is None else inputs
    properties = {key: {"type": kind} for key, kind in inputs.items()}
    return API(
        id=api_id("tests", "tests", name),
        name=name,
        description=description or f"Look up {name}.",
        parameters={"type": "object", "properties": properties, "required": list(inputs)},
        output={"type": "object", "properties": {key: {} for key in outputs}} if outputs else None,
        tool="tests",
        category="tests",
        source=SOURCE,
    )


def with_method(api, method):
    """The API with this method, and the effect that goes with it."""
    return api.model_copy(update={"method": method, "effect": of_stored(method)})


def failing(name, kind="tool_error"):
    """Respond to every call but those of the API `name`."""

    def respond(api, _):
        if api.name == name:
            raise CallError(kind, "It is broken.")
        return f"{api.name} says so"

    return respond


class RecordingCaller:
    """Answers calls with what `respond(api, arguments)` returns or raises, and keeps them."""

    def __init__(self, respond):
        self.respond = respond
        self.made = []

    async def call(self, api, arguments):
        self.made.append((api.name, arguments))
        return Observation(text=self.respond(api, arguments))


class Stage:
    """A catalogue of these APIs, a script, a caller, and the graph bound to them."""

    def __init__(self, *apis, respond=lambda api, _: f"{api.name} says so", **answers):
        self.catalog = Catalog.create()
        self.catalog.add(*apis)
        self.ids = [api.id for api in apis]
        self.script = Script(**answers)
        self.caller = RecordingCaller(respond)

    def build(self, **more):
        bound = {"model": scripted(self.script), "catalog": self.catalog, "callers": {SOURCE: self.caller}}
        return smurfs.build(**(bound | more))

    def ask(self, query="alpha", *, candidates=None, **settings):
        """Run the graph on the candidates: all APIs of this stage when none are given."""
        asked = {"query": query, "candidates": self.ids if candidates is None else candidates}
        return self.build().invoke(asked, context=SmurfsContext(**{"call_retries": 0} | settings))

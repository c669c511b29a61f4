"""A scripted model that adds 3 and 3, whichever system asks it."""

from langchain_core.messages import AIMessage, ToolMessage

from tests.support.programs import code, worded
from tests.support.script import Script

SCRIPT = Script(Parts={"questions": ["What is 3 plus 3?"]}, Arguments={"a": 3, "b": 3}, Digest={"answer": "It is 6 ."})


def call(name, arguments, number):
    """A turn that makes this call."""
    return AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": f"call-{number}"}])


def agent(messages, schema):
    """Decides anything; as an agent it adds 3 and 3, then says what that is."""
    if schema.get("title") == "Worded":
        return worded("It is 6 .")
    if not schema and "Python" in messages[0].text:
        return code("answer = add(a=3, b=3)")
    if schema.get("title") not in ("Turn", None):
        return SCRIPT(messages, schema)
    if isinstance(messages[-1], ToolMessage):
        return "It is 6 ."
    return call("add", {"a": 3, "b": 3}, len(messages))

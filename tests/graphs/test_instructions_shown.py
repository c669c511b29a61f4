"""Every graph shows its models the instructions of a catalogue in the place of its documents (EasyTool)."""

import json

import pytest
from langchain_core.messages import AIMessage

from tests.support.anytool_search import Policy, agent_of
from tests.support.instructions import instruction_of
from tests.support.script import SOURCE, RecordingCaller, Script, an_api
from toolquiver.catalog import Catalog
from toolquiver.graphs import answering, answering_names
from toolquiver.models import scripted

RAW, WRITTEN = "zzraw", "heights of volcanoes"
QUERY = "Look up alpha: heights of volcanoes, please."
FILLED_WHOLE = {"smurfs", "easytool_pipeline", "reverse_chain"}
"""Graphs where who fills arguments sees the API's whole text."""


@pytest.fixture
def catalog():
    """Alpha, whose document is in one word, and an instruction for it, in others."""
    made, alpha = Catalog.create(), an_api("alpha", description=f"Look up alpha {RAW}.")
    made.add(alpha, an_api("bravo"))
    made.instructions.put([instruction_of(alpha, WRITTEN)])
    return made


def asked(name, catalog, documentation):
    """All that a model was told, by messages and schemas, while a graph answered."""
    told, script, policy = list[str](), Script(TaskPlan={"subtasks": [{"task": QUERY, "after": []}]}), Policy()

    def play(messages, schema):
        told.append("\n".join(str(message.text) for message in messages) + json.dumps(schema))
        if schema.get("title") != "Turn":
            return script(messages, schema)
        return AIMessage("It is high.") if agent_of(schema) == "solver" else policy(messages, schema)

    graph = answering(name).build(
        model=scripted(play), catalog=catalog, callers={SOURCE: RecordingCaller(lambda *_: "8848 m")}
    )
    settings = {"documentation": documentation, "call_retries": 0}
    graph.invoke({"query": QUERY}, {"recursion_limit": 500}, context=settings)
    return "\n".join(told)


@pytest.mark.parametrize("name", answering_names())
def test_what_is_written_stands_in_the_prompts_and_not_the_document(name, catalog):
    told = asked(name, catalog, "instructions")
    assert WRITTEN in told.replace(QUERY, "")
    assert RAW not in told or name in FILLED_WHOLE


@pytest.mark.parametrize("name", answering_names())
def test_the_document_stands_there_where_it_is_wanted(name, catalog):
    told = asked(name, catalog, "raw")
    assert RAW in told
    assert WRITTEN not in told.replace(QUERY, "")

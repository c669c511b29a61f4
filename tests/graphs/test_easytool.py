"""EasyTool: what is written is checked by code and tried under the guard; what does not hold is mended or left out."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from toolquiver.calling import CallError, Observation
from toolquiver.catalog import API, Catalog
from toolquiver.catalog.effects import of_stored
from toolquiver.cli.documenting import left_to_write, write_all
from toolquiver.context import Context
from toolquiver.errors import InputError, ModelError
from toolquiver.graphs import easytool
from toolquiver.models import scripted
from toolquiver.nodes.documents.document_costs import estimated_usage
from toolquiver.nodes.documents.write_guideline import Example, drafted

CONFIG = {"configurable": {"thread_id": "one"}, "recursion_limit": 200}
LAKES = {"category": "Food", "tool": "Lakes"}
FISH = "food/lakes/fish"

pytestmark = pytest.mark.usefixtures("strict")


LONG = " ".join(f"It knows the water number {n} as well." for n in range(9))


def an_api(name="fish", method="GET", described=True, tool="Lakes", more="", **properties):
    about = {"description": "Which lake"} if described else {}
    return API(
        id=f"food/{tool.lower()}/{name}",
        name=name,
        description=f"Lists **{name}**. {more}".strip(),
        method=method,
        effect=of_stored(method),
        parameters={
            "type": "object",
            "properties": {"lake": {"type": "string", **about}, **properties},
            "required": ["lake"],
        },
        tool=tool,
        category="Food",
        source="lakes",
    )


class Lakes:
    """Knows Como, and has nothing else."""

    def __init__(self, *failures):
        self.got = []
        self.failures = list(failures)

    async def call(self, api, arguments):
        self.got.append((api.name, arguments))
        if self.failures:
            raise CallError(self.failures.pop(0), "no such lake")
        return Observation(text="trout")


class Writer:
    """A scripted model: the n-th example of a function, and the lines of whatever is asked for."""

    def __init__(self, *examples, lines="lists it"):
        self.examples, self.lines, self.asked = examples, lines, []

    def __call__(self, messages, schema):
        self.asked.append((schema["title"], messages[-1].text))
        if schema["title"] == "Description":
            names = schema["properties"]["functions"]["properties"]
            return {"purpose": "about lakes", "functions": dict.fromkeys(names, self.lines)}
        if schema["title"] == "Joined":
            return {"purpose": "about all lakes"}
        if schema["title"] == "Examples":
            return {"examples": dict.fromkeys(schema["properties"]["examples"]["properties"], self.examples[0])}
        return self.examples["written before" in messages[-1].text] if len(self.examples) > 1 else self.examples[0]


def example(scenario="to fish in Como", meanings=None, **arguments):
    return {"scenario": scenario, "arguments": arguments or {"lake": "Como"}, "meanings": meanings or {}}


def written(*apis, model, caller=None, checkpointer=None, **settings):
    catalog = Catalog.create()
    catalog.add(*apis)
    callers = {"lakes": caller} if caller else {}
    graph = easytool.build(catalog=catalog, model=scripted(model), callers=callers, checkpointer=checkpointer)
    return catalog, graph.invoke(LAKES, CONFIG, context=Context(**({"describe": "all"} | settings)))


def the_function(result):
    (function,) = result["functions"]
    return function


@pytest.fixture(params=["none", "memory", "sqlite"])
def checkpointer(request, tmp_path):
    if request.param == "sqlite":
        sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")
        with sqlite.SqliteSaver.from_conn_string(str(tmp_path / "state.db")) as saver:
            yield saver
    else:
        yield InMemorySaver() if request.param == "memory" else None


def test_a_reading_call_proves_the_example_and_is_stored(checkpointer):
    lakes = Lakes()
    catalog, result = written(an_api(), model=Writer(example()), caller=lakes, checkpointer=checkpointer)
    assert lakes.got == [("fish", {"lake": "Como"})]
    assert the_function(result)["proof"] == "called"
    assert result["purpose"] == "about lakes"
    assert result["instruction"].splitlines()[1] == f"{catalog.get(FISH).function}(lake: string) lists it"
    assert result["tokens_after"] < result["tokens_before"]
    assert set(result["usage"]) == {"describe_tool", "write_guideline"}
    (guideline,) = catalog.instructions.guidelines([catalog.get(FISH)]).values()
    assert (guideline.arguments, guideline.proof, guideline.problem) == ({"lake": "Como"}, "called", "")


def test_what_is_asked_of_one_document_does_not_bind_the_next_on_its_thread(checkpointer):
    apis = [an_api(), an_api("boat")]
    catalog, _ = written(*apis, model=Writer(example()))
    graph = easytool.build(catalog=catalog, model=scripted(Writer(example())), checkpointer=checkpointer)
    context = Context(describe="all")
    asked = LAKES | {"apis": [FISH], "whole": False, "tries": ["food/lakes/boat"]}
    first = graph.invoke(asked, CONFIG, context=context)
    assert "describe_tool" in first["usage"]
    assert [function["api"] for function in first["functions"]] == [FISH, "food/lakes/boat"]
    again = graph.invoke(LAKES, CONFIG, context=context)
    assert again == easytool.build(catalog=catalog, model=scripted(Writer(example()))).invoke(LAKES, context=context)
    assert len(again["functions"]) == 2


def test_a_call_that_may_write_is_not_made_unless_allowed():
    lakes = Lakes()
    _, result = written(an_api(method="POST"), model=Writer(example()), caller=lakes)
    assert (lakes.got, the_function(result)["proof"]) == ([], "valid")
    _, result = written(an_api(method="POST"), model=Writer(example()), caller=lakes, try_examples="all")
    assert (len(lakes.got), the_function(result)["proof"]) == (1, "called")
    _, result = written(an_api(), model=Writer(example()), caller=lakes, try_examples="never")
    assert (len(lakes.got), the_function(result)["proof"]) == (1, "valid")


def test_an_api_that_nobody_can_call_is_only_checked():
    _, result = written(an_api(), model=Writer(example()))
    assert (the_function(result)["proof"], the_function(result)["problem"]) == ("valid", "")


@pytest.mark.parametrize("again", ["writes", "never"])
def test_the_user_is_asked_before_a_call_that_may_write(again):
    lakes, catalog = Lakes(), Catalog.create()
    catalog.add(an_api(method="POST"))
    graph = easytool.build(
        catalog=catalog, model=scripted(Writer(example())), callers={"lakes": lakes}, checkpointer=InMemorySaver()
    )
    context = Context(approval="writes", try_examples="all", max_repairs=0)
    waiting = graph.invoke(LAKES, CONFIG, context=context)["__interrupt__"]
    assert (waiting[0].value["api"], lakes.got) == (FISH, [])
    result = graph.invoke(Command(resume="refuse"), CONFIG, context=replace(context, approval=again))
    assert (lakes.got, the_function(result)["proof"]) == ([], "valid")
    assert "blocked" in the_function(result)["problem"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (example(lake=3), "not of type 'string'"),
        (example(lake="Como", boat="red"), "boat"),
        (example(boat="red"), "'lake' is a required property"),
        (example(meanings={"boat": "a vessel"}), "no parameter 'boat'"),
        (example(scenario=" "), "scenario is empty"),
        (example(scenario="x" * 101), "longer than 100"),
        (example(lake="x" * 500), "longer than 400"),
    ],
)
def test_what_does_not_hold_is_mended(wrong, said):
    writer = Writer(wrong, example())
    _, result = written(an_api(), model=writer)
    assert said in writer.asked[-1][1]
    assert (the_function(result)["proof"], the_function(result)["draft"]["arguments"]) == ("valid", {"lake": "Como"})


def test_repairs_end_and_the_checked_part_is_kept_and_marked():
    writer = Writer(example(lake="Como", boat="red", meanings={"lake": "a water", "boat": "a vessel"}))
    catalog, result = written(an_api(described=False), model=writer, max_repairs=2)
    function = the_function(result)
    assert [title for title, _ in writer.asked].count("Example") == 3
    assert (function["proof"], function["draft"]["arguments"], function["draft"]["scenario"]) == ("none", None, "")
    assert "boat" in function["problem"]
    (guideline,) = catalog.instructions.guidelines([catalog.get(FISH)]).values()
    assert [(one.name, one.type, one.meaning) for one in guideline.parameters] == [("lake", "string", "a water")]


def test_a_call_that_fails_is_told_and_another_example_proves_it():
    lakes, writer = Lakes("not_found"), Writer(example(lake="Atlantis"), example())
    _, result = written(an_api(), model=writer, caller=lakes, call_retries=0)
    assert "no such lake" in writer.asked[-1][1]
    assert lakes.got == [("fish", {"lake": "Atlantis"}), ("fish", {"lake": "Como"})]
    assert the_function(result)["proof"] == "called"


def test_a_document_that_changes_meanwhile_does_not_get_the_instruction_of_the_old_one():
    catalog, changed = Catalog.create(), an_api().model_copy(update={"description": "Counts fish."})
    catalog.add(an_api())

    class Changing(Lakes):
        async def call(self, api, arguments):
            catalog.update(changed)
            return await super().call(api, arguments)

    graph = easytool.build(catalog=catalog, model=scripted(Writer(example())), callers={"lakes": Changing()})
    graph.invoke(LAKES)
    assert catalog.instructions.guidelines([changed]) == {}
    assert catalog.shown("instructions").get(FISH).description == "Counts fish."


def test_an_example_that_fails_to_the_end_is_left_out():
    lakes = Lakes("tool_error", "tool_error")
    _, result = written(an_api(), model=Writer(example()), caller=lakes, call_retries=0, max_repairs=1)
    assert (the_function(result)["proof"], the_function(result)["draft"]["arguments"]) == ("none", None)
    assert "tool_error" in the_function(result)["problem"]


@pytest.mark.parametrize("kind", ["unauthorized", "network", "rate_limited", "server_error"])
def test_a_failure_that_says_nothing_of_the_example_keeps_it(kind):
    _, result = written(an_api(), model=Writer(example()), caller=Lakes(kind), call_retries=0)
    function = the_function(result)
    assert (function["proof"], function["draft"]["arguments"]) == ("valid", {"lake": "Como"})
    assert kind in function["problem"]


def test_only_missing_meanings_are_asked_for():
    writer = Writer(example(meanings={"most": "how many"}))
    catalog, _ = written(an_api(most={"type": "integer"}), model=writer)
    (guideline,) = catalog.instructions.guidelines([catalog.get(FISH)]).values()
    assert {one.name: one.meaning for one in guideline.parameters} == {"lake": "Which lake", "most": "how many"}


def unnamed(count, name="fish"):
    """A function with so many inputs that nobody has described."""
    return an_api(name, **{f"p{n:02}": {"type": "string"} for n in range(count)})


def meaning_all(most=1_000, *examples):
    """A writer of as many meanings as it is asked for, in the first so many answers that have any."""
    writer, asked = Writer(*(examples or [example()])), []

    def script(messages, schema):
        said = writer(messages, schema)
        if names := schema["properties"].get("meanings", {}).get("properties", {}):
            asked.append(list(names))
            return {**said, "meanings": {name: f"the {name}" for name in names}} if len(asked) <= most else "no JSON"
        return said

    return script, asked


@pytest.mark.parametrize("examples", [[example()], [example(lake=3), example()]], ids=["at once", "mended"])
def test_more_meanings_than_one_answer_has_are_asked_for_in_parts(examples):
    script, asked = meaning_all(1_000, *examples)
    catalog, result = written(unnamed(21), model=script)
    (guideline,) = catalog.instructions.guidelines([catalog.get(FISH)]).values()
    assert [len(names) for names in asked][:2] == [12, 9]
    assert [one.meaning for one in guideline.parameters][1:] == [f"the p{n:02}" for n in range(21)]
    assert (the_function(result)["proof"], the_function(result)["problem"]) == ("valid", "")


def test_functions_that_are_asked_about_together_have_all_their_meanings():
    def script(messages, schema):
        if schema["title"] != "Examples":
            return alone(messages, schema)
        shapes = schema["properties"]["examples"]["properties"]
        return {"examples": {name: alone(messages, shape | {"title": ""}) for name, shape in shapes.items()}}

    alone, asked = meaning_all()
    _, result = written(unnamed(13), unnamed(14, "eel"), model=script, describe="needed")
    assert [len(names) for names in asked] == [12, 12, 1, 2]
    assert [len(one["draft"]["meanings"]) for one in result["functions"]] == [13, 14]


@pytest.mark.parametrize(("count", "answers", "lacking"), [(21, 1, 9), (70, 9, 10), (30, 2, 6)])
def test_inputs_without_a_meaning_are_counted_in_a_mark(count, answers, lacking):
    _, result = written(unnamed(count), model=meaning_all(answers)[0], describe="needed")
    function = the_function(result)
    assert (function["proof"], function["problem"]) == ("valid", f"Inputs without a meaning: {lacking}.")
    assert len(function["draft"]["meanings"]) == count - lacking


def test_questions_for_further_meanings_are_in_the_estimate():
    few, many = (estimated_usage([unnamed(count)], Context(), whole=False) for count in (10, 30))
    assert (few["calls"], many["calls"], many["completion"] > few["completion"] + 300) == (1, 4, True)


def test_further_meanings_are_asked_for_within_the_budget():
    _, result = written(unnamed(50), model=meaning_all()[0], describe="needed", token_budget=1_900)
    assert the_function(result)["problem"].startswith("Inputs without a meaning: ")
    assert 12 <= len(the_function(result)["draft"]["meanings"]) < 50


def test_lines_that_are_no_lines_come_from_the_document():
    writer = Writer(example(), lines="https://a.b")
    _, result = written(an_api(), model=writer)
    assert the_function(result)["description"] == "Lists fish."


def test_a_long_document_is_split_and_joined():
    writer = Writer(example())
    _, result = written(*(an_api(f"fish{n}") for n in range(5)), model=writer, document_tokens=40)
    titles = [title for title, _ in writer.asked]
    assert titles.count("Description") > 1
    assert titles.count("Joined") == 1
    assert result["purpose"] == "about all lakes"
    assert [one["api"] for one in result["functions"]] == [f"food/lakes/fish{n}" for n in range(5)]


def test_what_the_documentation_says_in_a_line_is_not_asked_for():
    writer = Writer(example())
    told = an_api().model_copy(update={"tool_description": "All **about** lakes"})
    _, result = written(told, model=writer, describe="needed")
    assert [title for title, _ in writer.asked] == ["Example"]
    assert (result["purpose"], the_function(result)["description"]) == ("All about lakes", "Lists fish.")


def test_a_missing_description_is_written_from_name_and_signature():
    writer = Writer(example())
    silent = an_api(described=False, most={"type": "integer"}).model_copy(update={"description": ""})
    _, result = written(silent, model=writer, describe="needed")
    assert writer.asked[0][0] == "Description"
    assert "fish: no description\n- lake (string)\n- most (integer, optional)" in writer.asked[0][1]
    assert the_function(result)["description"] == "lists it"


def test_only_what_no_line_says_is_described_and_the_purpose_comes_from_all_lines():
    writer = Writer(example())
    _, result = written(an_api(), an_api("eel", more=LONG), model=writer, describe="needed")
    (about, asked), (joined, lines), *_ = writer.asked
    assert (about, "eel:" in asked, "fish:" in asked) == ("Description", True, False)
    assert (joined, "- Lists fish." in lines, "- lists it" in lines) == ("Joined", True, True)
    assert {one["api"]: one["description"] for one in result["functions"]} == {
        FISH: "Lists fish.",
        "food/lakes/eel": "lists it",
    }
    assert result["purpose"] == "about all lakes"


def test_one_answer_has_the_examples_of_several_functions():
    writer = Writer(example())
    _, result = written(*(an_api(f"fish{n}") for n in range(5)), model=writer, examples_at_once=2)
    assert [title for title, _ in writer.asked] == ["Description", "Examples", "Examples", "Example"]
    assert [one["proof"] for one in result["functions"]] == ["valid"] * 5
    assert "fish1:" in writer.asked[1][1]
    assert "fish2:" not in writer.asked[1][1]


def deep(count, words="about it", required=()):
    """Properties that hold as many."""
    inner = {f"q{n}": {"type": "string", "description": words} for n in range(count)}
    one = {"type": "object", "properties": inner, "required": list(required)}
    return {f"p{n}": one for n in range(count)}


def test_the_schema_of_an_answer_has_names_and_no_words():
    asked, writer = [], Writer(example(description="a lake"))
    nested = {"description": {"type": "object", "properties": {"title": {"type": "string", "description": "wordy"}}}}

    def script(messages, schema):
        asked.append(schema)
        return writer(messages, schema)

    _, result = written(an_api(**nested), model=script, max_repairs=0, describe="needed")
    (arguments,) = [schema["properties"]["arguments"] for schema in asked if schema["title"] == "Example"]
    assert arguments["properties"] == {
        "lake": {"type": "string"},
        "description": {"type": "object", "properties": {"title": {"type": "string"}}},
    }
    assert "not of type 'object'" in the_function(result)["problem"]


@pytest.mark.parametrize(("count", "required"), [(60, ["q7"]), (60, [f"q{n}" for n in range(60)])])
def test_a_huge_schema_is_sent_with_little_of_it(count, required):
    asked, writer = [], Writer(example())

    def script(messages, schema):
        asked.append(schema)
        return writer(messages, schema)

    api = an_api(**deep(count, "x " * 40, required))
    must = api.parameters | {"required": [f"p{n}" for n in range(count)]}
    _, result = written(api.model_copy(update={"parameters": must}), model=script, max_repairs=0)
    (arguments,) = [schema["properties"]["arguments"] for schema in asked if schema["title"] == "Example"]
    assert len(json.dumps(arguments)) < 8_000
    assert {f"p{n}" for n in range(count)} <= arguments["properties"].keys()
    assert "'p0' is a required property" in the_function(result)["problem"]


def test_functions_are_asked_about_by_the_size_of_what_is_sent():
    writer = Writer(example())
    apis = [an_api(f"fish{n}", **deep(20, required=["q1"])) for n in range(4)]
    written(*apis, model=writer, document_tokens=2_600, describe="needed")
    assert [title for title, _ in writer.asked].count("Examples") == 2


def test_of_several_examples_the_one_that_does_not_hold_is_mended_by_itself():
    def script(messages, schema):
        if schema["title"] != "Examples":
            return writer(messages, schema)
        asked.append(list(schema["properties"]["examples"]["properties"]))
        fish, eel = asked[-1]
        return {"examples": {fish: example(lake=3), eel: example(lake="Garda")}}

    asked, writer = [], Writer(example())
    _, result = written(an_api(), an_api("eel"), model=script)
    assert (len(asked), [title for title, _ in writer.asked]) == (1, ["Description", "Example"])
    assert [one["draft"]["arguments"] for one in result["functions"]] == [{"lake": "Como"}, {"lake": "Garda"}]


@pytest.mark.parametrize("said", ["no JSON", {"examples": {}}])
def test_where_no_examples_come_together_each_function_is_asked_about_alone(said):
    writer = Writer(example())
    _, result = written(
        an_api(),
        an_api("eel"),
        model=lambda messages, schema: said if schema["title"] == "Examples" else writer(messages, schema),
    )
    assert [title for title, _ in writer.asked] == ["Description", "Example", "Example"]
    assert [one["proof"] for one in result["functions"]] == ["valid", "valid"]


def test_a_function_without_inputs_needs_no_model():
    lakes, writer = Lakes(), Writer(example())
    every = an_api("all").model_copy(update={"parameters": {"type": "object", "properties": {}}})
    _, result = written(every, model=writer, caller=lakes)
    assert ([title for title, _ in writer.asked], lakes.got) == (["Description"], [("all", {})])
    assert (the_function(result)["draft"]["arguments"], the_function(result)["proof"]) == ({}, "called")


def test_a_model_that_answers_nothing_valid_leaves_the_rules():
    catalog, result = written(an_api(), model=lambda *_: "no JSON")
    assert (the_function(result)["description"], the_function(result)["proof"]) == ("Lists fish.", "none")
    assert "no valid guideline" in the_function(result)["problem"]
    assert catalog.shown("instructions").get(FISH).description == "Lists fish."


def test_a_spent_budget_ends_the_asking_and_says_so():
    _, result = written(an_api(), an_api("eel"), model=Writer(example()), token_budget=700, examples_at_once=1)
    assert "budget" in result["functions"][-1]["problem"]
    with pytest.raises(InputError, match="token_budget"):
        written(an_api(), model=Writer(example()), token_budget=20)


def test_a_tool_that_is_not_there_is_refused():
    with pytest.raises(InputError, match="no tool 'Lakes'"):
        written(an_api(tool="Rivers"), model=Writer(example()))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"apis": "food/lakes/fish2"}, "apis are 'food/lakes/fish2'. Give a list"),
        ({"apis": 5}, "apis are 5. Give a list"),
        ({"apis": [FISH, 5]}, "apis are .*5.. Give a list"),
        ({"tries": 5}, "tries are 5. Give a list"),
        ({"apis": [FISH, "food/lakes/typo"]}, "'Lakes' in the category 'Food' has no food/lakes/typo"),
        ({"apis": [], "tries": ["food/lakes/typo"]}, "has no food/lakes/typo"),
        ({"category": ["Food"]}, "category is .'Food'.. Give it as a text"),
        ({"tool": {"name": "Lakes"}}, "tool is .*Give it as a text"),
    ],
)
def test_what_cannot_be_the_input_is_refused(given, said):
    catalog, writer = Catalog.create(), Writer(example())
    catalog.add(an_api(), an_api("fish2"))
    with pytest.raises(InputError, match=said):
        easytool.build(catalog=catalog, model=scripted(writer)).invoke(LAKES | given)
    assert (writer.asked, catalog.instructions.versions()) == ([], [])


@contextmanager
def a_file(tmp_path):
    with Catalog.create(tmp_path / "apis.db") as catalog:
        catalog.add(*(an_api(tool=f"Lakes{n}") for n in range(4)))
        yield catalog


def test_only_what_is_new_or_changed_is_written(tmp_path):
    writer = scripted(Writer(example()))
    name = type(writer).__name__
    with a_file(tmp_path) as catalog:
        assert len(left_to_write(catalog, name)) == 4
        asyncio.run(
            write_all(
                catalog, left_to_write(catalog, name), Context(), concurrency=2, progress=lambda *_: 0, model=writer
            )
        )
        assert left_to_write(catalog, name) == []
        assert len(left_to_write(catalog, "another model")) == 4
        catalog.update(an_api(tool="Lakes2").model_copy(update={"description": "Counts fish."}))
        assert [work.tool for work in left_to_write(catalog, name)] == ["Lakes2"]
        assert len(left_to_write(catalog, name, limit=0)) == 0


def test_what_is_marked_is_written_again_where_that_is_asked_for(tmp_path):
    writer = scripted(lambda *_: "no JSON")
    name = type(writer).__name__
    with a_file(tmp_path) as catalog:
        works = left_to_write(catalog, name, limit=1)
        asyncio.run(write_all(catalog, works, Context(), concurrency=1, progress=lambda *_: 0, model=writer))
        assert len(left_to_write(catalog, name)) == 3
        assert len(left_to_write(catalog, name, again=True)) == 4


def test_a_model_that_cannot_be_reached_ends_it_and_what_is_done_stays(tmp_path):
    writer, asked = Writer(example()), []

    def script(messages, schema):
        asked.append(schema["title"])
        if len(asked) > 3:
            raise ConnectionError
        return writer(messages, schema)

    model = scripted(script)
    with a_file(tmp_path) as catalog:
        works = left_to_write(catalog, type(model).__name__)
        with pytest.raises(ModelError):
            asyncio.run(write_all(catalog, works, Context(), concurrency=1, progress=lambda *_: 0, model=model))
        assert len(left_to_write(catalog, type(model).__name__)) == 3


KILLED = """
import asyncio, os, signal, sys
from tests.graphs.test_easytool import Writer, example
from toolquiver.catalog import Catalog
from toolquiver.cli.documenting import left_to_write, write_all
from toolquiver.context import Context
from toolquiver.models import scripted

catalog, asked, writer = Catalog.open(sys.argv[1]), [], Writer(example())

def script(messages, schema):
    asked.append(schema["title"])
    if len(asked) > 4:
        os.kill(os.getpid(), signal.SIGKILL)
    return writer(messages, schema)

model = scripted(script)
works = left_to_write(catalog, type(model).__name__)
asyncio.run(write_all(catalog, works, Context(), concurrency=1, progress=lambda *_: 0, model=model))
"""


def left_after_a_kill(path):
    root = Path(__file__).parents[2]
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(path)], cwd=root, env=os.environ | {"PYTHONPATH": str(root)}, check=False
    )
    assert ended.returncode == -signal.SIGKILL
    with Catalog.open(path) as catalog:
        return left_to_write(catalog, type(scripted(Writer(example()))).__name__)


def test_after_a_kill_only_the_rest_is_written(tmp_path):
    with a_file(tmp_path):
        pass
    assert [work.tool for work in left_after_a_kill(tmp_path / "apis.db")] == ["Lakes2", "Lakes3"]


def test_after_a_kill_within_a_tool_only_its_other_functions_are_written(tmp_path):
    with Catalog.create(tmp_path / "apis.db") as catalog:
        catalog.add(*(an_api(f"fish{n:02}") for n in range(16)))
    (work,) = left_after_a_kill(tmp_path / "apis.db")
    assert [api.name for api in work.apis] == [f"fish{n:02}" for n in range(12, 16)]


def test_an_abbreviation_ends_no_sentence():
    drafted_ = drafted(
        Example(scenario="to eat in St. Louis. Fine!", meanings={"cc": "The country, e.g. US; two letters"})
    )
    assert (drafted_["scenario"], drafted_["meanings"]) == ("to eat in St. Louis", {"cc": "The country, e.g. US"})

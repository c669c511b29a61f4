"""EasyTool: documentation is described, each function gets an example, and what is written is checked and proven."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.support.easytool import CONFIG, FISH, LAKES, Lakes, Writer, an_api, example, the_function, written
from tests.support.savers import SAVERS, saving
from toolquiver.catalog import Catalog
from toolquiver.catalog.instruction import tool_subject
from toolquiver.contexts import EasyToolContext
from toolquiver.errors import InputError
from toolquiver.graphs import easytool
from toolquiver.models import scripted
from toolquiver.nodes.easytool.costs import estimated_usage
from toolquiver.nodes.easytool.guideline import faults

pytestmark = pytest.mark.usefixtures("strict")

NO_LINE = "The model wrote no valid description."


@pytest.fixture(params=SAVERS)
def checkpointer(request, tmp_path):
    with saving(request.param, tmp_path / "state.db") as saver:
        yield saver


def stored(catalog, api=FISH):
    return catalog.instructions.versions(api)[-1].content


# ---- description: section 4.1


def test_a_tool_is_described_with_all_its_functions_and_each_gets_an_example(checkpointer):
    writer, lakes = Writer(line="lists the fish"), Lakes()
    catalog, result = written(an_api(), an_api("eel"), model=writer, caller=lakes, checkpointer=checkpointer)
    assert writer.titles() == ["Description", "Example", "Example"]
    assert result["purpose"] == stored(catalog, "food/lakes").purpose == "tells of lakes"
    assert [one["description"] for one in result["functions"]] == ["lists the fish"] * 2
    assert [one["proof"] for one in result["functions"]] == ["called"] * 2
    assert lakes.got == [("fish", {"lake": "Como"}), ("eel", {"lake": "Como"})]
    assert set(result["usage"]) == {"describe_tool", "write_guideline"}
    assert f"{catalog.get(FISH).function}(lake: string) lists the fish" in result["instruction"]
    assert 'e.g. if you want to fish in Como: {"lake": "Como"}' in result["instruction"]


def test_the_model_reads_the_raw_document():
    writer = Writer()
    written(an_api(tool_description="See <b>https://a.b</b>"), model=writer)
    for title in ("Description", "Example"):
        assert "Lists **fish**. Sign up for free!" in writer.texts(title)[0]
        assert '"examples": ["Garda"]' in writer.texts(title)[0]
    assert "See <b>https://a.b</b>" in writer.texts("Description")[0]


def test_the_document_can_be_read_without_markup():
    writer = Writer()
    written(an_api(), model=writer, document="condensed")
    assert "Lists fish. Sign up for free!" in writer.texts("Description")[0]
    assert "Garda" not in writer.texts("Description")[0]


def test_the_prompts_have_demonstrations():
    writer = Writer()
    written(an_api(), model=writer)
    assert writer.texts("Description")[0].count("Documentation:\n{") >= 3
    assert writer.texts("Example")[0].count('"scenario": "if you want to') >= 2


def test_what_the_model_writes_is_kept_as_it_is():
    line = "Get the fish. See the docs at https://a.b, default is **cod** (e.g. eel). " * 4
    catalog, _ = written(an_api(), model=Writer(line=line, purpose="Get fish"))
    assert (stored(catalog).description, stored(catalog, "food/lakes").purpose) == (line.strip(), "Get fish")


@pytest.mark.parametrize(
    ("functions", "said"), [({}, "'fish' is missing"), ({"fish": "a", "boat": "b"}, "no function 'boat'")]
)
def test_a_description_that_lost_or_invented_a_function_is_asked_for_again(functions, said):
    def script(messages, schema):
        told.append(messages[-1].text)
        if schema["title"] == "Description" and len(told) == 1:
            return {"purpose": "about lakes", "functions": functions}
        return writer(messages, schema)

    told, writer = [], Writer()
    _, result = written(an_api(), model=script)
    assert said in told[1]
    assert the_function(result)["description"] == "lists it"


def test_without_a_valid_description_the_documentation_stands_in_and_is_marked():
    catalog, result = written(an_api(), model=lambda *_: "no JSON")
    assert the_function(result)["description"] == "Lists fish. Sign up for free!"
    assert the_function(result)["problem"] == f"{NO_LINE} The model wrote no valid example."
    assert (result["problem"], stored(catalog, "food/lakes").problem) == (NO_LINE, NO_LINE)
    assert stored(catalog).arguments is None


def test_a_long_document_is_described_in_parts_and_its_purpose_joined():
    writer = Writer()
    _, result = written(*(an_api(f"fish{n}") for n in range(5)), model=writer, document_tokens=150)
    assert writer.titles().count("Description") > 1
    assert writer.titles().count("Joined") == 1
    assert result["purpose"] == "tells of lakes as a whole"
    assert [one["api"] for one in result["functions"]] == [f"food/lakes/fish{n}" for n in range(5)]


def test_a_part_that_does_not_fit_the_context_is_halved_until_one_function_is_marked():
    def script(messages, schema):
        if '"huge"' in messages[-1].text:
            raise ValueError("This model's maximum context length is 8192 tokens.")
        return writer(messages, schema)

    writer = Writer()
    catalog, result = written(*map(an_api, ("aaa", "huge", "zzz")), model=script)
    found = {one["api"].rpartition("/")[2]: (one["proof"], one["problem"]) for one in result["functions"]}
    assert (found["huge"][0], "does not fit into the context" in found.pop("huge")[1]) == ("none", True)
    assert set(found.values()) == {("valid", "")}
    assert stored(catalog, "food/lakes").problem == ""


def test_what_a_model_refuses_of_one_function_stops_no_other():
    def script(messages, schema):
        refuses = '"eel"' in messages[-1].text and schema["title"] != "Joined"
        return AIMessage("", additional_kwargs={"refusal": "Not eels."}) if refuses else writer(messages, schema)

    writer = Writer()
    _, result = written(an_api(), an_api("eel"), model=script, document_tokens=20)
    problems = {one["api"].rsplit("/", 1)[1]: one["problem"] for one in result["functions"]}
    assert (problems["fish"], "Not eels." in problems["eel"]) == ("", True)


# ---- guideline: section 4.2


def test_parameters_are_the_catalogue_s_names_types_and_meanings():
    catalog, _ = written(an_api(most={"type": "integer"}), model=Writer())
    kept = [(one.name, one.type, one.required, one.meaning) for one in stored(catalog).parameters]
    assert kept == [("lake", "string", True, "Which lake"), ("most", "integer", False, "")]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (example(lake=3), "not of type 'string'"),
        (example(lake="Como", boat="red"), "boat"),
        (example(boat="red"), "'lake' is a required property"),
        (example(scenario=" "), "scenario is empty"),
        (example(scenario="x" * 201), "longer than 200"),
        (example(lake="x" * 2_100), "longer than 2000"),
    ],
)
def test_an_example_that_loses_invents_or_mistypes_is_found_by_code_and_written_again(wrong, said):
    writer = Writer(wrong, example())
    _, result = written(an_api(), model=writer)
    assert said in writer.texts("Example")[-1]
    assert (the_function(result)["proof"], the_function(result)["draft"]["arguments"]) == ("valid", {"lake": "Como"})


NAMES = st.text(st.characters(categories=["L"]), min_size=1, max_size=6)


@given(st.dictionaries(NAMES, st.integers(), max_size=5), st.lists(NAMES, max_size=3), st.data())
def test_no_example_with_a_lost_or_invented_parameter_holds(real, invented, data):
    api = an_api().model_copy(
        update={
            "parameters": {
                "type": "object",
                "properties": {name: {"type": "integer"} for name in real},
                "required": sorted(real),
            }
        }
    )
    kept = {name: value for name, value in real.items() if data.draw(st.booleans())}
    arguments = kept | dict.fromkeys(invented, 1)
    found = faults(api, {"scenario": "if", "arguments": arguments})
    assert bool(found) == (arguments.keys() != real.keys())


def test_a_function_without_parameters_gets_a_scenario_and_no_arguments():
    lakes, nothing = Lakes(), {"type": "object", "properties": {}}
    every = an_api("every").model_copy(update={"parameters": nothing})
    model = Writer({"scenario": "if you want to see all lakes", "arguments": {}})
    catalog, result = written(every, model=model, caller=lakes)
    assert (lakes.got, the_function(result)["proof"]) == ([("every", {})], "called")
    assert stored(catalog, "food/lakes/every").scenario == "if you want to see all lakes"


def test_repairs_end_and_the_example_is_dropped_and_marked():
    writer = Writer(example(lake="Como", boat="red"))
    catalog, result = written(an_api(), model=writer, max_repairs=2)
    assert writer.titles().count("Example") == 3
    assert (the_function(result)["proof"], the_function(result)["draft"]["arguments"]) == ("none", None)
    assert "boat" in stored(catalog).problem
    assert [one.name for one in stored(catalog).parameters] == ["lake"]


def test_a_huge_schema_is_left_open_for_the_model_and_checked_whole():
    asked, writer = [], Writer(example(lake=3), example())
    many = {f"p{n}": {"type": "string", "description": "x " * 40} for n in range(150)}

    def script(messages, schema):
        asked.append(schema)
        return writer(messages, schema)

    _, result = written(an_api(**many), model=script)
    (arguments, _) = [schema["properties"]["arguments"] for schema in asked if schema["title"] == "Example"]
    assert "properties" not in arguments
    assert the_function(result)["proof"] == "valid"


# ---- proof


def test_a_call_that_fails_is_told_and_another_example_proves_it():
    lakes, writer = Lakes("not_found"), Writer(example(lake="Atlantis"), example())
    _, result = written(an_api(), model=writer, caller=lakes)
    assert "no such lake" in writer.texts("Example")[-1]
    assert lakes.got == [("fish", {"lake": "Atlantis"}), ("fish", {"lake": "Como"})]
    assert the_function(result)["proof"] == "called"


def test_an_example_that_fails_to_the_end_is_dropped():
    lakes, writer = Lakes("tool_error", "tool_error"), Writer(example(lake="Atlantis"), example())
    catalog, result = written(an_api(), model=writer, caller=lakes, max_repairs=1)
    assert (the_function(result)["proof"], stored(catalog).arguments) == ("none", None)
    assert "tool_error" in the_function(result)["problem"]


def test_a_call_that_failed_is_not_made_again():
    lakes = Lakes("tool_error", "tool_error")
    _, result = written(an_api(), caller=lakes, max_repairs=3)
    assert (len(lakes.got), the_function(result)["proof"]) == (1, "none")


@pytest.mark.parametrize("kind", ["unauthorized", "network", "rate_limited", "server_error"])
def test_a_failure_that_says_nothing_of_the_example_keeps_it_unproven(kind):
    _, result = written(an_api(), caller=Lakes(kind))
    assert (the_function(result)["proof"], the_function(result)["draft"]["arguments"]) == ("valid", {"lake": "Como"})
    assert kind in the_function(result)["problem"]


@pytest.mark.parametrize(
    ("method", "setting", "calls"),
    [("GET", "reading", 1), ("GET", "never", 0), ("POST", "reading", 0), ("POST", "all", 1)],
)
def test_only_such_calls_are_made_as_the_setting_allows(method, setting, calls):
    lakes = Lakes()
    _, result = written(an_api(method=method), caller=lakes, try_examples=setting)
    assert (len(lakes.got), the_function(result)["proof"]) == (calls, "called" if calls else "valid")


def test_an_api_that_nobody_can_call_is_only_checked():
    _, result = written(an_api())
    assert (the_function(result)["proof"], the_function(result)["problem"]) == ("valid", "")


@pytest.mark.parametrize("again", ["writes", "never"])
@pytest.mark.parametrize(("reply", "made"), [("approve", 1), ("refuse", 0)])
def test_the_user_is_asked_before_a_call_that_may_write(again, reply, made):
    lakes, catalog = Lakes(), Catalog.create()
    catalog.add(an_api(method="POST"))
    bound = {"catalog": catalog, "model": scripted(Writer()), "callers": {"lakes": lakes}}
    graph = easytool.build(**bound, checkpointer=InMemorySaver())
    context = EasyToolContext(approval="writes", try_examples="all", max_repairs=0)
    waiting = graph.invoke(LAKES, CONFIG, context=context)["__interrupt__"]
    assert (waiting[0].value["api"], lakes.got) == (FISH, [])
    result = graph.invoke(Command(resume=reply), CONFIG, context=replace(context, approval=again))
    assert (len(lakes.got), the_function(result)["proof"]) == (made, "called" if made else "valid")


# ---- runs


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path):
    for kind in SAVERS[1:]:
        with saving(kind, tmp_path / "state.db") as saver:
            writer, catalog = Writer(), Catalog.create()
            catalog.add(an_api(), an_api("eel"))
            graph = easytool.build(catalog=catalog, model=scripted(writer), checkpointer=saver)
            graph.invoke(LAKES, CONFIG, interrupt_after=["keep_guideline"])
            assert writer.since() == ["Description", "Example"]
            result = graph.invoke(None, CONFIG)
            assert writer.since() == ["Example"]
            assert len(result["functions"]) == 2


def test_what_is_asked_of_one_document_does_not_bind_the_next_on_its_thread(checkpointer):
    catalog, _ = written(an_api(), an_api("boat"))
    graph = easytool.build(catalog=catalog, model=scripted(Writer()), checkpointer=checkpointer)
    asked = LAKES | {"apis": [FISH], "whole": False, "tries": ["food/lakes/boat"]}
    first = graph.invoke(asked, CONFIG)
    assert [function["api"] for function in first["functions"]] == [FISH, "food/lakes/boat"]
    again = graph.invoke(LAKES, CONFIG)
    assert again == easytool.build(catalog=catalog, model=scripted(Writer())).invoke(LAKES)
    assert len(again["functions"]) == 2


def test_a_document_that_changes_meanwhile_does_not_get_the_instruction_of_the_old_one():
    catalog, changed = Catalog.create(), an_api(description="Counts fish.")
    catalog.add(an_api())

    class Changing(Lakes):
        async def call(self, api, arguments):
            catalog.update(changed)
            return await super().call(api, arguments)

    graph = easytool.build(catalog=catalog, model=scripted(Writer()), callers={"lakes": Changing()})
    graph.invoke(LAKES)
    assert catalog.instructions.guidelines([changed]) == {}
    assert catalog.shown("instructions").get(FISH).description == "Counts fish."


def test_a_spent_budget_ends_the_asking_and_says_so():
    catalog, result = written(*(an_api(f"fish{n}") for n in range(9)), token_budget=6_000)
    assert "budget" in result["functions"][-1]["problem"]
    assert len(catalog.instructions.versions()) == 10
    with pytest.raises(InputError, match="token_budget"):
        written(an_api(), token_budget=20)


def test_an_example_that_a_call_has_proven_is_not_lost_when_the_function_is_written_anew():
    catalog, _ = written(an_api(), caller=Lakes())
    graph = easytool.build(catalog=catalog, model=scripted(Writer(example(boat="red"))))
    graph.invoke(LAKES, context=EasyToolContext(max_repairs=0))
    assert (stored(catalog).proof, stored(catalog).arguments) == ("called", {"lake": "Como"})
    assert "boat" in stored(catalog).problem


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"apis": "food/lakes/fish2"}, "apis are 'food/lakes/fish2'. Give a list"),
        ({"apis": 5}, "apis are 5. Give a list"),
        ({"tries": 5}, "tries are 5. Give a list"),
        ({"apis": [FISH, "food/lakes/typo"]}, "'Lakes' in the category 'Food' has no food/lakes/typo"),
        ({"apis": [], "tries": ["food/lakes/typo"]}, "has no food/lakes/typo"),
        ({"category": ["Food"]}, "category is .'Food'.. Give it as a text"),
        ({"tool": ""}, "No tool is named"),
        ({"tool": "Rivers"}, "no tool 'Rivers'"),
    ],
)
def test_what_cannot_be_the_input_is_refused(given, said):
    with pytest.raises(InputError, match=said):
        written(an_api(), given=given)


def test_a_setting_of_another_graph_is_refused():
    with pytest.raises(TypeError, match="votes"):
        EasyToolContext(votes=3)


def test_the_cost_is_told_before_any_call():
    few, many = (estimated_usage([an_api(f"f{n}") for n in range(count)], EasyToolContext()) for count in (2, 20))
    assert (few["calls"], many["calls"] > 20) == (4, True)
    assert many["prompt"] > few["prompt"] > 0
    assert estimated_usage([], EasyToolContext(), whole=False)["calls"] == 0
    only_purpose = estimated_usage([], EasyToolContext(), every=[an_api(), an_api("eel")])
    assert only_purpose["calls"] == 1


def test_the_instruction_is_stored_under_the_tool_s_subject_with_the_document_s_hash():
    catalog, _ = written(an_api())
    (purpose,) = catalog.instructions.versions(tool_subject("Food", "Lakes"))
    assert json.loads(purpose.model_dump_json())["content"] == {"purpose": "tells of lakes", "problem": ""}
    catalog.update(an_api(description="Counts fish."))
    assert catalog.instructions.purpose("Food", "Lakes") == ""

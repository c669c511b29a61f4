"""Quiver asks the user for what no API gives: once, before anything is called, and goes on with the answer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.graphs.chains import NONE, a_typed_api, from_api, value
from tests.graphs.quivers import NAMES, QUERY, Whole
from tests.graphs.script import an_api, failing, options, plan_of
from toolquiver.catalog import Catalog
from toolquiver.contexts import QuiverContext
from toolquiver.nodes.chain.completion_types import NOBODY

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")

WAY = "How long is the way to the town?"
MEASURE, OTHER, FIND = ("tests/tests/measure", "tests/tests/other", "tests/tests/find_way")

MADE_UP = {"metres": 77.7, "note": "n", "town": "the town"}


@pytest.fixture(params=["memory", "sqlite"])
def checkpointer(request, tmp_path):
    if request.param == "sqlite":
        with sqlite.SqliteSaver.from_conn_string(str(tmp_path / "state.db")) as saver:
            yield saver
    else:
        yield InMemorySaver()


class Asking(Whole):
    """Three tools; the model makes up the metres of the first, then says that nobody gives them, or the town."""

    def __init__(self, *, source=NOBODY, planned="measure"):
        super().__init__(
            an_api("measure", inputs={"metres": "number"}, description="How long a way is."),
            an_api("other", outputs=("kilometres",), description="How long another way is."),
            an_api("find_way", inputs={"town": "string"}, outputs=("metres",), description="The way to a town."),
            respond=lambda api, _: '{"metres": 420.5}' if api.name == "find_way" else f"{api.name} says 8848",
            Plan={"calls": 1, "subtasks": [{"question": WAY, "tool": planned}]},
            Choice=lambda question: {"tool": options(question)[0]},
            Arguments=lambda question: {name: MADE_UP[name] for name in question.schema["properties"]},
            Completion=lambda question: {
                name: {"from": source if name == "metres" else NOBODY} for name in question.schema["properties"]
            },
        )

    def invoke(self, given, checkpointer, **settings):
        if isinstance(given, list):
            given = {"query": WAY, "candidates": given}
        config = {"configurable": {"thread_id": "one"}, "recursion_limit": 500}
        context = QuiverContext(**{"call_retries": 0, "judging": "never", "runoff": False} | settings)
        return self.build(checkpointer=checkpointer).invoke(given, config, context=context)


def question_of(result):
    return result["__interrupt__"][0].value


def test_what_no_api_gives_is_asked_and_the_run_goes_on_with_it(checkpointer):
    whole = Asking()
    waiting = question_of(whole.invoke([MEASURE], checkpointer))
    assert waiting["question"] == "Needed, and not found out: metres."
    assert waiting["response_schema"]["properties"]["metres"]["type"] == "number"
    assert waiting["missing"][0]["why"] == "measure needs it for the request"
    asked = len(whole.script.asked)
    result = whole.invoke(Command(resume={"metres": "12.5"}), checkpointer)
    assert whole.caller.made == [("measure", {"metres": 12.5})]
    assert (result["status"], result["unfilled"], len(result["calls"])) == ("solved", [], 1)
    assert whole.script.titles()[asked:] == ["Digest", "Verdict"], "nothing is completed again"
    assert sum(spent["calls"] for spent in result["usage"].values()) == len(whole.script.asked)


def test_it_is_asked_for_a_call_that_another_one_needs(checkpointer):
    whole = Asking(source="find_way")
    waiting = question_of(whole.invoke([MEASURE, FIND], checkpointer))
    assert [entry["key"] for entry in waiting["missing"]] == ["town"]
    result = whole.invoke(Command(resume="Lima"), checkpointer)
    assert whole.caller.made == [("find_way", {"town": "Lima"}), ("measure", {"metres": 420.5})]
    assert result["status"] == "solved"


def test_who_refuses_is_not_asked_again_and_another_tool_is_tried():
    whole, saver = Asking(), InMemorySaver()
    whole.invoke([MEASURE, OTHER], saver)
    result = whole.invoke(Command(resume="refuse"), saver)
    assert "__interrupt__" not in result
    assert result["calls"][0]["failure"] == "invalid_arguments"
    assert "Refused. Not known: metres (number)" in result["calls"][0]["message"]
    assert (whole.made(), result["status"]) == (["other"], "solved"), "nothing waits for what no tool gives"


def test_a_value_that_does_not_fit_is_asked_for_again():
    whole, saver = Asking(), InMemorySaver()
    whole.invoke([MEASURE], saver)
    again = question_of(whole.invoke(Command(resume={"metres": "far"}), saver))
    assert "is not of type 'number'" in again["question"]
    assert whole.invoke(Command(resume={"metres": 3.5}), saver)["status"] == "solved"


def test_nothing_is_unfilled_that_was_given_under_another_key():
    sized = {"size": "number"}
    whole, saver = Asking(), InMemorySaver()
    whole.catalog = Catalog.create()
    whole.catalog.add(
        an_api("measure", inputs={"metres": "number"} | sized, description="How long a way is."),
        an_api("find_way", inputs=sized, outputs=("metres",), description="The way to a town."),
    )
    sources = {"metres": from_api("find_way"), "size": NONE}
    whole.script.answers |= {
        "Arguments": lambda question: dict.fromkeys(question.schema["properties"], 77.7),
        "Completion": lambda question: {name: sources[name] for name in question.schema["properties"]},
    }
    first = question_of(whole.invoke([MEASURE, FIND], saver))
    assert [entry["key"] for entry in first["missing"]] == ["size_0", "size_1"]
    again = question_of(whole.invoke(Command(resume={"size_0": 3, "size_1": "big"}), saver))
    assert [entry["key"] for entry in again["missing"]] == ["size"]
    respond = whole.caller.respond
    whole.caller.respond = lambda api, given: (
        respond(api, given) if api.name == "find_way" else failing("measure")(api, given)
    )
    result = whole.invoke(Command(resume={"size": 4}), saver, max_reflections=0)
    assert whole.caller.made == [("find_way", {"size": 4}), ("measure", {"metres": 420.5, "size": 3})]
    assert not any("measure" in entry["why"] for entry in result["unfilled"]), "another tool may lack something too"


@pytest.mark.parametrize("settings", [{"ask": False}, {"chain_missing": False, "lookups": 0}])
def test_where_nobody_may_be_asked_it_ends_with_what_is_missing(settings):
    result = Asking().invoke([MEASURE], InMemorySaver(), max_reflections=0, **settings)
    assert (result["status"], [call["ok"] for call in result["calls"]]) == ("failed", [False])
    (gap,) = result["lacking"]
    assert "metres" in gap["why"]
    assert [entry["name"] for entry in result["unfilled"]] == (["metres"] if "ask" in settings else [])


def test_a_tool_that_the_planner_did_not_mean_asks_for_nothing():
    whole = Asking(planned="other")
    result = whole.invoke([MEASURE, OTHER], InMemorySaver())
    assert "__interrupt__" not in result
    assert result["calls"][0]["api"] == MEASURE
    assert (whole.made(), result["status"]) == (["other"], "solved")


@pytest.mark.parametrize("saver", [None, InMemorySaver()])
def test_a_tool_that_the_planner_did_not_mean_takes_the_option_that_the_model_means(saver):
    gloss = {"gloss": {"enum": ["matt", "shiny"]}, "metres": "number"}
    made_up = MADE_UP | {"gloss": "shiny"}
    given = {"gloss": value("shiny"), "metres": from_api("find_way"), "town": value("town")}
    whole = Whole(
        a_typed_api("paint", gloss, {}, description="Paint a way."),
        an_api("other", outputs=("kilometres",), description="How long another way is."),
        a_typed_api("find_way", {"town": "string"}, {"metres": "number"}, description="The way to a town."),
        respond=lambda api, _: '{"metres": 420.5}' if api.name == "find_way" else f"{api.name} says 8848",
        Plan={"calls": 1, "subtasks": [{"question": WAY, "tool": "other"}]},
        Choice=lambda question: {"tool": "paint" if "paint" in options(question) else options(question)[0]},
        Arguments=lambda question: {name: made_up[name] for name in question.schema["properties"]},
        Completion=lambda question: {name: given[name] for name in question.schema["properties"]},
    )
    tools = [f"tests/tests/{name}" for name in ("paint", "other", "find_way")]
    result = whole.ask(WAY, checkpointer=saver, candidates=tools, judging="never", runoff=False, max_reflections=0)
    assert (result["status"], result["unfilled"]) == ("solved", [])
    assert whole.caller.made[-1] == ("paint", {"gloss": "shiny", "metres": 420.5})


def test_what_only_the_user_knows_wakes_nobody_and_is_not_tried_again():
    whole = Asking()
    whole.script.answers["Judgement"] = {"verdict": "unsolved", "reason": "No."}
    result = whole.invoke({"query": "How long is the way?"}, InMemorySaver(), ask=False, judging="in_doubt")
    assert [entry["name"] for entry in result["unfilled"]] == ["metres"]
    assert (result["reflections"], result["wakings"], whole.policy.asked) == (0, [], [])
    assert whole.script.titles().count("Judgement") == 1
    (gap,) = result["lacking"]
    assert "measure failed, invalid_arguments: Not known: metres" in gap["why"]


TWO = plan_of("How high is Alpha?", "How old is the Bravo mountain?")


def refusing(whole, *, refused=None, candidates=None, **settings):
    """The result where the approval of these calls, or of all, is refused, and about what was asked."""
    given = {"query": QUERY} | ({} if candidates is None else {"candidates": candidates})
    config = {"configurable": {"thread_id": "one"}, "recursion_limit": 900}
    graph, context = whole.build(checkpointer=InMemorySaver()), QuiverContext(approval="always", **settings)
    asked, result = [], graph.invoke(given, config, context=context)
    while "__interrupt__" in result:
        api, arguments = (question_of(result)[key] for key in ("api", "arguments"))
        asked.append((api, str(arguments)))
        answer = "refuse" if refused is None or api in refused else "approve"
        result = graph.invoke(Command(resume=answer), config, context=context)
    return result, asked


def test_a_refusal_is_told_as_the_reason_and_no_agent_can_help():
    whole = Whole(Plan=TWO, Judgement={"verdict": "unsolved", "reason": "No."})
    result, _ = refusing(whole)
    assert (result["reflections"], result["wakings"], whole.made()) == (0, [], [])
    assert all("The user refused this call." in gap["why"] for gap in result["lacking"])


def test_only_what_other_tools_can_mend_is_tried_again():
    whole = Whole(Plan=TWO, Judgement={"verdict": "unsolved", "reason": "No."}, respond=failing("bravo"))
    whole.script.answers["Choice"] = lambda question: {
        "tool": next(name for name in ("alpha", "bravo", *options(question)) if name in question.text.split("Task")[-1])
    }
    result, _ = refusing(whole, refused=["tests/tests/alpha"], rollback=False, max_reflections=1, call_retries=0)
    assert (result["reflections"], "tests/tests/alpha" in result["removed"]) == (1, False)
    assert ["Alpha" in task for task in result["subtasks"]] == [True, False, False]


def test_a_refused_call_is_not_asked_about_again():
    whole = Whole(Plan=TWO, Arguments={"note": "the same"})
    result, asked = refusing(whole, candidates=["tests/tests/alpha"], judging="never")
    assert asked == [("tests/tests/alpha", "{'note': 'the same'}")]
    assert [call["failure"] for call in result["calls"]] == ["blocked", "blocked"]


def test_a_refused_call_of_a_chain_is_not_asked_about_again_by_the_next_chain():
    whole = Asking(source="find_way")
    given = {"town": {"from": "the request", "value": "mountain"}, "metres": {"from": "find_way"}}
    whole.script.answers |= {
        "Plan": TWO,
        "Help": {"tool": "measure", "wants": "how long a way is"},
        "Completion": lambda question: {name: given[name] for name in question.schema["properties"]},
    }
    _, asked = refusing(whole, candidates=[MEASURE, FIND], judging="never", drafts=False, ask=False)
    assert asked.count((FIND, "{'town': 'mountain'}")) == 1


@settings(max_examples=25, deadline=None)
@given(refused=st.sets(st.sampled_from(NAMES)), broken=st.sampled_from(NAMES), alike=st.booleans())
def test_no_refused_call_is_asked_about_twice_and_no_refusal_wakes_anybody(refused, broken, alike):
    more = {"Arguments": {"note": "the same"}} if alike else {}
    whole = Whole(Plan=TWO, Judgement={"verdict": "unsolved", "reason": "No."}, respond=failing(broken), **more)
    result, asked = refusing(whole, refused={f"tests/tests/{name}" for name in refused}, call_retries=0)
    in_vain = [question for question in asked if question[0].rsplit("/", 1)[-1] in refused]
    assert len(in_vain) == len(set(in_vain))
    assert not refused & {*whole.made()}
    if refused == {*NAMES}:
        assert (result["reflections"], result["wakings"]) == (0, [])


def test_what_was_given_is_kept_where_another_value_is_not():
    whole, saver = Asking(), InMemorySaver()
    whole.catalog = Catalog.create()
    whole.catalog.add(
        an_api("measure", inputs={"metres": "number", "size": "number"}, description="How long a way is."),
        an_api("other", inputs={"size": "number"}, description="How long another way is."),
    )
    whole.script.answers |= {
        "Arguments": lambda question: dict.fromkeys(question.schema["properties"], 77.7),
        "Completion": lambda question: dict.fromkeys(question.schema["properties"], NONE),
    }
    whole.invoke([MEASURE, OTHER], saver)
    result = whole.invoke(Command(resume={"size": 3}), saver)
    assert "Refused" not in result["calls"][0]["message"]
    assert "size" not in result["calls"][0]["message"].partition("needs")[0]
    assert [entry["name"] for entry in result["unfilled"] if entry["why"].startswith("measure")] == ["metres"]


@pytest.mark.parametrize("refused", [True, False])
def test_a_chain_looks_up_what_is_missing_once_a_subtask_also_after_a_refusal(refused):
    whole, saver = Asking(), InMemorySaver()
    whole.catalog = Catalog.create()
    names = ["measure", "other", "third", "fourth"]
    whole.catalog.add(*(an_api(name, inputs={"metres": "number"}, description="How long a way is.") for name in names))
    whole.script.answers |= {"Arguments": lambda question: dict.fromkeys(question.schema["properties"], 77.7)}
    whole.invoke([f"tests/tests/{name}" for name in names], saver, max_reflections=0, ask=refused)
    if refused:
        whole.invoke(Command(resume="refuse"), saver, max_reflections=0)
    assert whole.script.titles().count("Completion") == 1

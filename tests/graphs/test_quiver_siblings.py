"""A tool in use: what else of it a task names is called too, and for the other parts of a request it comes first."""

import asyncio

import pytest

from tests.graphs.quivers import Whole
from tests.graphs.script import an_api, failing
from toolquiver.calling import Observation
from toolquiver.contexts import QuiverContext
from toolquiver.models import ScriptedModel, scripted
from toolquiver.nodes.executor import choose
from toolquiver.nodes.executor.siblings import in_use, named
from toolquiver.nodes.records import call_record
from toolquiver.nodes.run import Run

SHOW = [
    an_api("main_characters", inputs={}, description="The main characters of the show."),
    an_api("recurringCharacters", inputs={}, description="The recurring characters of the show."),
    an_api("guest_characters", inputs={}, description="The guests of the show."),
]
TASK = "Who are the main characters of the show as well as the recurring characters?"
ALSO = "Also: recurring characters"


def replace(api, **fields):
    return api.model_copy(update=fields)


def told(question):
    return {"answer": "It is Bob." if "recurring" in question.text.partition("Tool called")[2] else "It is Ada."}


def whole(*apis, respond=lambda api, _: "Ada" if api.name == "main_characters" else "Bob", **answers):
    return Whole(*(apis or SHOW), respond=respond, Choice={"tool": "main_characters"}, **({"Digest": told} | answers))


def ask(stage, task=TASK, **settings):
    return stage.ask(task, planner=False, **settings)


def test_what_else_of_the_called_tool_the_task_names_is_called_too():
    stage = whole()
    result = ask(stage)
    assert stage.made() == ["main_characters", "recurringCharacters"]
    assert (result["status"], result["subtasks"]) == ("solved", [TASK, ALSO])
    assert result["answer"] == "It is Ada.\nIt is Bob."


def test_neither_judges_the_verifier_what_is_only_a_part_nor_is_the_choice_or_the_search_asked_again():
    stage = whole()
    ask(stage)
    assert stage.script.titles() == ["Wanted", "Choice", "Choice", "Digest", "Digest", "FinalAnswer"]  # a run-off


def test_switched_off_there_is_one_call():
    stage = whole()
    result = ask(stage, siblings=False)
    assert (stage.made(), result["subtasks"]) == (["main_characters"], [TASK])


def test_what_a_later_subtask_asks_is_left_to_it():
    stage = whole(
        Plan={
            "calls": 2,
            "subtasks": [{"question": TASK, "tool": "main_characters"}, {"question": "Who are the recurring ones?"}],
        }
    )
    assert ALSO not in stage.ask(TASK)["subtasks"]


def test_what_needs_more_than_the_called_one_has_is_no_sibling():
    more = replace(SHOW[1], parameters={"type": "object", "properties": {"id": {}}, "required": ["id"]})
    stage = whole(SHOW[0], more)
    assert ask(stage)["subtasks"] == [TASK]


def test_what_is_an_input_of_the_called_one_is_no_sibling():
    called = replace(SHOW[0], parameters={"type": "object", "properties": {"recurring": {"type": "boolean"}}})
    stage = whole(called, SHOW[1], Arguments={})
    assert ask(stage)["subtasks"] == [TASK]


def test_an_answer_that_denies_is_judged_before_anything_is_added():
    stage = whole(Digest={"answer": "The response has no main characters."}, Verdict={"done": True})
    assert ask(stage)["subtasks"] == [TASK]


def test_a_sibling_that_fails_is_left_out_and_no_other_tool_is_tried():
    def respond(api, _):
        failing("recurringCharacters")(api, _)
        return "Ada"

    stage = whole(respond=respond)
    result = ask(stage)
    assert [call["api"].rpartition("/")[2] for call in result["calls"]] == ["main_characters", "recurringcharacters"]
    assert (result["status"], result["answer"]) == ("solved", "It is Ada.")


def test_a_sibling_that_tells_nothing_is_left_out():
    def digest(question):
        found = told(question)["answer"]
        return {"answer": "The response does not say it." if "Bob" in found else found}

    result = ask(whole(Digest=digest))
    assert (result["status"], result["answer"]) == ("solved", "It is Ada.")


def test_there_are_no_more_siblings_than_subtasks_are_left():
    assert ask(whole(), max_subtasks=1)["subtasks"] == [TASK]


def test_what_changes_something_is_no_sibling():
    deletes = an_api("delete_characters", inputs={})
    task = "Which are the main characters? Nobody should be left out."
    stage = whole(SHOW[0], replace(deletes, name="delete_left"))
    assert ask(stage, task)["subtasks"] == [task]


def of(tool, name, description):
    api = an_api(name, inputs={}, description=description)
    return replace(api, id=f"tests/{tool}/{name}", tool=tool)


SHOP = [
    of("shop", "inventory", "The inventory of the shop."),
    of("shop", "customer", "A user by the name."),
    of("bird", "user", "The user by the name."),
    of("bird", "song", "A bird by its colour and song."),
]
USER = "Also, give me the user with the name Ada."


def after(called, task, **more):
    """The run at its second subtask, after this API was called, and the state."""
    stage = Whole(*SHOP)
    bound = {"model": scripted(stage.model)}
    ids = {api.name: api.id for api in SHOP}
    state = {
        "subtasks": ["Find the inventory.", task],
        "current": 1,
        "known": [],
        "tool_lists": [[*ids.values()]],
        "calls": [call_record(0, ids[called], {}, Observation(text="Yes."))],
    }
    return {**state, **more}, Run(context=QuiverContext(registration="all"), catalog=stage.catalog, bound=bound)


@pytest.mark.parametrize(
    ("called", "task", "expected"),
    [
        ("inventory", USER, "tests/shop/customer"),
        ("inventory", "Also, tell me of a bird by its colour and song.", None),  # the shop is far behind
        ("customer", USER, None),  # what has answered is not asked the same again
        ("user", USER, None),
    ],
)
def test_a_tool_in_use_comes_first_where_it_is_near(called, task, expected):
    state, run = after(called, task)
    assert asyncio.run(in_use(state, run)) == expected


def test_the_planners_tool_comes_before_a_tool_in_use():
    untried = {"trail": [], "hint": "", "aim": None, "allowed": None, "expansions": {}, "missing": []}
    state, run = after("inventory", USER, planned=[None, "tests/bird/user"], **untried)
    assert asyncio.run(choose.agree_or_choose(state, run))["chosen"] == "tests/bird/user"
    free = {**state, "planned": []}
    assert asyncio.run(choose.agree_or_choose(free, run))["chosen"] == "tests/shop/customer"


class Follower(ScriptedModel):
    follows_search: bool = True


@pytest.mark.parametrize(("large", "asks"), [(7, False), (8, True)])
def test_a_model_that_follows_search_is_not_asked_to_choose_in_a_large_catalogue(large, asks, monkeypatch):
    monkeypatch.setattr(choose, "_LARGE", large)
    stage = Whole(Choice={"tool": "alpha"})
    graph = stage.build(model=Follower(stage.model, profile={"structured_output": True}))
    graph.invoke({"query": "How is the mountain?"}, context=QuiverContext(planner=False, max_reflections=0))
    assert ("Choice" in stage.script.titles()) is asks


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("getMainCharacters", "Also: get main characters"),
        ("recurring_characters", "Also: recurring characters"),
        ("U-58 Athletes", "Also: u 58 athletes"),
    ],
)
def test_the_subtask_is_the_name_in_words(name, text):
    assert named(an_api(name)) == text

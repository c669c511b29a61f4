"""A tool in use: what else of it a task names is called too, and for the other parts of a request it comes first."""

import asyncio

import pytest

from tests.graphs.quivers import Whole
from tests.graphs.script import an_api, failing
from toolquiver.calling import Observation
from toolquiver.contexts import QuiverContext
from toolquiver.models import scripted
from toolquiver.nodes.executor import choose
from toolquiver.nodes.executor.siblings import in_use, named, siblings_named, siblings_of
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


def test_of_a_sibling_neither_search_nor_the_choice_nor_its_verdict_is_asked_of_the_model():
    stage = whole()
    ask(stage)
    titles = stage.script.titles()
    assert titles[titles.index("Digest") :] == ["Digest", "Verdict", "Digest", "FinalAnswer"]


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


@pytest.mark.parametrize(("done", "status", "lacking"), [(True, "solved", []), (False, "partial", [ALSO])])
def test_no_other_tool_is_tried_for_a_sibling_that_fails_and_the_verifier_said_whether_it_is_missed(
    done, status, lacking
):
    def respond(api, _):
        failing("recurringCharacters")(api, _)
        return "Ada"

    stage = whole(respond=respond, Verdict={"done": done, "missing": "the recurring"})
    result = ask(stage, judging="never")
    assert [call["api"].rpartition("/")[2] for call in result["calls"]] == ["main_characters", "recurringcharacters"]
    assert (result["status"], [gap["question"] for gap in result["lacking"]]) == (status, lacking)
    assert result["answer"].startswith("It is Ada.")


def test_that_the_answer_denies_what_a_sibling_tells_is_not_said():
    def digest(question):
        found = told(question)["answer"]
        return {"answer": found if "Bob" in found else f"{found} The response does not tell the recurring characters."}

    result = ask(whole(Digest=digest, Verdict={"done": False, "missing": "the recurring characters"}))
    assert (result["status"], result["answer"]) == ("solved", "It is Ada.\nIt is Bob.")


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("The response does not say it.", "It is Ada."),
        ("There are no recurring characters.", "It is Ada.\nThere are no recurring characters."),
    ],
)
def test_a_sibling_that_tells_nothing_is_left_out_but_not_that_there_is_none(said, answer):
    def digest(question):
        found = told(question)["answer"]
        return {"answer": said if "Bob" in found else found}

    result = ask(whole(Digest=digest))
    assert (result["status"], result["answer"]) == ("solved", answer)


def test_there_are_no_more_siblings_than_subtasks_are_left():
    assert ask(whole(), max_subtasks=1)["subtasks"] == [TASK]


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("delete_guests", "Who are the main characters, and did anybody delete guests?"),
        ("refund", "Who are the main characters, and what about the refund?"),
        ("recurring_characters", "Who are the main characters, not the recurring characters?"),
        ("recurring_characters", "Who are the main characters without the recurring characters?"),
        ("recurring_characters", 'Who are the main characters? He said "recurring characters".'),
        ("characters_2", "Who are the 2 main characters?"),
    ],
)
def test_what_changes_something_is_left_out_or_quoted_or_only_a_number_is_no_sibling(name, task):
    stage = whole(SHOW[0], replace(an_api(name, inputs={}), method="POST" if name == "refund" else "GET"))
    assert ask(stage, task)["subtasks"] == [task]


@pytest.mark.parametrize(
    ("names", "siblings"),
    [(("get_user", "get_order"), []), (("a_single_event", "tickets_for_an_event"), ["tickets_for_an_event"])],
)
def test_an_id_that_does_not_say_of_what_is_not_taken_for_another_thing(names, siblings):
    apis = [an_api(name, inputs={"id": "string"}) for name in names]
    stage = Whole(*apis)
    run = Run(context=QuiverContext(), catalog=stage.catalog, bound={})
    state = {
        "subtasks": ["Who is the user of the order 17, or what are the tickets of the event?"],
        "current": 0,
        "known": [],
        "calls": [],
        "planned": [],
    }
    found = asyncio.run(siblings_of({"api": apis[0].id, "arguments": {"id": "17"}}, state, run))
    assert [api.name for api in found] == siblings


def test_what_is_looked_up_for_another_subtask_has_no_siblings():
    stage = whole()
    run = Run(context=QuiverContext(), catalog=stage.catalog, bound={})
    state = {
        "subtasks": [TASK, "Which of them is the oldest?"],
        "current": 0,
        "known": [],
        "calls": [],
        "planned": [],
        "allowed": None,
    }
    step = {"api": SHOW[0].id, "arguments": {}, "observation": "Ada", "answer": "It is Ada."}
    assert list(asyncio.run(siblings_named(step, state, run))) == [ALSO]
    looked_up = {**state, "lookups": {"Which of them is the oldest?": {TASK: ["name"]}}}
    assert asyncio.run(siblings_named(step, looked_up, run)) == {}


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
        "history": [],
        "trail": [],
        "missing": [],
        "hint": "",
        "allowed": None,
    }
    return {**state, **more}, Run(context=QuiverContext(registration="all"), catalog=stage.catalog, bound=bound)


@pytest.mark.parametrize("more", [{"found": ["tests/bird/song"]}, {"lookups": {"Who buys it?": {USER: ["name"]}}}])
def test_what_agents_found_and_what_gives_an_argument_comes_before_a_tool_in_use(more):
    state, run = after("inventory", USER, **more)
    assert asyncio.run(in_use(state, run)) is None


def test_a_tool_that_all_hits_are_of_tells_none_apart():
    stage = Whole(*SHOP[:2])
    run = Run(context=QuiverContext(), catalog=stage.catalog, bound={})
    state, _ = after("inventory", USER, tool_lists=[[api.id for api in SHOP[:2]]])
    assert asyncio.run(in_use(state, run)) is None


@pytest.mark.parametrize(
    ("called", "task", "expected"),
    [
        ("inventory", USER, "tests/shop/customer"),
        ("inventory", "Also, tell me of a bird by its colour and song.", None),  # the shop is far behind
        ("user", USER, None),  # which may be wanted again
    ],
)
def test_a_tool_in_use_comes_first_where_it_is_near(called, task, expected):
    state, run = after(called, task)
    assert asyncio.run(in_use(state, run)) == expected


def test_the_planners_tool_comes_before_a_tool_in_use():
    state, run = after("inventory", USER, planned=[None, "tests/bird/user"], aim=None, expansions={})
    assert asyncio.run(choose.agree_or_choose(state, run))["chosen"] == "tests/bird/user"
    free = {**state, "planned": []}
    assert asyncio.run(choose.agree_or_choose(free, run))["chosen"] == "tests/shop/customer"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("getMainCharacters", "Also: get main characters"),
        ("recurring_characters", "Also: recurring characters"),
        ("U-58 Athletes", "Also: u 58 athletes"),
        ("getNBATeams", "Also: get nba teams"),
    ],
)
def test_the_subtask_is_the_name_in_words(name, text):
    assert named(an_api(name)) == text

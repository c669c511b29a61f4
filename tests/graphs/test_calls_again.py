"""What is called again, and what is not: what changes something once, what reads again after a change."""

import json

import pytest

from tests.graphs.chains import BOOK, BOOKING, rooms
from tests.graphs.script import SOURCE, Stage, an_api, options
from tests.graphs.test_smurfs_drafts import NESTED
from toolquiver.calling import CallError
from toolquiver.contexts import QuiverContext
from toolquiver.graphs import quiver, smurfs
from toolquiver.models import scripted

UNSOLVED = {"verdict": "unsolved", "reason": "nothing was done"}


def posted(name, method="POST", **more):
    return an_api(name, **more).model_copy(update={"method": method})


def read(name, **more):
    return posted(name, "GET", **more)


def taking(word):
    """Choose the tool with this word in its name, where it is left."""
    return lambda asked: {"tool": next((name for name in options(asked) if word in name), options(asked)[0])}


def asked_of(graph, stage, query, **settings):
    built = graph.build(model=scripted(stage.script), catalog=stage.catalog, callers={SOURCE: stage.caller})
    kind = {"context": QuiverContext(call_retries=0, **settings)} if graph is quiver else {}
    return built.invoke({"query": query, "candidates": stage.ids}, **kind)


def a_list(respond):
    """A list that is read, and added to where the task says so; what a call returned is the answer."""
    return Stage(
        read("list_todos", inputs={}),
        posted("add_todo", inputs={"title": "string"}),
        respond=respond,
        Choice=lambda asked: taking("add" if "Task: Also add" in asked.text else "list")(asked),
        Arguments={"title": "bread"},
        Digest=lambda asked: {"answer": asked.text.split("<result>")[-1].split("</result>")[0].strip()},
    )


def made(stage, name):
    return [arguments for called, arguments in stage.caller.made if called == name]


@pytest.mark.parametrize("graph", [smurfs, quiver])
@pytest.mark.parametrize("nothing", ["", "null", "{}"])
def test_what_deletes_and_returns_nothing_has_done_it(graph, nothing):
    numbers = iter(range(5, 100))
    delete = posted("delete_note", "DELETE", inputs={"id": "integer"})
    stage = Stage(
        delete,
        read("list_notes"),
        respond=lambda *_: nothing,
        Arguments=lambda _: {"id": next(numbers)},
        Choice=taking("delete"),
    )
    result = asked_of(graph, stage, "Delete note 5.")
    assert (made(stage, "delete_note"), result["status"]) == ([{"id": 5}], "solved")


@pytest.mark.parametrize("graph", [smurfs, quiver])
def test_a_number_beside_the_point_makes_nothing_twice(graph):
    titles = iter(["Buy milk", "Buy milk (budget)", "Buy milk (20)"])
    create = posted("create_todo", inputs={"title": "string"})
    stage = Stage(create, read("list_todos"), Choice=taking("create"), Arguments=lambda _: {"title": next(titles)})
    asked_of(graph, stage, "I have 20 euros left. Create a todo: buy milk.")
    assert made(stage, "create_todo") == [{"title": "Buy milk"}]


def test_who_is_not_content_with_what_was_done_is_not_pressed_to_do_something_else():
    create = posted("create_todo", inputs={"title": "string"})
    stage = Stage(
        create, Choice=taking("create"), Arguments={"title": "Buy milk"}, Verdict={"done": False, "missing": "link"}
    )
    asked_of(smurfs, stage, "Create a todo: buy milk.")
    assert made(stage, "create_todo") == [{"title": "Buy milk"}]
    assert not any("other one" in text for text in stage.script.texts("Arguments"))


@pytest.mark.parametrize("kind", ["timeout", "network", "server_error"])
def test_what_may_have_worked_without_an_answer_is_not_done_again(kind):
    def respond(api, _):
        if api.name == "place_order":
            raise CallError(kind, "There was no answer.")
        return "Lamps."

    place = posted("place_order", inputs={"product": "string"})
    stage = Stage(
        place,
        read("list_products"),
        respond=respond,
        Choice=taking("place"),
        Judgement=UNSOLVED,
        Arguments=lambda asked: dict.fromkeys(asked.schema["properties"], "lamp"),
        Verdict={"done": False, "missing": "the order"},
    )
    result = asked_of(quiver, stage, "Place an order for a lamp.", max_reflections=2)
    assert len(made(stage, "place_order")) == 1
    assert any("may have been carried out" in call["message"] for call in result["calls"]) or kind == "server_error"


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("graph", [smurfs, quiver])
def test_what_was_read_before_a_change_is_read_again(graph, told):
    todos = ["milk"]

    def respond(api, arguments):
        if api.name == "add_todo":
            todos.append(arguments["title"])
            if not told:
                raise CallError("timeout", "There was no answer.")
        return json.dumps(todos)

    stage = a_list(respond)
    result = asked_of(
        graph, stage, "Show my todo items. Also add bread to my todo items. Also show my todo items after that."
    )
    assert [name for name, _ in stage.caller.made][-1] == "list_todos"
    assert (len(made(stage, "add_todo")), len(made(stage, "list_todos"))) == (1, 2)
    assert '["milk", "bread"]' in result["answer"]


def test_a_written_call_that_failed_is_not_made_again_after_a_reflection():
    def respond(api, arguments):
        if api.name == "BookRoom":
            raise CallError("tool_error", "The booking was rejected.")
        return json.dumps(rooms(api, arguments))

    stage = Stage(*BOOKING, respond=respond, Drafted={"call": NESTED}, Scripted={"lines": [NESTED]}, Judgement=UNSOLVED)
    stage.script.answers["Verdict"] = {"done": False, "missing": "a booking number"}
    result = asked_of(quiver, stage, BOOK)
    assert (result["reflections"], result["removed"]) == (2, [BOOKING[-1].id])
    assert [call["start_time"] for call in made(stage, "BookRoom")].count("9am") == 1


def test_a_list_without_items_is_nothing_that_was_done():
    stage = Stage(an_api("book_search", inputs={"title": "string"}), respond=lambda *_: "[]")
    result = asked_of(smurfs, stage, "Find a book with the title zzz.")
    assert result["status"] != "solved"


@pytest.mark.parametrize("kind", ["network", "rate_limited"])
@pytest.mark.parametrize("graph", [smurfs, quiver])
def test_a_reading_that_failed_after_a_change_is_not_answered_with_what_was_read_before(graph, kind):
    notes, reads = ["milk"], []

    def respond(api, arguments):
        if api.name == "add_todo":
            notes.append(arguments["title"])
            return '"added"'
        reads.append(None)
        if len(reads) == 2:
            raise CallError(kind, "Not now.")
        return json.dumps(notes)

    stage = a_list(respond)
    settings = {"max_reflections": 0, "judging": "never"} if graph is quiver else {}
    query = "Show my todo items. Also add bread to my todo items."
    query += " Also show my todo items now. Also show my todo items at the end."
    result = asked_of(graph, stage, query, **settings)
    assert len(reads) == 3
    assert '"bread"' in result["answer"].splitlines()[-1]

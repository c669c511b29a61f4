"""What is called again, and what is not: what changes something once, what reads again after a change."""

import json

import pytest

from tests.graphs.script import Stage, an_api, options, with_method
from toolquiver.calling import CallError


def posted(name, method="POST", **more):
    return with_method(an_api(name, **more), method)


def read(name, **more):
    return posted(name, "GET", **more)


def taking(word):
    """Choose the tool with this word in its name, where it is left."""
    return lambda asked: {"tool": next((name for name in options(asked) if word in name), options(asked)[0])}


def asked_of(stage, query):
    return stage.build().invoke({"query": query, "candidates": stage.ids})


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


@pytest.mark.parametrize("nothing", ["", "null", "{}"])
def test_what_deletes_and_returns_nothing_has_done_it(nothing):
    numbers = iter(range(5, 100))
    delete = posted("delete_note", "DELETE", inputs={"id": "integer"})
    stage = Stage(
        delete,
        read("list_notes"),
        respond=lambda *_: nothing,
        Arguments=lambda _: {"id": next(numbers)},
        Choice=taking("delete"),
    )
    result = asked_of(stage, "Delete note 5.")
    assert (made(stage, "delete_note"), result["status"]) == ([{"id": 5}], "solved")


def test_a_number_beside_the_point_makes_nothing_twice():
    titles = iter(["Buy milk", "Buy milk (budget)", "Buy milk (20)"])
    create = posted("create_todo", inputs={"title": "string"})
    stage = Stage(create, read("list_todos"), Choice=taking("create"), Arguments=lambda _: {"title": next(titles)})
    asked_of(stage, "I have 20 euros left. Create a todo: buy milk.")
    assert made(stage, "create_todo") == [{"title": "Buy milk"}]


def test_who_is_not_content_with_what_was_done_is_not_pressed_to_do_something_else():
    create = posted("create_todo", inputs={"title": "string"})
    stage = Stage(
        create, Choice=taking("create"), Arguments={"title": "Buy milk"}, Verdict={"done": False, "missing": "link"}
    )
    asked_of(stage, "Create a todo: buy milk.")
    assert made(stage, "create_todo") == [{"title": "Buy milk"}]
    assert not any("other one" in text for text in stage.script.texts("Arguments"))


@pytest.mark.parametrize("told", [True, False])
def test_what_was_read_before_a_change_is_read_again(told):
    todos = ["milk"]

    def respond(api, arguments):
        if api.name == "add_todo":
            todos.append(arguments["title"])
            if not told:
                raise CallError("timeout", "There was no answer.")
        return json.dumps(todos)

    stage = a_list(respond)
    result = asked_of(stage, "Show my todo items. Also add bread to my todo items. Also show my todo items after that.")
    assert [name for name, _ in stage.caller.made][-1] == "list_todos"
    assert (len(made(stage, "add_todo")), len(made(stage, "list_todos"))) == (1, 2)
    assert '["milk", "bread"]' in result["answer"]


def test_a_list_without_items_is_nothing_that_was_done():
    stage = Stage(an_api("book_search", inputs={"title": "string"}), respond=lambda *_: "[]")
    result = asked_of(stage, "Find a book with the title zzz.")
    assert result["status"] != "solved"


@pytest.mark.parametrize("kind", ["network", "rate_limited"])
def test_a_reading_that_failed_after_a_change_is_not_answered_with_what_was_read_before(kind):
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
    query = "Show my todo items. Also add bread to my todo items."
    query += " Also show my todo items now. Also show my todo items at the end."
    result = asked_of(stage, query)
    assert len(reads) == 3
    assert '"bread"' in result["answer"].splitlines()[-1]

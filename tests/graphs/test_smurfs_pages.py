"""Where only tools that tell of named things are at hand, pages are read until they have the answer."""

import json
from contextlib import suppress

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tests.graphs.script import Stage, an_api
from toolquiver.calling import CallError
from toolquiver.context import Context
from toolquiver.errors import InputError
from toolquiver.models import tokens

PAGE = {"type": "object", "properties": {"title": {"type": "string"}, "text": {"type": "string"}}}
BOOK = {
    "Boléro": "Boléro is a piece by Maurice Ravel, first danced by Ida Rubinstein.",
    "Maurice Ravel": "Maurice Ravel was a composer, born in Ciboure.",
    "Ida Rubinstein": "Ida Rubinstein was a dancer, born in Kharkiv.",
    "Heat (1995 film)": "Heat is a film by Michael Mann.",
}
QUERY = "Where was the composer of Boléro born?"
NEXT = {"asked": "a place", "told": "Ravel composed it", "open": "where he was born", "next": "Maurice Ravel"}
LAST = NEXT | {"next": "nothing"}


def respond(_, arguments):
    title = arguments["title"]
    if title in BOOK:
        return json.dumps({"title": title, "text": BOOK[title]})
    return json.dumps({"title": "", "text": f"There is no page on {title!r}. Similar pages: Heat (1995 film)."})


def a_stage(respond=respond, next_=NEXT, **more):
    tools = [
        an_api("article", inputs={"title": "string"}).model_copy(update={"output": PAGE}),
        an_api("find_in", inputs={"title": "string", "keyword": "string"}).model_copy(update={"output": PAGE}),
    ]
    return Stage(*tools, respond=respond, Next=next_, Digest={"answer": "Ciboure"}, **more)


def one_by_one(*answers):
    """The first answer to the first question, and so on; the last to all that follow."""
    left = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def read(stage):
    return [arguments["title"] for name, arguments in stage.caller.made if name == "article"]


@pytest.mark.parametrize("saver", [None, InMemorySaver()])
def test_what_is_named_is_read_first_and_a_page_leads_on(saver):
    stage = a_stage(next_=one_by_one(NEXT, LAST))
    graph = stage.build(checkpointer=saver, context=Context())
    result = graph.invoke({"query": QUERY, "candidates": stage.ids}, {"configurable": {"thread_id": "one"}})
    assert read(stage) == ["Boléro", "Maurice Ravel"]
    assert (result["status"], result["answer"], result["subtasks"]) == ("solved", "Ciboure", [QUERY])
    assert stage.script.titles() == ["Next", "Next", "Digest", "Verdict"], "no plan, no choice, no inputs"


def test_only_names_that_the_pages_have_can_be_read_and_none_twice():
    stage = a_stage(next_=one_by_one(NEXT, LAST))
    stage.ask(QUERY)
    first, second = (asked.schema["properties"]["next"]["enum"] for asked in stage.script.asked[:2])
    assert first == ["Maurice Ravel", "Ida Rubinstein", "nothing"]
    assert second == ["Ida Rubinstein", "Ciboure", "nothing"]


def test_all_pages_are_there_when_the_answer_is_digested():
    stage = a_stage(next_=one_by_one(NEXT, LAST))
    stage.ask(QUERY)
    (digest,) = stage.script.texts("Digest")
    assert BOOK["Boléro"] in digest
    assert BOOK["Maurice Ravel"] in digest


def test_a_page_that_has_another_title_is_read_under_that():
    stage = a_stage(next_=LAST)
    stage.ask("Who made Heat?")
    assert read(stage) == ["Heat", "Heat (1995 film)"]
    assert stage.script.titles()[-2:] == ["Digest", "Verdict"]


def test_a_lookup_that_fails_is_a_page_that_is_missing():
    def broken(api, arguments):
        if arguments["title"] == "Boléro":
            raise CallError("tool_error", "It is broken.")
        return respond(api, arguments)

    stage = a_stage(respond=broken, next_=LAST)
    result = stage.ask("Were the composers of Boléro and Maurice Ravel the same?")
    assert read(stage) == ["Maurice Ravel", "Boléro"], "names of several words first"
    assert result["status"] == "solved"


def test_without_any_page_the_tools_are_chosen_one_by_one():
    stage = a_stage(Choice={"tool": "article"}, Arguments={"title": "Boléro"})
    result = stage.ask("where was its composer born?")
    assert "Choice" in stage.script.titles()
    assert result["status"] == "solved"


def test_pages_are_no_more_than_calls_may_be():
    stage = a_stage()
    stage.ask(QUERY, max_calls=1)
    assert read(stage) == ["Boléro"]


def test_switched_off_the_tools_are_chosen_one_by_one():
    stage = a_stage(Choice={"tool": "article"}, Arguments={"title": "Boléro"})
    stage.ask(QUERY, pages=False)
    assert "Choice" in stage.script.titles()
    assert "Next" not in stage.script.titles()


def test_a_spent_budget_loses_no_page_that_was_read():
    stage = a_stage(next_=one_by_one(NEXT, LAST))
    stage.ask(QUERY)
    needed, partial = tokens(stage.ask(QUERY)["usage"]), []
    for budget in range(60, needed + 1_000, 61):
        stage = a_stage(next_=one_by_one(NEXT, LAST))
        with suppress(InputError):  # too little to begin
            result = stage.ask(QUERY, token_budget=budget)
            assert tokens(result["usage"]) <= budget
            partial += [(read(stage), result["answer"])] if result["status"] == "partial" else []
    assert partial
    for titles, answer in partial:
        assert answer.endswith("Ciboure") or all(BOOK[title] in answer for title in titles)


def test_what_fails_after_the_pages_ends_the_run_with_what_they_tell():
    def ill(api, inputs):
        if inputs["title"] not in BOOK:
            raise CallError("tool_error", "It is broken.")
        return respond(api, inputs)

    stage = a_stage(
        respond=ill,
        next_=one_by_one(NEXT, LAST),
        Verdict={"done": False, "missing": "the district"},
        Choice={"tool": "article"},
        Arguments={"title": "Ciboure"},
    )
    result = stage.ask(QUERY, candidates=stage.ids[:1])
    assert read(stage) == ["Boléro", "Maurice Ravel", "Ciboure"]
    assert (result["status"], result["answer"]) == ("partial", "Ciboure")

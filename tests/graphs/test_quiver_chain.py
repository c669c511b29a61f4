"""Calls that the reverse chain completes obey the rules of all calls, and what it takes from a result is chosen."""

import json

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.support.programs import Programs, an_api, code
from toolquiver.calling import CallError

pytestmark = pytest.mark.usefixtures("strict")

TEXT = {"type": "string"}
PERSON_ID = {"type": "object", "properties": {"person_id": TEXT}}
ROOM = an_api("book_room", {"person_id": TEXT, "day": TEXT}, effect="write")
GIVES_ID = an_api("name_to_id", {"person_name": TEXT}, output=PERSON_ID)
BOOKED = "book_room(UNKNOWN, 'd')"


def sources(**values):
    """For each open argument where it comes from: `value`, a function or `nobody`."""

    def decide(_, schema):
        given = {name: values.get(name, ("nobody", None)) for name in schema["properties"]}
        return {name: {"source": source, "value": value} for name, (source, value) in given.items()}

    return decide


FROM_API = sources(person_id=("name_to_id", None), person_name=("value", "Jack"))


def booking(*plans, apis=(ROOM, GIVES_ID), found=None, book=lambda given: {"booked": given}, **decisions):
    def respond(api, given):
        return book(given) if api.name == "book_room" else found or {"person_id": "p-7"}

    return Programs(*apis, plans=map(code, plans), respond=respond, **({"Sources": FROM_API} | decisions))


def test_a_call_whose_open_argument_came_from_an_api_is_not_made_twice():
    stage = booking(f"x = {BOOKED}\nprint(x)", f"answer = {BOOKED}")
    result = stage.ask(approval="never")
    assert len(stage.made("book_room")) == 1
    assert result["status"] == "solved"


def test_a_call_that_is_complete_only_by_the_chain_is_not_made_again():
    stage = booking("print(book_room('p-7', 'd'))", f"answer = {BOOKED}")
    stage.ask(approval="never")
    assert len(stage.made("book_room")) == 1


def test_what_the_chain_needs_twice_is_read_once():
    other = an_api("greet", {"person_id": TEXT})
    stage = booking(f"{BOOKED}\nanswer = greet(UNKNOWN)", apis=(ROOM, GIVES_ID, other))
    stage.ask(approval="never")
    assert [name for name, _ in stage.made()] == ["name_to_id", "book_room", "name_to_id", "greet"]  # after a write


def test_calls_of_the_chain_count_for_the_limit():
    stage = booking(f"answer = {BOOKED}", "answer = 'no more'")
    stage.ask(approval="never", max_calls=1, max_reflections=0)
    assert [name for name, _ in stage.made()] == ["name_to_id"]
    assert "may make no more" in stage.told()


def test_a_write_that_failed_is_not_made_again_with_the_same_argument_from_the_user():
    def fails(_):
        raise CallError("tool_error", "It failed half-way.")

    stage = booking(f"answer = {BOOKED}", f"answer = {BOOKED}", "give_up('no')", apis=(ROOM,), book=fails)
    saver = InMemorySaver()
    stage.ask(approval="never", saver=saver)
    for _ in range(2):
        stage.ask(Command(resume="p-7"), approval="never", saver=saver)
    assert len(stage.made("book_room")) == 1
    assert "is not made again" in json.dumps([str(one.text) for one in stage.shown[-1]])


def test_an_api_that_has_left_the_step_is_not_offered():
    def respond(api, given):
        if api.name == "name_to_id":
            raise CallError("unauthorized", "No key.")
        return {"booked": given}

    stage = booking("name_to_id('Jack')", f"answer = {BOOKED}", "answer = 'none'", Sources=sources())
    stage._data = respond
    stage.ask(approval="never", max_reflections=0)
    assert stage.made("name_to_id") == [{"person_name": "Jack"}]
    assert "Sources" not in stage.titles()


# ---- what may be taken


@pytest.mark.parametrize("said", ["No such person.", "1010"])
def test_a_text_as_a_whole_is_taken_only_if_the_model_says_so(said):
    named = an_api("name_to_id", {"person_name": TEXT}, output=TEXT, about="The person_id of a person.")
    takes = booking(f"answer = {BOOKED}", apis=(ROOM, named), found=said, Taken={"path": "result"})
    takes.ask(approval="never")
    assert takes.made("book_room") == [{"person_id": said, "day": "d"}]
    refuses = booking(f"answer = {BOOKED}", "No.", apis=(ROOM, named), found=said, Taken={"path": "none"})
    refuses.ask(approval="never")
    assert refuses.made("book_room") == []


def test_the_one_field_that_the_schema_names_is_taken_at_once():
    stage = booking(f"answer = {BOOKED}")
    stage.ask(approval="never")
    assert "Taken" not in stage.titles()


def test_a_field_that_the_schema_does_not_name_is_a_matter_of_the_model():
    stage = booking(f"answer = {BOOKED}", "No.", found={"error": "No such person."}, Taken={"path": "none"})
    stage.ask(approval="never")
    assert stage.made("book_room") == []


def test_an_api_is_offered_by_the_type_of_what_it_returns_whatever_that_is_called():
    bills = an_api("rechnungen", {"kundennummer": TEXT})
    search = an_api(
        "kunde_suchen", {"nachname": TEXT}, output={"type": "object", "properties": {"nr": TEXT}}, about="Kunden."
    )
    chosen = sources(kundennummer=("kunde_suchen", None), nachname=("value", "Huber"))
    stage = Programs(bills, search, plans=code("answer = rechnungen(UNKNOWN)"), Sources=chosen)
    stage._data = lambda api, _: {"nr": "7"} if api.name == "kunde_suchen" else []
    stage.ask()
    assert stage.made("rechnungen") == [{"kundennummer": "7"}]


@pytest.mark.parametrize("program", ["translate('unknown')", "translate(UNKNOWN)"])
def test_the_word_unknown_can_be_sent(program):
    stage = Programs(an_api("translate", {"word": TEXT}), an_api("words", {}, output={"type": "string"}))
    stage.plans = [code(f"answer = {program}")]
    stage.decisions["Sources"] = sources(word=("value", "unknown"))
    stage.ask()
    assert stage.made("translate") == [{"word": "unknown"}]

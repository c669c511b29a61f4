"""What Reverse Chain takes of an output: by its path, copied by code, and of its own tool."""

import pytest

from tests.graphs.chains import (
    NONE,
    Chain,
    a_typed_api,
    as_json,
    from_api,
    value,
)
from toolquiver.catalog import api_id
from toolquiver.context import Context

pytestmark = pytest.mark.usefixtures("strict")

UNDOCUMENTED = "It is not documented what whois returns: that is read from the description."
CODES = (
    a_typed_api("airports", {"city": "string"}, {"airports": {"type": "array", "items": {"type": "object"}}}),
    a_typed_api("delays", {"iata": "string"}, {"minutes": "integer"}),
)


def test_of_several_values_one_is_chosen_by_its_path_and_copied_by_code():
    found = {"airports": [{"iata": "LHR", "name": "Heathrow"}, {"iata": "LGW", "name": "Gatwick"}]}
    chain = Chain(
        *CODES,
        policy=lambda name, *_: value("London") if name == "city" else from_api("airports"),
        respond=as_json(lambda api, _: found if api.name == "airports" else {"minutes": 5}),
        goal="delays",
        Place=lambda text, _: {"path": "airports[1].iata"},
    )
    result = chain.ask("What is the delay at Gatwick in London?")
    assert chain.caller.made[-1] == ("delays", {"iata": "LGW"})
    (text,) = chain.texts("Place")
    assert 'airports[1].iata: "LGW" in {"iata": "LGW", "name": "Gatwick"}' in text
    assert result["status"] == "solved"


PERSON = {"person_id": {"type": "integer"}, "title": {"type": "string"}}
PEOPLE = (
    a_typed_api(
        "search_person",
        {"name": "string"},
        {"people": {"type": "array", "items": {"type": "object", "properties": PERSON}}},
    ),
    a_typed_api("salary", {"person_id": "integer"}, {"amount": "integer"}),
)


@pytest.mark.parametrize(
    ("query", "titles", "taken", "chosen"),
    [
        ("What does the pilot Jack earn?", ["Jack Jones, cook", "Jack Smith, pilot"], 2, True),
        ("What does Jack earn?", ["Jack Jones, cook", "Jack Smith, pilot"], 1, False),
        ("What does the pilot Jack earn?", ["Jack Jones, pilot", "Jack Smith, pilot"], 1, False),
        ("What does the pilot Jack earn?", ["Jack Smith, pilot", "Jack"], 2, False),
    ],
)
def test_of_the_hits_of_a_search_one_is_chosen_where_the_request_says_more_than_its_name(query, titles, taken, chosen):
    hits = [{"person_id": number, "title": title} for number, title in enumerate(titles, 1)]
    chain = Chain(
        *PEOPLE,
        policy=lambda name, *_: value("Jack") if name == "name" else from_api("search_person"),
        respond=as_json(lambda api, _: {"people": hits} if api.name == "search_person" else {"amount": 3}),
        goal="salary",
        Place={"path": "people[1].person_id"},
    )
    assert chain.ask(query)["status"] == "solved"
    assert chain.caller.made[-1] == ("salary", {"person_id": taken})
    assert ("Place" in chain.titles()) is chosen


@pytest.mark.parametrize(
    ("returned", "wanted", "found", "taken"),
    [
        ("string", {"type": "integer"}, "17", 17),
        ("integer", {"type": "array", "items": {"type": "integer"}}, 17, [17]),
    ],
)
def test_a_value_of_the_same_name_is_converted(returned, wanted, found, taken):
    apis = [
        a_typed_api("Name2ID", {"person_name": "string"}, {"person_ID": returned}),
        a_typed_api("Greet", {"person_ID": wanted}, {}),
    ]
    chain = Chain(
        *apis,
        policy=lambda name, offered, _: value("Jack") if name == "person_name" else from_api(offered[0]),
        respond=as_json(lambda *_: {"person_ID": found}),
        goal="Greet",
    )
    assert chain.ask("Greet Jack.")["status"] == "solved"
    assert chain.caller.made[-1] == ("Greet", {"person_ID": taken})


def test_without_a_valid_choice_of_a_path_nothing_is_taken():
    found = {"airports": [{"iata": "LHR", "name": "Heathrow"}, {"iata": "LGW", "name": "Gatwick"}]}
    chain = Chain(
        *CODES,
        policy=lambda name, *_: value("London") if name == "city" else from_api("airports"),
        respond=as_json(lambda *_: found),
        goal="delays",
        Place={"path": "airports[7].iata"},
    )
    result = chain.ask("What is the delay at Gatwick in London?")
    assert [name for name, _ in chain.caller.made] == ["airports"]
    assert (result["status"], [entry["name"] for entry in result["unfilled"]]) == ("failed", ["iata"])


def test_of_several_that_are_called_what_was_searched_for_the_first_is_taken_where_the_model_takes_none():
    found = {"airports": [{"iata": "LHR", "name": "London"}, {"iata": "YXU", "name": "London"}]}
    chain = Chain(
        *CODES,
        policy=lambda name, *_: value("London") if name == "city" else from_api("airports"),
        respond=as_json(lambda api, _: found if api.name == "airports" else {"minutes": 5}),
        goal="delays",
        Place={"path": "none of these"},
    )
    result = chain.ask("What is the delay in London?")
    assert chain.caller.made[-1] == ("delays", {"iata": "LHR"})
    assert result["status"] == "solved"


@pytest.mark.parametrize("output", [{"airports": []}, {"airports": [{"name": "Heathrow", "size": 3}]}, "broken", {}])
def test_an_output_without_the_value_rules_its_api_out_for_the_argument(output):
    chain = Chain(
        *CODES,
        policy=lambda name, offered, _: (
            value("London") if name == "city" else from_api("airports") if "airports" in offered else NONE
        ),
        respond=as_json(lambda api, _: output),
        goal="delays",
        Place=lambda _, schema: {"path": "none of these"},
    )
    result = chain.ask("What is the delay in London?")
    assert result["status"] == "failed"
    assert [entry["name"] for entry in result["unfilled"]] == ["iata"]
    assert [name for name, _ in chain.caller.made] == ["airports"]


def test_an_api_without_an_output_schema_is_offered_by_its_description_and_that_is_said():
    apis = [
        a_typed_api("whois", {"name": "string"}, None, description="Find the person with a name: id and address."),
        a_typed_api("salary", {"person_id": "integer"}, {"amount": "integer"}),
    ]
    chain = Chain(
        *apis,
        policy=lambda name, *_: value("Jack") if name == "name" else from_api("whois"),
        respond=as_json(lambda api, _: {"id": 5} if api.name == "whois" else {"amount": 3}),
        goal="salary",
    )
    solved = chain.ask("What does Jack earn?")
    assert (solved["status"], solved["reason"]) == ("solved", f"Every subtask was answered. {UNDOCUMENTED}")
    assert "it is not documented what it returns" in chain.texts("Completion")[0]
    assert chain.caller.made[-1] == ("salary", {"person_id": 5})
    planned = chain.ask("What does Jack earn?", plan_only=True)
    assert planned["reason"].endswith(UNDOCUMENTED)
    assert ["by its description" in node["thought"] for node in planned["tree"]] == [False, False, True]
    chain.answers["Drafted"] = {"call": "salary(whois('Jack'))"}
    assert chain.ask("What does Jack earn?", drafts=True)["status"] == "solved"
    (listed,) = [line for line in chain.texts("Drafted")[0].splitlines() if "whois(" in line]
    assert listed.endswith("(it is not documented what it returns)")


@pytest.mark.parametrize(("tool", "offered"), [("payroll", ["colleagues"]), ("zoo", [])])
def test_over_a_catalogue_an_id_is_taken_of_its_own_tool_only(tool, offered):
    apis = [
        a_typed_api("colleagues", {"floor": "string"}, {"person_id": "integer"}, description="Who works where."),
        a_typed_api("salary", {"person_id": "integer"}, {"amount": "integer"}, description="What a salary is."),
    ]
    placed = [
        api.model_copy(update={"tool": name, "id": api_id("tests", name, api.name)})
        for api, name in zip(apis, (tool, "payroll"), strict=True)
    ]
    others = [a_typed_api(f"tide{n}", {"sea": "string"}, {"height": "number"}) for n in range(30)]
    chain = Chain(*placed, *others, policy=lambda *_: NONE, respond=as_json(lambda *_: {}), goal="salary")
    context = Context(planner=False, drafts=False, ask=False)
    chain.build().invoke({"query": "What is the salary of Jack?"}, context=context)
    assert dict(chain.offered)["person_id"] == offered


@pytest.mark.parametrize("output", ["", "{}", "null"])
@pytest.mark.parametrize(
    ("name", "method", "status"),
    [("delete_room", "DELETE", "solved"), ("cancel_room", "CALL", "solved"), ("find_room", "GET", "failed")],
)
def test_a_change_that_returns_nothing_is_done_and_what_only_reads_has_found_nothing(name, method, status, output):
    api = a_typed_api(name, {"room": "string"}, None, method=method)
    chain = Chain(api, policy=lambda *_: value("R2"), respond=lambda *_: output)
    result = chain.ask("See to the room R2.")
    assert (result["status"], result["calls"][0]["ok"]) == (status, True)
    assert (f'{name}(room="R2") is done.' in result["answer"]) == (status == "solved")

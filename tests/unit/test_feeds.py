"""What can feed what: by type, by name, by description, in that order; and found in a catalogue of any size."""

import pytest

from tests.support.reverse_chain_stage import typed_api
from toolquiver.catalog import Catalog
from toolquiver.catalog.feeds import output_fields
from toolquiver.catalog.fits import Fit, feeding
from toolquiver.catalog.outputs import can_hold, fields_of, kinds, path_text

TEXT, WHOLE, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}


def a_list(items):
    return {"type": "array", "items": items}


def an_object(**properties):
    return {"type": "object", "properties": properties}


def paths(schema):
    return [path_text(field.path) for field in fields_of(schema)]


def test_every_field_of_an_output_has_its_path():
    schema = an_object(total=WHOLE, items=a_list(an_object(id=WHOLE, owner=an_object(name=TEXT))))
    assert paths(schema) == ["total", "items", "items[]", "items[].id", "items[].owner", "items[].owner.name"]
    assert paths(TEXT) == ["the whole output"]
    assert paths(a_list(TEXT)) == ["the whole output", "[]"]
    assert paths(None) == []


def test_references_and_alternatives_are_followed_and_circles_end():
    schema = {
        "anyOf": [{"$ref": "#/$defs/person"}, {"type": "null"}],
        "$defs": {"person": an_object(name=TEXT, friend={"$ref": "#/$defs/person"}, other={"$ref": "#/nowhere"})},
    }
    inner = {"$ref": "#/$defs/person", "$defs": schema["$defs"]}
    assert {"name", "friend.name", "friend.friend.name", "other"} <= set(paths(inner))
    assert len(fields_of(inner)) < 81


@pytest.mark.parametrize(
    ("schema", "names"),
    [
        (a_list(an_object(sku=TEXT)), ["sku"]),
        (a_list(an_object(sku=TEXT)) | {"type": ["array", "null"]}, ["sku"]),
        ({"anyOf": [{"allOf": [an_object(sku=TEXT)]}, {"type": "null"}]}, ["sku"]),
        ({"type": "array", "prefixItems": [TEXT], "items": False}, []),
        ({"type": "array", "items": True}, []),
        ({"type": "array"}, []),
        (None, []),
    ],
)
def test_the_fields_of_an_output_are_those_of_its_object_or_of_the_objects_in_its_list(schema, names):
    assert output_fields(schema) == names


@pytest.mark.parametrize("null", [{"anyOf": None}, {"allOf": None, "oneOf": None}])
def test_a_choice_of_nothing_says_nothing(null):
    assert paths(null | an_object(sku=TEXT)) == ["sku"]
    assert paths(null) == ["the whole output"]


def test_what_may_be_null_holds_what_it_holds():
    assert paths({"anyOf": [{"allOf": [an_object(at=an_object(id=WHOLE))]}, {"type": "null"}]})[-1] == "at.id"
    assert paths({"anyOf": [a_list(TEXT), {"type": "null"}]}) == ["the whole output", "[]"]
    assert paths(an_object(a=TEXT) | {"allOf": [an_object(b=TEXT)]}) == ["a", "b"]


@pytest.mark.parametrize(
    ("given", "wanted", "fits"),
    [
        (WHOLE, NUMBER, True),
        (WHOLE, TEXT, True),
        (TEXT, WHOLE, False),
        ({}, WHOLE, True),
        (WHOLE, {}, True),
        ({"type": ["string", "null"]}, TEXT, True),
        ({"enum": ["a", "b"]}, TEXT, True),
        ({"enum": ["a", "b"]}, NUMBER, False),
        ({"type": "boolean"}, TEXT, False),
        (a_list(TEXT), a_list(TEXT), True),
        (a_list(TEXT), a_list(NUMBER), False),
        (an_object(a=TEXT), TEXT, False),
        ({"type": "object"}, TEXT, True),  # nothing is told of what is in it
    ],
)
def test_types_widen_but_do_not_change(given, wanted, fits):
    (field, *_) = fields_of({"type": "object", "properties": {"x": given}})
    assert can_hold(field, wanted) is fits


def test_the_values_of_a_list_together_are_a_list():
    *_, price = fields_of(a_list(an_object(price=NUMBER)))
    assert can_hold(price, a_list(NUMBER))
    assert not can_hold(price, a_list(TEXT)) or kinds(TEXT) == {"string"}


def fit(outputs, inputs, *, name="find_person", consumer="book", **more):
    producer, taker = typed_api(name, {"q": "string"}, outputs), typed_api(consumer, inputs, {}, **more)
    return feeding(producer, taker, taker.parameter_list()[0]).fit


@pytest.mark.parametrize(
    ("outputs", "inputs", "expected"),
    [
        ({"person_id": WHOLE}, {"person_id": WHOLE}, Fit.SAME),
        ({"personID": WHOLE}, {"person_id": TEXT}, Fit.SAME),
        ({"latitude": NUMBER}, {"lat1": NUMBER}, Fit.SAME),
        ({"id": WHOLE}, {"person_id": WHOLE}, Fit.NAMED),
        ({"id": WHOLE}, {"room_id": WHOLE}, Fit.TYPE),
        ({"date": TEXT}, {"start_date": TEXT}, Fit.NAMED),
        ({"iata": TEXT}, {"code": {"type": "string", "description": "IATA code of the airport"}}, Fit.DESCRIBED),
        ({"name": TEXT}, {"person": {"type": "string", "description": "name of the person"}}, Fit.DESCRIBED),
        ({"name": TEXT}, {"room": {"type": "string", "description": "name of the room"}}, Fit.TYPE),
        ({"result": NUMBER}, {"x": NUMBER}, Fit.RESULT),
        ({"weight": NUMBER}, {"x": NUMBER}, Fit.TYPE),
        ({"person_id": TEXT}, {"person_id": WHOLE}, Fit.CONVERTED),
        ({"unit": TEXT}, {"mode": {"enum": ["a", "b"]}}, Fit.NOT),
        ({"mode": TEXT}, {"mode": {"enum": ["a", "b"]}}, Fit.SAME),
    ],
)
def test_names_and_descriptions_tell_how_well_it_fits(outputs, inputs, expected):
    assert fit(outputs, inputs) == expected


def test_what_an_api_needs_itself_it_gives_less_well():
    echo = typed_api("capital", {"country": "string"}, {"country": "string", "capital": "string"})
    taker = typed_api("area", {"country": "string"}, {})
    assert feeding(echo, taker, taker.parameter_list()[0]).fit == Fit.DESCRIBED


def test_without_an_output_schema_the_description_tells():
    api = typed_api("whois", {"q": "string"}, None, description="The person behind a name.")
    taker = typed_api("book", {"person_id": "integer", "room": "string"}, {})
    person, room = taker.parameter_list()
    assert (feeding(api, taker, person).fit, feeding(api, taker, room).fit) == (Fit.DESCRIBED, Fit.NOT)


def test_without_an_output_schema_nobody_gives_what_it_needs_itself():
    words = typed_api("words", {"number": "integer"}, None, description="A number in words.")
    digits = typed_api("digits", {"words": "string"}, None, description="The number that words say.")
    taker = typed_api("speak", {"number": "integer"}, {})
    (number,) = taker.parameter_list()
    assert (feeding(words, taker, number).fit, feeding(digits, taker, number).fit) == (Fit.NOT, Fit.DESCRIBED)


def test_a_catalogue_finds_the_producers_of_a_parameter():
    taker = typed_api("book", {"person_id": "integer"}, {"room": "string"})
    deep = {"people": a_list(an_object(person_id=WHOLE))}
    with Catalog.create() as catalog:
        catalog.add(
            taker,
            typed_api("find_person", {"q": "string"}, {"id": "integer"}),
            typed_api("list_people", {}, deep),
            typed_api("find_room", {"q": "string"}, {"room_id": "integer"}),
            *(typed_api(f"other{n}", {"q": "string"}, {f"thing{'ab'[n % 2]}": "string"}) for n in range(30)),
        )
        found = catalog.producers_of(taker, taker.parameter_list()[0])
        assert [(fed.api.name, fed.fit) for fed in found] == [("list_people", Fit.SAME), ("find_person", Fit.NAMED)]
        catalog.remove("tests/tests/list_people")
        assert [fed.api.name for fed in catalog.producers_of(taker, taker.parameter_list()[0])] == ["find_person"]


def test_among_many_that_return_a_field_those_of_the_own_tool_are_looked_at_first():
    many = [typed_api(f"other{n}", {}, {"id": "integer"}) for n in range(310)]
    mine = typed_api("find_person", {"q": "string"}, {"person": an_object(id=WHOLE)}).model_copy(
        update={"tool": "people", "id": "tests/people/find_person"}
    )
    taker = typed_api("book", {"id": "integer"}, {}).model_copy(
        update={"tool": "people", "id": "tests/people/book", "description": "Book a person."}
    )
    with Catalog.create() as catalog:
        catalog.add(*many, mine, taker)
        found = catalog.producers_of(taker, taker.parameter_list()[0])
        assert "find_person" in [fed.api.name for fed in found]


def test_two_fields_that_are_like_one_argument_feed_but_one():
    taker = typed_api("say", {"number": "number"}, {})
    counts = typed_api("analysts", {"symbol": "string"}, {"numberOfSales": "integer", "numberOfCosts": "integer"})
    with Catalog.create() as catalog:
        catalog.add(taker, counts)
        assert catalog.producers([taker]) == []


def test_over_a_catalogue_a_producer_is_found_by_what_only_a_description_says():
    code = {"type": "string", "description": "The IATA abbreviation."}
    apis = [
        typed_api("find_airport", {"city": "string"}, {"code": code}, description="Find it."),
        typed_api("delays", {"iata": "string"}, {"minutes": "integer"}, description="How late they are."),
        typed_api("whois", {"name": "string"}, None, description="Find the person with a name: id and address."),
        typed_api("salary", {"person_id": "integer"}, {"amount": "integer"}, description="What one is paid."),
    ]
    with Catalog.create() as catalog:
        catalog.add(*apis)
        for consumer, producer in ((apis[1], apis[0]), (apis[3], apis[2])):
            (parameter,) = consumer.parameter_list()
            assert [(fed.api.name, fed.fit) for fed in catalog.producers_of(consumer, parameter)] == [
                (producer.name, Fit.DESCRIBED)
            ]
            assert catalog.producers([consumer]) == []
        catalog.update(apis[2].model_copy(update={"description": "Say hello."}))
        assert catalog.producers_of(apis[3], apis[3].parameter_list()[0]) == []


@pytest.mark.parametrize(
    ("given", "wanted", "fit"),
    [
        (TEXT, WHOLE, Fit.CONVERTED),
        (TEXT, NUMBER, Fit.CONVERTED),
        (WHOLE, a_list(WHOLE), Fit.CONVERTED),
        (TEXT, a_list(WHOLE), Fit.NOT),
        (a_list(WHOLE), WHOLE, Fit.SAME),
        (a_list(TEXT), WHOLE, Fit.CONVERTED),
        (TEXT, {"type": "boolean"}, Fit.NOT),
        (TEXT, {"enum": [1, 2]}, Fit.NOT),
    ],
)
def test_what_is_called_the_same_fits_less_where_it_must_be_converted(given, wanted, fit):
    producer = typed_api("find", {"name": "string"}, {"person_id": given})
    consumer = typed_api("greet", {"person_id": wanted}, {})
    assert feeding(producer, consumer, consumer.parameter_list()[0]).fit == fit
    other = typed_api("find", {"name": "string"}, {"room_id": given})
    if fit == Fit.CONVERTED:
        assert feeding(other, consumer, consumer.parameter_list()[0]).fit == Fit.NOT

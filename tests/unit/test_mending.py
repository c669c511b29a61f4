"""What a draft leaves out of a request, and where it is put in."""

import pytest

from tests.graphs.chains import a_typed_api
from toolquiver.nodes.scripts.drafts import read_drafts
from toolquiver.nodes.scripts.left_out import left_out, made_up, omissions, unsaid
from toolquiver.nodes.scripts.mending import mended


def api(name, inputs, output, description="", optional=()):
    made = a_typed_api(name, inputs, output, optional=optional)
    return made.model_copy(update={"function": name, "description": description})


PLACE = {"latitude": "number", "longitude": "number"}
CITY = PLACE | {"country_code": "string"}
APIS = [
    api(
        "find_city", {"name": "string", "country": "string"}, PLACE | {"country_code": "string"}, optional=("country",)
    ),
    api("capital", {"country": "string"}, {"capital": "string"}, "The capital of a country."),
    api("sunset", PLACE | {"zone": "string"}, {"time": "string"}, optional=("zone",)),
    api("geohash", PLACE, {"hash": "string"}),
    api("date_add", {"date": "string", "days": "integer"}, {"date": "string"}),
    api("add_business_days", {"start": "string", "days": "integer"}, {"date": "string"}),
    api("easter", {"year": "integer"}, {"date": "string"}),
    api("weekday", {"date": "string"}, {"day": "string"}),
    api("nth_prime", {"n": "integer"}, {"result": "integer"}),
    api("euler_phi", {"n": "integer"}, {"result": "integer"}, "Euler's totient."),
    api("words", {"number": "integer"}, {"text": "string"}),
    api("albums", {"artist_id": "string"}, {"albums": "string"}),
    api("artist", {"artist_id": "string"}, {"artist_id": "string", "born": "string"}),
    api("search_artist", {"name": "string"}, {"artist_id": "string"}),
]
BY_NAME = {one.function: one for one in APIS}


def last(text, apis, task=""):
    """The call that was written last."""
    return read_drafts(text, apis, task)[-1].draft


def kept(text, task, *functions):
    """The draft over these functions and those that it calls, mended and written as a call again."""
    shown = [one for one in APIS if one.function in functions or one.function + "(" in text]
    apis = {one.id: one for one in shown}
    return _written(mended(last(text, shown, task), apis, task, [task], described=True), apis)


def _written(draft, apis):
    given = [f"{name}={value!r}" for name, value in draft["values"].items()]
    given += [f"{name}={_written(call, apis)}" for name, call in draft["calls"].items()]
    return f"{apis[draft['api']].function}({', '.join(given)})"


@pytest.mark.parametrize(
    ("task", "text", "left", "whole"),
    [
        (  # what is asked for is around the rest
            "On which weekday is Easter 2031?",
            "easter(year=2031)",
            "weekday",
            "weekday(date=easter(year=2031))",
        ),
        (  # said of another call, it is around that
            "How is the totient of the 26th prime written in words?",
            "words(nth_prime(26))",
            "euler_phi",
            "words(number=euler_phi(n=nth_prime(n=26)))",
        ),
        (  # a number is of what is counted by it
            "Which date is 17 business days after 14 days after Easter 2041?",
            "date_add(date_add(easter(2041), 14), 17)",
            "add_business_days",
            "add_business_days(days=17, start=date_add(days=14, date=easter(year=2041)))",
        ),
        (  # a number that no call takes is of what counts by its unit, before what is named behind it
            "Which weekday is 41 business days after the date 45 days after Easter 2038?",
            "weekday(add_business_days(easter(2038), 41))",
            "date_add",
            "weekday(date=add_business_days(days=41, start=date_add(days=45, date=easter(year=2038))))",
        ),
        (  # and of nothing where nothing is named behind it
            "On which weekday is Easter 2041, where our 45 days begin?",
            "weekday(easter(2041))",
            "date_add",
            "weekday(date=easter(year=2041))",
        ),
        (  # the one text is what it takes; a country that is not named is found by what is
            "What is the geohash of the capital of the country where Lima lies?",
            "geohash(latitude=find_city('Lima').latitude)",
            "capital",
            "geohash(latitude=find_city(name=capital(country=find_city(name='Lima'))))",
        ),
        (  # a name is no ID
            "Which albums did Miles Davis record?",
            "albums('Miles Davis')",
            "artist search_artist",
            "albums(artist_id=search_artist(name='Miles Davis'))",
        ),
        ("Which albums did artist A7 record?", "albums('A7')", "search_artist", "albums(artist_id='A7')"),
        (  # what only another API makes of it is the chain's to put in
            "What is the geohash of the capital of Egypt?",
            "capital('Egypt')",
            "geohash find_city",
            "geohash(latitude=capital(country='Egypt'), longitude=capital(country='Egypt'))",
        ),
    ],
)
def test_what_is_left_out_is_put_in_where_the_request_has_it(task, text, left, whole):
    assert kept(text, task, *left.split()) == whole


def test_what_is_made_up_and_what_nobody_asked_for_is_left_out():
    task = "When does the sun set in Oslo?"
    text = "sunset(find_city('Oslo', 'Norway').latitude, 10.75, zone=find_city('Oslo').country_code)"
    assert kept(text, task) == "sunset(latitude=find_city(name='Oslo'))"


@pytest.mark.parametrize(
    ("output", "whole"),
    [
        ({"year": "integer", "day": "integer", "month_name": "string"}, "hijri(date=add_weeks(weeks=3, start=easter("),
        ({"day": "string"}, "add_weeks(weeks=3, start=hijri(date=easter("),
        ({"hijri": {"type": "string", "format": "date"}}, "add_weeks(weeks=3, start=hijri(date=easter("),
    ],
)
def test_what_gives_no_day_is_not_where_one_is_wanted(output, whole):
    day = {"type": "string", "format": "date"}
    apis = [
        api("easter", {"year": "integer"}, {"date": "string"}),
        api("add_weeks", {"start": day, "weeks": "integer"}, {"date": "string"}),
        api("hijri", {"date": day}, output),
    ]
    task, by_id = "What is the Hijri date 3 weeks after Easter 2041?", {one.id: one for one in apis}
    draft = last("add_weeks(hijri(easter(2041)), 3)", apis, task)
    assert _written(mended(draft, by_id, task, [task], described=True), by_id) == f"{whole}year=2041)))"


def test_where_values_need_not_stand_anywhere_they_are_kept():
    task, apis = "When does the sun set?", {one.id: one for one in APIS}
    draft = last("sunset(59.9, 10.75)", APIS)
    assert mended(draft, apis, task, None, described=True)["values"] == {"latitude": 59.9, "longitude": 10.75}
    assert mended(draft, apis, task, [task], described=True)["values"] == {}
    assert made_up([draft], apis, [task]) == 2
    assert made_up([draft], apis, None) == 0


def test_what_nothing_speaks_of_is_left_alone():
    task = "Which date is 14 days after Easter 2041?"
    text = "date_add(days=14, date=easter(year=2041))"
    assert kept(text, task, "capital", "weekday", "euler_phi") == text


def test_only_given_candidates_are_known_by_their_descriptions():
    task, apis = "The totient of the 3rd prime", {one.id: one for one in APIS}
    draft = last("nth_prime(3)", APIS)
    assert [one.function for one in left_out([draft], apis, task, described=True)] == ["euler_phi"]
    assert left_out([draft], apis, task, described=False) == []


@pytest.mark.parametrize(
    ("text", "missing", "invented"),
    [
        ("sunset(find_city('Lima').latitude, find_city('Lima').longitude)", 0, 0),
        ("sunset(find_city('Lima').latitude)", 1, 0),  # no longitude
        ("sunset(find_city('Quito').latitude, find_city('Quito').longitude)", 1, 1),  # Lima is not in it
    ],
)
def test_what_speaks_against_a_draft_is_what_is_missing_and_what_is_made_up(text, missing, invented):
    task, apis = "When does the sun set in Lima?", {one.id: one for one in APIS}
    draft = last(text, APIS)
    assert omissions([draft], apis, task, described=True) == missing
    assert made_up([draft], apis, [task]) == invented


def test_two_words_may_be_one_of_a_call():
    apis = {one.id: one for one in APIS}
    draft = last("sunset(find_city('Lima').latitude, find_city('Lima').longitude)", APIS)
    assert unsaid([draft], apis, "When does the sun set in Lima?") == []
    assert unsaid([draft], apis, "When does the sun of Lima set?") == ["sun"]


def test_a_word_that_many_apis_have_is_left_out_once():
    others = [api(f"{kind}_word", {"text": "string"}, {"result": "string"}) for kind in ("count", "spell", "guess")]
    apis = {one.id: one for one in [*APIS, *others]}
    draft, task = last("nth_prime(1999)", APIS), "A word for prime 1999 and a capital"
    assert len(left_out([draft], apis, task, described=False)) == 5
    assert omissions([draft], apis, task, described=False) == 2

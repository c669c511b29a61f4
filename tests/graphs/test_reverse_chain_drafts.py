"""A reverse chain that begins with a draft: it takes what holds, and asks for the rest as ever."""

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tests.graphs.chains import BOOK, BOOKING, NONE, Chain, a_typed_api, booking, books, value
from toolquiver.calling import CallError
from toolquiver.context import Context

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")

GOOD = (
    "BookRoom(person_ID=Name2ID('Jack')['person_ID'], "
    "room_ID=RecommendRoom(start_time='9am', end_time='10am'), start_time='9am', end_time='10am')"
)
NESTED = (
    "BookRoom(person_ID=Name2ID(person_name='Jack'), "
    "room_ID=RecommendRoom(start_time='9am', end_time='10am'), start_time='9am', end_time='10am')"
)

pytestmark = pytest.mark.usefixtures("strict")


def drafted(call, **more):
    return booking(Drafted={"call": call}, **more)


@pytest.mark.parametrize("kind", ["none", "memory", "sqlite"])
def test_a_draft_that_holds_is_the_plan_and_nothing_else_is_asked(kind, tmp_path):
    chain, thread = drafted(GOOD), {"configurable": {"thread_id": "one"}}
    if kind == "sqlite":
        with sqlite.SqliteSaver.from_conn_string(str(tmp_path / "state.db")) as saver:
            result = chain.ask(BOOK, checkpointer=saver, config=thread, drafts=True)
    else:
        saver = InMemorySaver() if kind == "memory" else None
        result = chain.ask(BOOK, checkpointer=saver, config=thread, drafts=True)
    assert result["plan"] == [NESTED]
    assert chain.titles() == ["Drafted", "Digest"]
    assert chain.caller.made[-1] == (
        "BookRoom",
        {"person_ID": 17, "room_ID": "R2", "start_time": "9am", "end_time": "10am"},
    )


def test_what_stands_in_no_text_is_asked_for():
    chain = drafted(GOOD.replace("Name2ID('Jack')['person_ID']", "4711").replace("end_time='10am')", "end_time='2pm')"))
    result = chain.ask(BOOK, drafts=True)
    assert result["plan"] == [NESTED]
    assert "4711" not in str(result["calls"]) + result["answer"]
    assert {name for name, _ in chain.offered} == {"person_ID", "person_name", "end_time"}


@pytest.mark.parametrize(("method", "kept"), [("POST", {}), ("GET", {"notify_all": True, "tone": "formal"})])
@pytest.mark.parametrize("saver", [None, InMemorySaver()])
def test_what_changes_something_takes_no_option_that_nobody_spoke_of(method, kept, saver):
    inputs = {"room": "string", "notify_all": "boolean", "tone": {"enum": ["formal", "plain"]}, "guest": "string"}
    book = a_typed_api("book", inputs, {}, method=method, optional=("notify_all", "tone", "guest"))
    other = a_typed_api("find_room", {"size": "integer"}, {"room": "string"})
    chain = Chain(
        book,
        other,
        policy=lambda *_: NONE,
        respond=lambda *_: '{"booked": true}',
        Drafted={"call": "book(room='R2', notify_all=True, tone='formal', guest='Jill')"},
    )
    thread = {"configurable": {"thread_id": method}}
    chain.ask("Book room R2 for Jill.", drafts=True, checkpointer=saver, config=thread)
    assert chain.caller.made == [("book", {"room": "R2", "guest": "Jill"} | kept)]


@pytest.mark.parametrize("call", ["book a room", "BookRoom(", "Unknown(x=1)", "open('x')"])
def test_where_nothing_can_be_read_the_api_is_chosen(call):
    chain = drafted(call, Scripted={"lines": ["# nothing", call]})
    assert chain.ask(BOOK, drafts=True)["plan"] == [NESTED]
    assert chain.titles()[:5] == ["Drafted", "Drafted", "Scripted", "Scripted", "Choice"]


def test_a_draft_that_leaves_something_out_is_written_once_more_as_lines():
    lines = [
        "# the person",
        "person = Name2ID(person_name='Jack')",
        "# a room that is free",
        "room = RecommendRoom(start_time='9am', end_time='10am')",
        "booked = BookRoom(person_ID=person.person_ID, room_ID=room.room_ID, start_time='9am', end_time='10am')",
    ]
    chain = drafted("BookRoom(start_time='9am', end_time='10am', room_ID='R9')", Scripted={"lines": lines})
    assert chain.ask(BOOK, drafts=True)["plan"] == [NESTED]
    assert chain.titles() == ["Drafted", "Scripted", "Digest"]


TWO = "Book a room for Jack from 9am to 10am, and find out the ID of Jill."
LINES = [
    "# a room for Jack",
    "person = Name2ID('Jack')",
    "room = RecommendRoom(start_time='9am', end_time='10am')",
    "# book it",
    "booked = BookRoom(person_ID=person, room_ID=room, start_time='9am', end_time='10am')",
    "# the ID of Jill",
    "other = Name2ID('Jill')",
]


def test_lines_of_several_goals_are_several_chains_in_one_request():
    chain = drafted(GOOD, Scripted={"lines": LINES})
    result = chain.ask(TWO, drafts=True)
    assert result["plan"] == [NESTED, "Name2ID(person_name='Jill')"]
    assert result["subtasks"] == ["book it", "the ID of Jill"]
    assert chain.titles() == ["Drafted", "Scripted", "Digest", "Digest", "FinalAnswer"]
    assert len(chain.caller.made) == 4


def test_goals_of_which_the_same_is_said_are_told_apart():
    chain = booking(Scripted={"lines": ["Name2ID('Jack')", "Name2ID('Jill')"]})
    result = chain.ask("Find out the ID of Jack. Then that of Jill.", drafts=True)
    assert result["subtasks"] == ["Name2ID", "Name2ID (2)"]
    assert chain.titles() == ["Scripted", "Digest", "Digest", "FinalAnswer"]


def test_a_call_that_the_request_does_not_need_is_no_goal():
    chain = drafted(GOOD.replace("'Jack'", "'Bob'"), Scripted={"lines": ["RecommendRoom('9am', '10am')", GOOD]})
    assert chain.ask(BOOK, drafts=True)["plan"] == [NESTED]


def test_the_better_of_two_drafts_counts():
    chain = drafted(GOOD.replace("'10am')", "'11am')"), Scripted={"lines": ["Name2ID('Peter')"]})
    chain.ask(BOOK, drafts=True)
    assert chain.titles()[:2] == ["Drafted", "Scripted"]
    assert chain.caller.made[-1][0] == "BookRoom"


def test_a_draft_whose_api_fails_is_not_written_again():
    def respond(api, _):
        if api.name == "Name2ID":
            raise CallError("tool_error", "no such person")
        return '{"room_ID": "R2"}'

    written = {"Drafted": {"call": "Name2ID('Jack')"}, "Scripted": {"lines": ["Name2ID('Jack')"]}}
    chain = Chain(*BOOKING, policy=books, respond=respond, goal="RecommendRoom", **written)
    result = chain.ask("Which person is Jack, from 9am to 10am?", drafts=True)
    assert result["plan"] == ["RecommendRoom(start_time='9am', end_time='10am')"]
    assert chain.titles().count("Drafted") == 1


def test_an_optional_argument_is_what_the_draft_says():
    api = a_typed_api("tell", {"name": "string", "loud": "string"}, {"told": "string"}, optional=("loud",))
    other = a_typed_api("other", {"name": "string"}, {"x": "string"})
    policy = {"name": value("Ann"), "loud": value("very")}
    for call, plan in (("tell('Ann')", "tell(name='Ann')"), ("tell('Ann', 'very')", "tell(name='Ann', loud='very')")):
        chain = Chain(
            api, other, policy=lambda name, *_: policy[name], respond=lambda *_: '{"told": "x"}', Drafted={"call": call}
        )
        assert chain.ask("Tell Ann, loud, very loud.", drafts=True)["plan"] == [plan]


def test_with_one_api_or_with_drafts_off_nothing_is_drafted():
    alone = Chain(BOOKING[1], policy=books, respond=lambda *_: '{"room_ID": "R2"}')
    alone.ask(BOOK, drafts=True)
    off = booking()
    off.ask(BOOK, drafts=False)
    assert "Drafted" not in [*alone.titles(), *off.titles()]


def artists(**written):
    """More APIs than a draft is shown, of which one needs an artist's ID."""
    texts = {"type": "array", "items": {"type": "string"}}
    albums = a_typed_api("albums_of_artist", {"artist_id": "string"}, {"albums": texts})
    photos = a_typed_api("photos_of_artist", {"artist_id": "string"}, {"photos": texts})
    search = a_typed_api("find", {"name": "string"}, {"artist_id": "string"})
    others = [a_typed_api(f"albums_{number}", {"year": "integer"}, {"names": "string"}) for number in range(3)]
    return Chain(*others, search, albums, photos, policy=books, respond=lambda *_: '{"artist_id": "A7"}', **written)


ALBUMS, ALBUMS_PLAN = (
    "Which albums are of the artist Miles Davis?",
    "albums_of_artist(artist_id=find(name='Miles Davis'))",
)


def test_of_things_with_ids_a_script_is_written():
    chain = artists(Text="# the artist\nartist = find('Miles Davis')\n# the albums\nanswer = albums_of_artist(artist)")
    result = chain.ask(ALBUMS, drafts=True, top_k=2)
    assert result["plan"] == [ALBUMS_PLAN]
    assert [name for name, _ in chain.caller.made] == ["find", "albums_of_artist"]
    assert chain.caller.made[-1][1] == {"artist_id": "A7"}
    assert chain.titles() == ["Text", "Digest"]
    assert "albums_of_artist(artist)" in chain.asked[0][1]


def test_what_no_api_tells_by_name_the_model_chooses_an_api_for():
    chain = artists(Text="artist = find('Miles Davis')\nanswer = artist.records", goal="albums_of_artist")
    assert chain.ask(ALBUMS, drafts=True, top_k=2)["plan"] == [ALBUMS_PLAN]
    assert chain.titles() == ["Text", "Choice", "Digest"]
    assert "tells the records of one artist" in chain.asked[1][1]


def test_of_many_candidates_one_that_needs_an_id_brings_along_what_gives_it():
    chain = artists(Text="I do not know.", Drafted={"call": "albums_of_artist(find('Miles Davis'))"})
    result = chain.ask(ALBUMS, drafts=True, top_k=2)
    assert result["plan"] == [ALBUMS_PLAN]
    assert chain.titles()[:2] == ["Text", "Drafted"]
    assert "Scripted" not in chain.titles()


def test_of_a_small_catalogue_all_apis_are_listed_for_a_script_about_things():
    chain = artists(Text="artist = find('Miles Davis')\nanswer = albums_of_artist(artist)")
    result = chain.build().invoke({"query": ALBUMS}, context=Context(top_k=2, call_retries=0, planner=False))
    assert result["plan"] == [ALBUMS_PLAN]
    (script,) = (text for title, text in chain.asked if title == "Text")
    assert all(f"- {name}(" in script for name in ("albums_0", "find", "photos_of_artist"))


def test_a_call_that_was_written_into_itself_is_made_once():
    apis = [
        a_typed_api("offset", {"zone": "string"}, {"hours": "integer"}, description="Hours from UTC."),
        a_typed_api("city", {"name": "string"}, {"zone": "string"}, description="Look up a city."),
    ]
    chain = Chain(
        *apis,
        policy=lambda *_: NONE,
        respond=lambda api, _: '{"zone": "CET"}' if api.name == "city" else '{"hours": 1}',
        goal="offset",
        Drafted={"call": "offset(zone=offset(zone=city(name='Oslo')))"},
    )
    result = chain.ask("How many hours from UTC is Oslo?", drafts=True)
    assert result["plan"] == ["offset(zone=city(name='Oslo'))"]
    assert chain.caller.made == [("city", {"name": "Oslo"}), ("offset", {"zone": "CET"})]

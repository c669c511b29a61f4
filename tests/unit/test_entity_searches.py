"""Scripts about things: what is searched for, and what a thing that is searched for has."""

import pytest

from tests.unit.thing_apis import api, lists
from toolquiver.nodes.scripts.entities import read_script
from toolquiver.nodes.scripts.entity_names import short_names

FILM, ACTOR, STUDIO = ["id", "year", "length"], ["id", "born", "portrait"], ["id", "street", "founded"]
FIELDS = {"year": "string", "length": "string", "poster_path": "string", "genre": "string"}
APIS = [
    api("GET_search-film", {"query": "string"}, lists("results", FILM)),
    api("GET_search-actor", {"query": "string"}, lists("results", ACTOR)),
    api("GET_search-box", {"query": "string"}, lists("results", ["id", "films", "shelf"])),
    api("GET_film-film_id", {"film_id": "string"}, FIELDS | lists("studios", STUDIO)),
    api("GET_film-film_id-similar", {"film_id": "string"}, lists("results", FILM)),
    api("GET_film-film_id-reviews", {"film_id": "string"}, lists("results", ["text"])),
    api("GET_film-film_id-pictures", {"film_id": "string"}, lists("posters", ["file"])),
    api("GET_film-popular", {}, lists("results", FILM)),
    api("GET_actor-actor_id", {"actor_id": "string"}, {"born": "string", "portrait": "string", "died": "string"}),
    api("GET_actor-actor_id-films", {"actor_id": "string"}, lists("results", FILM)),
    api("GET_box-box_id", {"box_id": "string"}, {"shelf": "string", "films": "string"} | lists("parts", FILM)),
    api("GET_studio-studio_id", {"studio_id": "string"}, {"street": "string", "founded": "string", "owner": "string"}),
]
FUNCTIONS = short_names(APIS)
DUNE = "GET_search-film(query='Dune')"
SIMILAR = f"GET_film-film_id-similar(film_id={DUNE})"
MAKER = f"GET_studio-studio_id(studio_id=GET_film-film_id(film_id={DUNE}))"
MURRAYS = "GET_actor-actor_id-films(actor_id=GET_search-actor(query='Bill Murray'))"


def calls(script, request, told=None):
    """The calls without their comments."""
    read = read_script(script, FUNCTIONS, told or {}, request)
    return [line for line in read.text.splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize(
    ("request_", "script", "meant"),
    [
        ("What is like the film Dune?", "film_similar(search_film('Dune'))", SIMILAR),
        ("What is like Dune?", "film_similar(search_film('Dune'))", SIMILAR),
        ("A film that is similar to Dune", "film_similar(search_film('Dune'))", SIMILAR),
        # what stands before the name says what it is
        ("What is in the box Dune?", "search_film('Dune')", "GET_box-box_id(box_id=GET_search-box(query='Dune'))"),
        ("Which film is from the Dune box?", "search_box('Dune')", "GET_search-box(query='Dune')"),
        ("What are films that Bill Murray is in?", "search_actor('Bill Murray')", MURRAYS),
        # a search for no name
        ("a popular film", "search_film(None)", "GET_film-popular()"),
        ("a popular film", "search_film('Popular')", "GET_film-popular()"),
        ("a film that is called Popular", "search_film('Popular')", "GET_search-film(query='Popular')"),
        ("a film", "search_film(None)", "GET_search-film(query=None)"),
        # the posters are told by what returns just them
        (
            "a poster of Dune",
            "film_details(search_film('Dune')).poster_path",
            f"GET_film-film_id-pictures(film_id={DUNE})",
        ),
        ("a link for Dune", "film_details(search_film('Dune')).poster_path", f"GET_film-film_id(film_id={DUNE})"),
        # what is left out at the end
        (
            "reviews of a film like Dune",
            "film_similar(search_film('Dune'))",
            f"GET_film-film_id-reviews(film_id={SIMILAR})",
        ),
        # a part that no result has is what it is given to
        ("Where is its maker?", "studio_details(film_details(search_film('Dune')).maker).street", MAKER),
        # the result says of which kind it is
        ("The newest?", "film = actor_newest(search_actor('Bill Murray'))", MURRAYS),
    ],
)
def test_what_is_searched_for(request_, script, meant):
    assert calls(script, request_) == [meant]


@pytest.mark.parametrize(
    "request_",
    ["Bill Murray's best film?", "a film with Bill Murray", "Which film that made Bill Murray rich is the best?"],
)
def test_of_what_has_films_somebody_says_which_is_called_so(request_):
    script = "search_film('Bill Murray')"
    (unknown,) = read_script(script, FUNCTIONS, {}, request_).unknown
    assert (unknown.name, unknown.named) == ("Bill Murray", True)
    assert [one.name for one in unknown.options] == ["GET_search-actor", "GET_search-box"]  # a film has no films
    told = {("", "Bill Murray"): FUNCTIONS["search_actor"].id}
    assert calls(script, request_, told) == [MURRAYS]
    assert calls(script, request_, {("", "Bill Murray"): None}) == ["GET_search-film(query='Bill Murray')"]


def test_where_no_search_finds_such_things_those_that_the_named_has_are_meant():
    script, request_ = "studio_details(search_studio('Dune')).street", "Where is the studio that made Dune?"
    assert calls(script, request_) == [MAKER]  # a box has films, and only those have studios

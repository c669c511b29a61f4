"""Names that a text spells: what is not looked up would have told nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog import API, Catalog, spelled

WORDS = ("search", "Search", "getUser", "getuser", "get_user", "v2", "geo/city", "Maps", "(all)", "by")
names = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
texts = st.lists(st.sampled_from((*WORDS, "please,", "now.")), min_size=1, max_size=20).map(" ".join)


def every_named(connection, said, whole):
    """All APIs that have one of these names, whatever it tells."""
    return connection.execute(spelled._APIS, (json.dumps(sorted(said)),)).fetchall()


@given(st.lists(st.tuples(names, names), min_size=1, max_size=6, unique=True), st.data())
def test_the_names_that_are_left_out_tell_nothing(places, data):
    tool, name = data.draw(st.sampled_from(places))
    text = data.draw(texts | st.sampled_from([name, name.upper(), f"{tool} {name}", f"{tool}: {name}."]))
    with Catalog.create() as catalog:
        apis = [API(id=f"c/t/{n}", name=name, tool=tool, category="c") for n, (tool, name) in enumerate(places)]
        catalog.add(*apis)
        found = spelled.spelled(catalog._connection, text)
        ours, spelled._named = spelled._named, every_named
        try:
            assert found == spelled.spelled(catalog._connection, text)
        finally:
            spelled._named = ours


def test_a_plain_word_names_an_api_only_where_the_text_is_nothing_else():
    with Catalog.create() as catalog:
        catalog.add(*(API(id=f"c/{tool}/x", name="Search", tool=tool, category="c") for tool in ("Maps", "Songs")))
        rows = spelled._named(catalog._connection, {"search", "for", "maps"}, "search for maps")
        assert rows == []
        assert len(spelled.spelled(catalog._connection, "search").exact) == 2
        assert len(spelled.spelled(catalog._connection, "Songs search").exact) == 1


@pytest.mark.parametrize("name", ["get /users/{id}", "Search (v2)", "Who is?"])
def test_a_name_may_end_in_punctuation(name):
    with Catalog.create() as catalog:
        for tool in ("Shop", "Bank"):
            catalog.add(API(id=f"c/{tool}/x", name=name, tool=tool, category="c"))
        for text, count in ((name, 2), (f"Shop {name}", 1), (f'Now call "Shop {name}".', 1 - ("?" in name))):
            assert len(spelled.spelled(catalog._connection, text).exact) == count

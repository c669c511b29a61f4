"""Search by meaning: what shares no word with the question is found, with vectors in the file or without."""

import sqlite3

import pytest

from toolquiver.catalog import API, Catalog, meaning

pytestmark = pytest.mark.skipif(not meaning.available(), reason="the extra toolquiver[dense] is not installed")

APIS = [
    ("dogs", "breed", "Canine races and their traits."),
    ("cars", "engine", "Motor of an automobile."),
    ("cars", "price", "What a vehicle costs."),
    ("music", "tempo", "Beats per minute of a song."),
]


def make(path=None):
    catalog = Catalog.create(path)
    catalog.add(
        *(
            API(id=f"{category}/t/{name}", name=name, description=text, category=category, tool="t")
            for category, name, text in APIS
        )
    )
    return catalog


def found(catalog, text, **where):
    return [hit.api.name for hit in catalog.search(text, **where)]


def test_what_shares_no_word_is_found():
    with make() as catalog:
        assert found(catalog, "puppy dogs")[0] == "breed"
        assert found(catalog, "expensive trucks", dense=False) == []
        assert "price" in found(catalog, "expensive trucks")


def test_a_search_stays_in_its_category():
    with make() as catalog:
        assert set(found(catalog, "expensive trucks", category="music")) <= {"tempo"}


def test_the_vectors_are_in_the_file_and_made_where_they_are_not(tmp_path):
    path = tmp_path / "with.db"
    make(path).close()
    with sqlite3.connect(path) as connection:
        (size,) = connection.execute("SELECT length(rows) FROM vectors WHERE level = 'api'").fetchone()
        assert size == len(APIS) * meaning.embed([""]).shape[1]
        with Catalog.open(path) as catalog:
            before = found(catalog, "expensive trucks")
        connection.execute("DELETE FROM vectors")
    connection.close()
    with Catalog.open(path) as catalog:
        assert found(catalog, "expensive trucks") == before


def test_what_another_connection_adds_is_found(tmp_path):
    path = tmp_path / "shared.db"
    make(path).close()
    with Catalog.open(path) as reader, Catalog.open(path) as writer:
        assert "kitten" not in found(reader, "young cat")
        writer.add(API(id="cats/t/kitten", name="kitten", description="Small feline.", category="cats", tool="t"))
        assert "kitten" in found(reader, "young cat")


def test_an_empty_catalogue_finds_nothing():
    with Catalog.create() as catalog:
        assert catalog.search("puppy dogs") == []


def test_texts_have_length_one_and_unknown_ones_none():
    rows = meaning.embed(["a small dog", ""])
    assert abs(float((rows[0] ** 2).sum()) - 1) < 1e-3
    assert not rows[1].any()

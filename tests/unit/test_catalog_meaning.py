"""Search by meaning: what shares no word with the question is found, with vectors in the file or without."""

import sqlite3

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog import API, Catalog, meaning
from toolquiver.catalog.index import vectors

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


def rows(catalog, level="api"):
    count = catalog._connection.execute("SELECT count(*) FROM api").fetchone()[0]
    return vectors.rows_of(catalog._connection, level, count)


def numbered(first, end):
    return [
        API(id=f"c/t/n{number}", name=f"n{number}", description=text, category="c", tool="t")
        for number in range(first, end)
        for _, _, text in [APIS[number % len(APIS)]]
    ]


@pytest.mark.parametrize("split", [0, 1, 3, 4, 7])
def test_the_vectors_are_the_same_whatever_was_added_together(monkeypatch, split):
    with Catalog.create() as at_once, Catalog.create() as in_blocks:
        at_once.add(*numbered(0, 10))
        expected = rows(at_once)
        monkeypatch.setattr(vectors, "BLOCK", 4)
        in_blocks.add(*numbered(0, split))
        in_blocks.add(*numbered(split, 10))
        stored = in_blocks._connection.execute("SELECT length(rows) FROM vectors WHERE level = 'api' ORDER BY block")
        assert [row[0] // meaning.width() for row in stored] == [4, 4, 2]
        assert (rows(in_blocks) == expected).all()


def test_a_block_that_was_begun_without_vectors_is_made_by_the_reader(monkeypatch):
    with Catalog.create() as catalog:
        monkeypatch.setattr(meaning, "available", lambda: False)
        catalog.add(*numbered(0, 3))
        monkeypatch.undo()
        catalog.add(*numbered(3, 5))
        assert catalog._connection.execute("SELECT count(*) FROM vectors WHERE level = 'api'").fetchone()[0] == 0
        texts = [f"t: {api.name}. {api.description}" for api in numbered(0, 5)]
        assert rows(catalog).tobytes() == vectors.made(texts)


def test_a_block_that_is_gone_on_without_vectors_is_made_by_the_reader(monkeypatch):
    with Catalog.create() as catalog:
        catalog.add(*numbered(0, 3))
        monkeypatch.setattr(meaning, "available", lambda: False)
        catalog.add(*numbered(3, 5))
        monkeypatch.undo()
        texts = [f"t: {api.name}. {api.description}" for api in numbered(0, 5)]
        assert rows(catalog).tobytes() == vectors.made(texts)


def test_a_product_by_blocks_is_the_product(monkeypatch):
    monkeypatch.setattr(vectors, "BLOCK", 4)
    monkeypatch.setattr(vectors, "_SMALL", 2)
    left = np.arange(-20, 20, dtype=np.int8)[:36].reshape(9, 4)
    right = np.arange(8, dtype=np.float32).reshape(4, 2)
    assert (vectors.products(left, right) == left.astype(np.float32) @ right).all()
    assert vectors.products(left[:0], right).shape == (0, 2)


@given(st.text("ab .,\n\u0301日É_"))
def test_the_word_pieces_are_those_of_the_whole_text(text):
    tokenizer, _ = meaning._loaded()
    assert meaning.word_pieces(text) == tokenizer.encode(text, add_special_tokens=False).ids


@given(st.text("<s>/ab unk", min_size=1))
def test_a_word_is_cut_as_the_tokenizer_cuts_it(word):
    tokenizer, _ = meaning._loaded()
    assert list(meaning._encoded(word)) == tokenizer.encode(word, add_special_tokens=False).ids


def test_no_word_piece_goes_on_past_a_words_end():
    tokenizer, _ = meaning._loaded()
    assert not [piece for piece in tokenizer.get_vocab() if meaning._SPACE in piece.lstrip(meaning._SPACE)]


def test_remembered_word_pieces_are_bounded(monkeypatch):
    monkeypatch.setattr(meaning, "_REMEMBERED", 3)
    monkeypatch.setattr(meaning, "_known", meaning._Pieces())
    texts = [f"word{number} again" for number in range(5)]
    pieces = [meaning.word_pieces(text) for text in texts]
    assert len(meaning._known) <= 3
    assert pieces == [meaning.word_pieces(text) for text in texts]


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

"""The search index: the same scores as a plain calculation, whatever writes made it, and seen by other readers."""

import itertools
import threading
from collections import Counter
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog import API, Catalog
from toolquiver.catalog.index import batch, reader, segments
from toolquiver.catalog.index.documents import Member, api_fields, parameters_text, tool_fields
from toolquiver.catalog.index.impacts import API_FIELDS, STEPS, TOOL_FIELDS, impacts
from toolquiver.catalog.stems import stems

WORDS = ("storm", "city", "price", "song", "map")
texts = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
changes = st.tuples(st.sampled_from(["put", "remove"]), st.sampled_from("abcdef"), st.sampled_from("tu"), texts)


def make(name, tool="t", text="", **more):
    properties = {word: {"description": f"a {word}"} for word in text.split()[1:2]}
    more = {"parameters": {"type": "object", "properties": properties}} | more
    return API(id=f"c/x/{name}", name=name, description=text, category="c", tool=tool, **more)


def apply(catalog, change):
    what, name, tool, text = change
    there = catalog.find(f"c/x/{name}") is not None
    if what == "remove":
        if there:
            catalog.remove(f"c/x/{name}")
    elif there:
        catalog.update(make(name, tool, text))
    else:
        catalog.add(make(name, tool, text))


def scores(catalog, term):
    """By name the score of this stem for each API and each tool."""
    found = []
    for level, table in zip(catalog._index.levels(catalog._connection), ("api", "tool"), strict=True):
        lists = level.lists(catalog._connection, [term])
        (values,) = level.scores(lists, [term], [])
        rows = catalog._connection.execute(f"SELECT name, document FROM {table}")
        found.append({row["name"]: float(values[row["document"]]) for row in rows})
    return found


def reference(documents, term):
    """The same by BM25F, calculated plainly: `documents` are the weights of each one's stems."""
    having = sum(term in weights for weights in documents.values())
    rarity = log(1 + (len(documents) - having + 0.5) / (having + 0.5))
    return {name: rarity * weights.get(term, 0) / STEPS for name, weights in documents.items()}


def plain_weights(fields, texts):
    """The weight of each stem in one document by BM25F, calculated plainly."""
    sums = Counter()
    for field, text in zip(fields, texts, strict=True):
        words = stems(text)
        for word in words:
            sums[word] += field.weight / (0.25 + 0.75 * len(words) / field.usual)
    return {word: max(1, round(STEPS * value / (value + 1.2))) for word, value in sums.items()}


def weights_of(apis):
    tools = {}
    for api in sorted(apis, key=lambda api: api.id):
        tools.setdefault(api.tool, []).append(Member(api.name, api.description, parameters_text(api.parameters)))
    return (
        {api.name: plain_weights(API_FIELDS, api_fields(api)) for api in apis},
        {name: plain_weights(TOOL_FIELDS, tool_fields("c", name, "", of_it)) for name, of_it in tools.items()},
    )


fields_of_numbers = st.lists(st.integers(0, 5), max_size=6)


@given(st.lists(st.tuples(*[fields_of_numbers] * len(TOOL_FIELDS)), max_size=5))
def test_the_weights_of_many_documents_are_those_of_each(documents):
    held = np.array([number for fields in documents for numbers in fields for number in numbers], np.int64)
    lengths = np.array([[len(numbers) for numbers in fields] for fields in documents], np.int64)
    found = impacts(TOOL_FIELDS, held, lengths.reshape(-1, len(TOOL_FIELDS)))
    expected = {}
    for document, fields in enumerate(documents):
        weights = plain_weights(TOOL_FIELDS, [" ".join(f"x{number}" for number in numbers) for numbers in fields])
        expected |= {(int(stem[1:]), document): weight for stem, weight in weights.items()}
    columns = [column.tolist() for column in found]
    assert list(zip(*columns, strict=True)) == [(*key, weight) for key, weight in sorted(expected.items())]


@given(st.lists(changes, max_size=12))
def test_after_any_writes_the_index_is_as_if_built_at_once(sequence):
    with Catalog.create() as written, Catalog.create() as at_once:
        for change in sequence:
            apply(written, change)
        at_once.add(*written.apis())
        documents = weights_of(written.apis())
        for word in WORDS:
            assert scores(written, word) == scores(at_once, word)
            for found, weights in zip(scores(written, word), documents, strict=True):
                assert found == pytest.approx(reference(weights, word), abs=1e-5)


@given(st.lists(changes, max_size=12))
def test_segments_stay_few_and_hold_what_is_there(sequence):
    with Catalog.create() as catalog:
        for change in sequence:
            apply(catalog, change)
        for level in ("api", "tool"):
            parts = segments.segments(catalog._connection, level)
            lengths = [len(part.owners) for part in parts]
            assert all(left >= 2 * right for left, right in itertools.pairwise(lengths))
            live = sum(int((part.owners >= 0).sum()) for part in parts)
            assert live == (len(catalog) if level == "api" else len(catalog.list_tools()))


stem_lists = st.lists(st.sampled_from((*WORDS, "unknown")), max_size=6, unique=True)


@given(stem_lists, st.lists(stem_lists, max_size=3), st.sets(st.sampled_from(WORDS)))
def test_the_sums_of_the_whole_and_of_each_part_are_those_of_their_stems(whole, parts, faint):
    with Catalog.create() as catalog:
        catalog.add(*(make(f"n{number}", "t", " ".join(WORDS[number % 5 :])) for number in range(7)))
        level, _ = catalog._index.levels(catalog._connection)
        lists = level.lists(catalog._connection, {stem for stems in (whole, *parts) for stem in stems})
        for stems, found in zip((*parts, whole), level.scores(lists, whole, parts, faint), strict=True):
            each = [
                next(level.scores(lists, [stem], [])) * (reader._FAINT if stem in faint else 1)
                for stem in stems
                if stem in lists
            ]
            assert found == pytest.approx(sum(each, np.zeros(7)), abs=1e-5)


def test_a_large_import_is_written_in_pieces(monkeypatch):
    apis = [make(f"n{number}", f"t{number % 3}", WORDS[number % 5]) for number in range(40)]
    with Catalog.create() as at_once, Catalog.create() as in_pieces:
        at_once.add(*apis)
        monkeypatch.setattr(batch, "_HELD", 20)
        monkeypatch.setattr(segments, "settle", lambda connection, level: None)
        in_pieces.add(*apis)
        assert len(segments.segments(in_pieces._connection, "api")) > 1
        for word in WORDS:
            assert scores(in_pieces, word) == scores(at_once, word)


def test_removed_apis_and_tools_are_found_no_more():
    with Catalog.create() as catalog:
        catalog.add(make("a", "t", "storm"), make("b", "u", "city"))
        catalog.remove("c/x/a")
        assert [hit.api.name for hit in catalog.search("storm city", dense=False)] == ["b"]
        assert catalog.search("storm", dense=False) == []
        catalog.remove("c/x/b")
        assert catalog.search("city", dense=False) == []


def test_the_lists_in_memory_are_bounded(monkeypatch):
    monkeypatch.setattr(reader, "_CACHED", 2)
    with Catalog.create() as catalog:
        catalog.add(*(make(word, "t", word) for word in WORDS))
        for word in (*WORDS, *WORDS):
            assert catalog.search(word, dense=False)[0].api.name == word
        assert catalog._index.levels(catalog._connection)[0]._held <= 2


def test_a_reader_sees_what_another_connection_wrote(tmp_path):
    Catalog.create(tmp_path / "apis.db").close()
    with Catalog.open(tmp_path / "apis.db") as ours, Catalog.open(tmp_path / "apis.db") as other:
        assert ours.search("storm", dense=False) == []
        other.add(make("a", "t", "storm"))
        assert [hit.api.name for hit in ours.search("storm", dense=False)] == ["a"]
        other.update(make("a", "t", "city"))
        assert ours.search("storm", dense=False) == []
        other.remove("c/x/a")
        assert ours.search("city", dense=False) == []


def test_threads_may_search_while_one_writes():
    with Catalog.create() as catalog:
        catalog.add(*(make(word, "t", word) for word in WORDS))
        failed = []

        def ask():
            try:
                for _ in range(20):
                    assert catalog.search("storm", dense=False)[0].api.name == "storm"
            except BaseException as error:  # noqa: BLE001 - told below
                failed.append(error)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for number in range(10):
            catalog.add(make(f"more{number}", "u", "city"))
        for thread in threads:
            thread.join()
        assert failed == []


def test_packed_lists_come_out_as_they_went_in():
    documents, weights = np.array([1, 70_000, 2**31], np.uint32), np.array([1, 9, 255], np.uint8)
    for found, expected in zip(
        segments.unpacked(segments.packed(documents, weights)), (documents, weights), strict=True
    ):
        assert found.tolist() == expected.tolist()

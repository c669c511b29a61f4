"""A source is synced: what differs is written, all or nothing, while others read."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog import API, Catalog, Difference, Source, api_id
from toolquiver.catalog.sync import content_hash
from toolquiver.errors import CatalogError

PETS = Source(key="openapi:pets", kind="openapi", location="/pets.yaml", settings={"tool": "Animals"})
HEADER = 100  # bytes of SQLite's own, with a count of the changes
CARS = Source(key="openapi:cars", kind="openapi")


def make(name, source=PETS, tool="t", **more):
    return API(id=api_id("c", tool, name), name=name, tool=tool, category="c", source=source.key, **more)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "apis.db"


@pytest.fixture
def catalog(path):
    with Catalog.create(path) as made:
        yield made


def test_a_sync_adds_changes_removes_and_leaves(catalog):
    first = catalog.sync(PETS, [make("a"), make("b"), make("c")])
    assert first == Difference(added=("c/t/a", "c/t/b", "c/t/c"))
    functions = {api.id: api.function for api in catalog.apis()}
    second = catalog.sync(PETS, [make("a"), make("b", description="New and aardvarkish."), make("d")])
    assert second == Difference(added=("c/t/d",), changed=("c/t/b",), removed=("c/t/c",), unchanged=1)
    assert [api.id for api in catalog.apis()] == ["c/t/a", "c/t/b", "c/t/d"]
    assert catalog.get("c/t/b").function == functions["c/t/b"]
    assert catalog.search("aardvarkish", dense=False)[0].api.id == "c/t/b"
    assert catalog.sync(PETS, [make("a"), make("b", description="New and aardvarkish."), make("d")]).unchanged == 3


def test_what_has_not_changed_is_not_touched(catalog):
    catalog.sync(PETS, [make(name) for name in "abc"])
    before = catalog._connection.total_changes
    catalog.sync(PETS, [make(name) for name in "cba"])
    assert catalog._connection.total_changes == before + 1  # the source itself


def test_other_sources_stay(catalog):
    catalog.add(API(id="c/t/own", name="own", tool="t", category="c"))
    catalog.sync(CARS, [make("x", CARS)])
    catalog.sync(PETS, [make("a")])
    assert catalog.sync(PETS, []) == Difference(removed=("c/t/a",))
    assert [api.id for api in catalog.apis()] == ["c/t/own", "c/t/x"]


def described(catalog):
    ((tool,), found) = catalog.list_tools(), catalog.search("boats", dense=False)
    return tool.description, len(found)


def test_a_tool_is_described_as_its_only_source_does(catalog):
    for said, shown in (("Of boats.", ("Of boats.", 1)), ("", ("", 0)), ("Of boats.", ("Of boats.", 1))):
        catalog.sync(PETS, [make("a", tool_description=said)])
        assert described(catalog) == shown
    catalog.sync(PETS, [make("a", tool_description="Of boats."), make("b")])
    assert described(catalog) == ("Of boats.", 2)


def test_what_a_removed_source_said_of_a_tool_does_not_stay(catalog):
    apis = [make("a", tool_description="Of boats.")]
    catalog.sync(PETS, apis)
    catalog.sync(CARS, [make("b", source=CARS, tool_description="Of cars.")])
    catalog.sync(PETS, apis)
    assert catalog.list_tools()[0].description == "Of cars."
    catalog.remove_source("cars")
    assert catalog.sync(PETS, apis).unchanged == 1
    assert described(catalog) == ("Of boats.", 1)


def test_a_source_is_removed_whole(catalog, path):
    catalog.sync(CARS, [make("x", CARS)])
    catalog.sync(PETS, [make(f"a {number}") for number in range(3)])
    assert len(catalog.remove_source("pets").removed) == 3
    with Catalog.open(path) as again:
        assert ([api.id for api in again.apis()], again.sources()) == (["c/t/x"], [CARS])
        assert [hit.api.id for hit in again.search("a", dense=False)] == []
    assert catalog.sync(PETS, [make("a")]) == Difference(added=("c/t/a",))


def test_a_source_that_is_not_there_is_not_removed(catalog):
    with pytest.raises(CatalogError, match=r"no source 'pets'\. Nothing was imported"):
        catalog.remove_source("pets")
    catalog.sync(CARS, [make("x", CARS)])
    with pytest.raises(CatalogError, match=r"no source 'pets'\. There are: openapi:cars\."):
        catalog.remove_source("pets")
    other = CARS.model_copy(update={"key": "mcp:cars", "kind": "mcp"})
    catalog.sync(other, [])
    with pytest.raises(CatalogError, match=r"More than one source is called 'cars'.*mcp:cars, openapi:cars"):
        catalog.remove_source("cars")
    assert len(catalog) == 1
    assert catalog.remove_source("openapi:cars").removed == ("c/t/x",)
    assert catalog.sources() == [other]


def test_an_id_that_is_taken_says_how_it_becomes_free(catalog):
    catalog.sync(CARS, [make("x", CARS)])
    with pytest.raises(CatalogError, match="`toolquiver catalog remove FILE openapi:cars`"):
        catalog.sync(PETS, [make("x")])
    catalog.add(API(id="c/t/own", name="own", tool="t", category="c"))
    with pytest.raises(CatalogError, match=r"with Catalog\.remove\."):
        catalog.sync(PETS, [make("own")])


def test_the_sources_are_remembered(catalog, path):
    catalog.sync(PETS, [])
    catalog.sync(CARS, [])
    catalog.sync(PETS.model_copy(update={"location": "/new.yaml"}), [])
    with Catalog.open(path) as again:
        assert again.sources() == [CARS, PETS.model_copy(update={"location": "/new.yaml"})]


@pytest.mark.parametrize(
    ("apis", "said"),
    [
        ([make("x")], "'c/t/x' is there already, from the source 'openapi:cars'"),
        ([make("a"), make("a")], "Two APIs of 'openapi:pets' have the id 'c/t/a'"),
        ([make("a", CARS)], "is of the source 'openapi:cars', not of 'openapi:pets'"),
    ],
)
@pytest.mark.parametrize("dry_run", [False, True])
def test_an_id_has_one_source(catalog, apis, said, dry_run):
    catalog.sync(CARS, [make("x", CARS)])
    with pytest.raises(CatalogError, match=said):
        catalog.sync(PETS, apis, dry_run=dry_run)
    assert len(catalog) == 1
    assert catalog.sources() == [CARS]


def test_a_dry_run_tells_and_changes_nothing(catalog, path):
    catalog.sync(PETS, [make("a"), make("b")])
    before = path.read_bytes()
    wanted = [make("b", description="New."), make("c")]
    told = catalog.sync(PETS, wanted, dry_run=True)
    assert path.read_bytes() == before
    assert catalog.sync(PETS, wanted) == told


def test_the_hash_is_of_all_that_a_source_says():
    api = make("a", parameters={"type": "object", "properties": {"x": {}}})
    changes = [{"description": "d"}, {"method": "PUT"}, {"output": {}}, {"binding": {"path": "/"}}, {"parameters": {}}]
    assert len({content_hash(api.model_copy(update=change)) for change in [{}, *changes]}) == len(changes) + 1
    assert content_hash(api.model_copy(update={"function": "f"})) == content_hash(api)


def test_a_source_is_not_held_whole(catalog):
    made = []

    def apis(text):
        for number in range(4_000):
            made.append(ref(api := make(f"a {number}", description=text)))
            if number % 500 == 0:
                assert sum(one() is not None for one in made[-4_000:]) <= 2_100
            yield api

    assert len(catalog.sync(PETS, apis("One.")).added) == 4_000
    assert len(catalog.sync(PETS, apis("Two."), dry_run=True).changed) == 4_000
    assert len(catalog.sync(PETS, apis("Two.")).changed) == 4_000


def test_a_name_that_a_vanished_api_had_is_given_to_a_new_one(catalog):
    catalog.sync(PETS, [make("x", tool="old"), make("y", tool="old"), make("z", tool="old")])
    new = [make("x"), make("x", tool="u"), make("y"), make("z", tool="old")]
    told = catalog.sync(PETS, new)
    assert (len(told.added), len(told.removed), told.unchanged) == (3, 2, 1)
    assert [catalog.get(api.id).function for api in new] == ["x", "u_x", "y", "z"]


contents = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["", "one", "two"]), max_size=6)


@given(st.lists(st.tuples(st.sampled_from([PETS, CARS]), contents), min_size=1, max_size=5))
def test_after_any_syncs_the_last_of_each_source_is_there(syncs):
    last = {}
    with Catalog.create() as catalog:
        for source, wanted in syncs:
            apis = [make(name, source, tool=source.key, description=text) for name, text in wanted.items()]
            told = catalog.sync(source, apis, dry_run=True)
            assert catalog.sync(source, apis) == told
            last[source.key] = apis
        stored = {api.id: api for api in catalog.apis()}
        assert {id_: api.model_copy(update={"function": ""}) for id_, api in stored.items()} == {
            api.id: api for apis in last.values() for api in apis
        }
        assert len({api.function for api in stored.values()}) == len(stored)
        indexed = [level.count for level in catalog._index.levels(catalog._connection)]
        assert indexed == [len(stored), len(catalog.list_tools())]
        assert len(catalog.list_tools()) == sum(bool(apis) for apis in last.values())


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_interrupted_sync_leaves_everything_as_it_was(catalog, path, error):
    catalog.sync(PETS, [make("a"), make("b")])
    before, content = path.read_bytes()[HEADER:], catalog.apis()

    def interrupted():
        yield make("b", description="New.")
        for number in range(1_500):  # of which the first thousand are written
            yield make(f"new {number}")
        raise error

    with pytest.raises(error):
        catalog.sync(PETS, interrupted())
    assert catalog.apis() == content
    assert catalog.search("New", dense=False) == []
    catalog.close()
    assert path.read_bytes()[HEADER:] == before
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name]


WRITER = """
import sys
from toolquiver.catalog import API, Catalog, Source
source = Source(key="openapi:big", kind="openapi")
def apis():
    for n in range(3001):
        if n % 1000 == 0 and n:
            print(n, flush=True)
            sys.stdin.readline()
        if n < 3000:
            yield API(id=f"c/t/n{n}", name=f"n{n}", tool="t", category="c", source=source.key)
with Catalog.open(sys.argv[1]) as catalog:
    catalog.sync(source, apis())
print("done", flush=True)
"""


@pytest.fixture
def writer(catalog, path):
    """Another process in the midst of a sync: it goes on after each line that it is sent."""
    catalog.sync(PETS, [make("a")])
    with script(WRITER, path) as process:
        assert process.stdout.readline() == "1000\n"
        yield process
        process.kill()


def script(text, path):
    """Another process that runs a text of Python on the catalogue."""
    root = str(Path(__file__).parents[2])
    return subprocess.Popen(
        [sys.executable, "-c", text, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
        env=os.environ | {"PYTHONPATH": root},
    )


def test_a_killed_sync_leaves_everything_as_it_was(catalog, writer, path):
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    assert [api.id for api in catalog.apis()] == ["c/t/a"]
    with Catalog.open(path) as again:
        assert again.search("a", dense=False) == catalog.search("a", dense=False)
        assert again.sync(PETS, [make("b")]) == Difference(added=("c/t/b",), removed=("c/t/a",))


def test_two_may_read_while_one_writes(catalog, writer, path):
    with Catalog.open(path) as other:
        for reader in (catalog, other):
            reader._connection.execute("PRAGMA busy_timeout = 10")
            assert [api.id for api in reader.apis()] == ["c/t/a"]
            assert len(reader.search("a", dense=False)) <= 1
        writer.stdin.write("\n" * 9)
        writer.stdin.flush()
        lines = list(writer.stdout)
        assert lines[-1] == "done\n"
        assert len(catalog) == len(other) == 3001


READER = """
import sys
from toolquiver.catalog import Catalog
with Catalog.open(sys.argv[1]) as catalog:
    for _ in sys.stdin:
        print(len(catalog), len(catalog.apis()), len(catalog.search("a", dense=False)), flush=True)
"""


def test_two_processes_may_read_while_a_third_imports(writer, path):
    def asked(reader):
        reader.stdin.write("\n")
        reader.stdin.flush()
        return reader.stdout.readline().split()[:2]

    with script(READER, path) as one, script(READER, path) as other:
        assert asked(one) == asked(other) == ["1", "1"]
        writer.stdin.write("\n" * 9)
        writer.stdin.flush()
        assert list(writer.stdout)[-1] == "done\n"
        assert asked(one) == asked(other) == ["3001", "3001"]
        for reader in (one, other):
            reader.stdin.close()


def test_two_writers_do_not_mix(catalog, writer):
    catalog._connection.execute("PRAGMA busy_timeout = 10")
    with pytest.raises(CatalogError, match="locked"):
        catalog.sync(PETS, [])
    assert len(catalog) == 1


def test_a_thread_may_search_while_another_syncs(catalog):
    problems = []

    def search():
        try:
            for _ in range(50):
                assert len(catalog.search("pets", dense=False)) <= 50
        except Exception as error:  # noqa: BLE001 - shown by the assertion below
            problems.append(error)

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for number in range(5):
        catalog.sync(PETS, [make(f"pets {n}", description=str(number)) for n in range(50)])
    for thread in threads:
        thread.join()
    assert problems == []


def test_the_file_is_one_file_afterwards(catalog, path):
    catalog.sync(PETS, [make("a")])
    catalog.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    connection.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]

"""A catalogue in a file: made, opened again, and refused when it is something else."""

import sqlite3
from pathlib import Path

import pytest
from langchain_core.tools import tool

from toolquiver.catalog import API, Catalog
from toolquiver.catalog.named import load_catalog
from toolquiver.databases import Kind
from toolquiver.errors import CatalogError

API_ONE = API(id="a/b/c", name="c", tool="b", category="a", description="Count sheep.")


@tool
def double(number: int) -> int:
    """Double a number."""
    return 2 * number


@tool
def stranger() -> str:
    """Is in no file."""
    return ""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "apis.db"


def test_a_file_holds_what_was_added(path):
    with Catalog.create(path) as catalog:
        catalog.add(API_ONE)
        stored = catalog.apis()
    with Catalog.open(str(path)) as again:
        assert again.apis() == stored
        assert [hit.api.id for hit in again.search("sheep")] == ["a/b/c"]
        assert again.path == path


def test_ids_and_function_names_are_the_same_in_every_file(tmp_path):
    files = [Catalog.from_tools([double], path=tmp_path / name) for name in ("one", "two")]
    first, second = ([(api.id, api.function) for api in catalog.apis()] for catalog in files)
    assert first == second == [("tools/tools/double", "double")]
    for catalog in files:
        catalog.close()


def test_a_file_is_never_overwritten(path):
    path.write_text("precious")
    with pytest.raises(CatalogError, match=r"is there already.*Catalog\.open"):
        Catalog.create(path)
    assert path.read_text() == "precious"


def test_a_folder_that_does_not_exist_is_no_place_for_a_catalogue(tmp_path):
    with pytest.raises(CatalogError, match="Cannot make the catalogue"):
        Catalog.create(tmp_path / "no" / "apis.db")


def test_tools_that_cannot_be_stored_leave_no_file(path):
    with pytest.raises(CatalogError, match="there already"):
        Catalog.from_tools([double, double], path=path)
    assert not path.exists()


def test_tools_given_to_an_opened_file_can_be_called_from_it(path):
    Catalog.from_tools([double], path=path).close()
    with Catalog.open(path) as without:
        assert without.stats()["callable"] == 0
    with Catalog.open(path, tools=[double, stranger]) as catalog:
        assert catalog.stats()["callable"] == 1
        assert catalog.tools["tools/tools/double"].invoke({"number": 4}) == 8
        catalog.remove("tools/tools/double")
        assert catalog.stats()["callable"] == 0


def not_there(path: Path) -> str:
    return "There is no file"


def a_directory(path: Path) -> str:
    path.mkdir()
    return "is a folder. Name the file of the catalogue"


def a_text_file(path: Path) -> str:
    path.write_text("name,description\n" * 100)
    return "holds no catalogue"


def an_empty_file(path: Path) -> str:
    path.touch()
    return "is a database, but holds no catalogue of toolquiver"


def another_database(path: Path) -> str:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE api (id TEXT)")
    connection.close()
    return "is a database, but holds no catalogue of toolquiver"


def a_newer_catalogue(path: Path) -> str:
    Catalog.create(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    return "newer toolquiver"


def an_older_catalogue(path: Path) -> str:
    Catalog.create(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    return "older toolquiver.*import its sources again"


@pytest.mark.parametrize(
    "prepared",
    [not_there, a_directory, a_text_file, an_empty_file, another_database, a_newer_catalogue, an_older_catalogue],
)
def test_what_is_no_catalogue_is_refused_by_name(path, prepared):
    said = prepared(path)
    with pytest.raises(CatalogError, match=said) as caught:
        load_catalog(str(path))
    assert str(path) in str(caught.value)


def test_a_damaged_file_is_a_catalogue_error(path):
    with Catalog.create(path) as catalog:
        catalog.add(API_ONE)
    with path.open("r+b") as file:
        file.seek(4096)  # behind the first page, which opening reads
        file.write(b"\xff" * (path.stat().st_size - 4096))
    with Catalog.open(path) as damaged, pytest.raises(CatalogError, match="cannot be read"):
        damaged.apis()


def test_a_file_that_another_process_is_writing_is_a_catalogue_error(path):
    with Catalog.create(path) as catalog:
        catalog._connection.execute("PRAGMA busy_timeout = 10")
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(CatalogError, match="locked"):
            catalog.add(API_ONE)
        other.close()
        catalog.add(API_ONE)


def test_a_write_that_a_reader_keeps_from_its_end_leaves_the_file_to_others(path):
    with Catalog.create(path) as catalog:
        catalog._connection.execute("PRAGMA busy_timeout = 10")
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM api").fetchall()
        with pytest.raises(CatalogError, match="locked"):
            catalog.add(API_ONE)
        reader.close()
        with Catalog.open(path) as other:
            assert other.apis() == []
        catalog.add(API_ONE)


def test_a_file_that_is_locked_is_not_said_to_hold_no_catalogue(path, monkeypatch):
    Catalog.create(path).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    monkeypatch.setattr(Kind, "_connect", lambda *_: sqlite3.connect(path, timeout=0.01, isolation_level=None))
    with pytest.raises(CatalogError, match=r"cannot be read now \(database is locked\)"):
        Catalog.open(path)
    other.close()

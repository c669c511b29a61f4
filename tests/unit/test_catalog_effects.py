"""What a call of an API does: set at import, or by the user, whose word is kept."""

import sqlite3
from datetime import UTC, datetime

import pytest
from langchain_core.tools import StructuredTool

from toolquiver.catalog import API, Catalog, Source, api_id
from toolquiver.catalog.effects import of_method
from toolquiver.catalog.instruction import Guideline, Stored, api_hash
from toolquiver.errors import CatalogError

SHOP, OTHER = (Source(key=f"openapi:{name}", kind="openapi", location=f"/{name}.yaml") for name in ("shop", "other"))
METHODS = {"GET": "read", "head": "read", "POST": "write", "DELETE": "write", "CALL": "unknown"}


def make(name="find", source=SHOP, effect="write", **more):
    return API(id=api_id("c", "t", name), name=name, tool="t", category="c", source=source.key, effect=effect, **more)


def a_tool(**metadata):
    return StructuredTool.from_function(lambda: 1, name="now", description="Now.", metadata=metadata)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "apis.db"


@pytest.fixture
def catalog(path):
    with Catalog.create(path) as made:
        made.sync(SHOP, [make(), make("other", effect="read")])
        yield made


def effects(catalog):
    return {api.name: api.effect for api in catalog.apis()}


def as_of_before(path):
    """A file as it was made before APIs had effects."""
    with Catalog.create(path) as made:
        made.sync(SHOP, [make(method, method=method) for method in METHODS])
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE api DROP COLUMN effect")
    connection.close()


@pytest.mark.parametrize(
    ("effect", "methods"),
    [("read", ["GET", "get", "HEAD", "OPTIONS", "TRACE"]), ("write", ["POST", "PUT", "PATCH", "DELETE", "QUERY"])],
)
def test_a_method_has_an_effect(effect, methods):
    assert {of_method(method) for method in methods} == {effect}


def test_nobody_has_said_what_an_api_does_until_somebody_has():
    assert API(id="a/b/c", name="c", tool="b", category="a", method="GET").effect == "unknown"


def test_an_effect_is_stored_and_changes_with_the_source(catalog, path):
    assert effects(catalog) == {"find": "write", "other": "read"}
    found = catalog.sync(SHOP, [make(effect="read"), make("other", effect="read")])
    assert (found.changed, found.unchanged) == (("c/t/find",), 1)
    with Catalog.open(path) as again:
        assert effects(again) == {"find": "read", "other": "read"}


@pytest.mark.parametrize("effect", ["read", "unknown"])
def test_what_the_user_has_set_holds_over_imports_and_in_other_processes(catalog, path, effect):
    catalog.set_effect("c/t/find", effect)
    assert (catalog.get("c/t/find").effect, catalog.shown("condensed").get("c/t/find").effect) == (effect, effect)
    assert catalog.sync(SHOP, [make(), make("other", effect="read")]).unchanged == 2
    assert catalog.sync(SHOP, [make(description="New."), make("other")]).changed == ("c/t/find", "c/t/other")
    with Catalog.open(path) as again:
        assert effects(again) == {"find": effect, "other": "write"}
        assert [again.has_set_effect(id_) for id_ in ("c/t/find", "c/t/other")] == [True, False]


def test_what_the_user_has_set_outlives_an_import_without_the_api_and_an_update(catalog):
    catalog.set_effect("c/t/find", "read")
    catalog.sync(SHOP, [make("other")])
    catalog.sync(SHOP, [make(), make("other")])
    assert catalog.get("c/t/find").effect == "read"
    catalog.update(make(description="New."))
    assert catalog.get("c/t/find").effect == "read"


def test_an_instruction_changes_no_effect(catalog):
    catalog.set_effect("c/t/find", "read")
    said = {"document": api_hash(make()), "prompt": "p", "model": "m", "made": datetime.now(UTC)}
    catalog.instructions.put([Stored(subject="c/t/find", content=Guideline(description="finds aardvarks"), **said)])
    assert catalog.search("aardvarks", dense=False)[0].api.effect == "read"
    assert effects(catalog) == {"find": "read", "other": "read"}
    assert catalog.sync(SHOP, [make(), make("other", effect="read")]).unchanged == 2


def test_the_last_word_of_the_user_holds(catalog):
    catalog.set_effect("c/t/find", "read")
    catalog.set_effect("c/t/find", "write")
    assert catalog.get("c/t/find").effect == "write"


def test_what_is_removed_and_comes_again_may_be_another_server(catalog):
    catalog.set_effect("c/t/find", "read")
    catalog.remove_source("shop")
    catalog.sync(SHOP, [make()])
    assert (catalog.get("c/t/find").effect, catalog.has_set_effect("c/t/find")) == ("write", False)
    catalog.set_effect("c/t/find", "read")
    catalog.remove("c/t/find")
    catalog.add(make())
    assert catalog.get("c/t/find").effect == "write"


def test_of_another_source_s_api_with_that_id_nothing_was_said(catalog):
    catalog.set_effect("c/t/find", "read")
    catalog.sync(SHOP, [make("other")])
    catalog.sync(OTHER, [make(source=OTHER)])
    assert (catalog.get("c/t/find").effect, catalog.has_set_effect("c/t/find")) == ("write", False)


@pytest.mark.parametrize(
    ("api", "effect", "said"), [("no/such/api", "read", "no API"), ("c/t/find", "writes", "'read', 'write' and 'unk")]
)
def test_what_cannot_be_set_is_refused_and_changes_nothing(catalog, api, effect, said):
    with pytest.raises(CatalogError, match=said):
        catalog.set_effect(api, effect)
    assert effects(catalog) == {"find": "write", "other": "read"}


def test_a_file_of_before_is_read_by_its_methods_and_written_as_today(path):
    as_of_before(path)
    before = path.read_bytes()
    with Catalog.open(path) as catalog:
        assert effects(catalog) == METHODS
        assert not catalog.has_set_effect("c/t/post")
    assert path.read_bytes() == before
    with Catalog.open(path) as catalog:
        catalog.set_effect("c/t/post", "read")
        assert effects(catalog) == METHODS | {"POST": "read"}
        catalog.add(make("new", OTHER, effect="read"))
    with Catalog.open(path) as again:
        assert effects(again) == METHODS | {"POST": "read", "new": "read"}


def test_a_file_of_before_takes_an_import(path):
    as_of_before(path)
    with Catalog.open(path) as catalog:
        assert catalog.sync(SHOP, [make(effect="read")], dry_run=True).added == ("c/t/find",)
        assert effects(catalog) == METHODS
        catalog.sync(SHOP, [make(effect="read")])
        assert effects(catalog) == {"find": "read"}


def test_a_python_tool_may_say_what_it_does():
    with Catalog.from_tools([a_tool(effect="write")]) as catalog:
        assert effects(catalog) == {"now": "write"}
    with Catalog.from_tools([a_tool()]) as catalog:
        assert effects(catalog) == {"now": "unknown"}


@pytest.mark.parametrize("effect", ["reads", None, ["read"]])
def test_a_python_tool_with_another_effect_is_refused_with_its_name(effect):
    with pytest.raises(CatalogError, match=r"'now' .* Give one of 'read', 'write' and 'unknown'\."):
        Catalog.from_tools([a_tool(effect=effect)])

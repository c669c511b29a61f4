"""A catalogue in memory: what goes in comes out, all or nothing, from any thread."""

import threading

import pytest
from pydantic import ValidationError

from toolquiver.catalog import API, Catalog, Category, Tool, api_id
from toolquiver.errors import CatalogError


def make_api(name, tool="maps", category="travel", **more):
    return API(id=api_id(category, tool, name), name=name, tool=tool, category=category, **more)


@pytest.fixture
def catalog():
    with Catalog.create() as made:
        made.add(
            make_api("get city", description="Find a city."),
            make_api("get road"),
            make_api("get bus", tool="transit"),
            make_api("get tax", tool="money", category="finance"),
        )
        yield made


def test_an_api_comes_out_as_it_went_in():
    parameters = {"type": "object", "properties": {"città": {"type": "string"}}, "required": ["città"]}
    api = make_api(
        "get", description="Là 🎉", method="GET", parameters=parameters, output={"type": "array"}, source="http"
    )
    with Catalog.create() as catalog:
        catalog.add(api)
        assert catalog.get(api.id) == api.model_copy(update={"function": "get"})


def test_ids_are_made_of_category_tool_and_name(catalog):
    assert [api.id for api in catalog.apis()] == [
        "travel/maps/get_city",
        "travel/maps/get_road",
        "travel/transit/get_bus",
        "finance/money/get_tax",
    ]


def test_apis_are_listed_by_category_and_tool(catalog):
    assert [api.name for api in catalog.apis(category="travel")] == ["get city", "get road", "get bus"]
    assert [api.name for api in catalog.apis(category="travel", tool="transit")] == ["get bus"]
    assert catalog.apis(category="finance", tool="maps") == []


def test_tools_and_categories_are_counted(catalog):
    assert catalog.list_tools(category="travel") == [
        Tool(name="maps", category="travel", apis=2),
        Tool(name="transit", category="travel", apis=1),
    ]
    assert catalog.categories() == [
        Category(name="finance", tools=1, apis=1),
        Category(name="travel", tools=2, apis=3),
    ]
    assert catalog.stats() == {"categories": 2, "tools": 3, "apis": 4, "callable": 0}
    assert len(catalog) == 4


def test_one_tool_name_in_two_categories_is_two_tools(catalog):
    catalog.add(make_api("get rate", tool="maps", category="finance"))
    assert len(catalog.list_tools()) == 4


def test_an_unknown_id_is_an_error_with_get_and_none_with_find(catalog):
    assert catalog.find("a/b/c") is None
    with pytest.raises(CatalogError, match=r"'a/b/c'.*catalog search"):
        catalog.get("a/b/c")


def test_an_api_is_found_by_its_function_name(catalog):
    assert catalog.by_function("get_bus").id == "travel/transit/get_bus"
    assert catalog.by_function("get bus") is None


def test_nothing_is_added_when_one_id_is_taken(catalog):
    with pytest.raises(CatalogError, match=r"'travel/maps/get_city'.*another name"):
        catalog.add(make_api("new one", tool="new"), make_api("get city"))
    assert catalog.find(api_id("travel", "new", "new one")) is None
    assert catalog.search("new one") == []
    assert len(catalog.list_tools()) == 3


def test_nothing_is_added_when_an_api_cannot_be_stored(catalog):
    with pytest.raises(TypeError):
        catalog.add(make_api("first"), make_api("second", output={"type": object()}))
    assert len(catalog) == 4
    catalog.add(make_api("first"))


def test_an_update_keeps_function_name_and_place(catalog):
    before = catalog.get("travel/maps/get_city")
    catalog.update(before.model_copy(update={"description": "Look a town up.", "function": "other"}))
    after = catalog.apis()[0]
    assert (after.id, after.function, after.description) == (before.id, before.function, "Look a town up.")


@pytest.mark.parametrize("dense", [False, True])
def test_the_index_follows_updates_and_removals(catalog, dense):
    def found(text):
        return [hit.api.name for hit in catalog.search(text, dense=dense)]

    assert "get city" not in found("cephalopods")
    catalog.update(catalog.get("travel/maps/get_city").model_copy(update={"description": "Squid and cephalopods."}))
    assert found("cephalopods")[0] == "get city"
    catalog.remove("travel/maps/get_city")
    assert "get city" not in found("cephalopods")


def test_an_update_of_an_unknown_api_changes_nothing(catalog):
    with pytest.raises(CatalogError):
        catalog.update(make_api("no such"))
    assert len(catalog) == 4


def test_a_tool_goes_with_its_last_api(catalog):
    catalog.remove("travel/maps/get_city")
    assert "maps" in [tool.name for tool in catalog.list_tools()]
    catalog.remove("travel/maps/get_road")
    assert "maps" not in [tool.name for tool in catalog.list_tools()]
    with pytest.raises(CatalogError):
        catalog.remove("travel/maps/get_road")


def test_a_closed_catalogue_says_so():
    catalog = Catalog.create()
    catalog.close()
    with pytest.raises(CatalogError, match="closed"):
        catalog.apis()


@pytest.mark.parametrize("parameters", [{"type": "array"}, {"properties": []}])
def test_parameters_must_be_an_object_schema(parameters):
    with pytest.raises(ValidationError, match="type object"):
        make_api("x", parameters=parameters)


def test_threads_may_write_and_read_at_once():
    problems = []

    def work(number):
        try:
            for i in range(10):
                catalog.add(make_api(f"task {number} {i}", description="shared word"))
                assert catalog.search("shared", 1)
                assert catalog.by_function(f"task_{number}_{i}")
        except Exception as error:  # noqa: BLE001 - shown by the assertion below
            problems.append(error)

    with Catalog.create() as catalog:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert problems == []
        assert len(catalog) == 80


def test_what_was_read_from_memory_is_at_hand_until_something_is_written():
    first, second = make_api("first"), make_api("second")
    with Catalog.create() as catalog:
        catalog.add(first)
        assert catalog.at_hand([first.id]) is None
        catalog.get(first.id)
        assert [api.name for api in catalog.at_hand([first.id])] == ["first"]
        assert catalog.at_hand([first.id, second.id]) is None
        catalog.add(second)
        assert catalog.at_hand([first.id]) is None


def test_an_api_at_hand_is_never_the_one_before_an_update():
    with Catalog.create() as catalog:
        catalog.add(make_api("first"))
        old = catalog.get(make_api("first").id)
        catalog.update(old.model_copy(update={"description": "New."}))
        assert (catalog.at_hand([old.id]) or [catalog.get(old.id)])[0].description == "New."


def test_of_a_file_nothing_is_at_hand_because_others_may_write_it(tmp_path):
    with Catalog.create(tmp_path / "c.db") as catalog:
        catalog.add(make_api("first"))
        catalog.get(make_api("first").id)
        assert catalog.at_hand([make_api("first").id]) is None


def test_what_is_remembered_of_a_file_is_forgotten_when_another_writes_it(tmp_path):
    api = make_api("first", description="Old.")
    with Catalog.create(tmp_path / "c.db") as catalog:
        catalog.add(api)
        assert catalog.find(api.id) is catalog.find(api.id)
        with Catalog.open(tmp_path / "c.db") as other:
            other.update(api.model_copy(update={"description": "New."}))
        assert catalog.get(api.id).description == "New."


def test_ids_that_are_not_there_are_left_out_and_the_order_is_that_of_the_question():
    first, second = make_api("first"), make_api("second")
    with Catalog.create() as catalog:
        catalog.add(first, second)
        found = catalog.found([second.id, api_id("travel", "new", "none"), first.id])
        assert [api.id for api in found] == [second.id, first.id]


def test_a_search_and_a_list_of_tools_are_remembered_until_another_writes(tmp_path):
    with Catalog.create(tmp_path / "c.db") as catalog:
        catalog.add(make_api("ferry"))
        hits = catalog.search("ferry")
        assert catalog.search("ferry")[0].api is hits[0].api
        hits.clear()
        assert len(catalog.search("ferry")) == 1
        catalog.list_tools().clear()
        assert [tool.apis for tool in catalog.list_tools()] == [1]
        with Catalog.open(tmp_path / "c.db") as other:
            other.add(make_api("ferry times"))
        assert len(catalog.search("ferry")) == 2
        assert [tool.apis for tool in catalog.list_tools()] == [2]


def test_more_apis_can_be_read_than_are_remembered(monkeypatch):
    for place in ("remembered", "reading"):
        monkeypatch.setattr(f"toolquiver.catalog.{place}.MOST", 2)
    names = [f"task {number}" for number in range(5)]
    ids = [make_api(name).id for name in names]
    with Catalog.create() as catalog:
        catalog.add(*map(make_api, names))
        for wanted in (ids, ids[:2], ids[1:3], ids):
            assert [api.id for api in catalog.found(wanted)] == wanted
        assert [api.name for api in catalog.apis()] == names
        assert len(catalog.search("task")) == len(names)
        assert len(catalog._read.apis) <= 4

"""What a document says of its tags and of itself is what its tools are for."""

import pytest

from toolquiver.catalog import Catalog, Source
from toolquiver.catalog.openapi import Settings

ABOUT = "# Introduction\n\nEverything about animals.\n\nLong terms of service."


@pytest.fixture
def said(api):
    """What is said of the tool of an operation with these tags."""

    def said(used, settings=None, **top):
        return api({"tags": used}, settings=settings, **top).tool_description

    return said


@pytest.mark.parametrize(
    ("tags", "text"),
    [
        ([{"name": "pets", "description": " Dogs and **cats**. "}], "Dogs and **cats**."),
        ([{"name": "pets", "summary": "Pets", "parent": "all", "kind": "nav"}], "Pets"),
        ([{"name": "pets", "summary": "Animals", "description": "Dogs."}], "Animals\n\nDogs."),
        ([{"name": "pets", "summary": "Dogs", "description": "Dogs and cats."}], "Dogs and cats."),
        ([{"name": "pets"}, {"name": "other", "description": "Something else."}], ""),
        (["pets", None, {"description": "Of no name."}, {"name": ["pets"]}, {"name": "pets", "description": 7}], ""),
        ("pets", ""),
        (None, ""),
    ],
)
def test_a_tag_says_what_its_tool_is_for(said, tags, text):
    assert said(["pets", "other"], tags=tags, info={"title": "Zoo", "description": ABOUT}) == text


@pytest.mark.parametrize(
    ("info", "text"),
    [
        ({"description": ABOUT}, "Everything about animals."),
        ({"description": "Introduction\n===\nEverything about animals."}, "Everything about animals."),
        ({"description": "The Zoo.\n\nEverything  about\n[animals](https://zoo.test)."}, "The Zoo."),
        ({"description": "zoo\n\nEverything about animals."}, "Everything about animals."),
        ({"summary": "Animals.", "description": ABOUT}, "Animals.\n\nEverything about animals."),
        ({"summary": "Animals."}, "Animals."),
        ({"summary": ["Animals."], "description": {}}, ""),
        ({}, ""),
    ],
)
def test_the_document_says_what_all_that_has_no_tag_is_for(said, info, text):
    assert said([], info={"title": "Zoo"} | info) == text


def test_nothing_is_said_of_a_tool_that_is_named_at_import(said):
    assert not said(["pets"], Settings(tool="Mine"), tags=[{"name": "pets", "description": "Dogs."}])


def test_a_tool_is_found_by_what_its_tag_says_and_stays_as_it_is(document):
    paths = {f"/{tag}": {"get": {"operationId": f"list {tag}", "tags": [tag]}} for tag in ("a", "b")}
    tags = [{"name": "a", "description": "Dogs."}, {"name": "b", "description": "Locomotives."}]
    source = Source(key="openapi:pets", kind="openapi")
    with Catalog.create() as catalog:
        catalog.sync(source, document(paths, tags=tags).apis(source.key))
        assert catalog.search("locomotives", 1, dense=False)[0].api.name == "list b"
        assert catalog.sync(source, document(paths, tags=tags).apis(source.key)).unchanged == 2
        tags[0]["description"] = "Steamers."
        assert catalog.sync(source, document(paths, tags=tags).apis(source.key)).changed == ("pets/a/list_a",)
        assert catalog.search("steamers", 1, dense=False)[0].api.name == "list a"

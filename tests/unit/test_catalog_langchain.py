"""LangChain tools as APIs: every kind of tool, with schemas that stand alone."""

import json
import threading
from typing import Annotated, Any, Literal, TypedDict

import pytest
from langchain_core.tools import InjectedToolArg, StructuredTool, Tool, tool
from langgraph.prebuilt import InjectedState, InjectedStore, ToolRuntime
from pydantic import BaseModel, Field

from toolquiver.calling import problems
from toolquiver.catalog import Catalog
from toolquiver.catalog.langchain import record
from toolquiver.errors import CatalogError


class Point(BaseModel):
    latitude: float = Field(description="North of the equator.")
    longitude: float


class Tree(BaseModel):
    name: str
    branches: list["Tree"] = []


@tool
def distance(start: Point, end: Point, unit: Literal["km", "mi"] = "km") -> dict[str, float]:
    """Measure a distance.

    As the crow flies.
    """
    return {}


@tool
async def later(text: str) -> Point:
    """Answer later."""
    raise NotImplementedError


@tool
def now() -> Any:
    """Tell the time."""


@tool
def count(tree: Tree) -> list[Tree]:
    """Count branches."""
    return []


def test_a_tool_becomes_an_api():
    api = record(now)
    assert (api.id, api.name, api.description, api.source) == ("tools/tools/now", "now", "Tell the time.", "python")
    assert api.parameters == {"type": "object", "properties": {}}
    assert api.output is None
    assert api.parameter_list() == []


@tool
def remember(text: str, state: Annotated[dict, InjectedState]) -> str:
    """Remember."""


@tool
def store(text: str, place: Annotated[Any, InjectedStore()]) -> str:
    """Store."""


@tool
def tell(text: str, runtime: ToolRuntime) -> str:
    """Tell."""


@pytest.mark.parametrize(("made", "name"), [(remember, "state"), (store, "place"), (tell, "runtime")])
def test_a_tool_that_only_an_agent_can_call_is_refused(made, name):
    with pytest.raises(CatalogError, match=f"'{made.name}' .*only an agent fills '{name}'"):
        record(made)


def test_a_tool_with_a_default_for_what_an_agent_gives_is_taken():
    @tool
    def greet(text: str, user: Annotated[str, InjectedToolArg] = "you") -> str:
        """Greet."""

    assert list(record(greet).parameters["properties"]) == ["text"]


def test_of_content_and_artifact_the_content_is_the_output():
    @tool(response_format="content_and_artifact")
    def look(text: str) -> tuple[int, dict[str, str]]:
        """Look."""

    assert record(look).output == {"type": "integer"}


def test_what_is_no_tool_is_refused():
    with pytest.raises(CatalogError, match=r"A function is among the tools\. .*@tool"):
        Catalog.from_tools([now, lambda: 1])


def test_metadata_places_a_tool():
    placed = StructuredTool.from_function(
        lambda: 1, name="Get It", description="x", metadata={"category": "Maths & more", "tool": "Sums"}
    )
    api = record(placed)
    assert (api.id, api.category, api.tool) == ("maths_more/sums/get_it", "Maths & more", "Sums")


@pytest.mark.parametrize("made", [distance, later], ids=lambda made: made.name)
def test_schemas_have_no_references(made):
    api = record(made)
    assert "$" not in json.dumps([api.parameters, api.output])
    assert api.output


def test_nested_models_are_written_out():
    api = record(distance)
    assert [(p.name, p.type, p.required) for p in api.parameter_list()] == [
        ("start", "object", True),
        ("end", "object", True),
        ("unit", "km | mi", False),
    ]
    assert api.parameter_list()[0].schema_["properties"]["latitude"]["description"] == "North of the equator."
    place = {"latitude": 1, "longitude": 2}
    assert problems(api, {"start": place, "end": place}) == []
    assert problems(api, {"start": place, "end": {"latitude": 1}}) != []


def test_a_description_of_several_lines_keeps_them():
    assert record(distance).description == "Measure a distance.\n\nAs the crow flies."


def test_an_asynchronous_tool_tells_what_it_returns():
    assert list(record(later).output["properties"]) == ["latitude", "longitude"]


def test_a_model_that_holds_itself_is_finite_and_whole():
    api = record(count)
    members = {"name": {"type": "string"}, "branches": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}
    members["branches"]["default"] = []
    tree = {"type": "object", "properties": members, "required": ["name"]}
    assert api.parameters == {
        "type": "object",
        "properties": {"tree": tree},
        "required": ["tree"],
        "$defs": {"Tree": tree},
    }
    assert list(api.output["items"]["properties"]) == list(api.output["$defs"]["Tree"]["properties"])
    assert problems(api, {"tree": {"name": "oak", "branches": [{"name": "twig"}]}}) == []
    assert problems(api, {"tree": {"name": "oak", "branches": [{"branches": []}]}}) != []


def test_a_model_may_hold_itself_or_nothing():
    class Person(BaseModel):
        title: str = Field(description="Such as Dr.")
        boss: "Person | None" = None

    Person.model_rebuild(_types_namespace={"Person": Person})
    chief = record(StructuredTool.from_function(lambda **_: "", name="hire", description="Hire.", args_schema=Person))
    assert chief.parameters["properties"]["title"] == {"type": "string", "description": "Such as Dr."}
    assert problems(chief, {"title": "Dr.", "boss": {"title": "Sir", "boss": None}}) == []
    assert problems(chief, {"title": "Dr.", "boss": {"boss": None}}) != []


def test_a_model_that_refers_to_nothing_is_refused():
    schema = {"type": "object", "properties": {"q": {"$ref": "#/$defs/No"}}}
    given = StructuredTool.from_function(lambda **_: "", name="find", description="Find.", args_schema=schema,
                                         infer_schema=False)  # fmt: skip
    with pytest.raises(CatalogError, match=r"'find' cannot be described .*'#/\$defs/No', which is not there"):
        record(given)


def test_a_tool_of_one_text_is_an_api_too():
    api = record(Tool(name="echo", description="Echo.", func=str))
    assert len(api.parameter_list()) == 1


def test_a_schema_given_as_json_is_taken_as_it_is():
    schema = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    given = StructuredTool.from_function(
        lambda **_: "", name="find", description="Find.", args_schema=schema, infer_schema=False
    )
    assert record(given).parameters == schema
    assert schema == {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}


def test_of_a_schema_given_as_json_keywords_that_mean_nothing_are_left_out():
    schema = {"type": "object", "properties": {"q": {"type": "string", "enum": None, "description": ["x"]}}}
    given = StructuredTool.from_function(
        lambda **_: "", name="find", description="Find.", args_schema=schema, infer_schema=False
    )
    assert record(given).parameters["properties"] == {"q": {"type": "string"}}


def test_a_result_type_that_has_no_schema_is_left_out():
    def unknown(text: str) -> "NoSuchType":  # noqa: F821
        """Give who knows what."""

    def uncommon(text: str) -> threading.Lock:
        """Give what is no data."""

    for function in (unknown, uncommon):
        assert record(Tool(name="odd", description="Odd.", func=function)).output is None


def test_a_catalogue_of_tools_can_call_them_all():
    with Catalog.from_tools([distance, later, now, count]) as catalog:
        assert catalog.stats() == {"categories": 1, "tools": 1, "apis": 4, "callable": 4}
        assert catalog.tools["tools/tools/now"] is now


def test_two_tools_of_one_name_are_refused():
    with pytest.raises(CatalogError, match="tools/tools/now"):
        Catalog.from_tools([now, now])


@pytest.mark.parametrize("metadata", [{"category": 5}, {"tool": {"v": 1}}, {"tool": None}])
def test_metadata_that_cannot_place_a_tool_is_refused_with_its_name(metadata):
    placed = StructuredTool.from_function(name="far", func=lambda: 1, description="Far.", metadata=metadata)
    with pytest.raises(CatalogError, match=r"The tool 'far' has .* in its metadata. Give it a text there."):
        Catalog.from_tools([placed])


@pytest.mark.parametrize("tools", [distance, None, 5])
def test_what_is_no_list_of_tools_is_refused(tools):
    with pytest.raises(CatalogError, match="Pass a list of LangChain tools"):
        Catalog.from_tools(tools)


class Place(TypedDict):
    """Where something is."""

    latitude: float


class Found(TypedDict, total=False):
    """What was found."""

    best: Place | None
    others: list[Place]


def test_what_a_typed_dict_of_the_standard_library_returns_is_known():
    @tool
    def find(name: str) -> Found:
        """Find a place."""
        return {"others": []}

    with Catalog.from_tools([find]) as catalog:
        (api,) = catalog.apis()
    assert api.output["properties"].keys() == {"best", "others"}
    assert api.output["properties"]["others"]["items"]["properties"]["latitude"]["type"] == "number"

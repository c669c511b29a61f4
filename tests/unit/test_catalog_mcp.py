"""The tools of MCP servers as records."""

import asyncio

import pytest

pytest.importorskip("mcp_types")

import mcp_types as types

from toolquiver.calling import problems
from toolquiver.catalog import Catalog, Source
from toolquiver.catalog.mcp import all_tools, record, records, source_key
from toolquiver.errors import CatalogError


def tool(name="look-up", schema=None, **more):
    return types.Tool(name=name, input_schema=schema or {"type": "object"}, **more)


def hints(**given):
    return types.ToolAnnotations(**given)


def test_a_tool_becomes_an_api():
    schema = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
    api = record(tool(schema=schema, description=" Look a word up. "), server="Words", category="language")
    assert (api.id, api.name, api.tool, api.category) == ("language/words/look_up", "look-up", "Words", "language")
    assert (api.source, api.binding, api.method) == ("mcp:words", {"tool": "look-up"}, "CALL")
    assert (api.description, api.parameters, api.output) == ("Look a word up.", schema, None)
    assert source_key("Words") == "mcp:words"
    with Catalog.create() as catalog:
        catalog.add(api)
        assert catalog.get(api.id).binding == {"tool": "look-up"}


@pytest.mark.parametrize(
    ("annotations", "effect", "warned"),
    [
        (hints(read_only_hint=True), "read", False),
        (hints(read_only_hint=True, destructive_hint=True), "read", False),
        (hints(read_only_hint=False), "write", False),
        (hints(read_only_hint=False, destructive_hint=True), "write", True),
        (hints(read_only_hint=False, destructive_hint=False), "write", False),
        (hints(destructive_hint=True), "write", True),
        (hints(destructive_hint=False), "unknown", False),
        (hints(), "unknown", False),
        (None, "unknown", False),
    ],
)
def test_hints_give_the_effect_of_a_trusted_server_s_tool_and_a_warning(annotations, effect, warned):
    (api,) = records([tool(annotations=annotations)], server="s", trusted=True)
    assert (api.effect, api.description) == (effect, "May delete or overwrite something." if warned else "")
    (doubted,) = records([tool(annotations=annotations)], server="s")
    assert (doubted.effect, doubted.description) == ("unknown", api.description)


@pytest.mark.parametrize(
    ("title", "notes", "description", "expected"),
    [
        ("Dictionary", None, "Look up.", "Dictionary. Look up."),
        (None, hints(title="Dictionary"), "Look up.", "Dictionary. Look up."),
        ("Look Up", None, "Find a word.", "Find a word."),
        ("Dictionary", None, "Look up in the dictionary.", "Look up in the dictionary."),
        ("Dictionary", None, None, "Dictionary."),
    ],
)
def test_a_title_that_says_more_comes_first(title, notes, description, expected):
    api = record(tool(title=title, annotations=notes, description=description), server="s")
    assert api.description == expected


def test_tuples_and_limits_of_before_2020_are_written_as_today():
    pair = {"type": "array", "items": [{"type": "string"}, {"type": "number"}], "additionalItems": False}
    level = {"type": "number", "minimum": 0, "exclusiveMinimum": True, "maximum": 9, "exclusiveMaximum": False}
    api = record(tool(schema={"type": "object", "properties": {"pair": pair, "level": level}}), server="s")
    assert problems(api, {"pair": ["a", 1], "level": 9}) == []
    assert len(problems(api, {"pair": ["a", "b"], "level": 0})) == 2
    assert problems(api, {"pair": ["a", 1, 2]})


def test_schemas_stand_without_references():
    point = {"type": "object", "properties": {"x": {"type": "number"}}}
    schema = {"type": "object", "properties": {"at": {"$ref": "#/$defs/Point"}}, "$defs": {"Point": point}}
    api = record(tool(schema=schema, output_schema=schema), server="s")
    assert api.parameters == api.output == {"type": "object", "properties": {"at": point}}


@pytest.mark.parametrize(
    ("tree", "reference", "more"),
    [
        ("properties/tree", "#/properties/tree", {}),
        ("$defs/Tree", "#/$defs/Tree", {}),
        ("definitions/Tree", "#/definitions/Tree", {"$schema": "http://json-schema.org/draft-07/schema#"}),
        ("$defs/Tree", "#tree", {"$id": "https://x.test/tool"}),
    ],
)
def test_a_schema_that_holds_itself_is_finite_and_whole(tree, reference, more):
    itself = {
        "type": "object",
        "properties": {"kids": {"type": "array", "items": {"$ref": reference}}, "definitions": {}},
    }
    itself |= {"$anchor": "tree", "required": ["definitions"]}
    schema = {"type": "object", "properties": {"tree": {"$ref": reference}}} | more
    holder, name = tree.split("/")
    schema[holder] = schema.get(holder, {}) | {name: itself}
    api = record(tool(schema=schema, output_schema=schema), server="s")
    shown = api.parameters["properties"]["tree"]["properties"]
    assert list(shown) == ["kids", "definitions"]
    assert problems(api, {"tree": {"kids": [{"definitions": 1}], "definitions": 1}}) == []
    assert problems(api, {"tree": {"kids": [{"kids": []}], "definitions": 1}}) != []
    assert api.output == api.parameters


def test_a_tool_that_is_broken_is_named_with_the_cause_and_can_be_left_out():
    broken = tool("broken", {"type": "object", "properties": {"at": {"$ref": "#/$defs/No"}}})
    with pytest.raises(CatalogError, match=r"'broken' cannot be used \(.*'#/\$defs/No', which is not there.*--skip"):
        records([tool(), broken], server="s")
    skipped = []
    assert [api.name for api in records([tool(), broken], server="s", skipped=skipped)] == ["look-up"]
    assert "'broken'" in skipped[0]
    with pytest.raises(CatalogError, match="'broken'"):
        records([broken], server="s", skipped=[])


def test_arguments_that_are_their_own_schema_have_their_members():
    schema = {"$ref": "#/$defs/Tree", "$defs": {"Tree": {"type": "object", "properties": {"kid": {"$ref": "#"}}}}}
    assert list(record(tool(schema=schema), server="s").parameters["properties"]) == ["kid"]


def test_a_schema_that_names_the_next_many_times_stays_small():
    chain = {f"S{n}": {"allOf": [{"$ref": f"#/$defs/S{n + 1}"}] * 3} for n in range(30)}
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/S0"}}, "$defs": chain | {"S30": {}}}
    assert len(record(tool(schema=schema), server="s").model_dump_json()) < 10_000


def test_no_schema_leads_out_of_its_server(tmp_path):
    (tmp_path / "own.json").write_text('{"type": "string"}')
    for reference in ("own.json", "schema:own.json", "/own.json", (tmp_path / "own.json").as_uri()):
        with pytest.raises(CatalogError, match="'look-up'") as caught:
            record(tool(schema={"type": "object", "properties": {"at": {"$ref": reference}}}), server="s")
        assert "another server" in str(caught.value.__cause__)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array"},
        {"type": "object", "properties": {"at": {"$ref": "#/properties/at"}}},
        {"type": "object", "properties": {"at": {"$ref": "#/type"}}},
        {"type": "object", "properties": []},
        {"type": "object", "properties": {"at": {"$ref": "#/$defs/Missing"}}},
    ],
)
def test_a_schema_that_cannot_be_used_names_its_tool(schema):
    with pytest.raises(CatalogError, match="'look-up'"):
        record(tool(schema=schema), server="s")


@pytest.mark.parametrize("keyword", ["const", "default", "example", "examples"])
def test_a_value_that_looks_like_a_reference_is_none(keyword):
    value = [{"$ref": "#/$defs/User"}] if keyword == "examples" else {"$ref": "#/$defs/User"}
    schema = {"type": "object", "properties": {"schema": {"type": "object", keyword: value}}}
    assert record(tool(schema=schema), server="s").parameters == schema
    named = {"type": "object", "properties": {keyword: {"$ref": "#/$defs/User"}}, "$defs": {"User": {"type": "string"}}}
    made = record(tool(schema=named), server="s")
    assert made.parameters["properties"] == {keyword: {"type": "string"}}


@pytest.mark.parametrize(
    ("odd", "left"),
    [
        ({"enum": None}, {}),
        ({"description": ["x"]}, {}),
        ({"anyOf": None}, {}),
        ({"anyOf": []}, {}),
        ({"type": 5}, {}),
        ({"required": [{}, "b"]}, {"required": ["b"]}),
        ({"required": True}, {}),
        ({"items": 5, "not": None}, {}),
        ({"pattern": 5}, {}),
        ({"allOf": ["x", {"type": "string"}]}, {"allOf": [{}, {"type": "string"}]}),
        ({"properties": {"b": None}}, {"properties": {"b": {}}}),
        ({"default": None, "pattern": r"^\p{L}$"}, {"default": None, "pattern": r"^\p{L}$"}),
        ({"type": ["string", "null"], "minLength": 1}, {"type": ["string", "null"], "minLength": 1}),
    ],
)
def test_a_keyword_with_a_value_that_it_cannot_have_is_left_out(odd, left):
    schema = {"type": "object", "properties": {"a": odd, "deep": {"type": "array", "items": {"allOf": [odd]}}}}
    api = record(tool(schema=schema, output_schema=schema | odd), server="s")
    expected = {"a": left, "deep": {"type": "array", "items": {"allOf": [left]}}}
    assert api.parameters == {"type": "object", "properties": expected}
    with Catalog.create() as catalog:
        catalog.sync(Source(key="mcp:s", kind="mcp"), [api])
        assert [hit.api.id for hit in catalog.search("look up")] == [api.id]


def test_an_output_without_names_for_what_it_holds_names_its_tool():
    with pytest.raises(CatalogError, match=r"'look-up' cannot be used .*properties"):
        record(tool(output_schema={"type": "object", "properties": True}), server="s")


@pytest.mark.parametrize("cursors", [lambda page: "again", str])
def test_a_list_that_does_not_end_is_given_up(cursors):
    class Endless:
        asked = 0

        async def list_tools(self, *, cursor=None):
            self.asked += 1
            return types.ListToolsResult(tools=[], next_cursor=cursors(self.asked))

    with pytest.raises(CatalogError, match="does not end"):
        asyncio.run(all_tools(Endless()))


def test_tools_of_one_slug_have_ids_that_do_not_depend_on_the_order():
    tools = [tool("get-user"), tool("get_user"), tool("Get User"), tool("list")]
    apis = records(tools, server="s")
    ids = {api.name: api.id for api in apis}
    assert ids["list"] == "mcp/s/list"
    assert len(set(ids.values())) == 4
    assert all(ids[name].startswith("mcp/s/get_user_") for name in ("get-user", "get_user", "Get User"))
    assert {api.name: api.id for api in records(tools[::-1], server="s")} == ids
    with Catalog.create() as catalog:
        assert len(catalog.sync(Source(key="mcp:s", kind="mcp"), apis).added) == 4
        assert [api.binding["tool"] for api in catalog.apis()] == [one.name for one in tools]
        assert len({api.function for api in catalog.apis()}) == 4


def test_the_group_replaces_the_server_s_name():
    (api,) = records([tool("list")], server="Words", category="language", group="Dictionary")
    assert (api.id, api.tool, api.source) == ("language/dictionary/list", "Dictionary", "mcp:words")

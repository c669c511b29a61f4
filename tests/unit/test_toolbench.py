"""ToolBench's catalogues: a tool a line, found but not called."""

import gc
import gzip
import itertools
import json
import os
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from toolquiver.catalog import Catalog, Source
from toolquiver.catalog.sketch import output_schema
from toolquiver.catalog.toolbench import open_toolbench, read_toolbench
from toolquiver.catalog.toolbench_files import Endpoint
from toolquiver.errors import CatalogError

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("TOOLQUIVER_DATA", ROOT.parent / "shared/data")) / "toolbench"
KEY = "toolbench:test"


def parameter(name="q", type_="STRING", description="", default=""):
    return {"name": name, "type": type_, "description": description, "default": default}


def endpoint(name="Get It", required=(), optional=(), **more):
    lists = {"required_parameters": list(required), "optional_parameters": list(optional)}
    return {"name": name, "description": " Gets it. ", "method": "GET", "url": "https://x.test/it"} | lists | more


@pytest.fixture
def read(tmp_path):
    def read(*endpoints, packed=False, **where):
        line = json.dumps({"category": "Data", "tool_name": "The Tool", "score": None, "apis": endpoints}).encode()
        path = tmp_path / ("tools.jsonl.gz" if packed else "tools.jsonl")
        path.write_bytes(gzip.compress(line) if packed else line + b"\n\n")
        return read_toolbench(path, KEY, **where)

    return read


@pytest.mark.parametrize("packed", [False, True])
def test_an_endpoint_becomes_an_api(read, packed):
    (api,) = read(endpoint(), packed=packed)
    assert (api.id, api.name, api.description) == ("data/the_tool/get_it", "Get It", "Gets it.")
    assert (api.tool, api.category, api.method, api.source) == ("The Tool", "Data", "GET", KEY)
    assert (api.parameters, api.output, api.binding) == ({"type": "object", "properties": {}}, None, {})


def test_the_method_gives_the_effect(read):
    apis = read(endpoint("One"), endpoint("Two", method="POST"), endpoint("Three", method="DELETE"))
    assert [api.effect for api in apis] == ["read", "write", "write"]


def test_tool_and_category_can_be_set(read):
    (api,) = read(endpoint(), category="Zoo", tool="Animals")
    assert (api.id, api.tool, api.category) == ("zoo/animals/get_it", "Animals", "Zoo")


@pytest.mark.parametrize(
    ("given", "schema"),
    [
        (parameter(), {"type": "string"}),
        (parameter(description=" What. ", default="x"), {"type": "string", "description": "What.", "examples": ["x"]}),
        (parameter(type_="NUMBER", default="5"), {"type": "number", "examples": [5]}),
        (parameter(type_="NUMBER", default=0), {"type": "number", "examples": [0]}),
        (parameter(type_="NUMBER", default="five"), {"type": "number"}),
        (parameter(type_="NUMBER", default="true"), {"type": "number"}),
        (parameter(type_="BOOLEAN", default="False"), {"type": "boolean", "examples": [False]}),
        (parameter(type_="ARRAY", default='["a"]'), {"type": "array", "examples": [["a"]]}),
        (parameter(type_="OBJECT", default="{"), {"type": "object"}),
        (parameter(type_="ENUM", default="None"), {"type": "string"}),
        (parameter(type_="DATE (YYYY-MM-DD)"), {"type": "string", "format": "date"}),
        (parameter(type_="BINARY", default=["x"]), {"type": "string"}),
        (parameter(type_=None, default="x"), {}),
        (parameter(type_=None, default=3), {"examples": [3]}),
    ],
)
def test_types_are_json_schema_and_sample_values_are_examples(read, given, schema):
    (api,) = read(endpoint(optional=[given]))
    assert api.parameters["properties"]["q"] == schema
    assert "required" not in api.parameters


def test_a_required_parameter_has_examples_too_and_wins(read):
    (api,) = read(endpoint(required=[parameter(default="x")], optional=[parameter(), parameter("r")]))
    assert api.parameters["properties"] == {
        "q": {"type": "string", "examples": ["x"]},
        "r": {"type": "string"},
    }
    assert api.parameters["required"] == ["q"]


def test_endpoints_of_one_name_are_told_apart(read):
    made = read(endpoint(), endpoint(), endpoint(url="https://x.test/other"), endpoint(" "))
    assert len({api.id for api in made}) == 4
    assert made[3].name == "https://x.test/it"


STRING, INTEGER = {"type": "string"}, {"type": "integer"}


def whole(**members):
    return {"type": "object", "properties": members}


def several(item):
    return {"type": "array", "items": item}


@pytest.mark.parametrize(
    ("said", "schema"),
    [
        ({"id": "int", "x": "NoneType"}, whole(id=INTEGER, x={"type": "null"})),
        ([{"a": "str", "_list_length": 3}], several(whole(a=STRING))),
        (
            {"a": "empty list", "b": "list of str with length 4", "c": "?"},
            whole(a={"type": "array"}, b=several(STRING), c={}),
        ),
        ({"type": "str"}, whole(type=STRING)),
        ({"type": {"a": "int"}}, whole(type=whole(a=INTEGER))),
        ({"$schema": "x", "type": "array", "items": STRING}, several(STRING)),
        ({"type": "object", "properties": {"a": 1}}, None),
        ({"type": "object", "properties": {"a": {"$ref": "file:///etc/hostname"}}}, None),
        ('{"id": "in', None),
        ({}, None),
        (None, None),
    ],
)
def test_a_sketch_of_a_response_is_its_schema(said, schema):
    assert output_schema(said) == schema
    Draft202012Validator.check_schema(schema or {})


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"category": "a"}', "line 1: is no tool of ToolBench: tool_name: Field required"),
        (b"\n\nnonsense", "line 3: is no tool of ToolBench"),
        (b'{"openapi": "3.1.0"}', "line 1: is no tool"),
    ],
)
def test_a_line_that_is_no_tool_is_named(tmp_path, data, said):
    path = tmp_path / "tools.jsonl"
    path.write_bytes(data)
    with pytest.raises(CatalogError, match=said):
        read_toolbench(path, KEY)


@pytest.mark.parametrize("data", [None, b"not packed", gzip.compress(b"x" * 999, mtime=0)[:-9]])
def test_a_file_that_cannot_be_read_is_one_clear_error(tmp_path, data):
    path = tmp_path / "tools.jsonl.gz"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(CatalogError, match=r"tools\.jsonl\.gz"):
        read_toolbench(path, KEY)


def tools_named(*names):
    return "".join(json.dumps({"category": "D", "tool_name": "T", "apis": [endpoint(one)]}) + "\n" for one in names)


def endpoints_held():
    gc.collect()
    return sum(type(one) is Endpoint for one in gc.get_objects())


def test_only_the_names_are_held_until_an_api_is_asked_for(tmp_path):
    path = tmp_path / "tools.jsonl"
    path.write_text(tools_named("a", "b"))
    before = endpoints_held()
    opened = open_toolbench(path, KEY)
    assert endpoints_held() == before
    assert (opened.total, [api.id for api in opened.apis]) == (2, ["d/t/a", "d/t/b"])


@pytest.mark.parametrize("then", [("a",), ("a", "c"), ("a", "b", "c"), ()])
def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path, then):
    path = tmp_path / "tools.jsonl"
    path.write_text(tools_named("a", "b"))
    opened = open_toolbench(path, KEY)
    path.write_text(tools_named(*then))
    with pytest.raises(CatalogError, match=r"has changed while it was read\. Import it again"):
        list(opened.apis)


@pytest.fixture
def folder(tmp_path):
    """A folder of original documents: texts by their paths below it."""

    def folder(**documents):
        for place, text in documents.items():
            path = tmp_path / "tools" / f"{place.replace('__', '/')}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text if isinstance(text, str) else json.dumps(text))
        (tmp_path / "tools").mkdir(exist_ok=True)
        return tmp_path / "tools"

    return folder


def original(name, *endpoints):
    """A document as the API market gave it, with much that is not needed."""
    beside = {"product_id": "api_1", "pricing": "FREE", "score": {"popularityScore": 9}, "host": "x.test"}
    snippets = {"code": "import requests", "convert_code": "...", "test_endpoint": ""}
    return beside | {"tool_name": name, "name": name, "title": name, "api_list": [one | snippets for one in endpoints]}


def test_a_folder_gives_the_same_apis_as_the_lines(read, folder):
    endpoints = [
        endpoint(required=[parameter()]),
        endpoint(),
        endpoint("Other", url="https://x.test/other"),
    ]
    lines = read(*(one | {"response_schema": {"id": "int"}} for one in endpoints))
    path = folder(
        Data__the_tool=original("The Tool", *(one | {"schema": {"id": "int"}} for one in endpoints)),
        Zoo__animals=original("Animals", endpoint("Find")),
    )
    *of_data, of_zoo = read_toolbench(path, KEY)
    assert of_data == lines
    assert of_data[0].output == whole(id=INTEGER)
    assert (of_zoo.id, of_zoo.category, of_zoo.tool) == ("zoo/animals/find", "Zoo", "Animals")
    assert {api.id for api in read_toolbench(path, KEY, category="C", tool="T")} >= {"c/t/find", "c/t/other"}


def test_tools_of_one_slug_have_ids_of_their_own(folder):
    path = folder(Data__a=original("My Tool", endpoint()), Data__b=original("my-tool", endpoint()))
    ids = {api.tool: api.id for api in read_toolbench(path, KEY)}
    assert len(set(ids.values())) == 2
    (path / "Data/a.json").rename(path / "Data/c.json")  # now it is read last
    assert {api.tool: api.id for api in read_toolbench(path, KEY)} == ids


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"tool_name": "x",\n  oops}', r"Data/bad\.json'.*line 2 column 3"),
        (json.dumps(original("x", endpoint(), endpoint() | {"name": 5})), r"Data/bad\.json'.*api_list\.1\.name"),
        ("[]", r"Data/bad\.json'.*the file"),
        ('{"tool_name": "\\ud800", "api_list": []}', r"Data/bad\.json'.*line 1"),
    ],
)
def test_a_broken_document_is_named_with_its_place(folder, text, said):
    path = folder(Data__good=original("good", endpoint()), Data__bad=text)
    with pytest.raises(CatalogError, match=said):
        read_toolbench(path, KEY)


def test_a_folder_without_tools_says_what_belongs_there(folder):
    with pytest.raises(CatalogError, match=r"<Category>/<tool>\.json"):
        read_toolbench(folder(), KEY)


with_data = pytest.mark.skipif(
    not DATA.is_dir(), reason=f"ToolBench is not at {DATA}; TOOLQUIVER_DATA names the folder above it"
)


@with_data
def test_toolbench_is_stored_whole():
    apis = read_toolbench(DATA / "catalogue_toolbench16k.jsonl.gz", KEY)
    with Catalog.create() as catalog:
        assert len(catalog.sync(Source(key=KEY, kind="toolbench"), apis).added) == 16_463
        assert catalog.stats() == {"categories": 49, "tools": 3_451, "apis": 16_463, "callable": 0}
        assert catalog.search("weather forecast for a city", 1)


@with_data
def test_the_larger_dump_is_read_whole():
    apis = read_toolbench(DATA / "catalogue_rapidapi2404.jsonl.gz", KEY)
    assert len({api.id for api in apis}) == len(apis) == 46_803
    assert len({(api.category, api.tool) for api in apis}) == 12_301


@with_data
def test_a_folder_of_real_documents_has_the_ids_of_the_lines(tmp_path):
    with gzip.open(DATA / "raw_tool_docs_2404_candidates.jsonl.gz") as file:
        documents = [json.loads(line) for line in itertools.islice(file, 100)]
    for document in documents:
        (tmp_path / document["category"]).mkdir(exist_ok=True)
        (tmp_path / document["category"] / f"{document['std_name']}.json").write_text(json.dumps(document))
    folder = {api.id: api for api in read_toolbench(tmp_path, KEY)}
    assert len(folder) == sum(len(document["api_list"]) for document in documents)
    lines = tmp_path / "same.jsonl"
    wanted = {(document["category"], document["std_name"]) for document in documents}
    with gzip.open(DATA / "catalogue_rapidapi2404.jsonl.gz", "rt") as file, lines.open("w") as some:
        some.writelines(line for line in file if place_of(line) in wanted)
    assert folder == {api.id: api for api in read_toolbench(lines, KEY)}


def place_of(line):
    tool = json.loads(line)
    return tool["category"], tool["std_name"]

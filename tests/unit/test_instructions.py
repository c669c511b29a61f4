"""Instructions beside the documentation: versions, what a changed document does, what models see and search finds."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog import API, Catalog, Source
from toolquiver.catalog.instruction import (
    Guideline,
    Purpose,
    Stored,
    api_hash,
    by_rule,
    differing,
    parameters_of,
    rendered,
    tool_hash,
)
from toolquiver.catalog.instructions import read_instructions
from toolquiver.catalog.shown import shown_apis
from toolquiver.errors import CatalogError

FISH = Source(key="openapi:fish", kind="openapi")
PLAIN = "Lists fish. Sign up for free!"
SCHEMA = {
    "type": "object",
    "properties": {
        "lake": {"type": "string", "description": "<b>Which lake</b>, see https://a.b", "example": "Como"},
        "most": {"type": "integer", "default": 5},
    },
    "required": ["lake"],
}


def fish(description="Lists **fish**. Sign up for free!", name="fish", **more):
    return API(
        id=f"food/lakes/{name}",
        name=name,
        description=description,
        parameters=SCHEMA,
        tool="Lakes",
        tool_description="All *about* lakes",
        category="Food",
        source=FISH.key,
        **more,
    )


def guideline(api, description="names aardvarks", **more):
    return Guideline(description=description, parameters=parameters_of(api), **more)


def stored(api, content=None, **more):
    said = content or guideline(api, scenario="to fish in Como", arguments={"lake": "Como"}, proof="valid")
    made = {"document": api_hash(api), "prompt": "p", "model": "m", "made": datetime.now(UTC)}
    return Stored(subject=api.id, content=said, **(made | more))


@pytest.fixture
def catalog(tmp_path):
    with Catalog.create(tmp_path / "apis.db") as made:
        made.sync(FISH, [fish()])
        yield made


def test_models_see_the_instruction_where_there_is_one(catalog):
    shown = catalog.shown("instructions")
    assert shown.get("food/lakes/fish").description == PLAIN
    catalog.instructions.put([stored(fish())])
    seen = shown.get("food/lakes/fish")
    assert (seen.description, seen.example) == ("names aardvarks", 'to fish in Como: {"lake": "Como"}')
    assert seen.whole_description.endswith('Example, to fish in Como: {"lake": "Como"}')
    assert [one.description for one in seen.parameter_list()] == ["Which lake, see https://a.b", ""]
    bare = catalog.shown("descriptions").get(seen.id)
    assert (bare.description, bare.example) == ("names aardvarks", "")
    assert catalog.shown("condensed").get(seen.id).description == PLAIN
    assert catalog.shown("raw").get(seen.id) == catalog.get(seen.id)
    assert catalog.get(seen.id).description == fish().description


def test_every_way_to_an_api_shows_the_same(catalog):
    catalog.instructions.put([stored(fish())])
    shown = catalog.shown("instructions")
    api = shown.get("food/lakes/fish")
    assert shown.apis() == [api]
    assert shown.by_function(api.function) == api
    assert [hit.api for hit in shown.search("fish", dense=False)] == [api]
    assert shown.list_tools()[0].description == "All about lakes"


def test_a_tool_is_described_by_its_instruction(catalog):
    said = Stored(
        subject="food/lakes",
        document=tool_hash([fish()]),
        prompt="p",
        model="m",
        made=datetime.now(UTC),
        content=Purpose(purpose="what swims in lakes"),
    )
    assert not catalog.search("swims", dense=False)
    catalog.instructions.put([said, stored(fish())])
    assert catalog.search("swims", dense=False)
    assert catalog.shown("instructions").list_tools()[0].description == "what swims in lakes"
    assert catalog.instructions.purpose("Food", "Lakes") == "what swims in lakes"


def test_a_purpose_alone_is_found_too_and_gone_when_it_is_dropped(catalog):
    purpose = Purpose(purpose="what swims in lakes")
    said = {"subject": "food/lakes", "document": tool_hash([fish()]), "prompt": "p", "model": "m"}
    catalog.instructions.put([stored(fish())])
    catalog.instructions.put([Stored(**said, made=datetime.now(UTC), content=purpose)])
    assert catalog.search("swims", dense=False)
    catalog.instructions.drop(["food/lakes"])
    assert not catalog.search("swims", dense=False)


def test_search_finds_by_the_instruction_and_by_the_document(catalog):
    assert not catalog.search("aardvarks", dense=False)
    catalog.instructions.put([stored(fish())])
    assert catalog.search("aardvarks", dense=False)
    assert catalog.search("fish", dense=False)
    for documentation in ("condensed", "raw"):  # one index for all, as docs/instructions.md says
        assert catalog.shown(documentation).search("aardvarks", dense=False)
    catalog.instructions.drop(["food/lakes/fish"])
    assert not catalog.search("aardvarks", dense=False)


def test_a_sync_that_leaves_the_document_keeps_its_instruction(catalog):
    catalog.instructions.put([stored(fish())])
    catalog.sync(FISH, [fish(method="CALL", binding={"server": "https://a.b"}), fish(name="eel")])
    assert catalog.shown("instructions").get("food/lakes/fish").description == "names aardvarks"
    assert catalog.search("aardvarks", dense=False)


def test_a_changed_document_makes_its_instruction_stale_until_it_is_as_it_was(catalog):
    catalog.instructions.put([stored(fish())])
    catalog.sync(FISH, [fish("Counts fish.")])
    assert catalog.shown("instructions").get("food/lakes/fish").description == "Counts fish."
    assert not catalog.search("aardvarks", dense=False)
    assert catalog.instructions.guidelines([fish("Counts fish.")]) == {}
    catalog.sync(FISH, [fish()])
    assert catalog.shown("instructions").get("food/lakes/fish").description == "names aardvarks"
    assert catalog.search("aardvarks", dense=False)


def test_versions_are_counted_and_the_one_before_stands_in(catalog):
    catalog.instructions.put([stored(fish())])
    catalog.instructions.put([stored(fish(), guideline(fish(), "names badgers"))])
    assert [one.version for one in catalog.instructions.versions("food/lakes/fish")] == [1, 2]
    shown = catalog.shown("instructions")
    assert shown.get("food/lakes/fish").description == "names badgers"
    assert catalog.instructions.drop(["food/lakes/fish"], last=True) == 1
    assert shown.get("food/lakes/fish").description == "names aardvarks"


def test_a_file_made_before_is_read_and_written(catalog, tmp_path):
    assert catalog.instructions.versions() == []
    assert catalog.instructions.drop(["food/lakes/fish"]) == 0
    catalog.instructions.put([stored(fish())])
    with Catalog.open(tmp_path / "apis.db") as again:
        assert again.shown("instructions").get("food/lakes/fish").description == "names aardvarks"


def test_what_is_exported_comes_in_with_a_catalogue_of_tools(catalog, tmp_path):
    catalog.instructions.put([stored(fish()), stored(fish("Counts fish."), guideline(fish(), "stale"))])
    assert catalog.instructions.export(tmp_path / "said.jsonl") == 1
    with Catalog.from_tools([], instructions=read_instructions(tmp_path / "said.jsonl")) as made:
        made.add(fish())
        assert made.shown("instructions").get("food/lakes/fish").description == "names aardvarks"
        assert made.search("aardvarks", dense=False)


@pytest.mark.parametrize("letter", "\u2028\u2029\x85\x0b\x0c\x1c\r\n")
def test_what_is_exported_can_be_read_whatever_ends_a_line(catalog, tmp_path, letter):
    one = stored(fish(), guideline(fish(), f"names{letter}aardvarks"))
    catalog.instructions.put([one])
    assert catalog.instructions.export(tmp_path / "said.jsonl") == 1
    (read,) = read_instructions(tmp_path / "said.jsonl")
    assert read.content == one.content


def test_a_file_that_is_none_is_refused(tmp_path):
    (tmp_path / "said.jsonl").write_text('{"subject": 1}\n')
    with pytest.raises(CatalogError, match="document export"):
        read_instructions(tmp_path / "said.jsonl")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda kept: kept[1:], "'lake' is missing"),
        (lambda kept: [*kept, kept[0].model_copy(update={"name": "boat"})], "'boat' does not exist"),
        (lambda kept: [kept[0].model_copy(update={"type": "number"}), kept[1]], "'lake' is changed"),
        (lambda kept: [kept[0].model_copy(update={"required": False}), kept[1]], "'lake' is changed"),
    ],
)
def test_a_lost_invented_or_changed_parameter_is_seen(change, said):
    kept = parameters_of(fish())
    assert differing(fish(), Guideline(description="", parameters=kept)) == []
    assert said in " ".join(differing(fish(), Guideline(description="", parameters=tuple(change(kept)))))


def test_the_text_has_every_parameter_and_example_and_says_a_meaning_once():
    functions = [
        ("fish", guideline(fish(), arguments={"lake": "Como"}, scenario="to eat at noon")),
        ("eel", by_rule(fish())),
        ("lakes", Guideline(description="Lists lakes.", scenario="to see all lakes", arguments={})),
    ]
    assert rendered("Lakes", "about lakes", functions).splitlines() == [
        "Lakes: about lakes",
        "fish(lake: string, most?: integer) names aardvarks",
        "  lake: Which lake, see https://a.b",
        '  e.g. to eat at noon: {"lake": "Como"}',
        f"eel(lake: string, most?: integer) {PLAIN}",
        "lakes() Lists lakes.",
        "  e.g. to see all lakes: {}",
    ]


def test_a_tool_that_is_its_one_function_has_no_line_of_its_own():
    assert rendered("fish", "", [("fish", by_rule(fish()))]).startswith("fish(lake: string")
    assert rendered("fish", "about fish", [("fish", by_rule(fish()))]).startswith("fish: about fish\n")


names = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8)
schemas = st.recursive(
    st.sampled_from([{"type": "string"}, {"type": "integer", "minimum": 3, "default": 4}, {"enum": ["a", "b"]}, {}]),
    lambda inner: st.one_of(
        st.builds(lambda one: {"type": "array", "items": one}, inner),
        st.builds(
            lambda one: {"type": "object", "properties": one, "required": sorted(one)},
            st.dictionaries(st.sampled_from(["description", "title", "example", "x"]), inner, max_size=3),
        ),
        st.builds(lambda one, text: {**one, "description": text}, inner, st.text(max_size=40)),
    ),
    max_leaves=6,
)


def demands(schema):
    """A schema without what is only told."""
    if isinstance(schema, list):
        return [demands(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    named = ("properties",)
    return {
        key: {name: demands(inner) for name, inner in one.items()} if key in named else demands(one)
        for key, one in schema.items()
        if key != "description"
    }


@given(st.dictionaries(names, schemas, max_size=4), st.text(max_size=60))
def test_condensing_changes_words_and_nothing_that_is_demanded(properties, text):
    schema = {"type": "object", "properties": properties, "required": sorted(properties)[:1]}
    api = fish(text).model_copy(update={"parameters": schema})
    (shown,) = shown_apis(Catalog.create()._connection, [api], "condensed")
    assert demands(shown.parameters) == demands(schema)
    kept = [(one.name, one.type, one.required) for one in shown.parameter_list()]
    assert kept == [(one.name, one.type, one.required) for one in api.parameter_list()]
    assert (shown.id, shown.name, shown.method) == (api.id, api.name, api.method)


INNER = {"city": {"type": "string"}, "unit": {"type": "string"}}


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"type": "object", "properties": INNER, "required": ["unit"]}, "object {unit: string, city?: string}"),
        (
            {"type": "array", "items": {"type": "object", "properties": INNER}},
            "list of object {city?: string, unit?: string}",
        ),
        (
            {"type": "object", "properties": {f"p{n}": {} for n in range(9)}},
            "object {p0?: any, p1?: any, p2?: any, p3?: any, p4?: any, p5?: any, p6?: any, p7?: any, ...}",
        ),
        ({"type": "object", "properties": {"city": True}, "required": ["city"]}, "object {city: any}"),
        ({"type": "object", "properties": {"city": True}, "required": True}, "object {city?: any}"),
        ({"type": "object", "properties": []}, "object"),
        ({"type": "object"}, "object"),
        ({"type": "array"}, "list of any"),
    ],
)
def test_what_an_object_holds_is_told_with_its_type(schema, told):
    api = fish().model_copy(update={"parameters": {"type": "object", "properties": {"body": schema}}})
    assert rendered("Lakes", "", [("fish", by_rule(api, ""))]).splitlines()[1] == f"fish(body?: {told}) {PLAIN}"
    assert differing(api, by_rule(api)) == []
    (kept,) = parameters_of(api)
    earlier = kept.model_copy(update={"type": api.parameter_list()[0].type})
    assert differing(api, Guideline(description="", parameters=(earlier,))) == []
    other = kept.model_copy(update={"type": kept.type + " {x: string}"})
    assert "is changed" in differing(api, Guideline(description="", parameters=(other,)))[0]

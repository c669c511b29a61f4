"""What EasyTool's measures stand on: what counts as kept, samples that grow, lines that were torn."""

import asyncio
import json

import pytest

pytest.importorskip("tiktoken")
from tests.bench.bench_easytool import sampled
from tests.bench.easytool_documents import Raw, kept, to_keep
from tests.bench.easytool_page import KEYS, Measured, page
from tests.bench.easytool_quality import Chosen, answered
from tests.bench.easytool_rows import add, rows
from tests.bench.easytool_search import over_some
from tests.bench.pages import with_earlier
from tests.bench.search_queries import Query
from toolquiver.catalog import API, Catalog
from toolquiver.catalog.instruction import by_rule, rendered
from toolquiver.models import scripted


def an_api(tool="Lakes", name="fish", **properties):
    return API(
        id=f"food/{tool.lower()}/{name}",
        name=name,
        description=f"Lists {name} of {tool}.",
        parameters={"type": "object", "properties": properties or {"id": {"type": "string"}}, "required": ["id"]},
        tool=tool,
        category="Food",
        source="food",
    )


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("fish(id: string, most?: integer) Lists fish.", 2),
        ("fish(lake_id: string, most?: integer) Lists fish.", 1),
        ("fish(id: strings, most: integer) Lists fish.", 0),
        ("eel(id: string, most?: integer) Lists eel.", 0),
    ],
)
def test_a_parameter_is_kept_only_by_its_own_name_type_and_necessity(line, count):
    api = an_api(id={"type": "string"}, most={"type": "integer"})
    assert kept(f"Lakes: about lakes\n{line}", "fish", api) == count


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("fish(body: object {city: string, unit?: string}, most?: integer) Lists fish.", 3),
        ("fish(body: object {unit?: string, city: string, ...}, most?: integer) Lists fish.", 3),
        ("fish(body: object {unit?: string}, most?: integer) city: string", 2),
        ("fish(body: object, most?: integer) Lists fish.", 2),
        ("fish(body: object {city?: string}, most?: integer) Lists fish.", 2),
    ],
)
def test_what_is_required_of_an_object_is_kept_too(line, count):
    body = {"type": "object", "properties": {"unit": {"type": "string"}, "city": {"type": "string"}}}
    api = an_api(body=body | {"required": ["city"]}, most={"type": "integer"})
    api = api.model_copy(update={"parameters": api.parameters | {"required": ["body"]}})
    assert to_keep(api) == 3
    assert kept(f"Lakes: about lakes\n{line}", "fish", api) == count
    ruled = rendered("Lakes", "", [("fish", by_rule(api))])
    assert kept(ruled, "fish", api) == 3


def test_a_larger_sample_begins_with_the_smaller_one_and_a_seed_chooses_it():
    raws = [Raw(f"Lakes{n}", "", [an_api(f"Lakes{n}")], gold=True) for n in range(30)]
    few, more = sampled(raws, 5, 0), sampled(raws, 20, 0)
    assert more[:5] == few
    assert sampled(raws, 5, 1) != few


def test_a_torn_line_makes_room_for_the_next(tmp_path):
    path = tmp_path / "rows.jsonl"
    add(path, [{"key": 1}])
    with path.open("a") as file:
        file.write('{"key": ')
    add(path, [{"key": 2}])
    assert [row["key"] for row in rows(path)] == [1, 2]


@pytest.fixture
def catalog():
    with Catalog.create() as made:
        made.add(*(an_api(f"Lakes{n}") for n in range(6)))
        yield made


def test_selections_and_calls_are_asked_once_each_and_written_down(catalog, tmp_path):
    def script(_, schema):
        asked.append(schema)
        return {"tool": "Lakes0"} if schema else {"name": "fish", "arguments": {"id": 3}}  # nothing constrains a call

    def measured():
        chosen = Chosen(seed=0, limit=None, sizes=(5,))
        return asyncio.run(answered(catalog, [query], scripted(script), tmp_path / "rows.jsonl", chosen))

    asked, query = [], Query("G1_instruction", "fish of Lakes0", frozenset({("Lakes0", "fish")}), 1)
    found = measured()
    assert [(row["part"], row["outcome"]) for row in found] == [("select", "right")] * 3 + [
        ("call", "parameter error")
    ] * 3
    assert (measured(), len(asked)) == (found, 6)
    assert len((tmp_path / "rows.jsonl").read_text().splitlines()) == 6
    assert json.loads((tmp_path / "rows.jsonl").read_text().splitlines()[0])["size"] == 5


def test_search_is_measured_with_each_kind_of_documentation(catalog, monkeypatch):
    query = Query("G1_instruction", "fish of Lakes0", frozenset({("Lakes0", "fish")}), 1)
    monkeypatch.setattr("tests.bench.easytool_search.queries", lambda: [query])
    found = over_some(catalog)
    assert [(row["kind"], row["recall@64"]) for row in found] == [
        ("raw", 1.0),
        ("condensed", 1.0),
        ("instructions", 1.0),
    ]


def test_nothing_that_was_not_measured_is_on_the_page():
    text = page({"ToolBench": [Measured(100, 20, True, 2, 3, 3, 2, 2, 0, 0)]}, {})
    assert "80.00%" in text
    assert "## Search" not in text


def test_a_run_of_a_part_keeps_the_rows_that_it_did_not_measure(tmp_path):
    def searched(part, value):
        return [{"part": part, "kind": "raw", "group": "G1", "NDCG@1": value}]

    few, more = (Measured(100, 10, True, count, 1, 1, 1, 1, 0, 0) for count in (1, 7))
    path = tmp_path / "page.md"
    before = {"ToolBench": [few], "RestBench TMDB": [few], "the demo": [few]}
    paths = [("FuncQA", "react", "raw", "5", "0.2"), ("FuncQA", "react", "condensed", "5", "0.4")]
    path.write_text(page({"ToolBench": [few]}, before, searched=searched("all of ToolBench", 1.0), paths=paths))
    part = page(
        {"ToolBench": [few]}, {"the demo": [more]}, searched=searched("800 APIs", 0.5), paths=[(*paths[1][:4], "0.6")]
    )
    text = with_earlier(part, path, KEYS)
    local = text.partition("## By the local")[2].partition("## Search")[0].splitlines()
    assert [line[:16].strip() for line in local if line.startswith(("| T", "| R", "| t"))] == [
        "| ToolBench | 1",
        "| RestBench TMDB",
        "| the demo | 1 |",
        "| ToolBench | 1",
        "| RestBench TMDB",
        "| the demo | 7 |",
    ]
    for row in (
        "| all of ToolBench | G1 | raw | 1 | 1.000 |",
        "| 800 APIs | G1 | raw | 1 | 0.500 |",
        "| FuncQA | react | raw | 5 | 0.2 |",
        "| FuncQA | react | condensed | 5 | 0.6 |",
    ):
        assert text.count(row) == 1
    assert "| 0.4 |" not in text
    path.write_text(text)
    assert with_earlier(part, path, KEYS) == text

"""What EasyTool's measures stand on: what counts as kept, and what a row says."""

import pytest

pytest.importorskip("tiktoken")
from tests.bench.bench_easytool import Measured, measured, row
from tests.bench.easytool_documents import Raw, kept, to_keep
from toolquiver.catalog import API
from toolquiver.catalog.instruction import by_rule, rendered


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


def test_a_row_has_the_savings_of_the_means_and_the_mean_of_the_savings():
    found = [Measured(100, 20, True, 2, 3, 3), Measured(300, 20, False, 1, 1, 0)]
    assert row("ToolBench", found) == "| ToolBench | 2 | 3 | 200 | 20 | 90.00% | 86.7% | 4 | 75.00% |\n"


def test_an_instruction_by_rule_keeps_every_parameter(monkeypatch):
    monkeypatch.setattr("tests.bench.bench_easytool.tokens", lambda text: len(text.split()))
    document = '{"name": "Lakes", "description": "' + "About lakes. " * 50 + '"}'
    found = measured(Raw("Lakes", document, [an_api()], gold=True))
    assert (found.apis, found.parameters, found.kept) == (1, 1, 1)
    assert found.after < found.before

"""RestBench: golds as ids of the document's APIs, whatever their parameters are called; calls give examples."""

import gzip
import json

import pytest

from tests.support.data_files import DATA, call, called, result, with_data, write
from toolquiver.calling import Failure
from toolquiver.errors import CatalogError, InputError
from toolquiver.evaluation.datasets import load_dataset

ROWS = [
    {"id": 3, "query": "Who plays?", "solution": [" GET /search ", "get /film/{id}/cast"]},
    {"id": 4, "query": "Who else?", "solution": ["GET /search", "GET /nowhere"]},
]


def operation(example=None, *, required="true", parameters=()):
    content = {"schema": {"type": "object"}} | ({"examples": {"response": {"value": example}}} if example else {})
    return {
        "parameters": [
            {"name": one, "in": "path", "required": required, "schema": {"type": "string"}} for one in parameters
        ],
        "responses": {"200": {"description": "ok", "content": {"application/json": content}}},
    }


@pytest.fixture
def folder(tmp_path):
    paths = {
        "/search": {"get": operation({"results": [{"id": 5}]})},
        "/film/{film_id}/cast": {"get": operation(parameters=["film_id"])},
    }
    document = {"openapi": "3.0.0", "info": {"title": "API", "version": "1"}, "paths": paths}
    write(tmp_path, "restbench/tmdb_oas.json.gz", document)
    return write(tmp_path, "restbench/tmdb.jsonl", ROWS)


@pytest.mark.parametrize(
    ("broken", "said"), [({"id": 3, "query": "Who?"}, "solution"), ({"id": 3, "query": 5, "solution": []}, "query")]
)
def test_a_broken_row_is_named(folder, broken, said):
    write(folder, "restbench/tmdb.jsonl", [ROWS[0], broken])
    with pytest.raises(InputError, match=rf"tmdb\.jsonl', line 2: {said}"):
        load_dataset("restbench-tmdb", folder)


def test_a_gold_path_is_found_by_method_and_path(folder):
    data = load_dataset("restbench-tmdb", folder)
    question = data.questions()[0]
    bindings = [data.resources().catalog.get(api).binding["path"] for api in question.gold_path]
    assert bindings == ["/search", "/film/{film_id}/cast"]
    assert question.gold_apis == question.gold_path
    assert question.candidates is None
    assert len(load_dataset("restbench-tmdb", folder, pool="given").questions()[0].candidates) == 2


def test_a_gold_that_the_document_lacks_is_listed(folder):
    question = load_dataset("restbench-tmdb", folder).questions()[1]
    assert (question.gold_path, question.labels) == (None, {"missing": ["GET /nowhere"]})


def test_a_call_gives_the_documents_example(folder):
    data = load_dataset("restbench-tmdb", folder)
    search, cast = data.questions()[0].gold_path
    assert json.loads(call(data.resources(), search).text) == {"results": [{"id": 5}]}
    missed = call(data.resources(), cast, film_id="5")
    assert isinstance(missed, Failure)
    assert missed.kind == "not_recorded"


def test_a_changed_example_is_told_from_the_one_before(folder):
    before = list(load_dataset("restbench-tmdb", folder).resources().recorded())
    document = json.loads(gzip.decompress((folder / "restbench/tmdb_oas.json.gz").read_bytes()))
    document["paths"]["/search"]["get"] = operation({"results": [{"id": 6}]})
    write(folder, "restbench/tmdb_oas.json.gz", document)
    assert before != list(load_dataset("restbench-tmdb", folder).resources().recorded())
    assert before


def test_calls_and_plans_are_scored_by_their_path(folder):
    data = load_dataset("restbench-tmdb", folder)
    question, open_question = data.questions()
    search, cast = question.gold_path
    functions = {api.id: api.function for api in data.resources().catalog.apis()}
    for found in (
        result(calls=called(search, "other/x/y", cast)),
        result(calls=called(search, cast, ok=False)),
        result(plan=f"{functions[cast]}(film_id={functions[search]}())"),
    ):
        assert data.score(question, found)["correct_path"] == 1
    assert data.score(question, result(calls=called(cast, search)))["correct_path"] == 0
    assert data.score(question, result(calls=called(cast, search)))["api_f1"] == 1
    assert data.score(question, result(plan="no plan"))["correct_path"] == 0
    assert data.score(open_question, result())["correct_path"] is None


def test_a_document_that_is_no_json_is_named(folder):
    write(folder, "restbench/tmdb_oas.json.gz", "{")
    with pytest.raises(InputError, match=r"tmdb_oas\.json\.gz' is no JSON"):
        load_dataset("restbench-tmdb", folder)


@with_data
@pytest.mark.parametrize(("service", "questions", "apis", "examples"), [("tmdb", 80, 54, 54), ("spotify", 46, 40, 0)])
def test_the_real_paths_are_all_in_the_documents(service, questions, apis, examples):
    data = load_dataset(f"restbench-{service}", DATA)
    resources = data.resources()
    ids = {one.id for one in resources.catalog.apis()}
    assert (len(data.questions()), len(ids)) == (questions, apis)
    assert all(one.gold_path and ids.issuperset(one.gold_path) for one in data.questions())
    answered = [api for api in ids if not isinstance(call_any(resources, api), Failure)]
    assert len(answered) == examples


def call_any(resources, api_id):
    """A call with a value of the right type for each required parameter."""
    values = {"string": "1", "integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}
    api = resources.catalog.get(api_id)
    given = {
        one.name: one.schema_.get("enum", [values.get(one.schema_.get("type"), "1")])[0]
        for one in api.parameter_list()
        if one.required
    }
    return call(resources, api_id, **given)


def broken(**change):
    found = operation({"results": []})
    found["responses"]["200"] |= change
    return found


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        ({"/a": None}, "/a is no object"),
        ({"/a": []}, "~1a: must be an object"),
        ({"/a": {"get": broken(content={"application/json": {"examples": []}})}}, "get /a: examples is no object"),
        ({"/a": {"get": broken(content={"application/json": {"examples": {"x": 3}}})}}, "/a is no object"),
        ({"/a": {"get": broken(content=[])}}, "content: must be an object"),
        ({"/a": {"get": {"responses": None}}}, "get /a"),
    ],
)
def test_a_broken_document_is_named_with_its_place(folder, paths, said):
    document = {"openapi": "3.0.0", "info": {"title": "API", "version": "1"}, "paths": paths}
    write(folder, "restbench/tmdb_oas.json.gz", document)
    with pytest.raises((InputError, CatalogError), match=said):
        load_dataset("restbench-tmdb", folder)


@pytest.mark.parametrize("content", ["null", "[]", '{"openapi": "3.0.0"}', '{"openapi": "3.0.0", "paths": []}'])
def test_what_is_no_openapi_document_is_said(folder, content):
    write(folder, "restbench/tmdb_oas.json.gz", content)
    with pytest.raises((InputError, CatalogError), match="tmdb"):
        load_dataset("restbench-tmdb", folder)

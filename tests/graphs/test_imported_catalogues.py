"""`toolquiver ask` on a catalogue imported from each kind of source: the tool's own answer is in the result."""

import json
import shlex
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.support.commands import entered
from tests.support.http_server import JSON, Answer, serving
from tests.support.my_modules import TOOLS, modules_in
from tests.support.programs import code as block
from tests.support.programs import worded
from tests.support.script import Script
from toolquiver.calling import Failure, Observation, normalised
from toolquiver.calling.replay import Recording, Recordings
from toolquiver.catalog import Catalog
from toolquiver.cli import ask
from toolquiver.models import scripted

SERVER = Path(__file__).parents[1] / "support" / "mcp_server.py"
NOT_ASKING = ("--set", "approval=never")  # of tools whose effect nobody has told


@pytest.fixture
def run(monkeypatch, capsys):
    return partial(entered, monkeypatch, capsys)


@pytest.fixture
def answer(run, monkeypatch, tmp_path):
    """Ask for what only the tool can say, with a model that calls a tool and repeats what it was shown of it."""

    def answer(question, mark, tool, arguments, *options):
        def plan(asked):
            assert f"\n{tool}(" in asked.text, "the planner is not shown the tool"
            return block(f"answer = {tool}(**{arguments!r})")

        def repeat(asked):
            return worded(mark if mark in asked.text else "The tool did not say.")

        script = Script(Text=plan, Worded=repeat)
        monkeypatch.setattr(ask, "load_model", lambda _: scripted(script))
        code, out, err = run("ask", question, "--catalog", tmp_path / "apis.db", "--json", *options)
        assert code == 0, err
        return json.loads(out)

    return answer


@pytest.fixture
def imported(run, tmp_path):
    def imported(source, *options):
        code, _, err = run("catalog", "import", source, "--into", tmp_path / "apis.db", *options)
        assert code == 0, err

    return imported


def answered(result, mark, api):
    assert (result["answer"], result["status"]) == (mark, "solved")
    assert [(call["api"], call["ok"]) for call in result["calls"]] == [(api, True)]


def test_openapi(imported, answer, tmp_path):
    name = {"name": "name", "in": "query", "required": True, "schema": {"type": "string"}}
    with serving() as server:
        server.answers(Answer(headers=JSON, body=b'{"breed": "Komondor"}'))
        document = {
            "openapi": "3.1.0",
            "info": {"title": "Pets", "version": "1"},
            "servers": [{"url": server.url}],
            "paths": {"/pet": {"get": {"operationId": "find", "summary": "Find a pet.", "parameters": [name]}}},
        }
        (tmp_path / "pets.json").write_text(json.dumps(document))
        imported(tmp_path / "pets.json", "--private-host", f"127.0.0.1:{server.port}")
        answered(
            answer("Which breed has the pet Rex? Find it.", "Komondor", "find", {"name": "Rex"}),
            "Komondor",
            "pets/pets/find",
        )
        assert [got.path for got in server.got] == ["/pet?name=Rex"]


def test_mcp(imported, answer):
    pytest.importorskip("mcp")
    imported(shlex.join([sys.executable, str(SERVER), "stdio"]), "--kind", "mcp", "--name", "test")
    result = answer("Add the numbers 4000 and 217.", "4217", "add", {"a": 4000, "b": 217}, *NOT_ASKING)
    answered(result, "4217", "mcp/test/add")


def test_langchain(imported, answer, tmp_path, monkeypatch):
    with modules_in(tmp_path, monkeypatch) as write:
        write("cities", TOOLS)
        imported("cities:tools")
        del sys.modules["cities"]
        answered(
            answer("How many people live in Oslo?", "717000", "population", {"city": "Oslo"}, *NOT_ASKING),
            "717000",
            "langchain/cities/population",
        )


@pytest.fixture
def toolbench(imported, tmp_path):
    """A folder of ToolBench's, imported, and a file with one recorded call of it."""
    city = {"name": "city", "type": "STRING", "description": "", "default": ""}
    endpoint = {"name": "Weather", "description": "The weather.", "method": "GET", "url": "https://x.test/weather"}
    document = {
        "tool_name": "Sky",
        "api_list": [endpoint | {"required_parameters": [city], "optional_parameters": []}],
    }
    (tmp_path / "tools/Weather").mkdir(parents=True)
    (tmp_path / "tools/Weather/sky.json").write_text(json.dumps(document))
    imported(tmp_path / "tools")
    with Catalog.open(tmp_path / "apis.db") as catalog, Recordings.create(tmp_path / "calls.db") as recordings:
        api = catalog.get("weather/sky/weather")
        key = normalised(api, {"city": "Oslo"})
        recordings.put([Recording(api=api.id, arguments=key, outcome=Observation(text="sleet in Oslo"))])
        lost = Failure(kind="not_found", message="No such city.")
        recordings.put([Recording(api=api.id, arguments=normalised(api, {"city": "Atlantis"}), outcome=lost)])
    return tmp_path / "calls.db"


def test_toolbench_with_recorded_responses(answer, toolbench):
    result = answer("How is the weather in Oslo?", "sleet", "Weather", {"city": "Oslo"}, "--recordings", toolbench)
    answered(result, "sleet", "weather/sky/weather")


def test_a_recorded_call_is_made_by_hand_too(run, toolbench, tmp_path):
    def call(city):
        given = ("--args", json.dumps({"city": city}), "--catalog", tmp_path / "apis.db", "--recordings", toolbench)
        return run("call", "weather/sky/weather", *given)

    assert call(" Oslo")[:2] == (0, "sleet in Oslo\n")
    assert call("Atlantis") == (1, "", "not_found: No such city.\n")
    code, _, err = call("Rome")
    assert (code, err.startswith("not_recorded: ")) == (1, True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "Give recorded calls with --recordings"),
        (("--recordings", "no.db"), "There is no file 'no.db'"),
        (("--recordings", __file__), "holds no recordings"),
    ],
)
def test_toolbench_is_not_asked_without_recordings(run, toolbench, tmp_path, options, said):
    code, out, err = run("ask", "How is the weather?", "--catalog", tmp_path / "apis.db", *options)
    assert (code, out) == (2, "")
    assert said in err

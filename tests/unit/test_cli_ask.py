"""`toolquiver ask`: an answer, one JSON object, or one line that says what is wrong."""

import io
import json
import socket
import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from tests.support.commands import entered
from tests.support.programs import Programs, an_api, code, worded
from tests.support.script import SOURCE
from toolquiver.catalog import Catalog
from toolquiver.cli import ask as command
from toolquiver.cli.run_report import RunReport
from toolquiver.cli.tree_file import check_writable
from toolquiver.errors import InputError
from toolquiver.models import scripted
from toolquiver.whole_file import write_whole

NASTY = "It is [bold]warm[/bold] [/] in a:b:c."


@tool
def forecast(city: str) -> str:
    """Tell the weather of a city."""
    return f"{NASTY} [/] \x1b[31mred"


@tool
def packing(city: str) -> str:
    """Tell what to pack for the weather of a city."""
    return "A coat."


def fitting(schema, whole=None):
    """Data that fits a JSON Schema, whatever decision it is of."""
    whole = whole or schema
    if "$ref" in schema:
        return fitting(whole["$defs"][schema["$ref"].rsplit("/", 1)[1]], whole)
    if "anyOf" in schema:
        return fitting(schema["anyOf"][0], whole)
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "array":
        return [fitting(schema["items"], whole)] * schema.get("minItems", 1)
    simple = {"boolean": True, "integer": 1, "number": 1, "string": NASTY}
    if schema.get("type") in simple:
        return schema.get("const", simple[schema["type"]])
    return {name: fitting(part, whole) for name, part in schema.get("properties", {}).items()}


@pytest.fixture
def run(monkeypatch, capsys):
    """Ask with these arguments: the exit code, what was printed, and the errors."""

    return partial(entered, monkeypatch, capsys, "ask")


@pytest.fixture
def callable_catalog(monkeypatch):
    with Catalog.from_tools([forecast, packing]) as catalog:
        monkeypatch.setattr(command, "load_catalog", lambda _: catalog)
        yield


@pytest.fixture
def model(monkeypatch, callable_catalog):
    planner("answer = forecast(city='Lima')", monkeypatch)


def planner(program, monkeypatch, *, missing=()):
    """A planner that always writes this program, and an answer that stands on its first call."""

    def said(_, schema):
        return fitting(schema) if schema and schema["title"] != "Worded" else worded(NASTY, missing=missing)

    monkeypatch.setattr(command, "load_model", lambda _: scripted(lambda m, s: said(m, s) if s else code(program)))


def test_an_answer_is_printed_literally(run, model):
    code, out, err = run("How is the weather?")
    assert code == 0
    assert NASTY in out
    assert "tools/tools/forecast" in out
    assert "total" in out
    assert "call 1" in out
    for line in (
        "Program 1",
        "1  answer = forecast(city='Lima')",
        'call tools/tools/forecast {"city": "Lima"}',
        "ok It",
    ):
        assert line in err, "the live view shows it too"
    assert "Evidence 1 statements on 1 calls" in err
    assert "\x1b" not in out + err


def test_json_is_one_object_and_nothing_else(run, model):
    code, out, err = run("How is the weather?", "--json")
    answer = json.loads(out)
    assert code == 0
    assert out.count("\n") == 1
    assert list(answer) == [
        *("answer", "status", "reason", "programs", "calls", "usage"),
        *("evidence", "missing", "unfilled", "reflections", "wakings"),
    ]
    assert answer["programs"] == ["answer = forecast(city='Lima')"]
    assert answer["evidence"] == [{"text": NASTY, "calls": [0], "unsupported": False}]
    assert (answer["answer"], answer["status"]) == (NASTY, "solved")
    assert [(call["api"], call["ok"]) for call in answer["calls"]] == [("tools/tools/forecast", True)]
    assert set(answer["usage"]) == {"total", "by_role", "model_calls", "estimated"}
    assert answer["usage"]["total"] > 0
    assert answer["calls"][0]["message"] == ""
    assert "call" in err


def test_a_question_that_was_not_answered_ends_with_one(run, monkeypatch, callable_catalog):
    monkeypatch.setattr(command, "load_model", lambda _: scripted(lambda *_: code("give_up('Nothing fits.')")))
    status, out, err = run("How is the weather?", "--json")
    assert (status, json.loads(out)["status"], json.loads(out)["reason"]) == (1, "failed", "Nothing fits.")
    assert "gives up Nothing fits." in err


def test_what_is_missing_and_not_asked_ends_with_one(run, monkeypatch, callable_catalog):
    program = "try:\n    answer = ask_user('Which city?', 'str')\nexcept RuntimeError:\n    answer = 'unknown'"
    planner(program, monkeypatch, missing=["the city"])
    status, out, err = run("How is the weather?", "--json", "--no-ask", "--set", "verification=never")
    told = json.loads(out)
    assert (status, told["missing"], [one["why"] for one in told["unfilled"]]) == (1, ["the city"], ["Which city?"])
    assert "not told The user does not say: Which city?" in err
    assert "rollback" not in err
    status, out, _ = run("How is the weather?", "--no-ask", "--set", "verification=never")
    assert status == 1
    assert "missing the city" in out


def test_calls_side_by_side_are_asked_about_one_after_the_other(run, monkeypatch):
    program = "a, b = await gather(write(n=3), write(n=4))\nanswer = [a, b]"
    refused = "answer = 'no'"
    stage = Programs(an_api("write", {"n": {"type": "integer"}}, effect="write"), plans=[code(program), code(refused)])
    monkeypatch.setattr(command, "load_catalog", lambda _: stage.catalog)
    monkeypatch.setattr(command, "replayed", lambda *_: nullcontext({SOURCE: stage.caller}))
    monkeypatch.setattr(command, "load_model", lambda _: scripted(stage.reply))
    monkeypatch.setattr(sys, "stdin", io.StringIO("no\nyes\n"))
    status, out, err = run("Write both.", "--json")
    assert status == 0, err
    assert [(call["arguments"]["n"], call["ok"]) for call in json.loads(out)["calls"]] == [(3, False), (4, True)]
    assert stage.made() == [("write", {"n": 4})]
    assert err.index('{"n": 3}?') < err.index('{"n": 4}?')
    assert err.count("May tests/tests/write be called") == 2
    assert "rollback the rest is planned anew" in err


def test_a_search_of_the_planner_is_shown(run, monkeypatch, callable_catalog):
    planner("search_apis('what to pack')\nanswer = packing(city='Lima')", monkeypatch)
    _, _, err = run("How is the weather?", "--top-k", 1)
    assert "search_apis" in err
    assert "packing" in err


@pytest.fixture
def agent(monkeypatch, callable_catalog):
    """A model that calls one tool, then answers."""

    def turn(messages, schema):
        if schema.get("title") != "Turn":
            return fitting(schema)
        done = messages[-1].type == "tool"
        name, args = ("give_answer", {"answer": NASTY}) if done else ("forecast", {"city": "Lima"})
        return AIMessage("", tool_calls=[{"name": name, "args": args, "id": str(len(messages))}])

    monkeypatch.setattr(command, "load_model", lambda _: scripted(turn))


@pytest.fixture
def asked_about(run, agent, monkeypatch):
    """Ask about the weather, where the forecast has an effect and this is typed: the errors, and which calls worked."""

    def ask(effect, approval, typed):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        settings = [] if approval == "auto" else ["--set", f"approval={approval}"]
        with Catalog.from_tools([forecast, packing]) as catalog:
            catalog.set_effect("tools/tools/forecast", effect)
            monkeypatch.setattr(command, "load_catalog", lambda _: catalog)
            _, out, err = run("How is the weather?", "--json", "--graph", "react", *settings)
        return err, [call["ok"] for call in json.loads(out)["calls"]]

    return ask


@pytest.fixture
def searchers(monkeypatch, callable_catalog):
    """Agents that find the forecast, a solver that answers badly at first, and a judge that sees that."""

    def turn(messages, schema):
        if schema.get("title") == "Judgement":
            solved = "better" in messages[-1].text
            return {
                "reason": "It is " + ("right." if solved else "bad."),
                "verdict": "solved" if solved else "unsolved",
            }
        if schema.get("title") != "Turn":
            return fitting(schema) | ({"verdict": "unsolvable"} if "verdict" in schema["properties"] else {})
        names, again = {one["name"] for one in schema["functions"]}, "bad." in "".join(m.text for m in messages)
        if messages[-1].type == "tool" and "add_API_into_API_pool" in names:
            return AIMessage("Hm.")
        name, args = ("give_answer", {"answer": "a better answer" if again else NASTY})
        if "give_answer" not in names:  # before a call has succeeded
            name, args = ("forecast", {"city": "Lima"})
        if "create_agent_category_level" in names:
            name, args = ("create_agent_category_level", {"category_name": "tools"})
        elif "add_API_into_API_pool" in names:
            name, args = ("add_API_into_API_pool", {"APIs": ["packing" if again else "forecast"]})
        done = messages[-1].type == "tool" and "create_agent_category_level" in names
        calls = [("finish_search", {})] if done else [(name, args)]
        return AIMessage("", tool_calls=[{"name": n, "args": a, "id": str(len(messages))} for n, a in calls])

    monkeypatch.setattr(command, "load_model", lambda _: scripted(turn))


def test_a_search_by_agents_is_shown_as_it_goes_and_drawn(run, searchers, tmp_path):
    code, out, err = run("How is the weather?", "--graph", "anytool", "--tree", tmp_path / "agents.svg")
    assert code == 0, err
    for told in (
        "agent meta",
        "agent tool tools 1",
        "pool 1 APIs (+1)",
        "reflection 1 It is bad.",
        "solved It is right.",
    ):
        assert told in err
    assert "woken tool tools 1: It is bad." in err
    assert "pool 2 APIs (+1)" in err
    assert "reflections 1, pool 2, agents 2" in out
    assert "tool tools 1" in (tmp_path / "agents.svg").read_text("utf-8")
    assert "\x1b" not in out + err


def test_a_search_alone_tells_its_pool(run, searchers):
    code, out, _ = run("How is the weather?", "--graph", "retriever", "--json")
    answer = json.loads(out)
    assert (code, answer["pool"], answer["calls"]) == (0, ["tools/tools/forecast"], [])
    assert answer["numbers"]["candidates"] == 1


@pytest.mark.parametrize("graph", ["react", "dfsdt"])
def test_every_graph_answers(run, agent, graph):
    code, out, err = run("How is the weather?", "--graph", graph, "--json")
    answer = json.loads(out)
    assert (code, answer["answer"], answer["status"]) == (0, NASTY, "solved")
    assert [call["api"] for call in answer["calls"]] == ["tools/tools/forecast"]
    assert "call" in err


def test_a_graph_that_answers_nothing_is_refused(run):
    code, out, err = run("How is the weather?", "--graph", "judge")
    assert (code, out) == (2, "")
    assert err.startswith("Error: The graph 'judge' answers no questions.")


def test_the_tree_of_a_search_is_drawn(run, agent, tmp_path):
    code, _, _ = run("How is the weather?", "--graph", "dfsdt", "--tree", tmp_path / "tree.svg")
    drawn = (tmp_path / "tree.svg").read_text("utf-8")
    assert code == 0
    assert drawn.startswith("<svg")
    assert "answered" in drawn
    assert "\x1b" not in drawn


@pytest.mark.parametrize(
    ("graph", "place", "said"), [("react", "tree.svg", "keeps no tree"), ("dfsdt", "no/tree.svg", "is not there")]
)
def test_a_tree_that_cannot_be_drawn_is_refused_before_anything_is_asked(run, tmp_path, graph, place, said):
    code, out, err = run("How is the weather?", "--graph", graph, "--tree", tmp_path / place, "--model", "no:such")
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.parametrize("graph", ["react", "dfsdt"])
def test_the_growth_of_what_is_registered_is_drawn(run, agent, tmp_path, graph):
    code, _, _ = run("How is the weather?", "--graph", graph, "--curve", tmp_path / "curve.svg")
    assert code == 0
    assert (tmp_path / "curve.svg").read_text("utf-8").startswith("<svg")


def test_a_curve_of_a_graph_that_registers_nothing_is_refused_before_anything_is_asked(run, tmp_path):
    refused(run("How is the weather?", "--curve", tmp_path / "curve.svg", "--model", "no:such"), "keeps no curve")


PLACES = {  # that anyone sees, and nobody can write, root neither
    "a folder": lambda folder: folder,
    "no folder": lambda folder: folder / "no" / "file",
    "another file system": lambda _: "/proc/toolquiver.html",
    "a longer name than any may have": lambda folder: folder / ("x" * 250),
}


@pytest.mark.parametrize("option", ["--tree", "--report", "--curve"])
@pytest.mark.parametrize("place", PLACES)
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_asked(run, tmp_path, option, place):
    where = PLACES[place](tmp_path)
    refused(run("How is the weather?", "--graph", "dfsdt", option, where, "--model", "no:such"), "Cannot write")


def test_a_look_whether_a_file_can_be_written_leaves_everything_as_it_was(tmp_path):
    (tmp_path / "old.html").write_text("old")
    for name in ("old.html", "new.html"):
        check_writable(tmp_path / name)
    check_writable(Path("/dev/null"))
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("old.html", "old")]


def test_a_file_that_is_read_only_is_refused(tmp_path, monkeypatch):
    (tmp_path / "old.html").write_text("old")
    monkeypatch.setattr("os.access", lambda *_: False)  # root is refused nothing
    with pytest.raises(InputError, match="Permission denied"):
        check_writable(tmp_path / "old.html")


def test_a_file_that_is_written_anew_stays_private_and_behind_its_link(tmp_path):
    private, link, new = (tmp_path / name for name in ("private.html", "link.html", "new.html"))
    private.write_text("old")
    private.chmod(0o600)
    link.symlink_to(private)
    write_whole(link, "secret")
    assert (link.is_symlink(), private.read_text(), private.stat().st_mode & 0o777) == (True, "secret", 0o600)
    write_whole(new, "all may read it")
    (tmp_path / "beside.html").write_text("as any other")
    assert new.stat().st_mode == (tmp_path / "beside.html").stat().st_mode


@pytest.mark.parametrize("option", ["--tree", "--report"])
def test_an_answer_is_told_also_where_its_file_cannot_be_written(run, agent, monkeypatch, tmp_path, option):
    for module in ("tree_file", "run_report"):
        monkeypatch.setattr(f"toolquiver.cli.{module}.write_whole", full)
    code, out, err = run("How is the weather?", "--graph", "dfsdt", "--json", option, tmp_path / "file")
    assert (code, json.loads(out)["answer"]) == (2, NASTY)
    assert err.endswith("Error: The disk is full.\n")


def full(*_):
    raise InputError("The disk is full.")


@pytest.fixture
def closed_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        yield free.getsockname()[1]


def refused(outcome, said):
    code, out, err = outcome
    line = [line for line in err.splitlines() if line.strip()]
    assert (code, out) == (2, "")
    assert len(line) == 1, err
    assert line[0].startswith("Error: ")
    assert said in line[0]


def test_an_empty_question_is_refused(run):
    refused(run("  "), "The question is empty")


def test_a_call_waits_for_a_yes_in_the_terminal(run, agent, monkeypatch):
    for typed, made in (("yes\n", [True]), ("\n", [False]), ("", [False])):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        _, out, err = run("How is the weather?", "--json", "--graph", "react", "--set", "approval=always")
        assert [call["ok"] for call in json.loads(out)["calls"]][:1] == made
        assert "May tools/tools/forecast be called with" in err


@pytest.mark.parametrize(
    ("effect", "approval", "typed", "made"),
    [
        ("write", "auto", "yes\n", True),
        ("write", "auto", "no\n", False),
        ("write", "auto", "", False),  # nobody is there
        ("write", "never", None, True),
        ("read", "auto", None, True),
        ("unknown", "auto", None, True),
    ],
)
def test_a_write_waits_for_a_yes_unless_it_is_said_not_to(asked_about, effect, approval, typed, made):
    err, calls = asked_about(effect, approval, typed or "")
    assert calls[:1] == [made]
    assert ("May tools/tools/forecast be called with" in err) == (typed is not None)
    assert ("method: CALL, effect: write" in err) == (typed is not None)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("nonsense=1", "There is no setting 'nonsense'"),
        ("max_steps", "not written key=value"),
        ("max_plans=0", "max_plans"),
        ("max_steps=2", "There is no setting 'max_steps'"),
        ("model=local", "is given by --model"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(run, setting, said):
    refused(run("What is the weather?", "--set", setting), said)


def test_an_unknown_graph_is_refused(run):
    outcome = run("What is the weather?", "--graph", "nonsense")
    refused(outcome, "There is no graph 'nonsense'. Those that answer are: anytool, dfsdt, easytool_pipeline, quiver, ")
    assert "judge" not in outcome[2]


@pytest.mark.parametrize("name", ["nonsense", "nobody:gpt"])
def test_an_unknown_model_is_refused(run, callable_catalog, name):
    refused(run("What is the weather?", "--model", name), f"No model is called '{name}'")


def test_a_missing_key_is_told(run, callable_catalog, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    refused(run("What is the weather?", "--model", "openai:gpt-4o"), "OPENAI_API_KEY is not set")


def test_a_missing_catalogue_is_refused(run, tmp_path):
    refused(run("What is the weather?", "--catalog", tmp_path / "no.db"), "There is no file")


def test_a_file_that_is_no_catalogue_is_refused(run, tmp_path):
    (tmp_path / "notes.txt").write_text("no catalogue at all " * 50)
    refused(run("What is the weather?", "--catalog", tmp_path / "notes.txt"), "holds no catalogue")


def test_a_catalogue_whose_tools_are_elsewhere_is_refused(run, tmp_path):
    Catalog.from_tools([packing], path=tmp_path / "apis.db").close()
    refused(run("What is the weather?", "--catalog", tmp_path / "apis.db"), "can be called from here")


@pytest.mark.parametrize("option", ["--budget", "--top-k"])
def test_a_limit_of_nothing_is_refused(run, option):
    refused(run("What is the weather?", option, 0), "must be at least 1")


def test_a_budget_too_small_to_start_is_refused(run, model):
    refused(run("What is the weather?", "--budget", 20), "too small to start")


def test_a_dead_endpoint_is_told(run, callable_catalog, monkeypatch, closed_port):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-dummy-key")
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{closed_port}/v1")
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0)  # the client tries again twice
    monkeypatch.setattr("openai._base_client.MAX_RETRY_DELAY", 0)
    refused(
        run("What is the weather?", "--model", "openai:stand-in"),
        "Nothing answers at the address of the model 'stand-in'",
    )


@pytest.mark.parametrize(("status", "said"), [(401, "refused the key"), (404, "does not know the model")])
def test_what_the_provider_refuses_is_told(run, callable_catalog, provider, status, said):
    provider.status = status
    refused(run("What is the weather?", "--model", "openai:stand-in"), said)


def test_a_page_that_cannot_be_written_does_not_hide_why_a_run_stopped(capsys):
    class Unwritable(RunReport):
        def write(self, _):
            raise InputError("Cannot write 'a.html': No space left on device.")

    trace = SimpleNamespace(events=[1], state={})
    page = Unwritable(file=Path("a.html"), compiled=None, question="What?", trace=trace, about={})
    with pytest.raises(KeyboardInterrupt), page.written_when_stopped():
        raise KeyboardInterrupt
    assert capsys.readouterr().err == "Error: Cannot write 'a.html': No space left on device.\n"

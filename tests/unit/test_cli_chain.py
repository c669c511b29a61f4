"""`toolquiver ask --graph reverse_chain` asks in the terminal; `toolquiver plan` prints and draws a plan."""

import io
import json
import sys
from contextlib import nullcontext

import pytest
from langchain_core.tools import tool

from tests.support.commands import entered
from tests.support.programs import code, worded
from toolquiver.catalog import Catalog
from toolquiver.cli import ask, plan
from toolquiver.errors import InputError
from toolquiver.models import scripted

CHAIN = "forecast(country=country_of(city='Lima'), days=?)"
QUESTION = "How will the weather be in the country of Lima?"


@tool
def country_of(city: str) -> dict[str, str]:
    """Find the country of a city."""
    return {"country": f"the land of {city}\x1b[31m"}


@tool
def forecast(country: str, days: int) -> str:
    """Tell the weather of a country for some days."""
    return f"{days} warm days in {country}"


def answers(_, schema):
    """Where each argument comes from: nobody says how many days."""
    title = schema["title"]
    if title == "Tasks":
        return {"tasks": [{"task": "the weather", "api": "forecast"}]}
    if title == "Answer":
        return {"answer": "It is warm.", "missing": []}
    if title == "Places":
        return {"country": "country"}
    told = {"city": {"value": "Lima"}, "country": {"api": "country_of"}, "days": {"nobody": True}}
    return {name: told[name] for name in schema["properties"]}


@pytest.fixture
def run(monkeypatch, capsys):
    """The command with these arguments and this input: the exit code, what was printed, and the errors."""
    with Catalog.from_tools([country_of, forecast]) as catalog:
        country = catalog.get("tools/tools/country_of")
        output = {"type": "object", "properties": {"country": {"type": "string"}}}
        catalog.update(country.model_copy(update={"output": output}))
        for command in (ask, plan):
            monkeypatch.setattr(command, "load_catalog", lambda _: catalog)
            monkeypatch.setattr(command, "load_model", lambda _: scripted(answers))

        def run(*arguments, typed=""):
            monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
            return entered(monkeypatch, capsys, *arguments)

        yield run


def asked(run, *more, typed=""):
    return run("ask", QUESTION, "--graph", "reverse_chain", "--json", *more, typed=typed)


def test_what_is_missing_is_asked_in_the_terminal(run):
    code, out, err = asked(run, typed="3\n")
    result = json.loads(out)
    assert code == 0
    assert [call["arguments"] for call in result["calls"]][-1]["days"] == 3
    assert result["status"] == "solved"
    assert "forecast needs days, for: the weather." in err
    assert "days (integer)" in err
    assert "\x1b[31m" not in out + err


def test_quiver_asks_in_the_terminal_too(run, monkeypatch):
    played = {
        "Worded": worded("It will rain."),
        "Verdict": {"reason": "", "done": True},
        "Sources": {name: {"source": "nobody", "value": None} for name in ("days", "country")},
    }
    program = code("answer = forecast(country='Peru', days=UNKNOWN)")
    model = scripted(lambda messages, schema: played[schema["title"]] if schema else program)
    monkeypatch.setattr(ask, "load_model", lambda _: model)
    status, out, err = run("ask", QUESTION, "--json", typed="3\n")
    result = json.loads(out)
    assert (status, result["status"]) == (0, "solved")
    assert [call["arguments"] for call in result["calls"]][-1]["days"] == 3
    assert "forecast needs days." in err
    assert "days (integer)" in err
    assert "chain only the user knows: forecast needs days" in err
    status, out, _ = run("ask", QUESTION, "--json", "--no-ask", typed="3\n")
    assert [entry["name"] for entry in json.loads(out)["unfilled"]] == ["days"]
    assert json.loads(out)["calls"][0]["failure"] == "invalid_arguments"


@pytest.mark.parametrize("typed", ["", "\n"])
def test_no_answer_is_a_refusal(run, typed):
    code, out, _ = asked(run, typed=typed)
    result = json.loads(out)
    assert (code, result["status"], result["calls"]) == (1, "failed", [])


def test_a_question_of_a_kept_run_waits_for_the_same_command(run, tmp_path):
    pytest.importorskip("langgraph.checkpoint.sqlite")
    keep = ("--checkpoints", tmp_path / "runs.db")
    code, out, err = asked(run, *keep)
    assert (code, out.strip()) == (2, "")
    assert "The question waits for your answer. The same command goes on with it." in err
    other = run("ask", "How will the weather be there?", "--graph", "reverse_chain", *keep)
    assert "where it was stopped" not in other[2], "another question is another run"
    code, out, err = asked(run, *keep, typed="3\n")
    result = json.loads(out)
    assert (code, result["status"]) == (0, "solved")
    assert [call["arguments"] for call in result["calls"]][-1]["days"] == 3
    assert "It goes on where it was stopped." in err
    assert "where it was stopped" not in asked(run, *keep, typed="4\n")[2], "it has ended, and is begun anew"


@pytest.mark.parametrize(
    "other",
    [
        *(["--model", "openai:other"], ["--budget", 9_000], ["--set", "max_depth=3"], ["--top-k", 4]),
        *(["--catalog", "other.db"], ["--recordings", "calls.jsonl"]),
    ],
    ids=str,
)
def test_a_command_that_differs_is_another_run(run, tmp_path, monkeypatch, other):
    pytest.importorskip("langgraph.checkpoint.sqlite")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ask, "replayed", lambda *_: nullcontext({}))
    keep = ("--checkpoints", "runs.db", "--catalog", "cities.db")
    assert "waits for your answer" in asked(run, *keep)[2]
    assert "where it was stopped" not in asked(run, *keep, *other)[2]
    same = ("--checkpoints", "runs.db", "--catalog", tmp_path / "cities.db", "--report", "run.html")
    assert "where it was stopped" in run("ask", QUESTION, "--graph", "reverse_chain", *same, typed="3\n")[2]


def test_a_kept_run_whose_page_could_not_be_written_is_there_for_the_same_command(run, tmp_path, monkeypatch):
    pytest.importorskip("langgraph.checkpoint.sqlite")
    page = tmp_path / "run.html"
    keep = ("--checkpoints", tmp_path / "runs.db", "--report", page)
    with monkeypatch.context() as full:
        full.setattr("toolquiver.cli.run_report.write_whole", no_room)
        code, first, err = asked(run, *keep, typed="3\n")
    assert (code, json.loads(first)["status"], page.exists()) == (2, "solved", False)
    assert "The disk is full." in err

    monkeypatch.setattr(ask, "load_model", lambda _: scripted(lambda *_: pytest.fail("it was answered before")))
    code, second, err = asked(run, *keep)
    assert (code, second.strip()) == (0, first.strip())
    assert "It has ended before; this is what came of it." in err
    assert "It is warm." in page.read_text("utf-8")

    monkeypatch.setattr(ask, "load_model", lambda _: scripted(answers))
    assert "ended before" not in asked(run, *keep, typed="4\n")[2], "what is written is kept no longer"


def no_room(*_):
    raise InputError("The disk is full.")


def test_the_page_of_a_kept_run_says_what_it_does_not_show(run, tmp_path):
    pytest.importorskip("langgraph.checkpoint.sqlite")
    page = tmp_path / "run.html"
    keep = ("--checkpoints", tmp_path / "runs.db", "--report", page)
    asked(run, *keep)
    first = page.read_text("utf-8")
    assert "Stopped before its end: The question waits for your answer." in first
    assert "went on from an earlier stop" not in first
    asked(run, *keep, typed="3\n")
    second = page.read_text("utf-8")
    assert "went on from an earlier stop" in second
    assert "forecast needs days, for: the weather." in second
    assert "{&quot;days&quot;: &quot;3&quot;}" in second


def test_a_kept_run_that_broke_goes_on_at_its_node(run, tmp_path, monkeypatch):
    pytest.importorskip("langgraph.checkpoint.sqlite")
    made, keep = [], ("--checkpoints", tmp_path / "runs.db")

    def script(messages, schema):
        made.append(schema["title"])
        if made.count("Outcomes") == 1 and made[-1] == "Outcomes":
            raise KeyboardInterrupt
        return answers(messages, schema)

    monkeypatch.setattr(ask, "load_model", lambda _: scripted(script))
    with pytest.raises((SystemExit, KeyboardInterrupt)):
        sys.exit(asked(run, *keep, typed="3\n")[0])
    before = len(made)
    code, out, _ = asked(run, *keep, typed="3\n")
    assert (code, json.loads(out)["status"]) == (0, "solved")
    assert before > 1
    assert not set(made[: before - 1]) & set(made[before:]), "what was decided is not asked again"


def test_without_asking_it_fails_with_the_list(run):
    code, out, err = asked(run, "--no-ask", typed="3\n")
    result = json.loads(out)
    assert (code, result["calls"]) == (1, [])
    assert [entry["name"] for entry in result["unfilled"]] == ["days"]
    assert result["reason"] == "the weather: Not known: days."
    assert "needs days" not in err


def test_without_asking_it_fails_too_where_another_task_lacks_nothing(run, monkeypatch):
    def script(messages, schema):
        if schema["title"] == "Tasks":
            return {"tasks": [{"task": "the weather", "api": "forecast"}, {"task": "its land", "api": "country_of"}]}
        return answers(messages, schema)

    monkeypatch.setattr(ask, "load_model", lambda _: scripted(script))
    both = f"{QUESTION} Which country is Lima in?"
    code, out, _ = run("ask", both, "--graph", "reverse_chain", "--no-ask", "--json")
    result = json.loads(out)
    assert (code, result["status"], len(result["subtasks"])) == (1, "partial", 2)
    assert [entry["name"] for entry in result["unfilled"]] == ["days"]
    code, out, _ = run("ask", both, "--graph", "reverse_chain", "--no-ask")
    assert "Missing: the weather: Not known: days." in " ".join(out.split())


def test_a_plan_takes_settings_and_none_that_have_an_option(run):
    code, out, _ = run("plan", QUESTION, "--json", "--set", "max_depth=1", "--set", "completion=one_by_one")
    assert (code, json.loads(out)["plan"]) == (1, ["forecast(country=?, days=?)"])
    for written in ("top_k=3", "ask=true", "plan_only=false"):
        code, _, err = run("plan", QUESTION, "--set", written)
        assert code == 2
        assert "is given by" in err


def test_of_a_deep_plan_nothing_is_lost_in_a_narrow_terminal(run, monkeypatch):
    def node(number):
        parent = number - 1 if number else None
        calls = [f"step{number}(x=?)"] if number else []
        return {"id": number, "parent": parent, "label": "x" if number else "", "thought": "q", "calls": calls}

    async def deep(*_, **__):
        return {"plan": ["step1"], "tree": [node(number) for number in range(201)], "status": "solved", "reason": ""}

    monkeypatch.setattr(plan, "answered", deep)
    monkeypatch.setenv("COLUMNS", "60")
    code, out, _ = run("plan", QUESTION)
    assert code == 0
    assert all(f"x = step{number}(x=?)" in out for number in range(1, 201))
    assert "(19) x = step190(x=?)" in out


def test_a_plan_is_printed_and_drawn_and_nothing_is_called(run, tmp_path):
    code, out, err = run("plan", QUESTION, "--tree", tmp_path / "plan.svg")
    assert code == 1, "the days are missing"
    assert out.splitlines()[0] == CHAIN
    assert "country = country_of(city='Lima')" in out
    assert "Only you know: forecast needs days" in " ".join(out.split())
    assert "  call" not in err
    drawn = (tmp_path / "plan.svg").read_text("utf-8")
    assert "country · planned" in drawn
    code, out, _ = run("plan", QUESTION, "--json")
    assert json.loads(out)["plan"] == [CHAIN]


@pytest.mark.parametrize(("arguments", "said"), [((" ",), "empty"), (("go", "--tree", "no/plan.svg"), "is not there")])
def test_a_plan_that_cannot_be_made_is_refused_before_anything_is_asked(run, arguments, said):
    code, out, err = run("plan", *arguments)
    assert (code, out) == (2, "")
    assert said in err

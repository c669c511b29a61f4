"""`toolquiver eval`: runs into a journal and goes on, judges, reports; or one line that says what is wrong."""

import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.adding import agent
from tests.support.commands import entered
from tests.support.my_modules import modules_in
from tests.support.reports import honest
from tests.support.script import Script
from tests.support.small_set import add
from toolquiver.catalog import Catalog
from toolquiver.cli import eval_judge, eval_run
from toolquiver.cli.counting import Count
from toolquiver.evaluation.journal import read_journal
from toolquiver.models import load_model, scripted

ROOT = Path(__file__).parents[2]
SET, GOOD, HALF = (f"tests.support.small_set:{name}" for name in ("dataset", "good", "half"))


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Evaluate with these arguments, in an empty folder: the exit code, what was printed, and the errors."""
    monkeypatch.chdir(tmp_path)

    return partial(entered, monkeypatch, capsys, "eval")


@pytest.fixture
def models(monkeypatch):
    """The models that answer and that judge, and what the judge was asked."""
    script = Script(Judgement=honest, Preference={"verdict": "tie"}, Solvability={"verdict": "solvable"})
    monkeypatch.setattr(eval_run, "load_model", lambda _: scripted(agent))
    monkeypatch.setattr(eval_judge, "load_model", lambda _: scripted(script))
    return script


def test_a_run_goes_on_where_it_was(run):
    code, out, err = run("run", SET, "--system", GOOD, "--journal", "a.jsonl", "--limit", 3)
    assert code == 0
    assert "1.00 [1.00, 1.00]" in out
    assert err.splitlines()[0].startswith("1/3 solved 0.0 s sum-0 accuracy 1: It is 0 .")
    code, _, err = run("run", SET, "--system", GOOD, "--journal", "a.jsonl")
    assert code == 0
    lines = [line for line in err.splitlines() if line]
    assert [line.split()[0] for line in lines] == ["4/8", "5/8", "6/8", "7/8", "8/8"]
    assert re.search(r"\([\d.]+/min, 0:00:00 left\)$", lines[-1])
    assert len(read_journal("a.jsonl")[1]) == 8


def test_a_run_goes_on_with_other_code_where_it_may_be_any(run, monkeypatch):
    asked = ("run", SET, "--system", HALF, "--journal", "a.jsonl")
    assert run(*asked, "--limit", 3)[0] == 0
    monkeypatch.setattr("toolquiver.evaluation.heads.code", lambda: "other")
    code, _, err = run(*asked)
    assert (code, "is of another run" in err) == (2, True)
    code, _, err = run(*asked, "--any-code", "--retry")
    assert (code, "was begun by other code" in err) == (0, True)
    assert [one.code for one in read_journal("a.jsonl")[1]].count("other") == 5


@pytest.mark.parametrize("system", ["smurfs", "react", "create_agent", "few-shot"])
def test_our_systems_run_with_a_model_a_cache_and_settings(run, models, system):
    options = ["--system", system, "--journal", "a.jsonl", "--set", "call_retries=0", "--cache", "answers.db"]
    code, _, err = run("run", SET, *options, "--limit", 2, "--seed", 1, "--model", "openai:m")
    assert code == 0, err
    head, lines = read_journal("a.jsonl")
    assert (head.system, head.model, head.settings, head.seed) == (system, "openai:m", {"call_retries": 0}, 1)
    assert all(line.result.outcome == "solved" for line in lines) or system == "few-shot"


@pytest.mark.parametrize(
    ("settings", "calls"),
    [([], 1), (["--set", "approval=auto"], 1), (["--set", "approval=writes"], 0)],
)
def test_nobody_is_asked_before_a_write_unless_that_is_said(run, models, monkeypatch, settings, calls):
    monkeypatch.setattr(add, "metadata", {"effect": "write"})
    code, _, err = run("run", SET, "--system", "react", "--journal", "a.jsonl", "--limit", 1, *settings)
    assert code == 0, err
    head, (line,) = read_journal("a.jsonl")
    assert (len(line.result.calls), line.result.reason == "It asks the user.") == (calls, not calls)
    assert head.settings == dict(text.split("=") for text in settings[1:])


def test_a_graph_keeps_a_question_in_progress(run, models):
    pytest.importorskip("langgraph.checkpoint.sqlite", reason="the package for checkpoints is not installed")
    code, _, err = run("run", SET, "--system", "react", "--journal", "a.jsonl", "--checkpoints", "state.db")
    assert code == 0, err
    assert Path("state.db").is_file()


def test_judging_and_reporting(run, models):
    run("run", SET, "--system", GOOD, "--journal", "good.jsonl")
    run("run", SET, "--system", HALF, "--journal", "half.jsonl")
    code, out, err = run("judge", "half.jsonl", "--into", "v.jsonl", "--model", "openai:j", "--votes", 3)
    assert code == 0, err
    assert "8 judged" in out
    assert len(models.asked) == 24
    assert run("judge", "half.jsonl", "--into", "v.jsonl", "--model", "openai:j", "--votes", 3)[0] == 0
    assert len(models.asked) == 24
    preference = ["--ask", "preference", "--against", "good.jsonl"]
    assert run("judge", "half.jsonl", "--into", "p.jsonl", "--model", "openai:j", *preference)[0] == 0
    assert run("judge", "half.jsonl", "--into", "s.jsonl", "--model", "openai:j", "--ask", "solvable")[0] == 0
    known = [f'{{"question": "{name}", "solved": true}}\n' for name in ("sum-1", "sum-2", "other\u2028\u2029\x85one")]
    Path("labels.jsonl").write_text("\n".join(known), "utf-8")
    journals = ["good.jsonl", "half.jsonl", "v.jsonl", "p.jsonl", "s.jsonl", "--labels", "labels.jsonl"]
    code, out, _ = run("report", *journals)
    assert code == 0
    assert f"Pass rates (judged) ({SET})" in out
    assert run("report", *journals, "--html", "r.html", "--markdown", "r.md") == (0, "", "")
    assert "Preferences (judged)" in Path("r.md").read_text()
    code, _, err = run("report", *journals, "--against", "quiver", "--markdown", "r.md")
    assert code == 2
    assert f"No system is called 'quiver' in these journals. Take one of: {GOOD}, {HALF}." in err
    assert "openai:j" in Path("r.html").read_text()
    assert not [path for path in Path().iterdir() if path.name.startswith(".")]


def test_rulings_that_fail_are_told_and_asked_for_again(run, models, monkeypatch):
    def at_times(messages, schema):
        if "more" in messages[-1].text:
            raise ValueError("It has broken.")
        return honest(messages[-1])

    run("run", SET, "--system", HALF, "--journal", "half.jsonl")
    judge = ("judge", "half.jsonl", "--into", "v.jsonl", "--model", "openai:j")
    with monkeypatch.context() as broken:
        broken.setattr(eval_judge, "load_model", lambda _: scripted(at_times))
        code, out, _ = run(*judge)
    assert (code, out.startswith("4 judged, 4 failed; the same command asks again.")) == (1, True)
    code, out, _ = run(*judge)
    assert (code, out.startswith("8 judged. ")) == (0, True)


@pytest.mark.parametrize("slip", [("--model", "nonsense"), ("--model", "openai:j", "--cache", "no/a.db")])
def test_a_slip_leaves_no_journal_that_refuses_the_right_command(run, models, monkeypatch, slip):
    run("run", SET, "--system", GOOD, "--journal", "good.jsonl")
    with monkeypatch.context() as real:
        real.setattr(eval_judge, "load_model", load_model)
        real.setenv("OPENAI_API_KEY", "sk-none")
        assert run("judge", "good.jsonl", "--into", "v.jsonl", *slip)[0] == 2
    assert not Path("v.jsonl").exists()


def test_a_catalogue_that_was_made_anew_is_another_run(run):
    Path("q.jsonl").write_text('{"id": "sum-1", "query": "What is 1 plus 1?"}\n')
    command = ["run", "q.jsonl", "--with", "catalog=c.db", "--system", GOOD, "--journal", "a.jsonl"]
    Catalog.from_tools([add], path="c.db").close()
    assert run(*command)[0] == run(*command)[0] == 0
    Path("c.db").unlink()
    Catalog.from_tools([add.model_copy(update={"description": "Subtract."})], path="c.db").close()
    code, _, err = run(*command)
    assert code == 2
    assert "is of another run (versions" in err


SLIP = """
from tests.support.small_set import Sums

class Slips(Sums):
    def score(self, question, result):
        if SLIPS and question.id == "sum-3":
            raise KeyError("three")
        return super().score(question, result)

SLIPS = {}
dataset = Slips()
"""


def test_an_answer_outlives_a_score_that_fails(run, monkeypatch, tmp_path):
    with modules_in(tmp_path, monkeypatch) as write:
        write("slipping", SLIP.format(True))
        code, out, err = run("run", "slipping:dataset", "--system", GOOD, "--journal", "a.jsonl")
        assert code == 0
        assert "(n = 7)" in out
        (warning,) = [line for line in err.splitlines() if line.startswith("Warning")]
        assert "answers without scores: 1 (KeyError: 'three')" in warning
        lost = {line.key: (line.result.answer, line.scores) for line in read_journal("a.jsonl")[1]}["sum-3"]
        assert lost == ("It is 6 .", {})
        assert "Warning: tests.support.small_set:good: answers without scores: 1" in run("report", "a.jsonl")[2]
        write("slipping", SLIP.format(False))
        _, out, err = run("report", "a.jsonl")
        assert err == ""
        assert "(n = 7)" not in out


def test_the_model_that_an_agent_asks_is_named_for_its_price(run):
    prices = '[models."mine:m"]\ninput = 1000\ncached = 0\noutput = 0\nsource = "me"\ndated = 2026-01-01\n'
    Path("prices.toml").write_text(prices)
    assert run("run", SET, "--system", GOOD, "--journal", "a.jsonl", "--model", "mine:m", "--limit", 2)[0] == 0
    assert read_journal("a.jsonl")[0].model == "mine:m"
    assert "0.2010" in run("report", "a.jsonl", "--prices", "prices.toml")[1]  # 100 and 101 tokens
    assert "0.2010" not in run("report", "a.jsonl")[1]


def test_the_rate_is_what_was_done_over_the_time_it_took(capsys):
    times = iter([0.0, 30.0, 30.0, 30.0, 60.0])
    with Count(24, 10, clock=lambda: next(times)) as count:
        for _ in range(4):
            count.add("solved", "a question", 30.0)
    told = [line[line.index("(") :] for line in capsys.readouterr().err.splitlines() if "(" in line]
    assert told[2:] == ["(6.0/min, 0:01:50 left)", "(4.0/min, 0:02:30 left)"]


GIVEN = {"good.jsonl", "notes.txt", "bytes.txt", "labels.jsonl", "questions.jsonl", "a.jsonl"}


def test_a_journal_of_figures_alone_has_no_answers_to_judge(run):
    command = ["run", SET, "--system", GOOD, "--journal", "a.jsonl"]
    code, out, err = run(*command, "--figures-only", "--limit", 3)
    assert code == 0
    assert "1.00 [1.00, 1.00]" in out
    assert "It is" not in Path("a.jsonl").read_text() + err
    assert run(*command, "--figures-only")[0] == 0
    assert len(read_journal("a.jsonl")[1]) == 8
    assert "texts: false there, true now" in run(*command)[2]
    assert "has figures alone, no answers to judge" in run("judge", "a.jsonl", "--into", "v.jsonl")[2]
    assert run("report", "a.jsonl", "--html", "r.html")[0] == 0


EXITING = """
import sys
import typing
from langgraph.graph import START, StateGraph

class State(typing.TypedDict):
    query: str
    answer: str

async def node(state):
    if "3" in state["query"]:
        sys.exit(1)
    return {"answer": "It is 0 ."}

agent = StateGraph(State).add_node("node", node).add_edge(START, "node").compile()
"""


def test_an_exit_in_a_task_of_a_graph_is_said(run, monkeypatch, tmp_path):
    with modules_in(tmp_path, monkeypatch) as write:
        write("exiting", EXITING)
        code, _, err = run("run", SET, "--system", "exiting:agent", "--journal", "a.jsonl", "--concurrency", 1)
    lines = read_journal("a.jsonl")[1]
    told = code == 2 and err.splitlines()[-1].startswith("Error: What was asked has called sys.exit")
    assert told or {line.key: line.result.outcome for line in lines}["sum-3"] == "error"
    assert len(lines) == (3 if told else 8)


WRONG = [
    (["run", "no_such_set", "--journal", "a.jsonl"], "no_such_set"),
    (["run", "tests.support.small_set:nothing", "--journal", "a.jsonl"], "cannot be found"),
    (["run", "tests.support.small_set:result", "--journal", "a.jsonl"], "small_set:result fails: TypeError"),
    (["run", SET, "--with", "corrected=true", "--journal", "a.jsonl"], "takes no options"),
    (["run", "hotpotqa", "--with", "size=3", "--journal", "a.jsonl"], "The option size"),
    (["run", "toolbench", "--with", "pool=all", "--journal", "a.jsonl"], "The option pool"),
    (["run", "hotpotqa", "--data", "nowhere", "--journal", "a.jsonl"], "nowhere"),
    (["run", "tests.support.small_set:ADD", "--journal", "a.jsonl"], "is no data set"),
    (["run", SET, "--system", "nonsense", "--journal", "a.jsonl"], "There is no system 'nonsense'"),
    (["run", SET, "--system", "react", "--set", "max_turn=3", "--journal", "a.jsonl"], "no setting 'max_turn'"),
    (["run", SET, "--system", "react", "--set", "max_turns", "--journal", "a.jsonl"], "key=value"),
    (["run", SET, "--system", GOOD, "--set", "max_turns=3", "--journal", "a.jsonl"], "takes no settings"),
    (["run", SET, "--system", GOOD, "--shard", "3/2", "--journal", "a.jsonl"], "must be i/n"),
    (["run", SET, "--system", GOOD, "--journal", "no/a.jsonl"], "Cannot write the journal"),
    (["run", SET, "--system", GOOD, "--journal", "/dev/null"], "The journal cannot be '/dev/null'"),
    (["judge", "good.jsonl", "--into", "/dev/null"], "The journal cannot be '/dev/null'"),
    (["run", SET, "--system", GOOD, "--journal", "a.jsonl", "--cache", "no/a.db"], "Name another"),
    (["run", SET, "--system", GOOD, "--journal", "a.jsonl", "--checkpoints", "no/a.db"], "checkpoints"),
    (["run", SET, "--system", "react", "--journal", "a.jsonl", "--checkpoints", "no/a.db"], "checkpoints"),
    (["report", "none.jsonl"], "Cannot read the journal"),
    (["report", "notes.txt"], "is no journal"),
    (["judge", "none.jsonl", "--into", "v.jsonl"], "Cannot read the journal"),
    (["judge", "good.jsonl", "--into", "v.jsonl", "--ask", "preference"], "needs --against"),
    (["judge", "good.jsonl", "--into", "v.jsonl", "--against", "good.jsonl"], "needs --against"),
    (["judge", "good.jsonl", "--into", "good.jsonl"], "is of another run"),
    (["report", "good.jsonl", "--html", "no/r.html"], "Cannot write"),
    (["report", "good.jsonl", "--labels", "notes.txt"], "Line 1 of 'notes.txt' is no label"),
    (["report", "good.jsonl", "--labels", "none.txt"], "Cannot read the labels"),
    (["report", "good.jsonl", "--labels", "bytes.txt"], "Line 1 of 'bytes.txt' is no label"),
    (["report", "good.jsonl", "--labels", "labels.jsonl"], "Line 1 of 'labels.jsonl' is no label: sytem: Extra"),
    (["run", "questions.jsonl", "--system", "react", "--journal", "a.jsonl"], "Over which catalogue does react"),
    (["report", "good.jsonl", "--prices", "notes.txt"], "The prices in 'notes.txt' cannot be read"),
]


@pytest.mark.parametrize(("arguments", "told"), WRONG)
def test_bad_input_is_one_line_and_leaves_nothing_behind(run, models, arguments, told):
    run("run", SET, "--system", GOOD, "--journal", "good.jsonl")
    Path("notes.txt").write_text("my notes\n")
    Path("bytes.txt").write_bytes(b"\xff\n")
    Path("questions.jsonl").write_text('{"query": "Why?"}\n')
    Path("labels.jsonl").write_text('{"question": "sum-1", "solved": true, "sytem": "a"}\n')
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert err.count("\n") == 1
    without_package = "checkpoints" in arguments[-2] and find_spec("langgraph.checkpoint.sqlite") is None
    assert ("langgraph-checkpoint-sqlite" if without_package else told) in err
    assert {path.name for path in Path().iterdir()} <= GIVEN
    assert not Path("a.jsonl").exists() or "checkpoints" in told


def test_ctrl_c_ends_a_run_that_goes_on_later(tmp_path):
    command = [sys.executable, "-m", "toolquiver", "eval", "run", SET, "--system", GOOD, "--concurrency", "2"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "ASKED": str(tmp_path / "asked")}
    journal = tmp_path / "a.jsonl"
    stuck = environment | {"STUCK_FROM": "sum-4"}  # so that it is not through before the signal comes
    process = subprocess.Popen(
        [*command, "--journal", str(journal)], cwd=tmp_path, env=stuck, stderr=subprocess.PIPE, text=True
    )
    while process.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") > 3):
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=600)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert said.splitlines()[-1] == "Stopped. What is done is kept; the same command goes on."
    done = len(read_journal(journal)[1])
    assert 3 <= done < 8
    subprocess.run(
        [*command, "--journal", str(journal)], cwd=tmp_path, env=environment, check=True, capture_output=True
    )
    asked = (tmp_path / "asked").read_text().split()
    assert len(read_journal(journal)[1]) == 8
    assert len(asked) <= 8 + 2
    assert journal.read_bytes().count(b"\n") == 9


def test_votes_are_given_by_their_option(run, models):
    assert run("run", SET, "--system", HALF, "--journal", "half.jsonl")[0] == 0
    code, _, err = run("judge", "half.jsonl", "--into", "v.jsonl", "--model", "openai:j", "--set", "votes=5")
    assert (code, "The setting 'votes' is given by --votes" in err) == (2, True)


def test_what_is_printed_says_how_it_is_to_be_read(run):
    _, out, _ = run("run", SET, "--system", GOOD, "--journal", "a.jsonl", "--limit", 2)
    assert "Means over questions, by program" in " ".join(out.split())

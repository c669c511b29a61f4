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

from tests.graphs.script import Script
from tests.unit.commands import entered
from tests.unit.test_evaluation_report import honest
from tests.unit.test_evaluation_systems import agent
from toolquiver.cli import eval_judge, eval_run
from toolquiver.evaluation.journal import read_journal
from toolquiver.models import scripted

ROOT = Path(__file__).parents[2]
SET, GOOD, HALF = (f"tests.unit.small_set:{name}" for name in ("dataset", "good", "half"))


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


@pytest.mark.parametrize("system", ["smurfs", "react", "create_agent", "few-shot"])
def test_our_systems_run_with_a_model_a_cache_and_settings(run, models, system):
    options = ["--system", system, "--journal", "a.jsonl", "--set", "call_retries=0", "--cache", "answers.db"]
    code, _, err = run("run", SET, *options, "--limit", 2, "--seed", 1, "--model", "openai:m")
    assert code == 0, err
    head, lines = read_journal("a.jsonl")
    assert (head.system, head.model, head.settings, head.seed) == (system, "openai:m", {"call_retries": 0}, 1)
    assert all(line.result.outcome == "solved" for line in lines) or system == "few-shot"


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
    Path("labels.jsonl").write_text('{"question": "sum-1", "solved": true}\n{"question": "sum-2", "solved": true}\n')
    journals = ["good.jsonl", "half.jsonl", "v.jsonl", "p.jsonl", "s.jsonl", "--labels", "labels.jsonl"]
    code, out, _ = run("report", *journals)
    assert code == 0
    assert f"Pass rates (judged) ({SET})" in out
    assert run("report", *journals, "--html", "r.html", "--markdown", "r.md") == (0, "", "")
    assert "Preferences (judged)" in Path("r.md").read_text()
    assert "openai:j" in Path("r.html").read_text()
    assert not [path for path in Path().iterdir() if path.name.startswith(".")]


WRONG = [
    (["run", "no_such_set", "--journal", "a.jsonl"], "no_such_set"),
    (["run", "tests.unit.small_set:nothing", "--journal", "a.jsonl"], "cannot be found"),
    (["run", "tests.unit.small_set:result", "--journal", "a.jsonl"], "small_set:result fails: TypeError"),
    (["run", SET, "--with", "corrected=true", "--journal", "a.jsonl"], "takes no options"),
    (["run", "hotpotqa", "--with", "size=3", "--journal", "a.jsonl"], "The option size"),
    (["run", "toolbench", "--with", "pool=all", "--journal", "a.jsonl"], "The option pool"),
    (["run", "hotpotqa", "--data", "nowhere", "--journal", "a.jsonl"], "nowhere"),
    (["run", "tests.unit.small_set:ADD", "--journal", "a.jsonl"], "is no data set"),
    (["run", SET, "--system", "nonsense", "--journal", "a.jsonl"], "There is no system 'nonsense'"),
    (["run", SET, "--system", "react", "--set", "max_turn=3", "--journal", "a.jsonl"], "no setting 'max_turn'"),
    (["run", SET, "--system", "react", "--set", "max_turns", "--journal", "a.jsonl"], "key=value"),
    (["run", SET, "--system", GOOD, "--set", "max_turns=3", "--journal", "a.jsonl"], "takes no settings"),
    (["run", SET, "--system", GOOD, "--shard", "3/2", "--journal", "a.jsonl"], "must be i/n"),
    (["run", SET, "--system", GOOD, "--journal", "no/a.jsonl"], "Cannot write the journal"),
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
]


@pytest.mark.parametrize(("arguments", "told"), WRONG)
def test_bad_input_is_one_line_and_leaves_nothing_behind(run, models, arguments, told):
    run("run", SET, "--system", GOOD, "--journal", "good.jsonl")
    Path("notes.txt").write_text("my notes\n")
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert err.count("\n") == 1
    without_package = "checkpoints" in arguments[-2] and find_spec("langgraph.checkpoint.sqlite") is None
    assert ("langgraph-checkpoint-sqlite" if without_package else told) in err
    assert {path.name for path in Path().iterdir()} <= {"good.jsonl", "notes.txt", "a.jsonl"}
    assert not Path("a.jsonl").exists() or "checkpoints" in told


def test_ctrl_c_ends_a_run_that_goes_on_later(tmp_path):
    command = [sys.executable, "-m", "toolquiver", "eval", "run", SET, "--system", GOOD, "--concurrency", "2"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "ASKED": str(tmp_path / "asked")}
    journal = tmp_path / "a.jsonl"
    slow = environment | {"PAUSE": "1"}  # so that it is not through before the signal comes, on a busy machine either
    process = subprocess.Popen(
        [*command, "--journal", str(journal)], cwd=tmp_path, env=slow, stderr=subprocess.PIPE, text=True
    )
    while process.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") > 3):
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130, said
    assert "Traceback" not in said
    done = len(read_journal(journal)[1])
    assert 3 <= done < 8
    subprocess.run(
        [*command, "--journal", str(journal)], cwd=tmp_path, env=environment, check=True, capture_output=True
    )
    asked = (tmp_path / "asked").read_text().split()
    assert len(read_journal(journal)[1]) == 8
    assert len(asked) <= 8 + 2
    assert journal.read_bytes().count(b"\n") == 9

"""`toolquiver catalog import` that is stopped in the middle: what it leaves, and what the next one makes of it."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from toolquiver.catalog import Catalog
from toolquiver.cli.new_file import opened_or_new
from toolquiver.cli.stopping import terminated_as_interrupted
from toolquiver.errors import CatalogError

SLOW = """
import sys
from pathlib import Path
from langchain_core.tools import tool

@tool
def one() -> str:
    "Give one."

def tools():
    if Path("wait").exists():
        print("reading", flush=True)
        sys.stdin.readline()
    return [one]
"""


@contextmanager
def importing(folder):
    """An import in a process of its own, which has made its file and waits for its source."""
    (folder / "slow.py").write_text(SLOW)
    (folder / "wait").touch()
    command = [sys.executable, "-B", "-m", "toolquiver", "catalog", "import", "slow:tools", "--into", "apis.db"]
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), root])
    with subprocess.Popen(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout.readline() == "reading\n"
            yield process
        finally:
            process.kill()


def left(folder):
    return {path.name for path in folder.iterdir()} - {"slow.py", "wait"}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_first_import_that_is_told_to_end_leaves_nothing(tmp_path, number):
    with importing(tmp_path) as process:
        assert all(name.endswith(".new") for name in left(tmp_path))
        process.send_signal(number)
        assert process.wait() == 130
        assert "Traceback" not in process.stderr.read()
    assert left(tmp_path) == set()


def test_a_first_import_that_is_killed_leaves_no_catalogue_and_the_next_one_works(tmp_path, run, monkeypatch):
    with importing(tmp_path) as process:
        process.kill()
        process.wait()
    assert all(name.startswith("apis.db.") and ".new" in name for name in left(tmp_path))
    (tmp_path / "wait").unlink()
    monkeypatch.chdir(tmp_path)
    assert run("catalog", "import", "slow:tools", "--into", "apis.db")[0] == 0
    with Catalog.open(tmp_path / "apis.db") as catalog:
        assert len(catalog) == 1


def test_a_file_that_came_meanwhile_is_not_replaced(tmp_path):
    path = tmp_path / "apis.db"
    with pytest.raises(CatalogError, match="Import again"), opened_or_new(path, dry_run=False):
        path.write_text("another's")
    assert path.read_text() == "another's"
    assert [file.name for file in tmp_path.iterdir()] == ["apis.db"]


@pytest.mark.parametrize("ignored", [False, True])
def test_a_signal_is_taken_for_ctrl_c_within_the_block_only(ignored):
    before = signal.getsignal(signal.SIGINT)
    try:
        if ignored:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        with pytest.raises(KeyboardInterrupt), terminated_as_interrupted():
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGINT, before)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_who_takes_the_signal_already_keeps_it():
    taken = []
    signal.signal(signal.SIGTERM, lambda *_: taken.append(True))
    try:
        with terminated_as_interrupted():
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    assert taken == [True]

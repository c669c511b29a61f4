"""A process that is killed at once, and another that goes on from its file."""

import signal
import subprocess
import sys

from tests.support.killed import run_of

WRITES = 3


def a_process(folder, *, killed_at):
    """Run to the end in a process of its own, which is killed within its n-th write; 0 is never."""
    command = [sys.executable, "-m", "tests.support.killed", str(folder), str(killed_at)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_a_run_whose_process_is_killed_goes_on_and_makes_no_write_twice(tmp_path):
    assert a_process(tmp_path, killed_at=2).returncode == -signal.SIGKILL
    result = run_of(tmp_path, killed_at=0)
    assert result["status"] == "solved"
    done = (tmp_path / "written").read_text().splitlines()
    assert done == [str(number) for number in range(WRITES)]
    assert [call["arguments"]["n"] for call in result["calls"]] == list(range(WRITES))

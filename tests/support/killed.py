"""A run of quiver with a state file, whose process kills itself within a write: `python -m tests.support.killed`."""

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.support.programs import THREAD, Programs, an_api, code, settings_of

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")

PROGRAM = code("answer = [note(n) for n in range(3)]")
NOTE = an_api("note", {"n": {"type": "integer"}}, effect="write")


def run_of(folder, *, killed_at):
    """Begin the run of this folder, or go on with it; the process dies before its n-th write is done."""
    written = Path(folder) / "written"

    def respond(_, given):
        done = written.read_text().splitlines() if written.exists() else []
        if killed_at and len(done) + 1 == killed_at:
            os.kill(os.getpid(), signal.SIGKILL)
        written.write_text("".join(f"{line}\n" for line in [*done, given["n"]]))
        return given["n"]

    stage = Programs(NOTE, plans=PROGRAM, respond=respond)
    with sqlite.SqliteSaver.from_conn_string(str(Path(folder) / "state.db")) as saver:
        begun = saver.get_tuple(THREAD) is not None
        asked = None if begun else {"query": "Note it.", "candidates": stage.ids}
        graph, settings = stage.build(checkpointer=saver), settings_of(approval="never")
        return graph.invoke(asked, THREAD, context=settings, durability="sync")


if __name__ == "__main__":
    run_of(sys.argv[1], killed_at=int(sys.argv[2]))

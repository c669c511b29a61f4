"""The SQLite file that keeps runs: closed in the middle of a write, it is free."""

import asyncio
import sqlite3
from contextlib import closing, suppress

import pytest
from langgraph.checkpoint.base import empty_checkpoint

from toolquiver.evaluation.opened import checkpoints

WHERE = {"configurable": {"thread_id": "one", "checkpoint_ns": ""}}
ENOUGH = 20  # turns of the loop: a write takes fewer


@pytest.mark.parametrize("cancelled", [False, True])
@pytest.mark.parametrize("turns", range(ENOUGH))
def test_closed_in_the_middle_of_a_write_it_keeps_no_lock(tmp_path, turns, cancelled):
    pytest.importorskip("langgraph.checkpoint.sqlite")
    file = tmp_path / "runs.db"

    async def written():
        async with checkpoints(file) as saver:
            kept = await saver.aput(WHERE, empty_checkpoint(), {}, {})
            writing = asyncio.create_task(saver.aput_writes(kept, [("channel", "value")], "task"))
            for _ in range(turns):
                await asyncio.sleep(0.0002)
            if cancelled:
                writing.cancel()
        with suppress(asyncio.CancelledError, sqlite3.Error, ValueError):
            await writing

    asyncio.run(written())
    with closing(sqlite3.connect(file, timeout=0)) as other:
        other.execute("BEGIN IMMEDIATE")

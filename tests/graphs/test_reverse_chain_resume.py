"""A chain that waits, or was stopped anywhere, goes on from there: later, and in another process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from langgraph.types import Command

from tests.graphs.chains import BOOK, NONE, booking, books
from toolquiver.context import Context

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")

CONFIG = {"configurable": {"thread_id": "one"}, "recursion_limit": 500}
CONTEXT = Context(planner=False, call_retries=0)


def asks():
    """A booking in which nobody says who it is for."""
    return booking(lambda name, offered, text: NONE if name == "person_name" else books(name, offered, text))


def one_step(chain, path, given):
    """A single superstep, with graph and checkpoints opened anew: as if it had been killed behind it."""
    with sqlite.SqliteSaver.from_conn_string(str(path)) as saver:
        graph = chain.build(checkpointer=saver)
        result = graph.invoke(given, CONFIG, context=CONTEXT, interrupt_after="*")
        return result, graph.get_state(CONFIG)


def test_stopped_behind_every_node_it_makes_no_call_twice_and_asks_nothing_twice(tmp_path):
    untouched, chain = booking(), booking()
    whole = untouched.ask(BOOK)
    given, visited = {"query": BOOK, "candidates": chain.ids}, []
    for _ in range(60):
        result, state = one_step(chain, tmp_path / "state.db", given)
        given = None
        visited += state.next
        if not state.next:
            break
    assert result == whole
    assert chain.caller.made == untouched.caller.made
    assert chain.titles() == untouched.titles()
    assert {"select_api", "complete_arguments", "push", "call", "take_output", "finish_goal", "compose"} <= set(visited)


def test_a_question_waits_while_everything_is_opened_anew(tmp_path):
    chain, path = asks(), tmp_path / "state.db"
    given = {"query": BOOK, "candidates": chain.ids}
    for _ in range(60):
        _, state = one_step(chain, path, given)
        if state.interrupts:
            break
        given = None
    before = len(chain.asked)
    result = None
    given = Command(resume={"person_name": "Jill"})
    while not result or state.next:
        result, state = one_step(chain, path, given)
        given = None
    assert result["status"] == "solved"
    assert len(chain.asked) == before + 1  # the digest alone
    assert len({json.dumps(call) for call in chain.caller.made}) == len(chain.caller.made) == 3


PROCESS = """
import json, sys
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command
from tests.graphs.test_reverse_chain_resume import BOOK, CONFIG, CONTEXT, asks

chain = asks()
given = Command(resume={"person_name": "Jill"}) if sys.argv[2] == "answer" else {"query": BOOK, "candidates": chain.ids}
with SqliteSaver.from_conn_string(sys.argv[1]) as saver:
    result = chain.build(checkpointer=saver).invoke(given, CONFIG, context=CONTEXT)
waiting = [entry["key"] for found in result.get("__interrupt__", []) for entry in found.value["missing"]]
made, said = chain.caller.made, chain.titles()
print(json.dumps({"waiting": waiting, "status": result.get("status"), "made": made, "said": said}))
"""


def process(path, part):
    done = subprocess.run(
        [sys.executable, "-c", PROCESS, str(path), part],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"LANGGRAPH_STRICT_MSGPACK": "true"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_another_process_goes_on_with_the_answer(tmp_path):
    first = process(tmp_path / "state.db", "question")
    assert (first["waiting"], first["made"]) == (["person_name"], [])
    second = process(tmp_path / "state.db", "answer")
    assert second["status"] == "solved"
    assert second["made"][-1][1]["person_ID"] == 17
    assert ["Name2ID", {"person_name": "Jill"}] in second["made"]
    assert second["said"] == ["Digest"], "nothing is planned again"

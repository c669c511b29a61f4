"""LangChain tools called in this process, whatever they do."""

import asyncio
import datetime as dt
import json
import sys
import threading
from contextvars import ContextVar
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import ToolMessage
from langchain_core.tools import InjectedToolCallId, StructuredTool, ToolException, tool
from langgraph.errors import GraphInterrupt
from langgraph.types import Command
from pydantic import BaseModel

from toolquiver.calling import CallError, Failure, Limits, PythonCaller, perform
from toolquiver.calling.python import as_text
from toolquiver.catalog.langchain import record


class City(BaseModel):
    name: str
    founded: dt.date


@dataclass
class Size:
    width: int


@tool
def add(a: int, b: int = 1) -> int:
    """Add."""
    return a + b


@tool
async def whisper(text: str) -> str:
    """Whisper."""
    await asyncio.sleep(0)
    return text.lower()


def raising(error):
    def fail() -> str:
        raise error

    return StructuredTool.from_function(fail, name="fail", description="Fail.")


def call(made, arguments=None):
    api = record(made)
    return asyncio.run(PythonCaller({api.id: made}).call(api, arguments or {}))


def test_plain_and_asynchronous_tools_are_called():
    assert call(add, {"a": 2, "b": 3}).text == "5"
    assert call(add, {"a": 2}).text == "3"
    assert call(whisper, {"text": "HUSH"}).text == "hush"


def test_a_tool_gets_the_id_of_its_call():
    @tool
    def sign(text: str, call_id: Annotated[str, InjectedToolCallId]) -> str:
        """Sign."""
        return f"{text} {bool(call_id)}"

    assert list(record(sign).parameters["properties"]) == ["text"]
    assert call(sign, {"text": "Yours,"}).text == "Yours, True"


def test_a_tool_that_is_not_loaded_is_unknown():
    with pytest.raises(CallError, match=r"tools=\[\.\.\.\]") as caught:
        asyncio.run(PythonCaller({}).call(record(add), {}))
    assert caught.value.kind == "unknown_api"


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (ToolException("No such city."), "tool_error", "No such city."),
        (ToolException(), "tool_error", "The tool failed and did not say why."),
        (ZeroDivisionError("by zero"), "tool_error", "ZeroDivisionError: by zero"),
        (TimeoutError("the host slept"), "timeout", "fail took too long: the host slept"),
    ],
)
def test_what_a_tool_raises_is_a_failure(error, kind, message):
    with pytest.raises(CallError) as caught:
        call(raising(error))
    assert (caught.value.kind, str(caught.value)) == (kind, message)


def test_arguments_that_the_tool_refuses_are_invalid():
    with pytest.raises(CallError, match=r"^a: .*valid integer") as caught:
        call(add, {"a": "many"})
    assert caught.value.kind == "invalid_arguments"


def test_what_a_tool_s_own_code_refuses_is_no_fault_of_the_arguments():
    def pay(amount: int) -> str:
        return City.model_validate({"name": amount, "founded": "1-1-1"}).name

    class Titled(BaseModel, title="What to pay"):
        amount: int

    for schema in (None, Titled, {"type": "object", "properties": {"amount": {"type": "integer"}}}):
        paying = StructuredTool.from_function(pay, name="pay", description="Pay.", args_schema=schema)
        with pytest.raises(CallError, match=r"^City: name: .*valid string.*; founded: ") as caught:
            call(paying, {"amount": 5})
        assert caught.value.kind == "tool_error"
    titled = StructuredTool.from_function(pay, name="pay", description="Pay.", args_schema=Titled)
    with pytest.raises(CallError, match=r"^amount: .*valid integer") as caught:
        call(titled, {"amount": "many"})
    assert caught.value.kind == "invalid_arguments"


def test_an_interruption_goes_through():
    async def stop() -> str:
        raise KeyboardInterrupt

    stopping = StructuredTool.from_function(coroutine=stop, name="stop", description="Stop.")
    with pytest.raises(KeyboardInterrupt):
        call(stopping)


def test_only_who_cancels_the_call_ends_more_than_the_tool():
    async def wait(*, own: bool) -> str:
        inner = asyncio.create_task(asyncio.sleep(10))
        asyncio.get_running_loop().call_later(0.01, (inner if own else outer[0]).cancel)
        await inner
        return ""

    async def made(*, own):
        outer.append(asyncio.current_task())
        await PythonCaller({api.id: waiting}).call(api, {"own": own})

    outer = []
    waiting = StructuredTool.from_function(coroutine=wait, name="wait", description="Wait.")
    api = record(waiting)
    with pytest.raises(CallError, match="was cancelled from within"):
        asyncio.run(made(own=True))
    outer.clear()
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(made(own=False))


def test_a_message_of_an_error_is_no_answer_and_of_a_command_the_message_is():
    def failing() -> ToolMessage:
        return ToolMessage("it failed badly", tool_call_id="1", status="error")

    def going() -> Command:
        return Command(update={"messages": [ToolMessage("17 lamps", tool_call_id="1")], "seen": True})

    with pytest.raises(CallError, match="it failed badly"):
        call(StructuredTool.from_function(failing, name="failing", description="Fail."))
    assert call(StructuredTool.from_function(going, name="going", description="Go.")).text == "17 lamps"


@pytest.mark.parametrize("as_coroutine", [False, True])
def test_a_tool_that_ends_the_program_has_failed(as_coroutine):
    def leave() -> str:
        sys.exit("usage: leave")

    async def leave_later() -> str:
        sys.exit("usage: leave")

    given = {"coroutine": leave_later} if as_coroutine else {"func": leave}
    with pytest.raises(CallError, match="SystemExit: usage: leave") as caught:
        call(StructuredTool.from_function(**given, name="leave", description="Leave."))
    assert caught.value.kind == "tool_error"


def test_nothing_waits_for_a_plain_tool_that_hangs():
    free = threading.Event()

    def hang() -> str:
        free.wait(60)
        return str(threading.current_thread().daemon)

    hanging = StructuredTool.from_function(hang, name="hang", description="Hang.")
    api = record(hanging)
    caller = {"python": PythonCaller({api.id: hanging})}
    outcome = asyncio.run(perform(api, {}, caller, Limits(timeout=0.01, retries=0)))
    assert isinstance(outcome, Failure)
    assert outcome.kind == "timeout"
    free.set()
    assert call(hanging).text == "True"


def test_a_plain_tool_sees_the_context_of_its_caller():
    name = ContextVar("name", default="")

    def see() -> str:
        return name.get()

    name.set("Ada")
    assert call(StructuredTool.from_function(see, name="see", description="See.")).text == "Ada"


def test_a_tool_that_hangs_is_a_timeout():
    async def hang() -> str:
        await asyncio.sleep(10)

    hanging = StructuredTool.from_function(coroutine=hang, name="hang", description="Hang.")
    api = record(hanging)
    limits = Limits(timeout=0.01, retries=0)
    outcome = asyncio.run(perform(api, {}, {"python": PythonCaller({api.id: hanging})}, limits))
    assert isinstance(outcome, Failure)
    assert outcome.kind == "timeout"


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ("as it is", "as it is"),
        (None, "null"),
        ({"città": "Forlì", "n": 1.5}, '{"città": "Forlì", "n": 1.5}'),
        (City(name="Roma", founded=dt.date(1, 4, 21)), '{"name": "Roma", "founded": "0001-04-21"}'),
        ([Size(3)], '[{"width": 3}]'),
        (Decimal("1.10"), '"1.10"'),
        ({(1, 2): "pair"}, '{"1,2": "pair"}'),
        (object, "\"<class 'object'>\""),
        ("half \ud83d pair", "half ? pair"),
        ({"half": "\ud83d"}, '{"half": "?"}'),
    ],
)
def test_results_read_as_text_or_json(result, text):
    assert as_text(result) == text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("plain", "plain"),
        (["a", "b"], '["a", "b"]'),
        ([{"name": "Ada"}], '[{"name": "Ada"}]'),
        ([{"type": "text", "text": "one"}, "two"], "one\ntwo"),
        (
            [{"type": "image", "base64": "AAAA", "mime_type": "image/png"}],
            "[image, image/png, 3 bytes; it is not shown]",
        ),
        (
            [{"type": "image_url", "image_url": {"url": "data:image/gif;base64,AAAA"}}],
            "[image, image/gif, 3 bytes; it is not shown]",
        ),
        ([{"type": "file", "url": "https://a.test/b.pdf"}], "[file: https://a.test/b.pdf]"),
        ([{"type": "audio"}], "[audio; it is not shown]"),
    ],
)
def test_content_beside_an_artifact_is_shown_by_its_blocks(content, text):
    def look() -> tuple:
        return content, {"more": 1}

    made = StructuredTool.from_function(look, name="look", description="Look.", response_format="content_and_artifact")
    assert call(made).text == text


def test_a_result_that_cannot_be_written_down_is_a_failure():
    def circle() -> list:
        """Give a list that holds itself."""
        made = []
        made.append(made)
        return made

    with pytest.raises(CallError, match="ValueError") as caught:
        call(StructuredTool.from_function(circle))
    assert caught.value.kind == "tool_error"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), json_values, max_size=3))
def test_json_results_lose_nothing(result):
    assert json.loads(as_text(result)) == result


def test_a_tool_that_handles_its_errors_fails_all_the_same():
    quiet = raising(ToolException("401 Unauthorized"))
    quiet.handle_tool_error = True
    with pytest.raises(CallError, match="401 Unauthorized"):
        call(quiet)


def test_a_tool_may_name_the_kind_of_its_failure():
    with pytest.raises(CallError) as caught:
        call(raising(CallError("rate_limited", "Slow down.", retry_after=2)))
    assert (caught.value.kind, caught.value.retry_after) == ("rate_limited", 2)


def test_an_interrupt_for_the_user_passes():
    with pytest.raises(GraphInterrupt):
        call(raising(GraphInterrupt()))

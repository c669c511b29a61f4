"""The real local model, served for real."""

import asyncio
import os
import subprocess
import sys
import textwrap
import threading
import time
import urllib.error
import urllib.request
from typing import Literal

import pytest
from langchain.agents import create_agent
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from pydantic import BaseModel, Field

pytest.importorskip("xllamacpp")

from toolquiver.models import decide
from toolquiver.models.local import acquire, local_chat_model
from toolquiver.models.local.locks import is_held

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def model():
    return local_chat_model()


@tool
def weather(city: str) -> str:
    """Tell the weather in a city."""
    return "sunny"


@tool
def add(a: int, b: int) -> int:
    """Add two integers."""
    return a + b


@tool
def multiply(a: float, b: float) -> float:
    """Multiply two numbers."""
    return a * b


class Choice(BaseModel):
    api: Literal["get_weather", "get_stock_price", "send_mail"]


def test_structured_output_is_of_the_schema(model):
    choose = model.with_structured_output(Choice, method="json_schema")
    choice = choose.invoke("Which API tells whether it rains in Oslo? get_weather, get_stock_price or send_mail?")
    assert choice.api == "get_weather"


class Counted(BaseModel):
    """What importers find in documents: bounds at the ends of 64 bits, and lengths that no grammar counts."""

    number: int = Field(ge=-(2**63), le=2**63)
    words: list[str] = Field(max_length=2_000)


def test_bounds_of_which_no_grammar_can_be_made_do_not_stop_the_server(model):
    messages = [HumanMessage("The number is 7, the word is: lamp. Write both as JSON.")]
    found = asyncio.run(decide(model, Counted, messages, role="count", tokens_left=4_000))
    assert found.value.number == 7

    @tool(args_schema=Counted)
    def count(number: int, words: list[str]) -> int:
        """Count the words."""
        return number + len(words)

    assert model.bind_tools([count], tool_choice="any").invoke("Count the word lamp, with number 7.").tool_calls


def test_an_agent_ends_with_an_answer(model):
    agent = create_agent(model, [weather, multiply])
    said = agent.invoke({"messages": [("user", "What is 17.3 times 23?")]}, {"recursion_limit": 8})["messages"]
    assert "397.9" in said[-1].text
    assert not said[-1].tool_calls


@pytest.mark.parametrize("how", ["auto", "any", "weather"])
def test_tools_are_called(model, how):
    answer = model.bind_tools([weather, add], tool_choice=how).invoke("What is the weather in Oslo?")
    assert [(call["name"], call["args"]) for call in answer.tool_calls] == [("weather", {"city": "Oslo"})]
    assert "```" not in answer.content


def test_tools_are_called_while_streaming(model):
    whole = None
    for chunk in model.bind_tools([weather, add]).stream("What is the weather in Oslo?"):
        whole = chunk if whole is None else whole + chunk
    assert whole.tool_calls[0]["args"] == {"city": "Oslo"}
    assert whole.usage_metadata["output_tokens"] > 0


def test_conversation_with_a_tools_result_goes_on(model):
    bound = model.bind_tools([weather])
    history = [HumanMessage("What is the weather in Oslo?")]
    history.append(bound.invoke(history))
    history.append(ToolMessage("sunny, 21 degrees", tool_call_id=history[-1].tool_calls[0]["id"]))
    assert "21" in model.invoke(history).content


def test_usage_is_reported_and_a_prefix_is_cached(model):
    start = "You pick one of many tools. " + "A rule to keep in mind. " * 30
    first = model.invoke([("system", start), ("user", "One?")], max_tokens=5)
    second = model.invoke([("system", start), ("user", "Two?")], max_tokens=5)
    assert 0 < first.usage_metadata["output_tokens"] <= 5
    assert second.usage_metadata["input_tokens"] > 150
    assert second.usage_metadata["input_token_details"]["cache_read"] > 150


def test_one_model_in_several_event_loops(model):
    def ask():
        answers.append(asyncio.run(model.ainvoke("Say hi.", max_tokens=5)).content)

    answers = []
    ask()
    ask()
    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 5
    assert all(answers)


CLIENT = textwrap.dedent("""
    import asyncio, logging, sys
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # that something is slow on a busy machine is no fault
    from toolquiver.models.local import local_chat_model
    model = local_chat_model(max_tokens=5)
    assert model.invoke("Say hi.").content
    assert asyncio.run(model.ainvoke("Say hi.")).content
    print(model.openai_api_base, flush=True)
    sys.stdin.read()
""")


def test_two_processes_share_a_server_that_ends_after_both(tmp_path):
    environment = os.environ | {"XDG_RUNTIME_DIR": str(tmp_path)}
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", CLIENT]
    both = [subprocess.Popen(command, env=environment, stdin=-1, stdout=-1, stderr=-1, text=True) for _ in range(2)]
    addresses = {process.stdout.readline() for process in both}
    (lock,) = tmp_path.glob("toolquiver/*/server.lock")
    assert is_held(lock)
    assert [process.communicate()[1] for process in both] == ["", ""]
    assert len(addresses) == 1
    while is_held(lock):
        time.sleep(0.1)
    assert not lock.with_name("state.json").exists()


def test_endpoint_asks_for_its_key():

    request = urllib.request.Request(acquire().base_url + "/chat/completions", b"{}", {"Authorization": "Bearer x"})
    with pytest.raises(urllib.error.HTTPError, match="401") as error:
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request)
    error.value.close()

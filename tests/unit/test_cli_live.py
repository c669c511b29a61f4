"""The live view: what a model writes is seen as it is written, line by line, and only on a terminal."""

import io

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk
from rich.console import Console
from rich.text import Text

from toolquiver.cli.live import LiveView

AT = {"langgraph_node": "plan"}


@pytest.fixture(params=[True, False], ids=["terminal", "file"])
def seen(request):
    """What is printed while these messages come, without and with its escape sequences; whether it is a terminal."""

    def seen(*messages):
        printed = io.StringIO()
        with LiveView(Console(file=printed, force_terminal=request.param, width=160)) as view:
            for message in messages:
                view.written(message, AT)
        raw = printed.getvalue()
        return Text.from_ansi(raw).plain, raw, request.param

    return seen


def test_the_line_at_which_a_program_is_written_is_shown(seen):
    parts = ["place = find", "(name)\nanswer = ra", "in(place)"]
    printed, _, terminal = seen(*(AIMessageChunk(part, id="1") for part in parts))
    assert ("plan · 0 tokens · answer = rain(place)" in printed) == terminal
    assert terminal or not printed.strip()


def test_another_reply_begins_anew(seen):
    printed, _, terminal = seen(AIMessageChunk("first = 1", id="1"), AIMessageChunk("second = 2", id="2"))
    assert ("tokens · second = 2" in printed) == terminal
    assert "first = 1second" not in printed


def test_what_a_model_writes_cannot_steer_the_terminal(seen):
    _, raw, _ = seen(AIMessageChunk("\x1b]0;owned\x07[red]x", id="1"))
    assert "\x1b]0;owned" not in raw


def test_messages_of_the_state_are_not_shown_again(seen):
    printed, *_ = seen(AIMessage("from a checkpoint", id="1"))
    assert "from a checkpoint" not in printed

"""Query sets from a catalogue (AnyTool, A.8): what is kept has been called, is solvable, and is solved."""

import asyncio
import json
import re

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from typer.testing import CliRunner

from toolquiver.calling import Observation
from toolquiver.catalog import API, Catalog, api_id
from toolquiver.catalog.sources import PYTHON
from toolquiver.cli import anytoolbench as command
from toolquiver.contexts import AnyToolContext
from toolquiver.evaluation.anytoolbench import build_question
from toolquiver.models import scripted

GOOD = "For a talk on rivers I need one note about rain in spring and one about the songs of boatmen, please."


def an_api(category, effect="read"):
    return API(
        id=api_id(category, "tool", "note"),
        name=f"{category} note",
        description=f"A note on {category}.",
        parameters={"type": "object", "properties": {"about": {"type": "string"}}, "required": ["about"]},
        tool="tool",
        category=category,
        source=PYTHON,
        effect=effect,
    )


class Calls:
    def __init__(self):
        self.made = []

    async def call(self, api, arguments):
        self.made.append(api.category)
        return Observation(text=f"The note on {api.category}.")


class Writer:
    """A model that makes these turns, and judges as it is told."""

    def __init__(self, *turns, effect="read", solvable="solvable", solved="solved"):
        self.turns, self.said, self.shown = list(turns), {"Solvability": solvable, "Judgement": solved}, []
        self.catalog, self.calls = Catalog.create(), Calls()
        self.catalog.add(*(an_api(category, effect) for category in ("Weather", "Music", "Maps")))

    def __call__(self, messages, schema):
        if schema["title"] != "Turn":
            self.shown.append(messages[-1].text)
            return {"reason": "So it seems.", "verdict": self.said[schema["title"]]}
        self.messages = messages
        turn = sum(isinstance(message, AIMessage) for message in messages)
        calls = self.turns[min(turn, len(self.turns) - 1)]
        made = [{"name": name, "args": args, "id": f"{turn}-{n}"} for n, (name, args) in enumerate(calls)]
        return AIMessage("So be it.", tool_calls=made)

    @property
    def bound(self):
        return {"model": scripted(self), "catalog": self.catalog, "callers": {PYTHON: self.calls}}

    def build(self, number=1):
        return asyncio.run(build_question(number, self.bound, AnyToolContext()))

    def told(self):
        return "\n".join(message.text for message in self.messages if isinstance(message, ToolMessage))


ADD = ("add_API_into_API_pool", {"APIs": ["Weather_note", "Music_note"]})
CALLS = [("call_API", {"API": f"{name}_note", "arguments": {"about": "rivers"}}) for name in ("Weather", "Music")]
FINISH = ("finish", {"query": GOOD, "answer": "It rains, and they sing."})
LOOK = ("get_tools_in_category", {"category_name": "Music"})


def test_a_question_is_made_of_what_the_calls_returned():
    writer = Writer([LOOK], [("get_APIs_in_tool", {"tool_name": "Music/tool"}), ADD], CALLS, [FINISH])
    built = writer.build()
    assert built.question.query == GOOD
    assert set(built.question.gold_apis) == {"weather/tool/note", "music/tool/note"}
    assert built.question.labels["solution"] == "It rains, and they sing."
    assert [one["api"] for one in built.question.labels["calls"]] == ["weather/tool/note", "music/tool/note"]
    assert "The note on Weather." in writer.shown[1], "the judge sees what was returned"
    assert built.usage.keys() == {"benchmark", "solvable", "judge"}


def test_each_question_begins_with_other_categories_and_says_the_date():
    first = []
    for number in range(1, 8):
        writer = Writer([("give_up", {"reason": "Nothing fits."})])
        assert writer.build(number).reason == "Nothing fits."
        text = next(message.text for message in writer.messages if isinstance(message, HumanMessage))
        first.append(re.search(r"^- (\w+)", text, re.MULTILINE)[1])
        assert re.search(r"Today is \w+day, \d{4}-\d\d-\d\d, time zone", text)
    assert set(first) == {"Weather", "Music", "Maps"}


@pytest.mark.parametrize(
    ("early", "told"),
    [
        ([FINISH], "it needs 2 to 5"),
        ([ADD, FINISH], "have not answered yet: Weather_note, Music_note"),
        ([("add_API_into_API_pool", {"APIs": ["Maps_note"]}), FINISH], "have not answered yet: Maps_note"),
        ([("call_API", {"API": "Maps_note", "arguments": {}})], "It is not in the pool"),
        ([ADD, ("call_API", {"API": "Music_note", "arguments": {"about": 5}})], "about"),
        ([ADD, ("finish", {"query": " ", "answer": "x"})], "A question and an answer are needed"),
    ],
)
def test_what_is_not_ready_is_told_and_mended(early, told):
    remove = ("remove_API_from_API_pool", {"APIs": ["Maps_note"]})
    writer = Writer(early, [ADD, remove, *CALLS], [FINISH])
    assert writer.build().question.query == GOOD
    assert told in writer.told()


@pytest.mark.parametrize(
    ("verdicts", "reason"),
    [
        ({"solvable": "unsolvable"}, "Its APIs cannot solve it"),
        ({"solvable": "unsure"}, "Its APIs cannot solve it"),
        ({"solved": "unsolved"}, "Its answer does not solve it"),
        ({"solved": "unsure"}, "Its answer does not solve it"),
    ],
)
def test_a_question_is_kept_only_if_its_apis_can_solve_it_and_its_answer_does(verdicts, reason):
    built = Writer([ADD, *CALLS, FINISH], **verdicts).build()
    assert built.question is None
    assert built.reason.startswith(reason)


def test_an_api_that_may_write_is_not_called():
    writer = Writer([ADD, *CALLS], [("give_up", {"reason": "None reads."})], effect="write")
    assert writer.build().question is None
    assert writer.calls.made == []
    assert "may write" in writer.told()


def test_it_looks_twenty_times_at_most():
    writer = Writer([LOOK] * 12, [LOOK] * 12, [("give_up", {"reason": "Enough."})])
    writer.build()
    assert writer.told().count("You have looked 20 times.") == 4


def test_the_command_writes_a_file_that_can_be_asked_and_goes_on(tmp_path, monkeypatch):
    writer, into = Writer([ADD, *CALLS, FINISH]), tmp_path / "set.jsonl"
    monkeypatch.setattr(command, "load_catalog", lambda _: writer.catalog)
    monkeypatch.setattr(command, "load_model", lambda _: scripted(writer))
    monkeypatch.setattr(command, "callers_of", lambda _: {PYTHON: writer.calls})
    for questions in (1, 3):
        done = CliRunner().invoke(command.app, ["build", "some.db", "--into", str(into), "--questions", str(questions)])
        assert done.exit_code == 0, done.output
        lines = [json.loads(line) for line in into.read_text("utf-8").splitlines()]
        assert [line["id"] for line in lines] == [str(number) for number in range(1, questions + 1)]
    writer.said["Judgement"] = "unsolved"
    more = CliRunner().invoke(
        command.app, ["build", "some.db", "--into", str(into), "--questions", "4", "--tries", "1"]
    )
    assert more.exit_code == 1
    assert "Its answer does not solve it" in more.output

"""Which of the calls that a draft writes side by side are goals."""

import pytest

from tests.graphs.chains import a_typed_api
from toolquiver.nodes.scripts.drafted_goals import goals_of
from toolquiver.nodes.scripts.drafts import read_drafts


def api(name, inputs, output):
    return a_typed_api(name, inputs, output).model_copy(update={"function": name})


APIS = [
    api("register", {"event": "string"}, {"event_id": "string"}),
    api("join_event", {"event_id": "string"}, {"ok": "boolean"}),
    api("describe", {"ok": "boolean"}, {"kind": "string"}),
    api("pay_event", {"event_id": "string"}, {"receipt": "string"}),
    api("weather", {"city": "string"}, {"summary": "string"}),
    api("count", {"number": "integer"}, {"text": "string"}),
]


def goals(task, *lines):
    """The goals of these lines, in their APIs' names, each with what it takes in brackets."""
    written = read_drafts("\n".join(lines), APIS, task)
    apis = {one.id: one for one in APIS}
    return [named(goal.draft, apis) for goal in goals_of(written, apis, task, [task], described=True)]


def named(draft, apis):
    taken = [named(call, apis) for call in draft["calls"].values()]
    return apis[draft["api"]].name + (f"({', '.join(taken)})" if taken else "")


@pytest.mark.parametrize(
    ("task", "lines", "expected"),
    [
        (
            "Register me for the event Gala. Then tell me the weather in Lima.",
            ["register('Gala')", "weather('Lima')"],
            ["register", "weather"],
        ),
        ("What is the weather in Lima?", ["count(3)", "weather('Lima')"], ["weather"]),
        (  # the ID is made up, and a call before it gives one
            "Register me for the event Gala. Then join it.",
            ["register('Gala')", "join_event('the ID from before')"],
            ["join_event(register)"],
        ),
        (  # of two that could give it, the one whose output is called so
            "Register me for the event Gala. Count to 3. Then join it.",
            ["register('Gala')", "count(3)", "join_event('the ID')"],
            ["count", "join_event(register)"],
        ),
        (  # so does a call within another
            "Register me for the event Gala. Then tell me what kind of day it is.",
            ["register('Gala')", "describe(join_event('the ID'))"],
            ["describe(join_event(register))"],
        ),
        (  # what stands in the text is not replaced
            "Register me for the event Gala. Then join event E7.",
            ["register('Gala')", "join_event('E7')"],
            ["register", "join_event"],
        ),
        ("Join it.", ["join_event('X')"], ["join_event"]),
        (  # values of their own are reason enough
            "Register me for yoga. Register me for pottery.",
            ["register('yoga')", "register('pottery')"],
            ["register", "register"],
        ),
        (  # what nothing refers to is no other call's result
            "What is the weather in Lima? Register me for the party tonight.",
            ["weather('Lima')", "register('evening celebration')"],
            ["weather", "register"],
        ),
        (  # what is taken once can be taken again
            "Register me for the event Gala. Then join it. Then pay for it.",
            ["register('Gala')", "join_event('the ID')", "pay_event('the ID')"],
            ["join_event(register)", "pay_event(register)"],
        ),
        ("What is the weather in Lima?", ["weather('Lima')", "count(3)"], ["weather"]),
    ],
)
def test_goals_are_what_the_task_speaks_of_and_nothing_feeds_on(task, lines, expected):
    assert goals(task, *lines) == expected

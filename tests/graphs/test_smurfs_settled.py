"""An answer with which the verifier is not content without a reason, and to which the executor has nothing to add."""

import pytest

from tests.graphs.script import Stage, an_api, failing, options

TASK = "Where is order 7?"
FOUND = "Order 7 is in Oslo."
ORDER = an_api("find_order", description="Where an order is.")
PARCEL = an_api("parcel", description="Where the parcel of an order is.")
TRACK = an_api("track", description="Track what was sent.")
REFUSED = {"done": False, "missing": "nothing"}


def wanting(*names):
    """Take of these tools the first that may be taken, one place further on with each choice, the last again."""
    left = list(names)

    def choose(question):
        tool = left.pop(0) if len(left) > 1 else left[0]
        return {"tool": tool if tool in options(question) else options(question)[0]}

    return choose


def oslo_but(name):
    """Respond with a place to every call but those of the API `name`."""

    def respond(api, _):
        failing(name)(api, _)
        return "Oslo"

    return respond


def asked(*, task=TASK, tools=("find_order",), notes=("7",), said=FOUND, verdict=None, respond=None, **settings):
    """What the run comes to, and the names of the calls, where the verifier is never content."""
    written = list(notes)
    stage = Stage(
        ORDER,
        PARCEL,
        TRACK,
        respond=respond or (lambda *_: "Oslo"),
        Choice=wanting(*tools),
        Arguments=lambda _: {"note": written.pop(0) if len(written) > 1 else written[0]},
        Digest={"answer": said},
        Verdict=verdict or REFUSED,
    )
    result = stage.ask(task, runoff=False, **settings)
    return result, [name for name, _ in stage.caller.made]


def test_what_would_be_called_again_has_answered():
    result, calls = asked()
    assert calls == ["find_order"]
    assert [call["ok"] for call in result["calls"]] == [True]
    assert (result["status"], result["answer"]) == ("solved", FOUND)


def test_a_failure_on_the_way_changes_nothing_in_that():
    result, calls = asked(tools=("find_order", "parcel", "find_order"), respond=oslo_but("parcel"))
    assert calls == ["find_order", "parcel"]
    assert [call["ok"] for call in result["calls"]] == [True, False]
    assert (result["status"], result["answer"]) == ("solved", FOUND)


@pytest.mark.parametrize(
    "other",
    [
        {"verdict": {"done": False, "missing": "the harbour"}},
        {"notes": ("7", "order 7", "7")},
        {"tools": ("find_order", "parcel", "parcel")},
        {"tools": ("parcel", "parcel", "find_order"), "planner": False},
        {"said": "Order 7 could not be located in Oslo."},
        {"said": "Bestellung 7 ist nicht in Oslo."},
        {"said": "Order 7 is somewhere."},
        {"task": "When is order 7 there?"},
        {"task": "Where is order 7, and which lorry brings it?"},
        {"task": "Where is order 7 of the Atlantic?"},
        {"task": "At what time does order 7 come?"},
        {"task": "Quo vadis?"},
    ],
    ids=[
        "a reason",
        "other arguments",
        "another tool",
        "not its first",
        "denied",
        "a language",
        "nothing of it",
        "no time",
        "half",
        "a name",
        "a kind",
        "other words",
    ],
)
def test_another_call_is_made_where_something_is_against_it(other):
    _, calls = asked(**other)
    assert len(set(calls)) > 1

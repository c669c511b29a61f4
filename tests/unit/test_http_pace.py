"""How fast a host is asked."""

import asyncio
from datetime import UTC, datetime

import pytest

from toolquiver.calling import CallError
from toolquiver.calling.http.pace import Pace, retry_after

NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)


@pytest.fixture
def clock(monkeypatch):
    """A clock that only moves when something sleeps; the sleeps are kept."""

    class Clock:
        def __init__(self):
            self.now = 100.0
            self.slept = []

        def __call__(self):
            return self.now

    async def sleep(seconds):
        clock.slept.append(round(seconds, 6))

    clock = Clock()
    monkeypatch.setattr(asyncio, "sleep", sleep)
    return clock


def turns(pace, *hosts, per_second=10):
    async def taken():
        for host in hosts:
            await pace.turn(host, per_second)

    asyncio.run(taken())


def test_each_host_has_its_turns(clock):
    turns(Pace(clock), "a", "a", "b", "a")
    assert clock.slept == [0.1, 0.2]


def test_time_that_went_by_counts(clock):
    pace = Pace(clock)
    turns(pace, "a")
    clock.now += 5
    turns(pace, "a")
    assert clock.slept == []


def test_a_host_that_wants_to_be_left_alone_is(clock):
    pace = Pace(clock)
    pace.leave("a", 30)
    pace.leave("a", 5)  # the longer one counts
    with pytest.raises(CallError, match="a wants no request for 30 seconds") as caught:
        turns(pace, "a")
    assert (caught.value.kind, caught.value.retry_after) == ("rate_limited", 30)
    turns(pace, "b")
    clock.now += 31
    turns(pace, "a")
    assert clock.slept == []


def test_a_turn_that_nobody_takes_is_given_back():
    async def taken():
        pace = Pace()
        await pace.turn("a", 0.1)
        waiting = [asyncio.create_task(pace.turn("a", 0.1)) for _ in range(5)]
        await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return pace._turns["a"]

    assert len(asyncio.run(taken())) == 1


def test_the_rest_of_a_pause_is_waited(clock):
    pace = Pace(clock)
    pace.leave("a", 0.5)
    turns(pace, "a")
    assert clock.slept == [0.5]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 1.5 ", 1.5),
        ("0", 0.0),
        ("Sat, 21 Nov 2026 12:00:30 GMT", 30.0),
        ("Saturday, 21-Nov-26 12:00:30 GMT", 30.0),
        ("Sat Nov 21 12:00:30 2026", 30.0),
        ("Sat, 21 Nov 2026 13:00:30 +0100", 30.0),
        ("Sat, 21 Nov 2026 11:00:00 GMT", 0.0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("١٢", None),
        ("1" * 400, None),
        ("Sat, 99 Nov 2026 12:00:30 GMT", None),
        (".", None),
    ],
)
def test_the_time_to_come_again_is_a_number_or_a_date(value, seconds):
    assert retry_after(value, NOW) == seconds

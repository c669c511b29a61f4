"""Calls recorded and replayed: the same outcome again, or the failure that says nothing is recorded."""

import asyncio

import pytest

from toolquiver.calling import FAILURE_KINDS, CallError, Failure, Limits, Observation, perform
from toolquiver.calling.replay import RecordingCaller, Recordings, ReplayCaller
from toolquiver.catalog import API

WEATHER = API(
    id="a/b/weather",
    name="weather",
    tool="b",
    category="a",
    source="test",
    method="GET",
    parameters={
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer", "default": 1}},
    },
)
OTHER = WEATHER.model_copy(update={"id": "a/b/other"})


class Answering:
    """Answers with the city; fails for those in `failures`."""

    def __init__(self, **failures):
        self.failures = failures
        self.calls = 0

    async def call(self, api, arguments):
        self.calls += 1
        await asyncio.sleep(0)
        city = arguments["city"]
        if city in self.failures:
            raise self.failures[city]
        return Observation(text=f"sun in {city}", omitted=2)


@pytest.fixture
def recordings():
    with Recordings.create() as made:
        yield made


def call(caller, api=WEATHER, **arguments):
    return asyncio.run(caller.call(api, arguments))


def test_what_was_recorded_comes_again(recordings):
    live = Answering()
    recorder = RecordingCaller(live, recordings)
    assert call(recorder, city="Rome") == Observation(text="sun in Rome", omitted=2)
    replay = ReplayCaller(recordings)
    for arguments in ({"city": "Rome"}, {"days": 1, "city": " Rome "}, {"city": "Rome", "days": None}):
        assert call(replay, **arguments) == Observation(text="sun in Rome", omitted=2)
    assert live.calls == 1


@pytest.mark.parametrize(
    ("api", "arguments"),
    [(WEATHER, {"city": "Bonn"}), (WEATHER, {"city": "Rome", "days": 2}), (OTHER, {"city": "Rome"})],
)
def test_a_miss_is_a_failure_of_its_own_kind(recordings, api, arguments):
    call(RecordingCaller(Answering(), recordings), city="Rome")
    with pytest.raises(CallError, match="Nothing is recorded for weather with these arguments") as caught:
        call(ReplayCaller(recordings), api, **arguments)
    assert caught.value.kind == "not_recorded"


@pytest.mark.parametrize("kind", [kind for kind in FAILURE_KINDS if kind != "not_recorded"])
def test_a_failure_is_recorded_raised_and_raised_again(recordings, kind):
    error = CallError(kind, "It rains.", retry_after=3.0)
    with pytest.raises(CallError) as caught:
        call(RecordingCaller(Answering(Rome=error), recordings), city="Rome")
    assert caught.value is error
    with pytest.raises(CallError) as again:
        call(ReplayCaller(recordings), city="Rome")
    assert (again.value.kind, str(again.value)) == (kind, "It rains.")


def test_a_recorded_failure_is_not_tried_again(recordings, monkeypatch):
    with pytest.raises(CallError):
        call(RecordingCaller(Answering(Rome=CallError("rate_limited", "Slow.")), recordings), city="Rome")

    async def sleep(seconds):
        pytest.fail("a replay has nothing to wait for")

    monkeypatch.setattr(asyncio, "sleep", sleep)
    failure = asyncio.run(perform(WEATHER, {"city": "Rome"}, {"test": ReplayCaller(recordings)}, Limits()))
    assert failure == Failure(kind="rate_limited", message="Slow.")


def test_the_call_that_worked_in_the_end_is_the_one_replayed(recordings):
    live = Answering(Rome=CallError("server_error", "Gone."))
    recorder = RecordingCaller(live, recordings)
    with pytest.raises(CallError):
        call(recorder, city="Rome")
    live.failures.clear()
    call(recorder, city="Rome")
    assert call(ReplayCaller(recordings), city="Rome").text == "sun in Rome"


def test_a_miss_of_an_inner_replay_is_not_recorded(recordings):
    with Recordings.create() as copy:
        with pytest.raises(CallError):
            call(RecordingCaller(ReplayCaller(recordings), copy), city="Rome")
        assert len(copy) == 0


@pytest.mark.parametrize("ends", [asyncio.CancelledError, KeyboardInterrupt, RuntimeError])
def test_what_is_no_failure_of_the_call_passes_unrecorded(recordings, ends):
    with pytest.raises(ends):
        call(RecordingCaller(Answering(Rome=ends()), recordings), city="Rome")
    assert len(recordings) == 0


def test_calls_side_by_side_are_all_recorded(recordings):
    recorder = RecordingCaller(Answering(), recordings)

    async def many():
        cities = [f"city {number % 20}" for number in range(60)]
        return await asyncio.gather(*(recorder.call(WEATHER, {"city": city}) for city in cities))

    assert len(asyncio.run(many())) == 60
    assert recordings.counts() == {"observation": 20}


def test_only_what_the_model_filled_in_and_the_outcome_is_stored(tmp_path):
    class Keyed(Answering):
        key = "sk-very-secret"

    path = tmp_path / "calls.db"
    secret = WEATHER.model_copy(update={"binding": {"header": "sk-in-the-binding"}})
    with Recordings.create(path) as recordings:
        call(RecordingCaller(Keyed(), recordings), secret, city="Rome")
    assert b"Rome" in path.read_bytes()
    assert b"sk-" not in path.read_bytes()


def test_what_is_not_recorded_may_be_what_the_api_answered_to_the_most_alike_arguments(recordings):
    recorder = RecordingCaller(Answering(Oslo=CallError("not_found", "No Oslo.")), recordings)
    call(recorder, city="Rome", days=3)
    call(recorder, city="Lima", days=2)
    call(recorder, city="Turin", days=3)
    with pytest.raises(CallError):
        call(recorder, city="Oslo")
    nearest = ReplayCaller(recordings, replay="nearest")
    assert call(nearest, city="Bonn", days=2).text == "sun in Lima"
    assert call(nearest, city="Bonn", days=3).text == "sun in Rome"
    with pytest.raises(CallError, match="No Oslo"):
        call(nearest, city="Oslo")
    with pytest.raises(CallError, match="Nothing is recorded"):
        call(nearest, OTHER, city="Rome")


@pytest.mark.parametrize(("kind", "stands_in"), [("forbidden", True), ("server_error", True), ("tool_error", False)])
def test_of_a_failure_that_other_arguments_would_have_had_the_most_alike_answer_stands_in(recordings, kind, stands_in):
    recorder = RecordingCaller(Answering(Oslo=CallError(kind, "No Oslo.")), recordings)
    nearest = ReplayCaller(recordings, replay="nearest")
    for caller in (recorder, nearest):  # nothing else is recorded yet
        with pytest.raises(CallError, match="No Oslo"):
            call(caller, city="Oslo")
    call(recorder, city="Rome")
    with pytest.raises(CallError, match="No Oslo"):
        call(ReplayCaller(recordings), city="Oslo")
    if stands_in:
        assert call(nearest, city="Oslo").text == "sun in Rome"
    else:
        with pytest.raises(CallError, match="No Oslo"):
            call(nearest, city="Oslo")

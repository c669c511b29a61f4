"""One call: what fails, what is tried again, what is cut."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.errors import GraphBubbleUp

from toolquiver.calling import FAILURE_KINDS, CallError, Failure, Limits, Observation, perform
from toolquiver.calling.perform import cut
from toolquiver.catalog import API
from toolquiver.errors import MissingKey

ECHO = API(
    id="a/b/echo",
    name="echo",
    tool="b",
    category="a",
    source="test",
    effect="read",
    parameters={"type": "object", "properties": {"text": {"type": "string"}}},
)
RETRIED = Limits().retry_kinds


class Behaving:
    """A caller that does what it is told, one thing a call, the last one again and again."""

    def __init__(self, *outcomes):
        self.outcomes = list(outcomes)
        self.calls = 0

    async def call(self, api, arguments):
        outcome = self.outcomes[min(self.calls, len(self.outcomes) - 1)]
        self.calls += 1
        if isinstance(outcome, BaseException):
            raise outcome
        return Observation(text=outcome)


@pytest.fixture
def pauses(monkeypatch):
    made = []

    async def sleep(seconds):
        made.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return made


def run(caller, arguments=None, limits=None, api=ECHO):
    return asyncio.run(perform(api, arguments or {}, {"test": caller}, limits or Limits()))


def test_an_observation_comes_back():
    assert run(Behaving("hello"), {"text": "hi"}) == Observation(text="hello")


def test_an_api_that_nothing_can_call_is_unknown():
    failure = run(Behaving("x"), api=ECHO.model_copy(update={"source": "http"}))
    assert failure == Failure(kind="unknown_api", message="Nothing here can call a/b/echo (source 'http').")


def test_wrong_arguments_never_leave():
    caller = Behaving("x")
    failure = run(caller, {"text": 1})
    assert failure == Failure(kind="invalid_arguments", message="text: 1 is not of type 'string'.")
    assert caller.calls == 0


def test_half_surrogates_leave_as_the_sign_for_what_cannot_be_read():
    class Echoing:
        async def call(self, api, arguments):
            return Observation(text=arguments["text"])

    assert run(Echoing(), {"text": "half \ud83d"}) == Observation(text="half \ufffd")


def test_arguments_that_are_too_deep_to_be_read_never_leave():
    caller, deep = Behaving("x"), []
    for _ in range(100_000):
        deep = [deep]
    assert run(caller, {"text": deep}).kind == "invalid_arguments"
    assert caller.calls == 0


@pytest.mark.parametrize("kind", FAILURE_KINDS)
@pytest.mark.parametrize("effect", ["unknown", "write"])
def test_a_call_that_may_have_acted_is_not_made_twice(kind, effect, pauses):
    caller = Behaving(CallError(kind, "It failed."))
    assert run(caller, api=ECHO.model_copy(update={"effect": effect})) == Failure(kind=kind, message="It failed.")
    assert caller.calls == (3 if kind == "rate_limited" else 1)


@pytest.mark.parametrize("kind", FAILURE_KINDS)
def test_failures_are_tried_again_by_kind_and_only_by_kind(kind, pauses):
    caller = Behaving(CallError(kind, "It failed."))
    assert run(caller) == Failure(kind=kind, message="It failed.")
    assert caller.calls == (3 if kind in RETRIED else 1)
    assert pauses == ([0.5, 1.0] if kind in RETRIED else [])


def test_the_kinds_to_retry_can_be_chosen(pauses):
    caller = Behaving(CallError("tool_error", "Once."), "done")
    assert run(caller, limits=Limits(retry_kinds=("tool_error",))) == Observation(text="done")
    assert caller.calls == 2


def test_no_retries_means_one_call(pauses):
    caller = Behaving(CallError("network", "Gone."))
    assert run(caller, limits=Limits(retries=0)).kind == "network"
    assert (caller.calls, pauses) == (1, [])


def test_the_last_failure_is_the_one_told(pauses):
    caller = Behaving(CallError("network", "First."), CallError("not_found", "Second."))
    assert run(caller) == Failure(kind="not_found", message="Second.")


def test_the_pause_is_what_the_server_asks_for(pauses):
    caller = Behaving(CallError("rate_limited", "Slow.", retry_after=7.0), "done")
    assert run(caller).text == "done"
    assert pauses == [7.0]


def test_a_pause_that_is_too_long_is_not_made(pauses):
    caller = Behaving(CallError("rate_limited", "Tomorrow.", retry_after=86_400.0))
    assert run(caller) == Failure(kind="rate_limited", message="Tomorrow.")
    assert (caller.calls, pauses) == (1, [])


def test_pauses_of_our_own_grow_to_the_longest_allowed(pauses):
    caller = Behaving(CallError("network", "Gone."))
    run(caller, limits=Limits(retries=5, max_wait=3.0))
    assert pauses == [0.5, 1.0, 2.0, 3.0, 3.0]


def test_a_call_that_takes_too_long_is_a_timeout():
    class Slow:
        async def call(self, api, arguments):
            await asyncio.sleep(10)

    failure = run(Slow(), limits=Limits(timeout=0.01, retries=0))
    assert failure == Failure(kind="timeout", message="echo gave no answer within 0.01 seconds.")


@pytest.mark.parametrize("ends", [KeyboardInterrupt, asyncio.CancelledError])
def test_an_interruption_is_no_failure(ends, pauses):
    caller = Behaving(ends())
    with pytest.raises(ends):
        run(caller)
    assert caller.calls == 1


def test_a_fault_in_a_caller_is_a_failure_of_the_call():
    assert run(Behaving(RecursionError("too deep"))) == Failure(kind="tool_error", message="RecursionError: too deep")


@pytest.mark.parametrize("ends", [MissingKey("Set X_KEY."), GraphBubbleUp()])
def test_what_ends_a_run_or_asks_the_user_goes_through_a_call(ends):
    with pytest.raises(type(ends)):
        run(Behaving(ends))


def test_a_run_that_is_cancelled_stops_waiting():
    class Slow:
        async def call(self, api, arguments):
            await asyncio.sleep(10)

    async def cancelled():
        task = asyncio.create_task(perform(ECHO, {}, {"test": Slow()}, Limits()))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())


def test_no_secret_is_in_a_failure(monkeypatch):
    monkeypatch.setenv("SHOP_API_KEY", "s3cret-and-long")
    message = run(Behaving(CallError("tool_error", "401 for s3cret-and-long")), limits=Limits(characters=12)).message
    assert message == "401 for [hid [cut: 4 more characters]"


def test_long_texts_are_cut_with_a_mark():
    limits = Limits(characters=5)
    assert run(Behaving("hello world"), limits=limits) == Observation(text="hello [cut: 6 more characters]", omitted=6)
    assert run(Behaving(CallError("tool_error", "x" * 9)), limits=limits).message == "xxxxx [cut: 4 more characters]"


def test_what_is_wrong_with_huge_arguments_is_cut_too():
    message = run(Behaving("x"), {"text": ["y" * 5_000]}, Limits(characters=50)).message
    assert len(message) < 100


@given(st.text(), st.integers(1, 50))
def test_a_cut_keeps_the_beginning_and_counts_the_rest(text, limit):
    short = cut(Observation(text=text), limit)
    assert short.text.startswith(text[:limit])
    assert short.omitted == max(0, len(text) - limit)
    assert (short.text == text) == (len(text) <= limit)


class Odd:
    def __init__(self, call):
        self.call = call


async def gives_text(*_):
    return "text"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda *_: Observation(text="now"), "TypeError: Odd.call is not async."),
        (gives_text, "TypeError: Odd.call gave 'text', which is no Observation."),
    ],
)
def test_a_caller_of_another_kind_is_named(call, said):
    failure = asyncio.run(perform(ECHO, {}, {"test": Odd(call)}, Limits(retries=0)))
    assert (failure.kind, failure.message) == ("tool_error", said)


def test_a_kind_of_failure_that_does_not_exist_is_refused_where_it_is_raised():
    with pytest.raises(ValueError, match=r"There is no kind of failure 'no_such'\. It is one of: "):
        CallError("no_such", "It failed.")

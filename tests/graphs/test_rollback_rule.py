"""The rollback rule by itself: what a failure leaves of the tool lists and of local memory."""

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.nodes.executor.rollback import rolled_back

TOOLS = list("abcde")


def step(api):
    return {"subtask": 0, "thought": "", "api": api, "arguments": {}, "observation": "", "answer": ""}


@st.composite
def executions(draw):
    """Tool lists, the trail chosen out of all of them but the last, and the API of the last that failed."""
    some = st.lists(st.sampled_from(TOOLS), min_size=1, unique=True)
    lists = draw(st.lists(some, min_size=1, max_size=5))
    trail = [step(draw(st.sampled_from(tools))) for tools in lists[:-1]]
    return lists, trail, draw(st.sampled_from(lists[-1]))


@given(executions())
def test_what_is_left_is_a_shorter_trajectory_with_the_api_that_led_on_dropped(execution):
    lists, trail, failed = execution
    left, kept = rolled_back(lists, trail, failed)
    assert len(left) == len(kept) + 1
    assert kept == trail[: len(kept)]
    assert left[:-1] == lists[: len(kept)]
    dropped = failed if len(kept) == len(trail) else trail[len(kept)]["api"]
    assert left[-1] == [tool for tool in lists[len(kept)] if tool != dropped]


@given(executions())
def test_it_goes_back_as_far_as_it_must_and_no_further(execution):
    lists, trail, failed = execution
    left, kept = rolled_back(lists, trail, failed)
    assert left[-1] or not kept
    popped = [*(step["api"] for step in trail[len(kept) + 1 :]), failed] if len(kept) < len(trail) else []
    assert [lists[level] for level in range(len(kept) + 1, len(lists))] == [[api] for api in popped]


@given(executions())
def test_what_goes_in_stays_as_it_was(execution):
    before = deepcopy(execution)
    left, _ = rolled_back(*execution)
    left[0].append("z")
    assert execution == before


@given(executions())
def test_failing_again_and_again_ends_with_nothing_left(execution):
    lists, trail, failed = execution
    for _ in range(sum(map(len, lists))):
        lists, trail = rolled_back(lists, trail, failed)
        if not lists[-1]:
            break
        failed = lists[-1][0]
    assert (lists, trail) == ([[]], [])


@pytest.mark.parametrize(
    ("lists", "trail", "failed", "left", "kept"),
    [
        (["ab"], "", "a", ["b"], ""),
        (["a"], "", "a", [""], ""),
        (["ab", "ab"], "a", "b", ["ab", "a"], "a"),
        (["ab", "b"], "a", "b", ["b"], ""),
        (["abc", "ab", "b"], "ca", "b", ["abc", "b"], "c"),
        (["abc", "a", "b"], "ca", "b", ["ab"], ""),
        (["a", "b", "c"], "ab", "c", [""], ""),
        (["a", "b", "c", "d"], "abc", "d", [""], ""),
        (["ad", "b", "c", "d"], "abc", "d", ["d"], ""),
        (["ab", "a", "a"], "aa", "a", ["b"], ""),  # one API at several steps
    ],
)
def test_examples_of_several_levels(lists, trail, failed, left, kept):
    found = rolled_back([list(tools) for tools in lists], [step(api) for api in trail], failed)
    assert found == ([list(tools) for tools in left], [step(api) for api in kept])

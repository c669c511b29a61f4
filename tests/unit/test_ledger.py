"""The token ledger: sums by role that can be added in any grouping."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from toolquiver.models import RoleUsage, add_usage, tokens, total_usage
from toolquiver.models.asking import cost_of
from toolquiver.models.ledger import reported

count = st.integers(0, 10**6)
spent = st.builds(RoleUsage, calls=count, prompt=count, completion=count, cached=count, estimated=count)
usage = st.dictionaries(st.sampled_from(["plan", "think", "fill"]), spent)


@given(usage, usage, usage)
def test_adding_is_associative(a, b, c):
    assert add_usage(add_usage(a, b), c) == add_usage(a, add_usage(b, c))


@given(usage, usage)
def test_adding_is_commutative_and_loses_no_token(a, b):
    assert add_usage(a, b) == add_usage(b, a)
    assert tokens(add_usage(a, b)) == tokens(a) + tokens(b)
    assert total_usage(add_usage(a, b))["calls"] == total_usage(a)["calls"] + total_usage(b)["calls"]


@given(usage)
def test_nothing_added_changes_nothing(a):
    assert add_usage(a, {}) == add_usage({}, a) == add_usage(None, a) == add_usage(a, None) == a


def test_adding_leaves_its_arguments_alone():
    left = {"plan": RoleUsage(calls=1, prompt=2, completion=3, cached=0, estimated=0)}
    add_usage(left, left)
    assert left["plan"]["calls"] == 1


def test_the_figures_of_the_provider_are_taken():
    reply = AIMessage(
        "x",
        usage_metadata={
            "input_tokens": 30,
            "output_tokens": 7,
            "total_tokens": 37,
            "input_token_details": {"cache_read": 20},
        },
    )
    assert cost_of("plan", 1, reply) == {"plan": RoleUsage(calls=1, prompt=30, completion=7, cached=20, estimated=0)}


def test_a_provider_that_says_nothing_of_its_cache_has_cached_nothing():
    figures = {"input_tokens": 3, "output_tokens": 1, "total_tokens": 4}
    for details in ({}, {"input_token_details": {}}, {"input_token_details": {"cache_read": None}}):
        reply = AIMessage("x")
        reply.usage_metadata = figures | details
        assert cost_of("plan", 1, reply)["plan"]["cached"] == 0


def test_estimates_are_marked():
    nothing = {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}
    for figures in (None, nothing):
        reply = AIMessage("x", usage_metadata=figures)
        assert cost_of("plan", 5, reply) == {"plan": RoleUsage(calls=1, prompt=5, completion=1, cached=0, estimated=6)}


@pytest.mark.parametrize(
    ("figures", "spent"),
    [
        ({"input_tokens": 30, "output_tokens": 7, "total_tokens": 37}, (30, 7)),
        ({"input_tokens": 30, "output_tokens": 7, "total_tokens": 137}, (30, 107)),  # what was thought is in the total
        ({"input_tokens": 0, "output_tokens": 0, "total_tokens": 37}, (0, 37)),
    ],
)
def test_what_a_provider_counts_in_the_total_alone_is_spent_too(figures, spent):
    (cost,) = reported("act", figures).values()
    assert (cost["prompt"], cost["completion"]) == spent

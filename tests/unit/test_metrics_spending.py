"""Tokens, calls, errors and costs of results, and intervals, against values worked out by hand."""

import pytest

from toolquiver.errors import InputError
from toolquiver.evaluation import Called, Result
from toolquiver.evaluation.metrics import (
    Price,
    bootstrap,
    bootstrap_rate,
    bootstrap_ratio,
    cost,
    error_rates,
    figures,
    has_tool_error,
    load_prices,
    paired,
    pass_rate_eq2,
)

USAGE = {
    "plan": {"calls": 1, "prompt": 1_000, "completion": 100, "cached": 400, "estimated": 0},
    "act": {"calls": 3, "prompt": 2_000, "completion": 300, "cached": 0, "estimated": 0},
}
CALLS = (
    Called(api="a", arguments={}, ok=True),
    Called(api="b", arguments={}, ok=False, failure="unknown_api"),
    Called(api="c", arguments={}, ok=False, failure="invalid_arguments"),
    Called(api="d", arguments={}, ok=False, failure="timeout"),
)
PRICES = {
    "cheap": Price(input=1, cached=0.1, output=10, source="a test", dated="2026-01-01"),
    "dear": Price(input=2, cached=2, output=20, source="a test", dated="2026-01-01"),
}


def result(**fields):
    return Result(question="1", outcome="solved", **fields)


def test_figures_are_of_the_query_and_of_the_request():
    found = figures(result(usage=USAGE, calls=CALLS, candidates=("a", "b"), seconds=2.5))
    assert found == {
        "tokens": 3_400,
        "prompt_tokens": 3_000,
        "completion_tokens": 400,
        "model_calls": 4,
        "tokens_per_request": 850,
        "calls": 4,
        "failed_calls": 3,
        "name_errors": 1,
        "parameter_errors": 1,
        "candidates": 2,
        "reflections": None,
        "agents": None,
        "simulated_tokens": 0,
        "seconds": 2.5,
    }


def test_a_system_that_asked_no_model_has_no_figure_a_request():
    found = figures(result(trace=(["compute", None],)))
    assert (found["tokens"], found["model_calls"], found["tokens_per_request"]) == (0, 0, None)


def test_a_system_that_does_not_tell_its_usage_has_no_figures_of_it():
    found = figures(result(calls=CALLS))
    names = ("tokens", "prompt_tokens", "completion_tokens", "model_calls", "tokens_per_request")
    assert [found[name] for name in names] == [None] * 5
    assert found["calls"] == 4


def test_what_may_be_more_than_the_system_says_is_no_figure():
    found = figures(result(usage=USAGE, trace=(["compute", None],), tells_usage=False))
    assert (found["tokens"], found["model_calls"]) == (None, None)


def test_reflections_and_agents_stand_in_the_trace():
    trace = (
        ["retrieve", {"agents": {"meta": {}, "weather": {}}}],
        ["judge", {"verdict": "unsolved"}],
        ["reflect", {"reflections": 1, "agents": {"weather": {}, "travel": {}}}],
        ["reflect", {"reflections": 2}],
        ["reflect", {"best": "It is so.", "decided": "the reflections are used up"}],
        ["reflect", None],
        {"another": "form"},
    )
    found = figures(result(trace=trace))
    assert (found["reflections"], found["agents"]) == (2, 3)


def test_errors_are_a_share_of_calls():
    rates = error_rates([result(calls=CALLS), result(calls=CALLS[:1])])
    assert (rates.name.mean, rates.parameter.mean, rates.failed.mean, rates.calls) == (1 / 5, 1 / 5, 3 / 5, 5)
    # both are drawn: 3 of 5; the first alone: 3 of 4; the second alone: none
    assert (rates.failed.low, rates.failed.high, rates.failed.n) == (0, 3 / 4, 2)
    assert error_rates([result()]).name is None


def test_a_question_has_a_tool_error_or_none():
    assert has_tool_error(result(calls=CALLS))
    assert not has_tool_error(result(calls=CALLS[:1]))


def test_cached_tokens_have_their_own_price():
    # plan: 600 * 1 + 400 * 0.1 + 100 * 10 = 1,640; act: 2,000 * 1 + 300 * 10 = 5,000; a million tokens
    assert cost(USAGE, "cheap", prices=PRICES) == pytest.approx(6_640 / 1e6)
    # act with the other model: 2,000 * 2 + 300 * 20 = 10,000
    assert cost(USAGE, "cheap", role_models={"act": "dear"}, prices=PRICES) == pytest.approx(11_640 / 1e6)


def test_what_has_no_price_has_no_cost():
    assert cost(USAGE, "cheap", role_models={"act": "unknown"}, prices=PRICES) is None
    assert cost({}, "unknown", prices=PRICES) == 0


def test_every_price_says_who_says_so():
    prices = load_prices()
    assert "openai:gpt-5-mini" in prices
    for name, price in prices.items():
        assert price.source.startswith("https://"), name
        assert price.cached <= price.input <= price.output, name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("models = 3", "models"),
        ('[models."x"]\ninput = -1\ncached = 0\noutput = 0\nsource = "s"\ndated = 2026-01-01', "models.x.input"),
        ('[models."x"]\ninput = 1', "models.x.cached"),
        ("[models", "cannot be read"),
    ],
)
def test_a_broken_table_of_prices_says_where(tmp_path, text, said):
    path = tmp_path / "prices.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        load_prices(path)


def test_the_interval_holds_the_mean_and_is_the_same_again():
    values = [1.0] * 60 + [0.0] * 40
    found = bootstrap(values)
    assert found == bootstrap(values)
    assert found.mean == 0.6
    # the normal approximation: 0.6 -+ 1.96 * sqrt(0.6 * 0.4 / 100) = 0.504 to 0.696
    assert found.low == pytest.approx(0.504, abs=0.02)
    assert found.high == pytest.approx(0.696, abs=0.02)
    assert found.n == 100


def test_a_rate_of_counts_has_the_interval_of_its_questions():
    found, same = bootstrap_rate(pass_rate_eq2, (60, 40)), bootstrap([1.0] * 60 + [0.0] * 40)
    assert (found.mean, found.n) == (0.6, 100)
    assert (found.low, found.high) == pytest.approx((same.low, same.high), abs=0.02)
    assert bootstrap_rate(pass_rate_eq2, (0, 0)) is None


def test_questions_are_drawn_for_a_ratio_and_not_what_is_counted_in_them():
    # all 50 calls of one of two questions failed: by calls it would be 0.5 -+ 0.1
    found = bootstrap_ratio([50, 0], [50, 50])
    assert (found.low, found.mean, found.high) == (0, 0.5, 1)
    assert bootstrap_ratio([1, 0], [1, 0]).low == 1  # without a call there is no share
    assert bootstrap_ratio([0], [0]) is bootstrap_ratio([], []) is None


def test_few_resamples_are_drawn_in_the_same_way_as_many_values():
    assert bootstrap([0.0, 1.0] * 1_500_000, resamples=3).mean == 0.5


def test_values_that_do_not_differ_have_no_width():
    found = bootstrap([1.0, 1.0])
    assert (found.low, found.mean, found.high) == (1, 1, 1)
    assert bootstrap([]) is None


def test_systems_are_compared_on_the_questions_they_share():
    first = {"a": 1.0, "b": 1.0, "c": 0.0, "d": 1.0, "e": None, "f": 1.0}
    second = {"a": 0.0, "b": 0.0, "c": 0.0, "d": 0.0, "e": 1.0, "g": 0.0}
    found = paired(first, second)
    assert (found.n, found.better, found.worse, found.equal) == (4, 3, 0, 1)
    assert found.mean == 0.75
    assert found.p == 0.25  # 2 * (1/2) ** 3
    assert paired(first, {}) is None


def test_systems_that_answer_alike_do_not_differ():
    found = paired({"a": 1.0, "b": 0.0}, {"a": 1.0, "b": 0.0})
    assert (found.mean, found.low, found.high, found.p) == (0, 0, 0, 1)

"""The measures of a ranking against values worked out by hand."""

import pytest

from toolquiver.evaluation.metrics import ndcg, recall


@pytest.mark.parametrize(
    ("ranked", "k", "share"),
    [("abc", 1, 0.5), ("abc", 3, 1.0), ("xyz", 3, 0.0), ("xab", 2, 0.5), ("", 5, 0.0), ("aab", 2, 1.0)],
)
def test_recall_is_the_share_found(ranked, k, share):
    assert recall(ranked, set("ab"), k) == share


@pytest.mark.parametrize(
    ("ranked", "k", "value"),
    [
        ("abc", 5, 1.0),
        ("xyz", 5, 0.0),
        ("axb", 5, (1 + 1 / 2) / (1 + 0.6309298)),  # 1 / log2(4) = 1/2; 1 / log2(3) = 0.6309298
        ("xa", 5, 0.6309298 / (1 + 0.6309298)),
        ("ab", 1, 1.0),
        ("aab", 2, 1.0),  # what is ranked twice counts once
    ],
)
def test_ndcg_discounts_by_place(ranked, k, value):
    assert ndcg(ranked, set("ab"), k) == pytest.approx(value, abs=1e-6)

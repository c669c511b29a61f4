"""How search's ranking and what agents added become one."""

from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog import API
from toolquiver.nodes.search.filling import fused

HITS = [API(id=f"{n}", name=f"a{n}", tool=f"T{n % 5}", category=f"C{n % 3}") for n in range(60)]
IDS = [api.id for api in HITS]


def an_agent(category="", tools=()):
    return {"category": category, "tools": list(tools), "added": []}


def test_without_agents_it_is_search_s_ranking():
    assert fused(HITS, [], []) == IDS


def test_a_crowd_that_agents_added_leaves_search_s_best_in_front():
    crowd = [f"x{n}" for n in range(40)]
    ranked = fused(HITS, crowd, [an_agent("C9", ["T9"])])
    assert ranked[:20] == IDS[:20]
    assert ranked.index("x0") < ranked.index(IDS[40])


def test_what_search_and_agents_agree_on_comes_first():
    assert fused(HITS, [IDS[4]], [an_agent("C1", ["T4"])])[0] == IDS[4]
    assert fused(HITS, [], [an_agent("C1")]).index(IDS[1]) == 0


@given(st.lists(st.sampled_from([*IDS, "x", "y"]), unique=True))
def test_nothing_is_lost_and_nothing_stands_twice(pool):
    ranked = fused(HITS, pool, [an_agent("C1", ["T1"])])
    assert sorted(ranked) == sorted({*IDS, *pool})

"""The retriever without its hierarchy: one agent, a plain agent over groups, embeddings (AnyTool, 5.3, A.4, A.5)."""

import pytest
from langchain_core.messages import AIMessage

from tests.support.anytool_search import ADD, FINISH, Policy, Search, a_catalog, perfect_tool, turns_so_far
from toolquiver.catalog import meaning
from toolquiver.contexts import RetrieverContext
from toolquiver.models import scripted


def adds_all(messages, schema):
    """A plain agent that adds all of its group."""
    return perfect_tool(messages, schema)


def test_one_agent_can_do_it_all_without_hierarchy():
    steps = [
        [("get_tools_in_category", {"category_name": "Music"})],
        [("get_APIs_in_tool", {"tool_name": "Music/Music tool 3"})],
        [(ADD, {"APIs": ["Music_tool_3_api_b"]})],
        FINISH,
    ]
    result = Search(Policy(flat=lambda messages, _: steps[turns_so_far(messages)])).ask(retriever="flat")
    assert result["pool"] == ["music/music_tool_3/api_b"]
    assert result["usage"].keys() == {"flat_agent"}
    assert list(result["agents"]) == ["flat"]


@pytest.mark.parametrize(("detail", "groups"), [("names", 1), ("descriptions", 1), ("details", 2)])
def test_a_plain_agent_reads_the_catalogue_in_groups(detail, groups):
    search = Search(Policy(plain=adds_all), catalog=a_catalog({"Music": 20}))
    result = search.ask(retriever="plain", plain_detail=detail)
    assert len(result["pool"]) == 60
    assert result["usage"]["plain_agent"]["calls"] == groups
    assert (result["status"], result["reason"]) == ("solved", "All agents have finished.")


def test_a_plain_agent_stops_at_the_group_with_which_the_pool_suffices():
    search = Search(Policy(plain=adds_all), catalog=a_catalog({"Music": 40}))
    search.policy.decides["Solvability"] = {"reason": "Yes.", "verdict": "solvable"}
    result = search.ask(retriever="plain", plain_detail="details")
    assert (len(result["pool"]), result["usage"]["plain_agent"]["calls"]) == (50, 1)
    assert result["status"] == "solved"


@pytest.mark.parametrize("said", ["Hm.", [("get_APIs_in_tool", {})], [(ADD, {"APIs": []})]])
def test_a_group_on_which_a_plain_agent_says_nothing_valid_is_lost_and_that_is_told(said):
    turns = [said, FINISH]
    play = lambda messages, schema: turns.pop(0) if turns else adds_all(messages, schema)  # noqa: E731
    search = Search(Policy(plain=play), catalog=a_catalog({"Music": 40}))
    result = search.ask(retriever="plain", plain_detail="details")
    assert len(result["pool"]) == 20
    lost = said[0][0] != ADD
    told = " For 1 of 3 groups of APIs the model gave no valid answer." if lost else ""
    assert (result["status"], result["reason"]) == ("partial" if lost else "solved", f"All agents have finished.{told}")


def test_a_group_on_which_a_plain_agent_is_refused_an_answer_is_lost_too():
    answers = [AIMessage("", additional_kwargs={"refusal": "I would rather not."})]
    search = Search(Policy(plain=adds_all), catalog=a_catalog({"Music": 40}))
    model = scripted(lambda messages, schema: answers.pop() if answers else search.policy(messages, schema))
    context = RetrieverContext(retriever="plain", plain_detail="details")
    result = search.build(model=model).invoke({"query": "music"}, context=context)
    assert result["reason"] == "All agents have finished. For 1 of 3 groups of APIs the model gave no valid answer."
    assert (result["status"], bool(result["pool"])) == ("partial", True)


@pytest.mark.skipif(not meaning.available(), reason="the extra dense is not installed")
@pytest.mark.parametrize(
    ("said", "pool", "status"),
    [
        ({"apis": ["Maps_tool_1_api_b", "Maps_tool_1_api_b"]}, ["maps/maps_tool_1/api_b"], "solved"),
        ({"apis": []}, [], "failed"),
        ({"apis": ["nonsense"]}, [], "failed"),
    ],
)
def test_by_embeddings_a_model_picks_of_the_nearest_segments(said, pool, status):
    policy = Policy()
    policy.decides["Picked"] = said
    result = Search(policy).ask("Where is it on the map?", retriever="embedding")
    assert (result["pool"], result["status"]) == (pool, status)
    assert result["usage"].keys() == {"extract"}

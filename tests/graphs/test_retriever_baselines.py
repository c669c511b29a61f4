"""The retriever without its hierarchy: one agent, plain agents over groups, embeddings."""

import pytest
from langchain_core.messages import AIMessage

from tests.graphs.searching import (
    FINISH,
    Policy,
    Search,
    a_catalog,
    choices,
    perfect_tool,
    turns_so_far,
)
from toolquiver.catalog import meaning
from toolquiver.context import Context
from toolquiver.models import scripted


def test_one_agent_can_do_it_all_without_hierarchy():
    def play(messages, schema):
        turn = turns_so_far(messages)
        steps = [
            [("get_tools_in_category", {"category_name": "Music"})],
            [("get_APIs_in_tool", {"tool_name": "Music/Music tool 3"})],
            [("add_API_into_API_pool", {"APIs": ["Music_tool_3_api_b"]})],
        ]
        if turn == 2:
            assert choices(schema, "add_API_into_API_pool", "APIs")[0].startswith("Music_tool_3_")
        return steps[turn] if turn < len(steps) else FINISH

    result = Search(Policy(flat=play)).ask(retriever="flat")
    assert result["pool"] == ["music/music_tool_3/api_b"]
    assert result["usage"].keys() == {"flat_agent"}
    assert list(result["agents"]) == ["flat"]


@pytest.mark.parametrize(("detail", "groups"), [("names", 1), ("descriptions", 1), ("details", 2)])
def test_a_plain_agent_reads_the_catalogue_in_groups(detail, groups):
    search = Search(Policy(tool=perfect_tool), catalog=a_catalog({"Music": 20}))
    result = search.ask(retriever="plain", plain_detail=detail)
    assert len(result["pool"]) == 60
    assert result["usage"]["plain_agent"]["calls"] == groups
    assert result["agents"]["plain"]["status"] == "finished"


@pytest.mark.parametrize("said", ["Hm.", [("get_APIs_in_tool", {})], [("add_API_into_API_pool", {"APIs": []})]])
def test_a_group_on_which_a_plain_agent_says_nothing_valid_is_lost_and_that_is_told(said):
    turns = [said, FINISH]
    policy = Policy(tool=lambda messages, schema: turns.pop(0) if turns else perfect_tool(messages, schema))
    result = Search(policy, catalog=a_catalog({"Music": 40})).ask(retriever="plain", plain_detail="details")
    assert len(result["pool"]) == 20
    lost = said[0][0] != "add_API_into_API_pool"
    told = " For 1 of 3 groups of APIs the model gave no valid answer." if lost else ""
    assert (result["status"], result["reason"]) == ("partial" if lost else "solved", f"All agents have finished.{told}")


def test_a_group_on_which_a_plain_agent_is_refused_an_answer_is_lost_too():
    answers = [AIMessage("", additional_kwargs={"refusal": "I would rather not."})]
    search = Search(Policy(tool=perfect_tool), catalog=a_catalog({"Music": 40}))
    model = scripted(lambda messages, schema: answers.pop() if answers else search.policy(messages, schema))
    context = Context(retriever="plain", plain_detail="details")
    result = search.build(model=model).invoke({"query": "music"}, {"recursion_limit": 1_000}, context=context)
    assert result["reason"] == "All agents have finished. For 1 of 3 groups of APIs the model gave no valid answer."
    assert (result["status"], bool(result["pool"])) == ("partial", True)


@pytest.mark.skipif(not meaning.available(), reason="the extra dense is not installed")
def test_by_embeddings_a_model_picks_of_the_nearest_segments():
    policy = Policy()
    policy.decides["Picked"] = {"apis": ["Maps_tool_1_api_b", "Maps_tool_1_api_b"]}
    result = Search(policy).ask("Where is it on the map?", retriever="embedding")
    assert result["pool"] == ["maps/maps_tool_1/api_b"]
    assert result["usage"].keys() == {"extract"}
    assert (result["status"], result["reason"]) == (
        "solved",
        "The model picked these of the APIs that are nearest to the query.",
    )


@pytest.mark.skipif(not meaning.available(), reason="the extra dense is not installed")
@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"apis": []}, "The model picked none of the APIs that are nearest to the query."),
        ({"apis": ["nonsense"]}, "The model gave no valid answer."),
    ],
)
def test_why_a_model_picks_nothing_is_told(said, reason):
    policy = Policy()
    policy.decides["Picked"] = said
    result = Search(policy).ask("Where is it on the map?", retriever="embedding")
    assert (result["pool"], result["status"], result["reason"]) == ([], "failed", reason)

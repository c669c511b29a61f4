"""What a tool lacks is looked up first: by subtasks of their own, each for one thing."""

import json

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tests.graphs.script import Stage, an_api, options
from toolquiver.context import Context

WAY = "How far is Lima from Quito?"
PLACES = {"Lima": {"lat": -12.04, "lon": -77.03}, "Quito": {"lat": -0.23, "lon": -78.52}}
FROM, TO = {"lat1": -12.04, "lon1": -77.03}, {"lat2": -0.23, "lon2": -78.52}


def arguments(question):
    wanted = question.schema["properties"]
    if "town" in wanted:
        return {"town": "Lima" if "Task: What are the lat and lon of Lima?" in question.text else "Quito"}
    return FROM | TO if "-12.04" in question.text else {"lat1": 1.11, "lon1": 2.22, "lat2": 3.33, "lon2": 4.44}


def respond(api, inputs):
    return json.dumps(PLACES[inputs["town"]] if api.name == "locate" else {"kilometres": 1_325.4})


def owners(**things):
    return {"inputs": [{"input": name, "belongs_to": thing} for name, thing in things.items()]}


def digest(question):
    return {"answer": "It is 1,325.4 kilometres." if "kilometres" in question.text else "It is at these coordinates."}


def a_stage(**answers):
    given = {
        "Choice": lambda question: {"tool": "distance" if "distance" in options(question) else "locate"},
        "Arguments": arguments,
        "Owners": owners(lat1="Lima", lon1="Lima", lat2="Quito", lon2="Quito"),
        "Digest": digest,
    }
    return Stage(
        an_api("distance", inputs=dict.fromkeys(["lat1", "lon1", "lat2", "lon2"], "number"), outputs=["kilometres"]),
        an_api("locate", inputs={"town": "string"}, outputs=["lat", "lon"]),
        respond=respond,
        **given | answers,
    )


@pytest.mark.parametrize("saver", [None, InMemorySaver()])
def test_each_thing_is_looked_up_once_and_the_tool_taken_again(saver):
    stage = a_stage()
    graph = stage.build(checkpointer=saver, context=Context(planner=False))
    result = graph.invoke({"query": WAY, "candidates": stage.ids}, {"configurable": {"thread_id": "one"}})
    assert stage.caller.made == [
        ("locate", {"town": "Lima"}),
        ("locate", {"town": "Quito"}),
        ("distance", FROM | TO),
    ]
    assert result["subtasks"] == ["What are the lat and lon of Lima?", "What are the lat and lon of Quito?", WAY]
    assert (result["status"], result["answer"]) == ("solved", "It is 1,325.4 kilometres.")
    assert [call["subtask"] for call in result["calls"]] == [0, 1, 2]


def test_a_second_query_on_a_thread_looks_up_afresh():
    stage = a_stage()
    graph = stage.build(checkpointer=InMemorySaver(), context=Context(planner=False))
    asked, thread = {"query": WAY, "candidates": stage.ids}, {"configurable": {"thread_id": "one"}}
    first, second = (graph.invoke(asked, thread) for _ in range(2))
    assert second == first
    assert stage.caller.made[3:] == stage.caller.made[:3]


def test_without_lookups_it_is_found_on_the_way():
    stage = a_stage()
    result = stage.ask(WAY, planner=False, lookups=0)
    assert "Owners" not in stage.script.titles()
    assert result["subtasks"] == [WAY]
    assert result["calls"][0]["failure"] == "invalid_arguments"


def test_a_thing_that_is_not_in_the_task_is_never_asked_for():
    stage = a_stage(Owners=owners(lat1="Bogota", lon1="Bogota", lat2="Quito", lon2="Quito"))
    result = stage.ask(WAY, planner=False)
    assert stage.script.titles().count("Owners") == 2, "asked once more, with the error"
    assert result["subtasks"] == [WAY]


def test_what_no_tool_returns_is_not_looked_up():
    stage = Stage(
        an_api("distance", inputs={"metres": "number"}, outputs=["kilometres"]),
        an_api("locate", inputs={"town": "string"}, outputs=["lat", "lon"]),
        Choice=lambda question: {"tool": options(question)[0]},
        Arguments=lambda question: {"town": "Lima"} if "town" in question.schema["properties"] else {"metres": 7.77},
    )
    result = stage.ask(WAY, planner=False)
    assert "Owners" not in stage.script.titles()
    assert result["calls"][0] == result["calls"][0] | {"api": "tests/tests/distance", "failure": "invalid_arguments"}


def test_a_lookup_that_finds_nothing_leaves_the_query_to_its_own_subtask():
    stage = a_stage(Verdict=lambda question: {"done": "Task: What are" not in question.text})
    result = stage.ask(WAY, planner=False, max_steps=1)
    assert (result["status"], result["reason"]) == ("solved", "Every subtask was answered.")


def test_lookups_end():
    """Each lookup lacks something again, the last what nothing returns."""
    stage = Stage(
        an_api("alpha", inputs={"code": "number"}, outputs=["code"]),
        an_api("beta", inputs={"other": "number"}, outputs=["code"]),
        an_api("gamma", inputs={"third": "number"}, outputs=["other"]),
        Arguments=lambda question: dict.fromkeys(question.schema["properties"], 7.77),
        Owners=lambda question: owners(**{question.schema["$defs"]["Owner"]["properties"]["input"]["const"]: "Lima"}),
        Choice=lambda question: {"tool": options(question)[0]},
    )
    for lookups, subtasks in [(2, 3), (1, 2), (0, 1)]:
        result = stage.ask("What is alpha for Lima?", planner=False, lookups=lookups)
        assert len(result["subtasks"]) == subtasks
        assert not any(call["ok"] for call in result["calls"])


@pytest.mark.parametrize(
    ("way", "asked"),
    [
        (
            "How far is Lima airport in Peru (LIM) from Quito?",
            "What are the lat and lon of Lima airport in Peru (LIM)?",
        ),
        ("How far is LIM from Quito?", "What are the lat and lon of LIM?"),
    ],
)
def test_a_code_is_looked_up_with_the_name_before_it(way, asked):
    stage = a_stage(Owners=owners(lat1="LIM", lon1="LIM", lat2="Quito", lon2="Quito"))
    assert stage.ask(way, planner=False)["subtasks"][0] == asked


def test_an_article_of_the_task_is_kept():
    stage = a_stage(Owners=owners(lat1="capital of Peru", lon1="capital of Peru", lat2="Quito", lon2="Quito"))
    subtasks = stage.ask("How far is the capital of Peru from Quito?", planner=False)["subtasks"]
    assert subtasks[0] == "What are the lat and lon of the capital of Peru?"


@pytest.mark.parametrize("feeding", [True, False])
def test_the_planner_may_be_told_what_feeds_what(feeding):
    apis = [an_api(name, description=f"Tell the {name} of a mountain.") for name in ("height", "age", "colour")]
    visits = an_api("visits", inputs={"person_id": "string"}, description="Tell the mountains that a person was on.")
    find = an_api("lookup", inputs={"name": "string"}, outputs=("person_id",), description="Look somebody up.")
    stage = Stage(*apis, visits, find)
    context = Context(top_k=2, feeding=feeding)
    stage.build().invoke({"query": "Which mountains has Anna visited?"}, context=context)
    (plan, *_) = stage.script.texts("Plan")
    assert ("person_id comes from lookup" in plan) == feeding


@pytest.mark.parametrize(
    ("first", "made", "subtasks"),
    [
        ("What is the weather in Lima?", ["locate", "weather", "sunset"], 3),
        ("What are the lat and lon of Lima?", ["locate", "sunset"], 2),  # the query's own question
    ],
)
def test_what_was_found_out_for_one_subtask_is_known_to_the_next(first, made, subtasks):
    place = {"lat": "number", "lon": "number"}
    where = {"lat": -12.04, "lon": -77.03}
    said = {"weather": {"temperature": 17.3}, "sunset": {"sunset": "18:05"}, "locate": where}

    def choice(question):
        task = question.text.rpartition("Task:")[2].lower()
        wanted = next(
            name for word, name in (("lat", "locate"), ("weather", "weather"), ("", "sunset")) if word in task
        )
        return {"tool": wanted if wanted in options(question) else options(question)[0]}

    stage = Stage(
        an_api("weather", inputs=place, outputs=["temperature"], description="The weather at a place."),
        an_api("sunset", inputs=place, outputs=["sunset"], description="The sunset at a place."),
        an_api("locate", inputs={"town": "string"}, outputs=["lat", "lon"], description="The coordinates of a place."),
        respond=lambda api, _: json.dumps(said[api.name]),
        Choice=choice,
        Arguments=lambda question: {"town": "Lima"} if "town" in question.schema["properties"] else where,
        Owners=owners(lat="Lima", lon="Lima"),
        Digest=lambda question: {"answer": "It is at -12.04, -77.03." if '"lat"' in question.text else "It is known."},
        Plan={"calls": 1, "subtasks": [{"question": "It?"}]},
    )
    result = stage.ask(f"{first} When is the sunset in Lima?")
    assert [name for name, _ in stage.caller.made] == made
    assert all(call["ok"] for call in result["calls"])
    assert (result["status"], len(result["subtasks"])) == ("solved", subtasks)
    assert ("-12.04" in result["answer"]) == ("lat" in first)

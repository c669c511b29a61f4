"""A plan and its first step that miss what the task asks for: how many of what, and how far it is."""

from tests.graphs.script import Stage, an_api, plan_of
from toolquiver.context import Context


def test_what_counts_something_else_gives_way_to_what_the_task_s_words_find():
    apis = [
        an_api(
            "count_cities", inputs={"country": "string"}, outputs=["cities"], description="Count people and cities."
        ),
        an_api(
            "city_people",
            inputs={"city": "string"},
            outputs=["people"],
            description="The population who live there.",
        ),
        an_api("describe_data", inputs={"numbers": "string"}, outputs=["mean"], description="Describe a number."),
    ]
    others = ("people_of_state", "people_of_town", "people_of_village")
    apis += [an_api(name, inputs={"city": "string"}, description="People who live in a place.") for name in others]
    said = {"count_cities": '{"cities": 110}', "city_people": '{"people": 15388000}', "describe_data": '{"mean": 110}'}
    given, offered = {"country": "Nigeria", "city": "Lagos", "numbers": "110"}, []

    def choose(question):
        names = question.schema["properties"]["tool"]["enum"]
        offered.append(names)
        return {"tool": next(name for name in ("count_cities", "city_people") if name in names)}

    stage = Stage(
        *apis,
        respond=lambda api, _: said[api.name],
        Choice=choose,
        Arguments=lambda question: {name: given[name] for name in question.schema["properties"]},
        Digest=lambda question: {"answer": f"{'15388000' if '15388000' in question.text else '110'} live there."},
    )
    result = stage.build().invoke(
        {"query": "How many people live in Lagos?"}, context=Context(call_retries=0, planner=False)
    )
    assert [name for name, _ in stage.caller.made] == ["count_cities", "city_people"]
    assert "15388000" in result["answer"]
    assert len(offered[-1]) < len(offered[0]), "what search finds by the task's words, and no others"


def test_a_plan_without_what_is_asked_in_everyday_words_ends_with_the_request():
    asked = "How far is Lagos from Accra?"
    plan = ["In which country is Lagos?", "In which country is Accra?"]
    stage = Stage(an_api("distance"), an_api("place"), Plan=plan_of(*plan))
    assert stage.ask(asked)["subtasks"] == [*plan, asked]

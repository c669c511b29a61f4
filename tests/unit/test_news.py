"""Whether an answer tells anything of a response, or only that there is one."""

import pytest

from toolquiver.nodes.texts.news import evades, has_news, tells_values

TASK = "Who are the main characters of the show?"
ROWS = '[{"name": "Ada", "age": 31, "occupations": ["Engineer"]}, {"name": "Bob", "age": 30, "occupations": []}]'
RICH = ROWS + " " * 200


@pytest.mark.parametrize(
    ("answer", "observation", "expected"),
    [
        ("The tool returns a list of the main characters.", RICH, True),
        ("The tool returns the main characters with their names, ages and occupations: name, age.", RICH, True),
        ("The tool returns Ada and others.", RICH, False),
        ("The result has 2 main characters.", RICH, False),  # a number has been checked
        ("The response does not tell who the main characters are.", RICH, False),  # it denies
        ("I could not find the main characters.", RICH, False),
        ("There are four.", RICH, False),
        ("They are main characters.", RICH, False),  # what is right is not told from what is empty
        ("The tool returns a list of the main characters.", ROWS, False),  # of a short one a paraphrase may be right
        ("Yes, these are the main characters.", RICH, False),
        ("Es ist bew\u00f6lkt und windig.", RICH, False),
        ("The tool returns a list of the main characters.", "登場人物は" * 60, False),  # a translation shares no word
    ],
)
def test_an_answer_evades_that_has_no_value_of_a_rich_response(answer, observation, expected):
    assert evades(answer, observation, TASK) is expected


@pytest.mark.parametrize("key", ["'name'", '"name"'])
def test_under_which_name_a_value_stands_is_no_value(key):
    observation = "{" + f"{key}: 'Ada'" + "}" + " " * 200
    assert evades("The response has a name.", observation, "Who is it?")
    assert not evades("The response has Ada.", observation, "Who is it?")


def test_values_are_what_stands_behind_the_names():
    assert tells_values("Ada is 31.", ROWS, TASK)
    assert not tells_values("They have a name and an age.", ROWS, TASK)
    assert not tells_values("", ROWS, TASK)


def test_news_are_words_of_the_response_and_numbers():
    assert has_news("Ada is one.", ROWS, TASK)
    assert not has_news("The main characters.", ROWS, TASK)
    assert not has_news("Ada wrote it.", "Ada wrote it.", "When did Ada write it?")
    assert has_news("On a Monday.", "Monday", "When did Ada write it?")

"""Whether an answer tells anything of a response, or only that there is one."""

import pytest

from toolquiver.nodes.texts.news import evades, has_news

TASK = "Who are the main characters of the show?"
ROWS = '[{"name": "Ada", "age": 31, "occupations": ["Engineer"]}, {"name": "Bob", "age": 30, "occupations": []}]'
RICH = ROWS + " " * 200


@pytest.mark.parametrize(
    ("answer", "observation", "expected"),
    [
        ("The tool returns a list of the main characters.", RICH, True),
        ("The tool returns the main characters with their names, ages and occupations: name, age.", RICH, True),
        ("The main characters are Ada and others.", RICH, False),
        ("One of the main characters is 31.", RICH, False),
        ("The tool returns a list of the main characters.", ROWS, False),  # of a short one a paraphrase may be right
        ("Yes, these are the main characters.", RICH, False),
        ("The tool returns a list of the main characters.", "登場人物は" * 60, False),  # a translation shares no word
    ],
)
def test_an_answer_evades_that_has_no_value_of_a_rich_response(answer, observation, expected):
    assert evades(answer, observation, TASK) is expected


@pytest.mark.parametrize("key", ["'name'", '"name"'])
def test_under_which_name_a_value_stands_is_no_value(key):
    observation = "{" + f"{key}: 'Ada'" + "}" + " " * 200
    assert evades("The name is told.", observation, "Who is it?")
    assert not evades("It is Ada.", observation, "Who is it?")


def test_news_are_words_of_the_response_and_numbers():
    assert has_news("Ada is one.", ROWS, TASK)
    assert not has_news("The main characters.", ROWS, TASK)
    assert not has_news("Ada wrote it.", "Ada wrote it.", "When did Ada write it?")
    assert has_news("On a Monday.", "Monday", "When did Ada write it?")

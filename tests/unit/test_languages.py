"""Texts in English and in other languages."""

import pytest

from toolquiver.nodes.texts.languages import is_english, is_foreign


@pytest.mark.parametrize(
    "text",
    [
        "Wann f\u00e4hrt der n\u00e4chste Zug?",
        "Wer hat Faust geschrieben?",
        "\u00bfCu\u00e1nto cuesta el vuelo?",
        "Cu\u00e1nta gente vive en Lima?",
        "cuanto son 1.500 d\u00f3lares",
        "\u00bfVas a Lima?",
        "Combien de films?",
        "Сколько?",
        "WO IST DAS?",
        "QU\u00c9 HORA ES",
        "WIE SP\u00c4T IST ES",
    ],
)
def test_other_languages_are_known_by_little_words_marks_and_letters(text):
    assert is_foreign(text)
    assert not is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "How much is a hat in Las Vegas, and how much in los angeles?",
        "Who was Ludwig Mies van der Rohe?",
        "What is the weather in Dem, Wo and Auf?",
        "EST to PST: how many hours are between them?",
        "HOW MANY HOURS ARE BETWEEN EST AND IST?",
        "HOW MUCH ARE 5 DEM IN ILS?",
    ],
)
def test_names_and_english_words_are_of_no_other_language(text):
    assert not is_foreign(text)
    assert is_english(text)

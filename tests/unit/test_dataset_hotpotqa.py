"""HotpotQA: two forms of paragraphs, and Retrieve and Lookup over all of them."""

import json

import pytest

from tests.support.data_files import DATA, call, real, result, with_data, write
from toolquiver.calling import Failure
from toolquiver.errors import InputError
from toolquiver.evaluation.datasets import load_dataset

RETRIEVE, LOOKUP = "knowledge/encyclopaedia/retrieve", "knowledge/encyclopaedia/lookup"
ROW = {
    "id": "a1",
    "question": "Where was the author of Solaris born?",
    "answer": "Lwów",
    "type": "bridge",
    "level": "hard",
    "context": [["Solaris (novel)", ["Solaris is a novel.", " Its author is Stanisław Lem."]]],
}
COLUMNS = ROW | {
    "id": "a2",
    "level": "easy",
    "context": {"title": ["Stanisław Lem"], "sentences": [["Lem was born in Lwów.", " Lem died in Kraków."]]},
}


@pytest.fixture
def data(tmp_path):
    return load_dataset("hotpotqa", write(tmp_path, "hotpotqa/autoact_300.jsonl.gz", [ROW, COLUMNS]))


def test_a_question_has_its_answer_and_level(data):
    one, other = data.questions()
    assert (one.id, one.group, one.answer, one.labels) == ("a1", "hard", "Lwów", {"type": "bridge"})
    assert (other.id, other.group) == ("a2", "easy")
    assert one.candidates == (RETRIEVE, LOOKUP)
    assert one.query.startswith("Where was the author of Solaris born? Give the answer alone: ")


def test_pages_of_both_forms_are_retrieved_however_they_are_written(data):
    found = json.loads(call(data.resources(), RETRIEVE, entity="solaris novel").text)
    assert found == {"title": "Solaris (novel)", "text": "Solaris is a novel. Its author is Stanisław Lem."}
    assert json.loads(call(data.resources(), RETRIEVE, entity="Stanisław Lem").text)["title"] == "Stanisław Lem"


def test_a_page_that_is_not_there_leads_to_similar_ones(data):
    """By an answer, so that Retrieve can be called again; nothing can be looked up in such a page."""
    missed = json.loads(call(data.resources(), RETRIEVE, entity="Solaris (film)").text)
    assert missed["title"] == ""
    assert missed["text"].endswith("Similar pages: Solaris (novel), Stanisław Lem.")
    failed = call(data.resources(), LOOKUP, title="Solaris (film)", keyword="novel")
    assert isinstance(failed, Failure)
    assert (failed.kind, failed.message) == ("tool_error", missed["text"])


def test_sentences_are_looked_up_one_after_the_other(data):
    first, second = (
        json.loads(call(data.resources(), LOOKUP, title="Stanisław Lem", keyword="lem", number=number).text)
        for number in (1, 2)
    )
    assert first == {"title": "Stanisław Lem", "sentence": "Lem was born in Lwów.", "more": 1}
    assert second == {"title": "Stanisław Lem", "sentence": "Lem died in Kraków.", "more": 0}
    missed = call(data.resources(), LOOKUP, title="Stanisław Lem", keyword="robot")
    assert missed.message.startswith("0 sentences of 'Stanisław Lem' contain 'robot'")


@pytest.mark.parametrize(
    ("answer", "f1", "exact"), [("Lwów", 1, 1), ("the lwów", 1, 1), ("in Lwów", 2 / 3, 0), ("Kraków", 0, 0)]
)
def test_answers_are_scored_by_their_words(data, answer, f1, exact):
    found = data.score(data.questions()[0], result(answer))
    assert found == {"f1": pytest.approx(f1), "exact_match": exact, "tool_error": 0}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"level": "harder"}, "level"),
        ({"context": {"title": ["a"], "sentences": []}}, "as many titles as paragraphs"),
        ({"context": {"title": 3}}, "as many titles as paragraphs"),
        ({"context": [["title only"]]}, "context"),
    ],
)
def test_a_broken_row_is_named(tmp_path, change, said):
    with pytest.raises(InputError, match=rf"autoact_300\.jsonl', line 2: .*{said}"):
        load_dataset("hotpotqa", write(tmp_path, "hotpotqa/autoact_300.jsonl", [ROW, ROW | change]))


@with_data
def test_the_real_pages_hold_what_the_answers_stand_on():
    data = load_dataset("hotpotqa", DATA)
    levels = [one.group for one in data.questions()]
    assert len(levels) == 240
    assert {level: levels.count(level) for level in set(levels)} == {"easy": 83, "medium": 76, "hard": 81}
    named = {title for row in map(json.loads, real("hotpotqa/autoact_300.jsonl.gz")) for title in supporting(row)}
    resources = data.resources()
    assert not [title for title in named if not json.loads(call(resources, RETRIEVE, entity=title).text)["title"]]


def supporting(row):
    """The titles of the pages that an answer needs, which stand in two forms as well."""
    facts = row["supporting_facts"]
    return facts["title"] if isinstance(facts, dict) else [title for title, _ in facts]

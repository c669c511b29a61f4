"""Reports of verdicts: beside the answers they are about, marked with their judge, held against labels."""

import re
from dataclasses import replace

import pytest

from tests.support.reports import QUESTIONS, a_run, honest, judged, people, table
from tests.support.small_set import good, half, result
from toolquiver.errors import InputError
from toolquiver.evaluation.journal import Journal, read_journal
from toolquiver.evaluation.judging import agreement
from toolquiver.evaluation.lines import Line, Ruled
from toolquiver.evaluation.report import gathered
from toolquiver.evaluation.report.judged import judged_tables
from toolquiver.evaluation.report.labels import by_people
from toolquiver.evaluation.report.pictures import plots_of


def test_verdicts_are_marked_with_their_judge_and_agree_with_labels(tmp_path):
    path = a_run(tmp_path, "half", half)
    measured = gathered([path, judged(path, honest, votes=3)])
    passes = table(judged_tables(measured), "Pass rates (judged)")["half"]
    assert (passes["judge"], passes["votes"], passes["n"]) == ("openai:judge", "3", "12")
    assert (passes["solved"], passes["unsolved"], passes["unsure"]) == ("6", "6", "0")
    assert passes["pass rate, eq. 2"].startswith("0.50 [")
    assert passes["success rate"] == passes["pass rate, eq. 2"]
    assert passes["pass rate, eq. 1"] == "-"
    agreed = judged_tables(measured, people("sum-1", "sum-2"))[-1].rows
    assert [row[2:5] for row in agreed] == [["solved", "people", "2"], ["solved", "program (accuracy)", "12"]]
    assert agreed[0][5].startswith("0.50")
    assert agreed[1][5:7] == ["1.00 [1.00, 1.00]", "1.00"]


def test_what_a_judge_says_of_the_tools_is_held_against_the_data(tmp_path):
    path = a_run(tmp_path, "half", half)
    says = {"verdict": "unsolvable", "reason": "No."}, {"verdict": "solvable", "reason": "Yes."}
    (one,) = gathered([path, judged(path, lambda question: says["2 plus 2" not in question.text], asked="solvable")])

    def flagged(line):
        return line.model_copy(
            update={"question": line.question.model_copy(update={"labels": {"stable_solvable": True}})}
        )

    lines = [line for line in one.lines if line.key in ("sum-1", "sum-2", "sum-3", "sum-4")]
    (row,) = judged_tables([replace(one, lines=tuple(map(flagged, lines)))])[-1].rows
    assert row[2:5] == ["solvable", "data (stable_solvable)", "4"]
    assert row[5].startswith("0.75")


def test_a_label_is_about_the_system_and_the_data_set_that_it_names(tmp_path):
    (one,) = gathered([a_run(tmp_path, "half", half)])
    about = people("sum-1", system="half", dataset="sums", solved=False)
    others = [*people("sum-2", system="good"), *people("sum-3", dataset="others")]
    assert by_people([*about, *people("sum-1", "sum-4"), *others], one) == {"sum-1": False, "sum-4": True}


def test_a_system_without_labels_by_people_is_held_against_those_by_program(tmp_path):
    paths = [a_run(tmp_path, "half", half), a_run(tmp_path, "good", good)]
    measured = gathered([*paths, *(judged(path, honest) for path in paths)])
    labels = people("sum-0", system="half", solved=False)
    calibrated = plots_of(measured, labels)[-1]
    assert [[(point.x, point.y) for point in series.points] for series in calibrated.series] == [[(1, 0)], [(1, 1)]]
    agreed = judged_tables(measured, labels)[-1].rows
    assert [(row[0], row[3]) for row in agreed] == [
        ("half", "people"),
        ("half", "program (accuracy)"),
        ("good", "program (accuracy)"),
    ]


def test_an_answer_that_changed_since_is_not_judged(tmp_path):
    path = a_run(tmp_path, "half", half)
    verdicts = judged(path, honest)
    head, lines = read_journal(path)
    with Journal.open(path, head, Line) as journal:
        journal.add(lines[3].model_copy(update={"result": result(QUESTIONS[3])}))
    before = table(judged_tables(gathered([path, verdicts])), "Pass rates (judged)")["half"]
    assert before["n"] == "11"


def test_every_model_of_a_panel_is_named(tmp_path):
    path = a_run(tmp_path, "half", half)
    verdicts = judged(path, honest, role_models={"judge 3": "openai:another"}, votes=2)
    (passes,) = judged_tables(gathered([path, verdicts]))[0].rows
    assert passes[1] == "openai:judge, openai:another"


def test_what_a_judge_fails_at_has_no_verdict_and_is_in_no_rate(tmp_path):
    def fails(question):
        if "What is 3 plus" in question.text:
            raise ValueError("too long")
        return honest(question)

    path = a_run(tmp_path, "good", good)
    verdicts = judged(path, fails)
    _, ruled = read_journal(verdicts)
    assert [(one.key, one.reason) for one in ruled if one.verdict == "error"] == [("sum-3", "ValueError: too long")]
    passes = table(judged_tables(gathered([path, verdicts]), {}), "Pass rates (judged)")["good"]
    assert (passes["n"], passes["unsure"]) == ("11", "0")


def test_answers_to_other_questions_are_not_compared(tmp_path):
    one = a_run(tmp_path, "good", good)
    head, lines = read_journal(a_run(tmp_path, "half", half))
    other = tmp_path / "other.jsonl"
    with Journal.open(other, head.model_copy(update={"data": "changed"}), Line) as journal:
        journal.add(lines[0])
    with pytest.raises(InputError, match="the same questions"):
        judged(one, {"verdict": "tie", "reason": "Alike."}, asked="preference", against=other)


@pytest.mark.parametrize(("unsure", "rate"), [("unsolved", "0.00"), ("solved", "1.00")])
def test_unsure_counts_as_the_judge_was_told(tmp_path, unsure, rate):
    path = a_run(tmp_path, "good", good)
    verdicts = judged(path, {"verdict": "unsure", "reason": "Who knows."}, unsure=unsure)
    passes = table(judged_tables(gathered([path, verdicts])), "Pass rates (judged)")["good"]
    assert passes["unsure"] == "12"
    assert passes["pass rate, eq. 2"].startswith(rate)
    assert passes["success rate"].startswith("0.00")


def test_the_older_pass_rate_counts_what_cannot_be_solved_as_passed(tmp_path):
    path = a_run(tmp_path, "half", half)

    def tools(question):
        return {"verdict": "unsolvable" if "What is 1 plus" in question.text else "solvable", "reason": "-"}

    measured = gathered([path, judged(path, honest), judged(path, tools, asked="solvable")])
    passes = table(judged_tables(measured), "Pass rates (judged)")["half"]
    assert re.match(r"0\.58 \[0\.[23]\d, 0\.8\d\]$", passes["pass rate, eq. 1"])  # 1 of 12 unsolvable, 6 solved
    assert passes["pass rate, eq. 2"].startswith("0.50")


def test_the_older_pass_rate_is_of_those_whose_tools_were_judged(tmp_path):
    path = a_run(tmp_path, "half", half)
    verdicts = judged(path, {"verdict": "solvable", "reason": "-"}, asked="solvable")
    head, ruled = read_journal(verdicts)
    verdicts.unlink()
    with Journal.open(verdicts, head, Ruled) as journal:
        for one in ruled[:4]:
            journal.add(one)
    passes = table(judged_tables(gathered([path, judged(path, honest), verdicts])), "Pass rates (judged)")["half"]
    assert passes["n"] == "12"
    assert re.match(r"0\.50 .*\(n = 4\)$", passes["pass rate, eq. 1"])


def test_a_preference_counts_ties_and_names_the_other(tmp_path):
    one, two = a_run(tmp_path, "half", half), a_run(tmp_path, "good", good)

    def prefers(question):
        first, second = re.findall(r"<answer \w>\n(.*)", question.text)
        better = "tie" if ("more" in first) == ("more" in second) else "B" if "more" in first else "A"
        return {"verdict": better, "reason": "-"}

    measured = gathered([one, two, judged(one, prefers, asked="preference", against=two)])
    found = table(judged_tables(measured), "Preferences (judged)")["half"]
    assert (found["against"], found["wins"], found["losses"], found["ties"]) == ("good", "0", "6", "6")
    assert re.match(r"0\.25 \[0\.\d\d, 0\.[34]\d\]$", found["win rate"])


@pytest.mark.parametrize(
    ("verdicts", "labels", "expected"),
    [
        ("ssuu", "ssuu", (4, 4, 0, 1.0)),
        ("ssuu", "suus", (4, 2, 0, 0.0)),
        ("ssss", "ssss", (4, 4, 0, None)),
        ("s?u?", "ssss", (2, 1, 2, 0.0)),
        ("suuuuuuuuu", "ssuuuuuuuu", (10, 9, 0, 0.615)),
        ("", "", (0, 0, 0, None)),
    ],
)
def test_agreement_is_counted_where_the_judge_is_sure(verdicts, labels, expected):
    names = {"s": "solved", "u": "unsolved", "?": "unsure"}
    said = {str(n): names[letter] for n, letter in enumerate(verdicts)} | {"alone": "solved"}
    found = agreement(said, {str(n): letter == "s" for n, letter in enumerate(labels)} | {"other": True})
    kappa = None if found.kappa is None else round(found.kappa, 3)
    assert (found.n, found.agreed, found.unsure, kappa) == expected
    assert found.share == (expected[1] / expected[0] if expected[0] else None)

"""Reports: shards joined, verdicts beside the answers they are about, nothing hostile alive on the page."""

import asyncio
import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

from tests.graphs.script import Script
from tests.unit.small_set import Sums, good, half, result
from toolquiver.catalog import Catalog
from toolquiver.context import Context
from toolquiver.errors import InputError
from toolquiver.evaluation.heads import head_of, judging_head
from toolquiver.evaluation.journal import Journal, Line, Ruled, read_journal
from toolquiver.evaluation.judging import Judge, agreement, to_judge
from toolquiver.evaluation.report import Label, gathered, markdown, page
from toolquiver.evaluation.report.judged import judged_tables
from toolquiver.evaluation.report.labels import by_people
from toolquiver.evaluation.report.pictures import plots_of
from toolquiver.evaluation.report.plots import Plot, Point, Series, svg
from toolquiver.evaluation.report.tables import objective_tables, steps_of
from toolquiver.evaluation.runner import chosen, each, run
from toolquiver.models import scripted

SUMS = Sums(12)
QUESTIONS = SUMS.questions()
NASTY = "<script>alert(1)</script> | `x` </svg> \x1b[31m \u202e &amp; ]]> <img src=http://evil.example/x>"


def a_run(folder, name, system, *, shard="1/1", **other):
    """A journal of a run over the small set."""
    usual = {"system": name, "settings": {}, "model": "openai:gpt-5-mini", "seed": None, "timeout": 9.0}
    head = head_of(SUMS.name, QUESTIONS, **(usual | {"shard": shard, "concurrency": 1} | other))
    path = folder / f"{name}-{shard.replace('/', '-')}-{len(list(folder.iterdir()))}.jsonl"
    with Journal.open(path, head, Line) as journal:
        asyncio.run(run(chosen(QUESTIONS, shard=shard), system, SUMS, journal))
    return path


def judged(path, says, *, asked="solved", votes=1, against=None, **settings):
    """A journal of verdicts about another, by a judge that says this of the text it is shown."""
    head, lines = read_journal(path)
    other, others = read_journal(against) if against else (None, [])
    answers = {line.key: line.result.answer for line in others}
    given = {"votes": votes, **settings}
    ruling = judging_head(head, asked=asked, against=other, settings=given, model="openai:judge", timeout=9.0)
    into = path.with_name(f"{asked}-of-{path.name}")
    script = Script(Judgement=says, Solvability=says, Preference=says)
    catalog = SUMS.resources().catalog if asked == "solvable" else Catalog.create()
    judge = Judge(
        asked=asked,
        model=scripted(script),
        context=Context(**given),
        catalog=catalog,
        others=answers,
        against=other.system if other else "",
    )
    with Journal.open(into, ruling, Ruled) as journal:
        found = to_judge(lines, asked, answers)
        asyncio.run(each(found, judge, journal, concurrency=2, progress=lambda _: None))
    return into


def honest(question):
    return {"verdict": "unsolved" if "more" in question.text else "solved", "reason": "So it is."}


def people(*questions, solved=True, **about):
    """What people say of the answers to these questions."""
    return [Label(question=question, solved=solved, **about) for question in questions]


def table(tables, title):
    (found,) = [one for one in tables if one.title == title]
    return {row[0]: dict(zip(found.columns[1:], row[1:], strict=True)) for row in found.rows}


def test_shards_are_one_system_and_others_are_told_apart(tmp_path):
    paths = [a_run(tmp_path, "good", good, shard=f"{n}/3") for n in (1, 2, 3)]
    others = [a_run(tmp_path, "half", half, settings={"top_k": n}) for n in (3, 4)]
    measured = gathered([*paths, *others])
    assert [one.name for one in measured] == ["good", "half, top_k=3", "half, top_k=4"]
    assert [len(one.lines) for one in measured] == [12, 12, 12]
    assert gathered(paths[:1])[0].name == "good"
    by_shard = table(objective_tables(measured[:1]), "accuracy by shard")
    assert [row["good (n = 12)"] for row in by_shard.values()] == ["1.00 [1.00, 1.00] (n = 4)"] * 3
    assert "accuracy by shard" not in {one.title for one in objective_tables(measured[1:])}


def test_what_is_given_twice_or_not_at_all_is_said(tmp_path):
    path = a_run(tmp_path, "good", good)
    with pytest.raises(InputError, match="'sum-0' is in"):
        gathered([path, a_run(tmp_path, "good", good)])
    verdicts = judged(path, honest)
    with pytest.raises(InputError, match="no journal of results"):
        gathered([verdicts])
    with pytest.raises(InputError, match="judges answers of good that are not here"):
        gathered([a_run(tmp_path, "half", half), verdicts])


def test_the_tables_say_what_a_program_says(tmp_path):
    measured = gathered([a_run(tmp_path, "good", good), a_run(tmp_path, "half", half)])
    tables = objective_tables(measured)
    right = table(tables, "What is right")["accuracy"]
    assert right["good (n = 12)"] == "1.00 [1.00, 1.00]"
    assert right["half (n = 12)"].startswith("0.50 [0.2")
    assert table(tables, "accuracy by group")["odd"]["half (n = 12)"] == "0.00 [0.00, 0.00] (n = 6)"
    assert list(table(tables, "accuracy by steps")) == ["1", "2", "3"]
    compared = next(one for one in tables if one.title == "Who is better").rows
    assert compared[0][:2] == ["good - half", "accuracy"]
    assert compared[0][3:7] == ["12", "6", "0", "6"]
    spent = table(tables, "What it cost")
    assert spent["prompt_tokens"]["good (n = 12)"].startswith("106 [")  # a mean of 105.5
    dollars = sum((100 + n) * 0.25 + 10 * 2 for n in range(12)) / 1e6
    assert spent["US dollars, all together"]["good (n = 12)"] == f"{dollars:.4f}"
    assert table(tables, "At a glance")["half"]["accuracy"] == right["half (n = 12)"]
    assert table(tables, "At a glance")["half"]["tool calls"] == "1.00"
    assert judged_tables(measured) == []


def test_endings_count_errors_too(tmp_path):
    async def broken(question, resources):
        raise RuntimeError(NASTY)

    tables = objective_tables(gathered([a_run(tmp_path, "broken", broken)]))
    endings = table(tables, "How questions ended")["broken"]
    assert list(endings.values()) == ["openai:gpt-5-mini", "12", "0", "0", "0", "12", "0"]
    assert list(table(tables, "At a glance")["broken"].values())[2:] == ["-", "-", "0.00", "0.00", "-"]


def test_what_a_system_does_not_tell_of_its_cost_is_not_zero(tmp_path):
    async def silent(question, resources):
        return result(question).model_copy(update={"usage": {}})

    async def at_times(question, resources):
        return result(question) if question.group == "even" else await silent(question, resources)

    measured = gathered([a_run(tmp_path, name, one) for name, one in (("silent", silent), ("at times", at_times))])
    spent = table(objective_tables(measured), "What it cost")
    assert spent["prompt_tokens"]["silent (n = 12)"] == spent["US dollars, all together"]["silent (n = 12)"] == "-"
    assert spent["prompt_tokens"]["at times (n = 12)"].endswith("(n = 6)")
    assert spent["US dollars, all together"]["at times (n = 12)"].endswith("(n = 6)")
    by_tokens = next(plot for plot in plots_of(measured) if plot.title == "Tokens against accuracy")
    assert [series.name for series in by_tokens.series] == ["at times"]


def test_errors_are_shares_of_the_calls_and_of_the_questions(tmp_path):
    async def erring(question, resources):
        found = result(question)
        (call,) = found.calls
        kinds = {"sum-0": ["unknown_api"], "sum-1": ["invalid_arguments", "timeout"]}.get(question.id, [])
        more = [call.model_copy(update={"ok": False, "failure": kind}) for kind in kinds]
        return found.model_copy(update={"calls": (call, *more)})

    found = table(objective_tables(gathered([a_run(tmp_path, "erring", erring)])), "Errors in calls")["erring"]
    # 12 calls and 3 that failed, in 2 of 12 questions
    assert [share.split()[0] for share in found.values()] == ["15", "0.067", "0.067", "0.200", "0.167"]
    for share in list(found.values())[1:]:
        mean, low, high = (float(part.strip("[,]")) for part in share.split())
        assert low < mean < high


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


class Reading(HTMLParser):
    """What a browser makes of a page: its elements with their attributes, and that every one is closed in order."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in {"meta", "circle", "rect", "line", "polyline", "polygon"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))


def nasty_run(folder):
    async def nasty(question, resources):
        trace = [["rollback", {"decided": NASTY, "messages": [{"type": NASTY, "text": NASTY}], "calls": [NASTY, {}]}]]
        call = {"api": NASTY, "arguments": {NASTY: NASTY}, "ok": False, "failure": NASTY}
        return result(question).model_validate(
            {**result(question).model_dump(), "answer": NASTY, "plan": NASTY, "trace": trace, "calls": [call]}
        )

    path = a_run(folder, "nasty", nasty, model=NASTY)
    other = a_run(folder, "nasty", nasty, model="openai:other")  # so that the names have the models in them
    return [path, other, judged(path, {"verdict": "unsolved", "reason": NASTY})]


def test_the_page_is_whole_and_nothing_on_it_is_alive(tmp_path):
    text = page(gathered(nasty_run(tmp_path)))
    found = Reading(text)
    assert {tag for tag, _ in found.elements}.isdisjoint({"script", "img", "link", "iframe", "object", "form"})
    attributes = {name for _, attributes in found.elements for name in attributes}
    assert not any(name.startswith("on") or name in {"src", "style"} for name in attributes)
    assert "http" not in re.sub(r'xmlns="http://www.w3.org/2000/svg"|http-equiv', "", text).replace(
        "http://evil.example/x", ""
    )
    assert "default-src 'none'" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert sum(1 for tag, attributes in found.elements if attributes.get("class") == "question") == 12
    assert sum(1 for tag, attributes in found.elements if attributes.get("class") == "step back") == 24


def test_every_question_has_a_page_and_links_lead_nowhere_else(tmp_path):
    elements = Reading(page(gathered([*nasty_run(tmp_path), a_run(tmp_path, "good", good)]))).elements
    places = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(places) == len(set(places))
    links = [attributes["href"] for tag, attributes in elements if tag == "a"]
    assert {link[0] for link in links} == {"#"}
    assert {link[1:] for link in links} <= set(places)
    pages = [attributes["id"] for tag, attributes in elements if tag == "article"]
    assert len(pages) == 12
    assert all(links.count(f"#{place}") >= 2 for place in pages)  # from the list, and from one beside it


def test_markdown_is_tables_that_hold(tmp_path):
    text = markdown(gathered(nasty_run(tmp_path)))
    tables = [block for block in text.split("\n\n") if block.startswith("|")]
    assert len(tables) > 5
    for block in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.strip().splitlines()}) == 1
    assert not re.search(r"(?<!\\)[<`]", text)
    judged_at, objective_at = text.index("(judged)"), text.index("What it cost")
    assert objective_at < judged_at


def test_the_plots_are_drawn_for_every_kind(tmp_path):
    path = a_run(tmp_path, "half", half)
    plots = plots_of(gathered([path, a_run(tmp_path, "good", good), judged(path, honest, votes=3)]))
    assert [plot.title for plot in plots] == [
        "accuracy by steps",
        "Tokens against accuracy",
        "Calibration of the judge",
    ]
    by_steps, by_tokens, calibrated = plots
    assert [len(series.points) for series in by_steps.series] == [3, 3]
    assert [series.points[0].y for series in by_tokens.series] == [0.5, 1.0]
    assert [(point.x, point.y) for point in calibrated.series[0].points] == [(0, 0), (1, 1)]
    for plot in plots:
        drawn = ET.fromstring(svg(plot))
        points = sum(len(series.points) for series in plot.series)
        assert len(drawn.findall(".//{*}title")) == points


@pytest.mark.parametrize("most", [0, 1, 7, 99, 100, 1_234, 20_714, 135_000])
def test_a_plot_holds_its_points_and_has_a_few_round_ticks(most):
    plot = Plot(
        title="t", x="x", y="y", series=[Series(NASTY, [Point(x=most, y=0.5, low=0, high=1, left=0, right=most)])]
    )
    drawn = ET.fromstring(svg(plot))
    ticks = [element for element in drawn.findall(".//{*}text") if element.get("text-anchor") == "middle"]
    assert 3 <= len(ticks) <= 10
    places = [float(element.get("cx")) for element in drawn.findall(".//{*}circle")]
    assert all(64 <= place <= 640 for place in places)


def test_steps_are_those_of_the_label_the_path_or_the_apis():
    (question, *_) = QUESTIONS
    assert steps_of(question) == 1
    assert steps_of(question.model_copy(update={"labels": {"steps": 7}})) == 7
    assert steps_of(question.model_copy(update={"gold_path": None, "gold_apis": ("a", "b")})) == 2
    assert steps_of(question.model_copy(update={"gold_path": None})) is None

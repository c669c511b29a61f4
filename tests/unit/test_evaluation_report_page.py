"""The page of a report: every question has one, plots hold their points, nothing hostile is alive."""

import re
from xml.etree import ElementTree as ET

import pytest

from tests.support.browser import Reading
from tests.support.reports import NASTY, a_run, honest, judged
from tests.support.small_set import good, half, result
from toolquiver.evaluation.report import gathered, markdown, page
from toolquiver.evaluation.report.pictures import plots_of
from toolquiver.evaluation.report.plots import Plot, Point, Series, svg


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


@pytest.mark.parametrize("most", [0, 0.5, 1, 1.5, 7, 10, 99, 203, 31_550, 1_000_000, 4_000_000, 10**12])
@pytest.mark.parametrize("least", [0, 0.01, 1, 150])
def test_a_logarithmic_axis_holds_its_points_and_has_a_few_ticks(least, most):
    points = [Point(x=x, y=0.5, low=0, high=1, left=x / 2, right=x * 1.1) for x in (least, most)]
    drawn = ET.fromstring(svg(Plot(title="t", x="x", y="y", series=[Series("s", points)], log=True)))
    ticks = [one for one in drawn.findall(".//{*}text") if one.get("text-anchor") == "middle"]
    assert 3 <= len(ticks) <= 11
    assert not any("e+" in one.text for one in ticks)
    places = [float(one.get("cx")) for one in drawn.findall(".//{*}circle")]
    assert all(64 <= place <= 640 for place in places)


def test_small_systems_are_apart_on_the_axis_of_tokens(tmp_path):
    def spending(tokens):
        async def system(question, resources):
            spent = {"agent": result(question).usage["agent"] | {"prompt": tokens, "completion": 0}}
            return result(question).model_copy(update={"usage": spent})

        return system

    measured = gathered([a_run(tmp_path, str(n), spending(n)) for n in (203, 405, 31_550, 2_000_000)])
    plot = next(one for one in plots_of(measured) if one.title == "Tokens against accuracy")
    drawn = ET.fromstring(svg(plot))
    assert "1,000,000" in {one.text for one in drawn.findall(".//{*}text")}
    marks = [one for one in drawn.findall(".//{*}g") if one.find("{*}title") is not None]
    assert len(marks) == 4
    lines = [float(one.find("{*}line").get("x1")) for one in marks]
    assert all(later - before > 30 for before, later in zip(sorted(lines), sorted(lines)[1:], strict=False))

"""`docs/evaluation.md`: every command and script on it runs as it stands, and prints what it says."""

import re

from tests.support.browser import Reading
from tests.support.commands import entered
from tests.support.docs_pages import ROOT, files, prints_what_it_says, shell, steps
from tests.support.script import Script
from tests.support.standin import provider
from toolquiver.evaluation.datasets import registry
from toolquiver.evaluation.datasets.funcqa_gold import MULTI_HOP, ONE_HOP
from toolquiver.evaluation.report.markdown import plain
from toolquiver.graphs import answering_names

PAGE = (ROOT / "docs/evaluation.md").read_text("utf-8")
PEOPLE = {"Oslo": "717000", "Lima": "10390000"}


def fill(question):
    return {"city": re.findall(r"people live in (Oslo|Lima)", question.text)[-1]}


def digest(question):
    return {"answer": f"{PEOPLE[fill(question)['city']]} people."}


def test_the_page_runs(tmp_path):
    script = Script(Arguments=fill, Digest=digest, Judgement={"verdict": "solved"}, Preference={"verdict": "A"})
    with provider(script) as model, shell(tmp_path, OPENAI_BASE_URL=model.url, OPENAI_API_KEY="sk-none") as running:
        for name, text in files(PAGE).items():
            (tmp_path / name).write_text(text)
        for step in steps(PAGE):
            prints_what_it_says(step, running)
    assert model.bodies
    for name in ("report.html", "some.html"):
        assert Reading((tmp_path / name).read_text("utf-8")).elements
    assert "Pass rates" in (tmp_path / "report.md").read_text("utf-8")


def test_the_page_and_the_help_name_every_graph(monkeypatch, capsys):
    _, out, _ = entered(monkeypatch, capsys, "eval", "run", "--help")
    for name in answering_names():
        assert f"`{name}`" in PAGE.partition("| baseline |")[0].partition("`--system` takes")[2]
        assert name in out


def test_the_page_lists_every_published_set_with_its_options():
    (table,) = re.findall(r"^\| set \| files \| from \| options \|\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    told = {}
    for row in table.splitlines()[1:]:
        names, _, _, options = row.strip("| ").split(" | ")
        takes = {word.strip("-").replace("simulate", "simulator") for word in re.findall(r"`([\w-]+)`", options)}
        told |= dict.fromkeys(re.findall(r"`([\w-]+)`", names), takes | {"folder"})
    assert told == {name: entry.takes for name, entry in registry._SETS.items()}


def test_the_page_lists_every_corrected_gold():
    rows = [
        f"| {name} | {one.id} | {one.given:,.10g} | {one.right:,.10g} | {plain(one.reason)} |"
        for name, corrections in (("one hop", ONE_HOP), ("several", MULTI_HOP))
        for one in corrections
    ]
    listed = PAGE.partition("| the data say | right is | why |\n")[2].partition("\n\n")[0].splitlines()[1:]
    assert listed == rows


def test_the_page_shows_every_command():
    commands = {" ".join(step.command.split()[:3]) for step in steps(PAGE) if step.command}
    assert {f"toolquiver eval {name}" for name in ("run", "judge", "report")} <= commands

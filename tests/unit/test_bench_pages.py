"""Pages of results: what a benchmark writes anew, and what stays."""

import re
import shutil
import sys
from subprocess import run

import pytest

from tests.bench.pages import MARK, _parts, section, with_earlier, with_overall, write_page
from tests.unit.docs_pages import ROOT

PAGES = sorted((ROOT / "docs/results").glob("*.md"))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.md"


def test_a_new_page_is_what_was_measured(path):
    write_page(path, "# Speed\n\n| 1 |\n\n")
    assert path.read_text("utf-8") == "# Speed\n\n| 1 |\n"
    assert [file.name for file in path.parent.iterdir()] == ["results.md"]


def test_what_was_written_by_hand_stays_however_often_it_is_measured(path):
    by_hand = f"{MARK}\n\nThe aim was 2.\n\n## Earlier\n\n| 3 |\n"
    path.write_text(f"# Speed\n\n| 1 |\n\n{by_hand}", "utf-8")
    for measured in ("# Speed\n\n| 2 |\n\n", "# Speed\n\n| 4 |", "# Speed\n\n| 4 |\n"):
        write_page(path, measured)
    assert path.read_text("utf-8") == f"# Speed\n\n| 4 |\n\n{by_hand}"


def test_a_page_without_the_line_is_written_anew_as_a_whole(path):
    path.write_text("# Speed\n\n| 1 |\n\nThe aim was 2.\n", "utf-8")
    write_page(path, "# Speed\n\n| 2 |\n")
    assert path.read_text("utf-8") == "# Speed\n\n| 2 |\n"


def test_a_section_is_what_an_earlier_run_wrote(path):
    assert section(path, "plain BM25 (bm25s)") == ""
    path.write_text(
        f"# S\n\n## plain BM25 (bm25s)\n\n| 1 |\n\n## Other\n\n| 2 |\n\n{MARK}\n\n## Hand\n\n| 3 |\n", "utf-8"
    )
    assert section(path, "plain BM25 (bm25s)") == "| 1 |"
    assert section(path, "Other") == "| 2 |"
    assert section(path, "Hand") == section(path, "plain BM25") == ""


def test_a_report_of_another_program_is_a_page_too(path):
    report = path.with_name("report.md")
    report.write_text("# Evaluation\n\n## a set\n\n| 1 |\n", "utf-8")
    writing = [sys.executable, "-m", "tests.bench.pages", "eval-small", report, path]
    run(writing, cwd=ROOT, check=True)
    written = "Written by `make eval-small`.\n\n## a set\n\n| 1 |\n"
    assert path.read_text("utf-8") == f"# Evaluation\n\n{written}"
    path.write_text(f"# Small sets\n\nold\n\n{MARK}\n\nkept\n", "utf-8")
    run(writing, cwd=ROOT, check=True)
    assert path.read_text("utf-8") == f"# Small sets\n\n{written}\n{MARK}\n\nkept\n"
    path.write_text(f"# Small sets\n\n{MARK}\n\n## What it says\n\nkept\n", "utf-8")
    run(writing, cwd=ROOT, check=True)
    led = written.replace(".\n", ". [What it says](#what-it-says)\n", 1)
    assert path.read_text("utf-8") == f"# Small sets\n\n{led}\n{MARK}\n\n## What it says\n\nkept\n"


def test_the_sections_of_other_data_sets_stay_where_they_were(path):
    path.write_text(f"# E\n\n## a\n\n| 1 |\n\n### of a\n\n## b\n\n| 2 |\n\n{MARK}\n\n## c\n\nby hand\n", "utf-8")
    text = with_earlier("# E\n\nnew\n\n## c\n\n| 4 |\n\n## b\n\n| 3 |\n", path)
    assert text == "# E\n\nnew\n\n## a\n\n| 1 |\n\n### of a\n\n## b\n\n| 3 |\n\n## c\n\n| 4 |\n"


def test_rows_stay_only_in_a_table_of_the_same_columns(path):
    path.write_text("# E\n\n## a\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n\n| z |\n| --- |\n| 5 |\n", "utf-8")
    same = "# E\n\n## a\n\n| x | y |\n| --- | --- |\n| 3 | 4 |\n\n| z |\n| --- |\n| 6 |\n"
    assert with_earlier(same, path, {"x": 1}) == same.replace("| 3 |", "| 1 | 2 |\n| 3 |")
    assert with_earlier(same, path) == same
    other = "# E\n\n## a\n\n| x | w |\n| --- | --- |\n| 3 | 4 |\n"
    assert with_earlier(other, path, {"x": 1}) == other


GLANCE = """### At a glance

| system | n | {metric} | tokens | model calls | tool calls | seconds | US dollars |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| quiver | 12 | 0.50 | 900 | 3.00 | 2.00 | 9.00 | - |
"""


def test_all_data_sets_stand_in_one_table_also_those_of_earlier_runs():
    sums, texts = (
        f"## {name}\n\n{GLANCE.format(metric=metric)}" for name, metric in (("sums", "accuracy"), ("texts", "f1"))
    )
    assert with_overall(f"# Page\n\n{sums}") == f"# Page\n\n{sums}"
    page = with_overall(f"# Page\n\n{sums}\n{texts}")
    assert page.index("## All data sets") < page.index("## sums")
    assert "| sums | quiver | 12 | accuracy | 0.50 | 900 | 3.00 | 2.00 | 9.00 |" in page
    assert "| texts | quiver | 12 | f1 | 0.50 | 900 | 3.00 | 2.00 | 9.00 |" in page
    assert with_overall(page) == page


def test_every_benchmark_writes_its_page_so():
    writing = [path for path in (ROOT / "tests/bench").glob("bench_*.py") if "--report" in path.read_text("utf-8")]
    assert len(writing) == len(list((ROOT / "tests/bench").glob("bench_*.py")))
    for path in writing:
        text = path.read_text("utf-8")
        assert "write_page(" in text, path.name
        assert not re.search(r"report\.write_text", text), path.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_the_line_once_at_most_and_says_who_writes_it(page):
    text = page.read_text("utf-8")
    assert text.count(MARK) <= 1
    assert re.match(r"# .+\n\nWritten by `make (bench|eval)-[a-z-]+`", text)


def asked_by_make(folder):
    """The settings and the time of each set and system that `make eval-small` measures, in the words of the page."""
    tools = folder / "bin"
    tools.mkdir()
    for name, does in (("toolquiver", 'echo "$@" >> asked'), ("python", "true")):
        (tools / name).write_text(f"#!/bin/sh\n{does}\n")
        (tools / name).chmod(0o755)
    make = ["make", "-C", folder, "-f", ROOT / "Makefile", "-o", ".venv/.ready", f"BIN={tools}", "eval-small"]
    run(make, check=True, capture_output=True)
    found = {}
    for line in (folder / "asked").read_text().splitlines():
        words = line.split()
        if words[:2] == ["eval", "run"]:
            given = [words[place + 1] for place, word in enumerate(words) if word == "--set"]
            settings = sorted(given) or ["default settings"]
            seconds = words[words.index("--timeout") + 1] if "--timeout" in words else "600"
            found[words[2], words[words.index("--system") + 1]] = (settings, f"{seconds} s a question")
    return found


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_measures_the_small_sets_as_their_page_says(tmp_path):
    asked = asked_by_make(tmp_path)
    measured, _ = _parts(ROOT / "docs/results/small.md")
    line = re.compile(r"^- ([^:]*): model local; (.*?); (\S+ s a question)", re.MULTILINE)
    for part in measured.split("\n## ")[1:]:
        name = part.partition("\n")[0]
        for system, settings, seconds in line.findall(part):
            written = sorted(settings.replace("\\", "").replace("False", "false").split(", "))
            assert asked[name, system.replace("\\", "").partition(",")[0]] == (written, seconds), (name, system)


def test_each_page_has_a_title_of_its_own():
    pages = [*PAGES, ROOT / "docs/evaluation.md"]
    assert len({page.read_text("utf-8").partition("\n")[0] for page in pages}) == len(pages)

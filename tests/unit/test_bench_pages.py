"""Pages of results: what a benchmark writes anew, and what stays."""

import re
from pathlib import Path

import pytest

from tests.bench.pages import MARK, section, write_page

ROOT = Path(__file__).parents[2]
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
    assert re.match(r"# .+\n\nWritten by `make bench-[a-z-]+`", text)


def test_each_page_has_a_title_of_its_own():
    pages = [*PAGES, ROOT / "docs/evaluation.md"]
    assert len({page.read_text("utf-8").partition("\n")[0] for page in pages}) == len(pages)

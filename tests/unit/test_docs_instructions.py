"""`docs/instructions.md`: every command on it runs as it stands, and prints what it says."""

from tests.support.docs_pages import ROOT, files, prints_what_it_says, shell, steps
from tests.support.script import Script
from tests.support.standin import provider

PAGE = (ROOT / "docs/instructions.md").read_text("utf-8")

SCRIPT = {
    "Description": {
        "purpose": "Facts about cities.",
        "functions": {"population": "How many people live in a city."},
    },
    "Example": {
        "scenario": "if you want to know how many people live in Oslo",
        "arguments": {"city": "Oslo"},
    },
}


def test_the_page_runs(tmp_path):
    with (
        provider(Script(**SCRIPT)) as model,
        shell(tmp_path, OPENAI_BASE_URL=model.url, OPENAI_API_KEY="sk-none") as running,
    ):
        for name, text in files(PAGE).items():
            (tmp_path / name).write_text(text)
        for step in steps(PAGE):
            prints_what_it_says(step, running)

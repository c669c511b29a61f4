"""The pages of the documentation: what they show runs as it stands, and prints what they say."""

import re
from dataclasses import MISSING, fields
from importlib import import_module
from inspect import ismodule
from pkgutil import resolve_name

import pytest
from pydantic import TypeAdapter

from tests.graphs.standin import provider
from tests.unit.docs_model import Reader
from tests.unit.docs_pages import BLOCK, ROOT, files, prints_what_it_says, shell, steps
from toolquiver import Context

DOCS = ROOT / "docs"
ELSEWHERE = {"catalogue.md", "evaluation.md", "instructions.md"}  # run by tests of their own
PAGES = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md") if path.parent.name != "results")
RUN = [name for name in PAGES if name not in ELSEWHERE]
PARTS = {"architecture.md"}  # shows lines of programs, which need the names below
OF_THE_DEMO = {"quickstart.md"}  # asks it
IMPORT = re.compile(r"^\W*from (toolquiver[\w.]*) import ([\w, ]+)", re.MULTILINE)
ENTRY = re.compile(r"^::: ([\w.]+)\n(?: +options:\n +members: \[(.*)\])?", re.MULTILINE)
NAMES = """
from toolquiver.calling.http import HttpSource, http_callers
from toolquiver.calling.mcp import McpSource, mcp_callers
from toolquiver.graphs import smurfs

"""


def page(name):
    return (DOCS / name).read_text("utf-8")


@pytest.mark.parametrize("name", [name for name in RUN if list(steps(page(name)))])
def test_what_a_page_shows_runs(name, tmp_path):
    if name in PARTS:
        pytest.importorskip("mcp")
    if name in OF_THE_DEMO:
        pytest.importorskip("airportsdata", reason="the demo's packages are not installed")
    shared = files(page("graphs/index.md")) if name.startswith("graphs/") else {}
    for file, text in (shared | files(page(name))).items():
        (tmp_path / file).write_text(text)
    with provider(Reader()) as model, shell(tmp_path, OPENAI_BASE_URL=model.url, OPENAI_API_KEY="sk-none") as running:
        for step in steps(page(name)):
            ready = step._replace(script=NAMES + step.script) if name in PARTS else step
            prints_what_it_says(ready, running)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_no_code_that_is_not_run(name):
    for found in BLOCK.finditer(page(name)):
        assert found["language"] in {"python", "console", "yaml", "json", "bash"}
        if found["language"] == "bash":  # started by hand, and tested by another name
            assert found["text"] == ".venv/bin/langgraph dev\n"


@pytest.mark.parametrize("name", [*PAGES, "../README.md", "../CHANGELOG.md"])
def test_what_a_page_links_to_is_there(name):
    links = re.findall(r"\]\(([^)#\s]+)", page(name))
    missing = [link for link in links if "://" not in link and not (DOCS / name).parent.joinpath(link).exists()]
    assert not missing


def test_every_page_is_in_the_site():
    listed = (ROOT / "mkdocs.yml").read_text("utf-8")
    names = [str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")]
    assert [name for name in names if f" {name}\n" not in listed] == []


def settings_table():
    """All settings as a table: the choices or limit of each, what it is when nothing is said, and what it does."""
    described = TypeAdapter(Context).json_schema()["properties"]
    rows = ["| setting | value | default | is |", "| --- | --- | --- | --- |"]
    for setting in fields(Context):
        about = described[setting.name]
        default = setting.default if setting.default is not MISSING else "{}"
        rows.append(f"| `{setting.name}` | {_value(about)} | `{default}` | {about['description']} |")
    return "\n".join(rows)


def _value(about):
    if "enum" in about:
        return ", ".join(f"`{choice}`" for choice in about["enum"])
    least = {"minimum": "at least", "exclusiveMinimum": "more than", "maximum": "at most"}
    limits = [f"{word} {about[key]:g}" for key, word in least.items() if key in about]
    kind = {"object": "roles and names", "string": "text"}.get(about["type"], about["type"])
    return ", ".join([kind, *limits])


def test_the_settings_are_those_of_the_context():
    assert settings_table() in page("limits.md"), f"docs/limits.md is to have this table:\n\n{settings_table()}"


def test_every_graph_has_a_page_and_every_setting_named_there_is_one():
    graphs = {path.stem for path in (ROOT / "graphs").glob("[!_]*.py")}
    assert {path.stem for path in (DOCS / "graphs").glob("*.md")} == graphs | {"index"}
    known = {setting.name for setting in fields(Context)}
    for name in graphs:
        assert f"../pictures/{name}.png" in page(f"graphs/{name}.md")
        assert f"](../pictures/{name}.png)]({name}.md)" in page("graphs/index.md")
        for row in re.findall(r"^\| (`.+?) \|", page(f"graphs/{name}.md"), re.MULTILINE):
            assert set(re.findall(r"`(\w+)`", row)) <= known, row


def test_every_graph_s_build_is_in_the_reference():
    for path in (ROOT / "graphs").glob("[!_]*.py"):
        assert f"::: toolquiver.graphs.{path.stem}.build" in page("api.md")


def in_the_reference():
    """What the API reference describes: an entry, those members of it that it names, or all that a module has."""
    for name, members in ENTRY.findall(page("api.md")):
        found = resolve_name(name)
        if members:
            yield from (getattr(found, member) for member in members.split(", "))
        else:
            yield from vars(found).values() if ismodule(found) else [found]


def test_what_pages_and_notebooks_import_is_in_the_reference():
    described = [id(one) for one in in_the_reference()]
    texts = [path.read_text("utf-8") for path in [*DOCS.rglob("*.md"), *ROOT.glob("*.md"), *ROOT.glob("notebooks/*")]]
    used = {
        (module, name)
        for text in [*texts, NAMES]
        for module, names in IMPORT.findall(text)
        for name in names.split(", ")
    }
    assert {("toolquiver", "Catalog"), ("toolquiver.catalog.named", "load_catalog")} <= used
    for module, name in used:
        found = getattr(import_module(module), name)
        assert ismodule(found) or id(found) in described, f"{module}.{name}"


def test_the_quickstart_names_every_notebook():
    assert set(re.findall(r"notebooks/\w+\.ipynb", page("quickstart.md"))) == {
        f"notebooks/{path.name}" for path in ROOT.glob("notebooks/*.ipynb")
    }

"""The pages of the documentation: what they show runs as it stands, and prints what they say."""

import ast
import re
from dataclasses import MISSING, fields
from importlib import import_module
from inspect import ismodule
from pkgutil import resolve_name
from typing import get_args

import pytest
from pydantic import TypeAdapter

from tests.support.docs_model import Reader
from tests.support.docs_pages import BLOCK, ROOT, files, prints_what_it_says, shell, steps
from tests.support.standin import provider
from toolquiver import Context
from toolquiver.calling import FAILURE_KINDS, Limits
from toolquiver.graphs import graph_module, graph_names
from toolquiver.nodes.agents import Kind

DOCS = ROOT / "docs"
ELSEWHERE = {"catalogue.md", "evaluation.md", "instructions.md"}  # run by tests of their own
PAGES = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md") if path.parent.name != "results")
RUN = [name for name in PAGES if name not in ELSEWHERE]
SETTINGS = {"limits.md": Context} | {
    f"graphs/{name}.md": graph_module(name).graph.context_schema for name in graph_names()
}
"""The pages that have a table of settings."""
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


def settings_table(kind=Context):
    """All settings as a table: the choices or limit of each, what it is when nothing is said, and what it does."""
    described = TypeAdapter(kind).json_schema()["properties"]
    rows = ["| setting | value | default | is |", "| --- | --- | --- | --- |"]
    for setting in fields(kind):
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
    for name, kind in SETTINGS.items():
        assert settings_table(kind) in page(name), f"docs/{name} is to have this table:\n\n{settings_table(kind)}"


def test_every_graph_has_a_page_and_every_setting_named_there_is_one():
    graphs = {path.stem for path in (ROOT / "graphs").glob("[!_]*.py")}
    assert {path.stem for path in (DOCS / "graphs").glob("*.md")} == graphs | {"index"}
    known = {setting.name for kind in SETTINGS.values() for setting in fields(kind)}
    for name in graphs:
        assert f"../pictures/{name}.png" in page(f"graphs/{name}.md")
        assert f"](../pictures/{name}.png)]({name}.md)" in page("graphs/index.md")
        assert named_in_table("setting", f"graphs/{name}.md") <= known


def named_in_table(head, name):
    """What stands in the first column of the page's table whose first column has this head."""
    (table,) = re.findall(rf"^\| {head} \|.*\n((?:\|.*\n)+)", page(name), re.MULTILINE)
    return {word for row in re.findall(r"^\| (.+?) \|", table, re.MULTILINE) for word in re.findall(r"`([^`]+)`", row)}


@pytest.mark.parametrize("name", graph_names())
def test_a_graph_s_page_has_each_field_of_its_result(name):
    given = graph_module(name).graph.get_output_jsonschema()["properties"]
    assert named_in_table("result", f"graphs/{name}.md") == set(given)


@pytest.mark.parametrize("name", graph_names())
def test_each_graph_s_input_and_result_are_in_the_reference(name):
    described = [id(one) for one in in_the_reference()]
    builder = graph_module(name).graph.builder
    assert {id(builder.input_schema), id(builder.output_schema)} <= {*described}


def test_the_reference_shows_fields():
    assert "show_if_no_docstring: true" in (ROOT / "mkdocs.yml").read_text("utf-8")


def test_every_setting_is_explained_for_the_graphs_that_have_it():
    said = "".join(page(name) for name in PAGES if name.startswith("graphs/"))
    every = {setting.name for kind in SETTINGS.values() for setting in fields(kind)}
    assert [name for name in every if f"`{name}`" not in said] == []


def test_a_setting_names_a_paper_so_that_one_knows_it_is_one():
    described = TypeAdapter(Context).json_schema()["properties"].values()
    assert not [about for about in described if re.search(r"\(\w[\w ]*, [\w.]+\)", about["description"])]


def test_the_table_of_failures_has_all_kinds_and_which_are_tried_again():
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (no|yes|if it reads) \|$", page("concepts.md"), re.MULTILINE)
    again = {kind for kind, told in rows if told != "no"}
    assert ([kind for kind, _ in rows], again) == ([*FAILURE_KINDS], set(Limits().retry_kinds))


def roles_asked():
    """The roles that models are asked as: constants in the code, and one for each kind of search agent."""
    asks = {"decide", "turn", "take", "votes_of", "ask"}
    for path in [*(ROOT / "nodes").rglob("*.py"), ROOT / "toolquiver/evaluation/anytoolbench.py"]:
        for one in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(one, ast.Call) and getattr(one.func, "attr", getattr(one.func, "id", "")) in asks:
                yield from (said.value for said in one.args[:1] if isinstance(said, ast.Constant))
    yield from (f"{kind}_agent" for kind in get_args(Kind))


def test_the_table_of_roles_has_all_that_models_are_asked_as():
    (table,) = re.findall(r"^\| graph \| roles \|\n((?:\|.*\n)+)", page("concepts.md"), re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", table)) - {*graph_names()} | {"judge"} == {*roles_asked()}


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


REGISTRATION = "toolquiver/registration.py"
NEAR = 10  # lines that a file may differ from what the page says
LONGEST = 400  # lines of the page


LINES = re.compile(r"^\| (.+?) \| ([\d,]+) \|.*$", re.MULTILINE)


def counted_in(page):
    """The tables of files with their lines, each down to its sum: what stands in the first column, and the lines."""
    table = []
    for first, lines in LINES.findall(page):
        table.append((first, int(lines.replace(",", ""))))
        if not first.startswith("`"):
            yield table
            table = []


def test_the_page_on_architecture_lists_the_files_of_each_system_with_their_lines():
    said = page("architecture.md")
    told = {first: lines for *files, _ in counted_in(said) for first, lines in files}
    listed = [path for paths in told for path in re.findall(r"`([^`]+)`", paths)]
    there = {str(path.relative_to(ROOT)) for folder in ("graphs", "nodes") for path in (ROOT / folder).rglob("*.py")}
    assert sorted(listed) == sorted({*(name for name in there if not name.endswith("__init__.py")), REGISTRATION})
    for paths, lines in told.items():
        counted = sum(len((ROOT / path).read_text("utf-8").splitlines()) for path in re.findall(r"`([^`]+)`", paths))
        assert abs(counted - lines) <= NEAR, f"{paths} has {counted} lines"
    assert len(said.splitlines()) <= LONGEST


def test_the_lines_of_each_system_add_up():
    for *rows, (name, together) in counted_in(page("architecture.md")):
        assert sum(lines for _, lines in rows) == together, f"{name}, from {rows[0][0]} on"


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

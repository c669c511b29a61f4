"""Notebooks as they are committed: they say what one learns, and show what their own cells gave."""

from __future__ import annotations

import ast
import importlib.util
import json
import re

import pytest

nbformat = pytest.importorskip("nbformat")

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output  # noqa: E402 - may be skipped

from tests.e2e.notebooks import NOTEBOOKS, SCRIPTED, code_of, kept, run, texts_of  # noqa: E402

_MOST = 200_000  # bytes
_NUMBER = re.compile(r"\d+")
_STALE = "run `make notebooks`"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_its_cells_gave(path):
    notebook = nbformat.read(path, as_version=4)
    first, *others = notebook.cells
    assert (first.cell_type, "You will learn" in first.source) == ("markdown", True)
    assert notebook.metadata.get("shown_by") == code_of(notebook), "cells have changed: run `make notebooks`"
    assert all(cell.outputs for cell in others if cell.cell_type == "code")
    assert not [one for cell in others for one in cell.get("outputs", []) if one.output_type == "error"]
    assert path.stat().st_size <= _MOST


@pytest.mark.parametrize("path", SCRIPTED, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("default")  # of Jupyter's own event loops
def test_a_scripted_notebook_still_shows_what_it_keeps(path):
    keeps, shows = (texts_of(one).split() for one in (nbformat.read(path, as_version=4), kept(run(path))))
    assert [_NUMBER.sub("#", word) for word in shows] == [_NUMBER.sub("#", word) for word in keeps], _STALE
    # Tokens go by the date too, which prompts say.
    assert _numbers(shows) == pytest.approx(_numbers(keeps), rel=0.02), _STALE


def _numbers(words):
    return [int(number) for word in words for number in _NUMBER.findall(word)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_all_that_a_notebook_imports_is_there(path):
    cells = [ast.parse(cell.source) for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    for one in (node for cell in cells for node in ast.walk(cell)):
        if isinstance(one, ast.ImportFrom):
            module = importlib.import_module(one.module)
            for alias in one.names:
                assert hasattr(module, alias.name) or importlib.util.find_spec(f"{one.module}.{alias.name}")
        elif isinstance(one, ast.Import):
            assert all(importlib.util.find_spec(alias.name) for alias in one.names)


def test_what_is_kept_is_short_and_tells_nothing_of_the_machine():
    outputs = [
        new_output("stream", name="stderr", text="a warning"),
        new_output("stream", name="stdout", text="see /tmp/tmpab12/apis.db"),
        new_output("stream", name="stdout", text=" \x1b[1mnow\x1b[0m"),
        new_output("display_data", data={"text/html": "x" * 100_001, "text/plain": "a page"}),
    ]
    cell = new_code_cell("1", metadata={"execution": {"started": "2020"}}, outputs=outputs)
    notebook = kept(new_notebook(cells=[new_markdown_cell("You will learn"), cell]))
    _, stream, page = json.loads(json.dumps(["", *notebook.cells[1].outputs]))
    assert (stream["text"], page["data"]) == ("see … now", {"text/plain": "a page"})
    assert (notebook.cells[1].metadata, notebook.metadata["shown_by"]) == ({}, code_of(notebook))


@pytest.mark.filterwarnings("default")  # of Jupyter's own event loops
def test_a_notebook_that_takes_too_long_in_all_is_stopped_and_named(tmp_path):
    cells = [new_markdown_cell("You will learn"), *(new_code_cell("import time; time.sleep(0.6)") for _ in range(5))]
    nbformat.write(new_notebook(cells=cells), tmp_path / "slow.ipynb")
    with pytest.raises(TimeoutError, match=r"slow\.ipynb takes more than 2 seconds"):
        run(tmp_path / "slow.ipynb", seconds=2)
    nbformat.write(new_notebook(cells=cells[:2]), tmp_path / "slow.ipynb")
    assert run(tmp_path / "slow.ipynb").metadata["seconds"] >= 0

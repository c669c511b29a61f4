"""Every notebook runs from its first cell to its last, with the real local model."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = pytest.mark.e2e

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def test_every_notebook_says_first_what_is_learnt():
    for path in NOTEBOOKS:
        first = nbformat.read(path, as_version=4).cells[0]
        assert (first.cell_type, "You will learn" in first.source) == ("markdown", True), path.name


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("default")  # of Jupyter's own event loops
def test_a_notebook_runs(path):
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "commit notebooks without their outputs"
    NotebookClient(notebook, timeout=900, kernel_name="python3").execute()
    assert all(cell.outputs for cell in notebook.cells if cell.cell_type == "code")

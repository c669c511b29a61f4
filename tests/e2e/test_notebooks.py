"""Every notebook runs from its first cell to its last; that of quiver with the real local model."""

from __future__ import annotations

import pytest

from tests.e2e.notebooks import NOTEBOOKS, run

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("default")  # of Jupyter's own event loops
def test_a_notebook_runs(path):
    assert all(cell.outputs for cell in run(path).cells if cell.cell_type == "code")

"""The notebook of quiver runs from its first cell to its last with the real local model."""

from __future__ import annotations

import pytest

from tests.e2e.notebooks import WITH_A_MODEL, run

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("path", WITH_A_MODEL, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("default")  # of Jupyter's own event loops
def test_a_notebook_runs(path):
    assert all(cell.outputs for cell in run(path).cells if cell.cell_type == "code")

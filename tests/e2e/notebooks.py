"""Notebooks and what they showed when they were last run: `python -m tests.e2e.notebooks` runs all and keeps that."""

from __future__ import annotations

import math
import os
import re
import sys
import time
from hashlib import sha256
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from rich.progress import track

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
_LONGEST = 100_000  # characters of one output; a page of a run is left out
_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_FOLDER = re.compile(r"(?:/private)?/(?:tmp|var|home|root|Users)/[\w./-]*")
WITH_A_MODEL = [path for path in NOTEBOOKS if path.stem == "quiver"]
SCRIPTED = [path for path in NOTEBOOKS if path not in WITH_A_MODEL]
_SECONDS = 900  # that a notebook may take: under five minutes on two cores that do nothing else, else up to this


def run(path: Path, seconds: float | None = None) -> NotebookNode:
    """The notebook with what it shows now, and in its metadata in how many seconds.

    Raises:
        TimeoutError: it takes more than `seconds`, which TOOLQUIVER_NOTEBOOK_SECONDS says where nothing is given.
    """
    limit = seconds or float(os.environ.get("TOOLQUIVER_NOTEBOOK_SECONDS", _SECONDS))
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    started = time.monotonic()

    def left(_: str) -> int:
        if (rest := started + limit - time.monotonic()) <= 0:
            raise TimeoutError
        return math.ceil(rest)

    try:
        # Prompts say the time zone, so tokens go by it.
        NotebookClient(notebook, timeout_func=left, kernel_name="python3").execute(env=os.environ | {"TZ": "UTC"})
    except TimeoutError as error:
        raise TimeoutError(f"{path.name} takes more than {limit:g} seconds.") from error
    notebook.metadata["seconds"] = round(time.monotonic() - started)
    return notebook


def code_of(notebook: NotebookNode) -> str:
    """A digest of a notebook's cells, which tells whether what it keeps is their own."""
    return sha256("\0".join(cell.source for cell in notebook.cells).encode()).hexdigest()[:16]


def kept(notebook: NotebookNode) -> NotebookNode:
    """The notebook with what is worth keeping of its outputs: no warnings, times, long pages or folders of here."""
    notebook.metadata["shown_by"] = code_of(notebook)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = _joined([_short(output) for output in cell.outputs if output.get("name") != "stderr"])
    return notebook


def texts_of(notebook: NotebookNode) -> str:
    """All that a notebook shows as text."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "\n".join(output.get("text") or output.data.get("text/plain", "") for output in outputs)


def _joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """What was printed in pieces, in one."""
    joined: list[NotebookNode] = []
    for output in outputs:
        if joined and output.output_type == joined[-1].output_type == "stream":
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def _short(output: NotebookNode) -> NotebookNode:
    if "text" in output:
        output.text = _FOLDER.sub("…", _COLOUR.sub("", output.text))
    if "data" in output:
        output.data = {kind: text for kind, text in output.data.items() if len(text) <= _LONGEST}
    return output


def main(names: list[str]) -> None:
    """Run those of these names, or all, and write them with what they showed."""
    for path in track([path for path in NOTEBOOKS if path.stem in names or not names], "notebooks"):
        notebook = kept(run(path))
        nbformat.write(notebook, path)
        print(f"{path.name}: {notebook.metadata['seconds']} seconds")


if __name__ == "__main__":
    main(sys.argv[1:])

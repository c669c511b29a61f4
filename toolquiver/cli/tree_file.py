"""The options `--tree` and `--curve`: pictures of a run in a file."""

import errno
import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import ModuleType
from typing import Annotated, Any

import typer

from toolquiver.curves import growth_svg
from toolquiver.errors import InputError
from toolquiver.trees import agents_svg, tree_svg
from toolquiver.whole_file import write_whole

TreeOption = Annotated[
    Path | None,
    typer.Option(
        "--tree",
        help="Draw the agents of quiver, anytool or retriever, or the tree of dfsdt or reverse_chain, into this SVG.",
    ),
]


CurveOption = Annotated[
    Path | None,
    typer.Option(
        "--curve",
        help="Draw how many APIs react or dfsdt had registered, turn by turn (EcoAct, figure 4), into this SVG.",
    ),
]


def check_curve(curve: Path, graph: str, module: ModuleType) -> None:
    """Refuse a curve that could not be drawn, before the question costs anything.

    Raises:
        InputError: the graph registers nothing, or the file cannot be written.
    """
    if "growth" not in module.graph.channels:
        raise InputError(f"The graph {graph!r} keeps no curve to draw. Ask with --graph react or dfsdt.")
    check_writable(curve)


def draw_curve(curve: Path, result: Mapping[str, Any], question: str) -> None:
    """Draw the growth of a run's result into the file."""
    write_whole(curve, growth_svg(result["growth"], question))


def check_tree(tree: Path, graph: str, module: ModuleType) -> None:
    """Refuse a picture that could not be drawn, before the question costs anything.

    Raises:
        InputError: the graph keeps no tree, or the file cannot be written.
    """
    if not {"tree", "agents"} & module.graph.channels.keys():
        graphs = "quiver, dfsdt, reverse_chain, anytool or retriever"
        raise InputError(f"The graph {graph!r} keeps no tree to draw. Ask with --graph {graphs}.")
    check_writable(tree)


def check_writable(path: Path) -> None:
    """Refuse a file that could not be written, before the question costs anything; it leaves nothing behind.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        if path.is_dir() or not path.absolute().parent.is_dir():
            raise InputError(f"Cannot write {str(path)!r}: its folder is not there, or it is a folder. Name a file.")
        _try_to_write(path)
    except OSError as error:
        raise InputError(f"Cannot write {str(path)!r}: {error.strerror}. Name another file.") from error


def _try_to_write(path: Path) -> None:
    """Ask for what `write_whole` needs: a file beside this one, under a name as long, or a terminal or pipe."""
    path = Path(os.path.realpath(path))
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    if path.is_file() or not path.exists():
        with NamedTemporaryFile(dir=path.parent, prefix=f"{path.name}.", suffix=".new"):
            pass  # only a try tells: a mode says nothing of a file system that is read-only, or full


def draw_tree(tree: Path, result: Mapping[str, Any], question: str) -> None:
    """Draw the agents of a search, or else the tree, of a run's result into the file."""
    if "agents" in result:
        drawn = agents_svg(result["agents"], question, result.get("wakings", ()))
    else:
        drawn = tree_svg(result["tree"], question)
    write_whole(tree, drawn)

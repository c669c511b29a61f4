"""The option `--tree`: the tree of a run as a picture in a file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer

from toolquiver.errors import InputError
from toolquiver.trees import tree_svg

TreeOption = Annotated[
    Path | None, typer.Option("--tree", help="Draw the tree of the graph dfsdt or reverse_chain into this SVG file.")
]


def check_tree(tree: Path, graph: str, module: ModuleType) -> None:
    """Refuse a picture that could not be drawn, before the question costs anything.

    Raises:
        InputError: the graph keeps no tree, or the file cannot be written.
    """
    if "tree" not in module.graph.channels:
        raise InputError(f"The graph {graph!r} keeps no tree to draw. Ask with --graph dfsdt or reverse_chain.")
    if tree.is_dir() or not tree.absolute().parent.is_dir():
        raise InputError(f"Cannot write {str(tree)!r}: its folder is not there, or it is a folder. Name a file.")


def draw_tree(tree: Path, nodes: Sequence[Mapping[str, Any]], question: str) -> None:
    """Draw the nodes into the file."""
    tree.write_text(tree_svg(nodes, question), "utf-8")

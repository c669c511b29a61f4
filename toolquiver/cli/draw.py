"""`toolquiver draw`: a graph as Mermaid text or as a picture."""

from pathlib import Path
from typing import Annotated

import typer

from toolquiver.errors import InputError
from toolquiver.graphs import graph_module


def draw(
    graph: Annotated[str, typer.Argument(help="The graph's name.")],
    png: Annotated[Path | None, typer.Option(help="Write a picture to this file instead; needs no network.")] = None,
) -> None:
    """Print a graph as Mermaid, or write it as a PNG picture."""
    compiled = graph_module(graph).graph
    if png is None:
        print(compiled.get_graph(xray=True).draw_mermaid())
        return
    from toolquiver.pictures import graph_png  # noqa: PLC0415 - Graphviz is loaded by those who draw

    picture = graph_png(compiled)
    try:
        png.write_bytes(picture)
    except OSError as error:
        raise InputError(f"Cannot write {str(png)!r}: {error.strerror}.") from error
    print(png)

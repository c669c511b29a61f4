"""`toolquiver draw`: a graph as Mermaid text or as a picture."""

from pathlib import Path
from typing import Annotated

import typer

from toolquiver.graphs import graph_module, graph_names
from toolquiver.whole_file import write_whole


def draw(
    graph: Annotated[str, typer.Argument(help=f"The graph's name: {', '.join(graph_names())}.")],
    png: Annotated[Path | None, typer.Option(help="Write a picture to this file instead; needs no network.")] = None,
) -> None:
    """Print a graph as Mermaid, or write it as a PNG picture."""
    compiled = graph_module(graph).graph
    if png is None:
        print(compiled.get_graph(xray=True).draw_mermaid())
        return
    from toolquiver.pictures import graph_png  # noqa: PLC0415 - Graphviz is loaded by those who draw

    write_whole(png, graph_png(compiled))
    print(png)

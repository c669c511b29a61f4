"""`toolquiver model`: the local model's file and server."""

from typing import Annotated

import typer

app = typer.Typer(help="The local model: fetch it, find it, serve it.", no_args_is_help=True)


@app.command()
def pull() -> None:
    """Fetch the local model's file, unless it is there, and print its path."""
    from toolquiver.models import local  # noqa: PLC0415 - an optional part

    print(local.pull())


@app.command()
def path() -> None:
    """Print where the local model's file is, or will be."""
    from toolquiver.models import local  # noqa: PLC0415

    print(local.model_path())


@app.command()
def serve(
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port on 127.0.0.1; 0 takes a free one.")] = 0,
) -> None:
    """Serve the local model as an OpenAI-compatible API until Ctrl-C."""
    from toolquiver.models import local  # noqa: PLC0415

    local.serve_forever(port=port)

"""The command `toolquiver`."""

import sys
from typing import Annotated

import typer

from toolquiver import __version__
from toolquiver.cli import ask, call, catalog, document, draw, model, plan
from toolquiver.cli.anytoolbench import app as anytoolbench_app
from toolquiver.cli.eval import app as eval_app
from toolquiver.cli.plain import harmless
from toolquiver.cli.stopping import terminated_as_interrupted
from toolquiver.errors import ToolquiverError

app = typer.Typer(
    name="toolquiver",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
app.command("ask")(ask.ask)
app.command("call")(call.call)
app.command("draw")(draw.draw)
app.command("plan")(plan.plan)
app.add_typer(anytoolbench_app, name="anytoolbench")
app.add_typer(catalog.app, name="catalog")
app.add_typer(document.app, name="document")
app.add_typer(eval_app, name="eval")
app.add_typer(model.app, name="model")


def _tell(wanted: bool) -> None:
    if wanted:
        print(f"toolquiver {__version__}")
        raise typer.Exit


@app.callback()
def whole(
    told: Annotated[
        bool, typer.Option("--version", callback=_tell, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """Answer questions with thousands of APIs, using any chat model."""


def main() -> None:
    """Run the command. Exit codes: 0 done, 1 not answered, or a part failed, 2 bad input, 130 told to end."""
    try:
        with terminated_as_interrupted():
            app(prog_name="toolquiver")
    except ToolquiverError as error:
        print(f"Error: {harmless(str(error))}", file=sys.stderr)
        sys.exit(2)

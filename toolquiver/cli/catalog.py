"""`toolquiver catalog`: what a catalogue holds, and how it gets there."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolquiver.catalog import API, ApiId
from toolquiver.catalog.named import load_catalog
from toolquiver.cli.importing import import_apis
from toolquiver.cli.plain import harmless, plain

app = typer.Typer(help="Import APIs into a catalogue, and see what it holds.", no_args_is_help=True)
app.command("import")(import_apis)

CatalogOption = Annotated[str, typer.Option("--catalog", help="'demo', or the path of a catalogue file.")]


@app.command("list")
def list_apis(
    category: Annotated[str | None, typer.Argument(help="Only this category.")] = None, catalog: CatalogOption = "demo"
) -> None:
    """List the APIs by category and tool."""
    table = Table("category", "tool", "id", "description")
    for api in load_catalog(catalog).apis(category=category):
        table.add_row(plain(api.category), plain(api.tool), plain(api.id), _first_line(api))
    Console().print(table)


@app.command()
def show(api: Annotated[str, typer.Argument(help="The API's id.")], catalog: CatalogOption = "demo") -> None:
    """Show one API as JSON, with its schemas."""
    print(harmless(json.dumps(load_catalog(catalog).get(ApiId(api)).model_dump(), indent=2, ensure_ascii=False)))


@app.command()
def search(
    text: Annotated[str, typer.Argument(help="What the API should do.")],
    k: Annotated[int, typer.Option("-k", help="How many to show.", min=1)] = 10,
    catalog: CatalogOption = "demo",
) -> None:
    """Search the APIs, the best first."""
    table = Table("score", "id", "description")
    for api, score in load_catalog(catalog).search(text, k):
        table.add_row(f"{score:.2f}", plain(api.id), _first_line(api))
    Console().print(table)


@app.command()
def stats(catalog: CatalogOption = "demo") -> None:
    """Count categories, tools and APIs."""
    for name, count in load_catalog(catalog).stats().items():
        print(f"{name:12}{count:8,}")


def _first_line(api: API) -> Text:
    return plain(api.description.split("\n")[0])

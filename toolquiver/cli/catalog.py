"""`toolquiver catalog`: what a catalogue holds, and how it gets there."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolquiver.catalog import API, ApiId, Explanation
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
    *,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each was found.")] = False,
) -> None:
    """Search the APIs, the best first."""
    opened = load_catalog(catalog)
    table = Table("score", "id", *(["gave", "words"] if explain else ["description"]), show_lines=explain)
    for hit in opened.search(text, k):
        told = _reasons(opened.explain(text, hit)) if explain else [_first_line(hit.api)]
        table.add_row(f"{hit.score:.2f}", plain(hit.api.id), *told)
    Console().print(table)


@app.command()
def stats(catalog: CatalogOption = "demo") -> None:
    """Count categories, tools and APIs."""
    for name, count in load_catalog(catalog).stats().items():
        print(f"{name:12}{count:8,}")


def _reasons(why: Explanation) -> list[Text]:
    """What each kind of evidence gave, and the words found in each field, a line each."""
    gave = sorted(why.evidence.items(), key=lambda item: -abs(item[1]))
    return [
        Text("\n".join(f"{value:+.2f} {kind}" for kind, value in gave)),
        plain("\n".join(f"{field}: {', '.join(words)}" for field, words in why.words.items())),
    ]


def _first_line(api: API) -> Text:
    return plain(api.description.split("\n")[0])

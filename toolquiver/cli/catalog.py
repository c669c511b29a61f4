"""`toolquiver catalog`: what a catalogue holds, and how it gets there."""

import json
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from toolquiver.calling import served
from toolquiver.catalog import API, ApiId, Catalog, Explanation
from toolquiver.catalog.named import load_catalog
from toolquiver.catalog.sources import PYTHON
from toolquiver.cli.importing import import_apis
from toolquiver.cli.listing import Entry
from toolquiver.cli.listing import show as show_entries
from toolquiver.cli.plain import harmless
from toolquiver.errors import InputError
from toolquiver.surrogates import without_halves

app = typer.Typer(help="Import APIs into a catalogue, and see what it holds.", no_args_is_help=True)
app.command("import")(import_apis)

_OF_A_PROGRAM = "they are Python objects of a program, which gives them to Catalog.open."
_NOBODY = "there is nobody to call. Recorded calls can answer, with --recordings."

CatalogOption = Annotated[str, typer.Option("--catalog", help="'demo', or the path of a catalogue file.")]


@app.command("list")
def list_apis(
    category: Annotated[str | None, typer.Argument(help="Only this category.")] = None, catalog: CatalogOption = "demo"
) -> None:
    """List the APIs by category and tool."""
    apis = load_catalog(catalog).apis(category=without_halves(category))
    if category is not None and not apis:
        raise InputError(f"There is no category {category!r}. `toolquiver catalog list` shows those that there are.")
    show_entries(Entry(api.id, [_first_line(api)], group=(api.category, api.tool)) for api in apis)


@app.command()
def show(api: Annotated[str, typer.Argument(help="The API's id.")], catalog: CatalogOption = "demo") -> None:
    """Show one API as JSON, with its schemas, its effect, and who said that: you or the import."""
    opened, name = load_catalog(catalog), ApiId(without_halves(api))
    shown = dict[str, object]()
    for field, value in opened.get(name).model_dump().items():
        shown[field] = value
        if field == "effect":
            shown["effect_from"] = "you" if opened.has_set_effect(name) else "import"
    print(harmless(json.dumps(shown, indent=2, ensure_ascii=False)))


@app.command("effect")
def set_effect(
    file: Annotated[Path, typer.Argument(help="The catalogue file.")],
    apis: Annotated[list[str], typer.Argument(help="The ids of one or more APIs.")],
    effect: Annotated[
        Literal["read", "write", "unknown"], typer.Argument(help="What a call of them does, as far as you know.")
    ],
) -> None:
    """Say whether calls of APIs read or write; later imports keep it."""
    with Catalog.open(file) as catalog:
        names = [catalog.get(ApiId(without_halves(api))).id for api in apis]
        for name in names:
            catalog.set_effect(name, effect)
    print(f"{effect:12}{len(names):8,}")


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
    hits = opened.search(text, k)
    if not hits:
        print("Nothing fits. Say it in other words.", file=sys.stderr)
    told = (_reasons(opened.explain(text, hit)) if explain else [_first_line(hit.api)] for hit in hits)
    show_entries(Entry(hit.api.id, notes, f"{hit.score:.2f}") for hit, notes in zip(hits, told, strict=True))


@app.command()
def remove(
    file: Annotated[Path, typer.Argument(help="The catalogue file.")],
    source: Annotated[str, typer.Argument(help="What an import is called: `shop` or, whole, `openapi:shop`.")],
) -> None:
    """Remove a source that was imported, with all its APIs."""
    with Catalog.open(file) as catalog:
        found = catalog.remove_source(source)
    print(f"{'removed':12}{len(found.removed):8,}")


@app.command()
def stats(catalog: CatalogOption = "demo") -> None:
    """Count categories, tools, APIs and those that can be called from here."""
    opened = load_catalog(catalog)
    found = served(opened)
    for name, count in opened.stats().items():
        print(f"{name:12}{count:8,}")
    for source, count in found.without.items():
        why = _OF_A_PROGRAM if source == PYTHON else _NOBODY
        print(harmless(f"No caller for {count:,} of {source or 'no source'}: {why}"), file=sys.stderr)


def _reasons(why: Explanation) -> list[str]:
    """What each kind of evidence gave, the most first, and the words found in each field."""
    gave = sorted(why.evidence.items(), key=lambda item: -abs(item[1]))
    return [
        ", ".join(f"{value:+.2f} {kind}" for kind, value in gave),
        "; ".join(f"{field}: {', '.join(words)}" for field, words in why.words.items()),
    ]


def _first_line(api: API) -> str:
    return api.description.split("\n")[0]

"""`toolquiver call`: one API by hand."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from toolquiver.calling import Failure, Limits, callers_of, perform
from toolquiver.catalog import ApiId
from toolquiver.catalog.named import load_catalog
from toolquiver.cli.plain import harmless
from toolquiver.cli.recorded import replayed
from toolquiver.errors import InputError
from toolquiver.surrogates import without_halves


def call(
    api: Annotated[str, typer.Argument(help="The API's id, as `toolquiver catalog search` shows it.")],
    *,
    args: Annotated[str, typer.Option(help="The arguments as a JSON object.")] = "{}",
    catalog: Annotated[str, typer.Option(help="'demo', or the path of a catalogue file.")] = "demo",
    recordings: Annotated[
        Path | None, typer.Option(help="A file of recorded calls: they answer, and nothing is called.")
    ] = None,
    timeout: Annotated[float, typer.Option(help="Seconds the call may take.", min=0.1)] = 30.0,
    characters: Annotated[int, typer.Option(help="The longest answer that is shown.", min=1)] = 20_000,
) -> None:
    """Call one API, with the same checks as a graph has, and print what comes back.

    Exit code 1: the call failed. 2: there is no such API, or what you gave cannot be used.
    """
    limits = Limits(timeout=timeout, characters=characters)
    apis, arguments, name = load_catalog(catalog), _object(args), ApiId(without_halves(api))
    with replayed(apis, recordings) as callers:
        outcome = asyncio.run(perform(apis.get(name), arguments, callers or callers_of(apis), limits))
    if isinstance(outcome, Failure):
        print(harmless(f"{outcome.kind}: {outcome.message}"), file=sys.stderr)
        raise typer.Exit(1)
    print(harmless(outcome.text))


def _object(text: str) -> dict[str, Any]:
    """Raises InputError: the text is not a JSON object."""
    try:
        found = json.loads(text)
    except RecursionError as error:
        raise InputError("--args is nested too deeply to be read. Give less.") from error
    except ValueError as error:
        raise InputError(f'--args is no JSON ({error}). Write it as \'{{"name": "value"}}\'.') from error
    if not isinstance(found, dict):
        raise InputError('--args must be a JSON object, such as \'{"name": "value"}\'.')
    return found

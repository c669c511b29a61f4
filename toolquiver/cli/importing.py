"""`toolquiver catalog import`: the APIs of a source into a catalogue file."""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.progress import Progress

from toolquiver.calling.http import HttpSource
from toolquiver.calling.mcp.importing import read_server
from toolquiver.catalog import API, Catalog, Difference
from toolquiver.catalog.importing import KINDS, read
from toolquiver.catalog.openapi import Settings, is_url
from toolquiver.cli.plain import harmless
from toolquiver.errors import InputError


def import_apis(
    source: Annotated[str, typer.Argument(help="A file, a URL, or the name of an earlier import, to repeat it.")],
    *,
    into: Annotated[Path, typer.Option(help="The catalogue file; made where it is not there.")],
    kind: Annotated[Literal["auto", "openapi", "toolbench", "mcp"], typer.Option(help="What the source is.")] = "auto",
    name: Annotated[str, typer.Option(help="What to call the source; its title otherwise.")] = "",
    category: Annotated[str, typer.Option(help="The category of all APIs; the title otherwise.")] = "",
    tool: Annotated[str, typer.Option(help="The tool of all APIs; their tags otherwise.")] = "",
    server: Annotated[str, typer.Option(help="The URL of the server to call, whatever the document says.")] = "",
    base: Annotated[str, typer.Option(help="The URL that relative servers of the document are relative to.")] = "",
    variable: Annotated[list[str] | None, typer.Option(help="NAME=VALUE of a variable in the servers' URLs.")] = None,
    credential: Annotated[
        list[str] | None,
        typer.Option(help="KEY=VARIABLE: the environment variable with a credential; KEY=USER,PASSWORD for a pair."),
    ] = None,
    host: Annotated[
        list[str] | None, typer.Option(help="A host that may be asked; the server's alone otherwise.")
    ] = None,
    private_host: Annotated[
        list[str] | None, typer.Option(help="A host that may be on this machine or in a private network.")
    ] = None,
    secret: Annotated[
        list[str] | None, typer.Option(help="An environment variable that a started MCP server needs; it stays hidden.")
    ] = None,
    argument: Annotated[
        list[str] | None, typer.Option(help="A parameter that looks like a credential and is none.")
    ] = None,
    skip_broken: Annotated[
        bool, typer.Option("--skip-broken", help="Leave out what a document breaks, and import the rest.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")] = False,
) -> None:
    """Import an OpenAPI document, a ToolBench catalogue or an MCP server; again, to bring its APIs up to date.

    An MCP server is a URL or a command, with `--kind mcp`.
    """
    server_settings = _mcp_settings(credential, secret, private_host) if kind == "mcp" else None
    calling = {} if kind == "mcp" else _calling(credential, host, private_host)
    settings = Settings(
        category=category,
        tool=tool,
        server=server,
        base=base,
        variables=_pairs(variable, "--variable"),
        calling=calling,
        arguments=tuple(argument or ()),
        skip_broken=skip_broken,
    )
    console = Console(stderr=True, quiet=not sys.stderr.isatty())
    with (
        _catalogue(into, dry_run=dry_run) as catalog,
        Progress(console=console, transient=True, disable=not console.is_terminal) as bar,
    ):
        wanted = kind if kind in KINDS else None
        known = catalog.sources()
        if server_settings is not None:
            reading = asyncio.run(read_server(source, server_settings, name=name, category=category, known=known))
        else:
            reading = read(source, settings, kind=wanted, name=name, known=known)
        apis = list(bar.track(reading.apis, total=reading.total, description="reading"))
        writing = bar.add_task("writing", total=None)
        found = catalog.sync(
            reading.source,
            apis,
            dry_run=dry_run,
            progress=lambda done, total: bar.update(writing, completed=done, total=total),
        )
    _show(found, apis, dry_run=dry_run)
    _show_skipped(reading.skipped)


@contextmanager
def _catalogue(path: Path, *, dry_run: bool) -> Iterator[Catalog]:
    """The catalogue in a file; where there is none a new one, which goes again when the import fails."""
    if path.exists():
        with Catalog.open(path) as catalog:
            yield catalog
        return
    catalog = Catalog.create(None if dry_run else path)
    try:
        with catalog:
            yield catalog
    except BaseException:
        if catalog.path:
            catalog.path.unlink()
        raise


def _calling(credentials: list[str] | None, hosts: list[str] | None, private: list[str] | None) -> dict[str, Any]:
    """How the APIs are called, as it is kept: names of environment variables, never what they hold.

    Raises:
        InputError: something does not fit.
    """
    named = {key: value.split(",") for key, value in _pairs(credentials, "--credential").items()}
    given: dict[str, Any] = {
        "credentials": {key: names if len(names) > 1 else names[0] for key, names in named.items()},
        "hosts": hosts or [],
        "private_hosts": private or [],
    }
    try:
        return HttpSource.model_validate(given).model_dump(mode="json", exclude_defaults=True)
    except ValidationError as error:
        raise InputError("--credential names a credential and an environment variable: KEY=VARIABLE.") from error


def _mcp_settings(
    credentials: list[str] | None, secrets: list[str] | None, private: list[str] | None
) -> dict[str, Any]:
    """What was said of an MCP server: for a URL `bearer` or headers by variable, for a command variables."""
    headers = _pairs(credentials, "--credential")
    bearer = headers.pop("bearer", None)
    given = {"headers": headers, "bearer": bearer, "secrets": secrets, "private_hosts": private}
    return {name: value for name, value in given.items() if value}


def _pairs(given: list[str] | None, option: str) -> dict[str, str]:
    """Raises InputError: one is not written NAME=VALUE."""
    pairs = [text.partition("=") for text in given or ()]
    for name, equals, _ in pairs:
        if not (name and equals):
            raise InputError(f"{option} {name!r} is not written NAME=VALUE. Write it so.")
    return {name: value for name, _, value in pairs}


def _show_skipped(skipped: Sequence[str]) -> None:
    if skipped:
        print(f"Left out as broken, {len(skipped):,}:", file=sys.stderr)
    for line in skipped:
        print(harmless(f"- {line}"), file=sys.stderr)


def _show(found: Difference, apis: list[API], *, dry_run: bool) -> None:
    if dry_run:
        for mark, ids in (("+", found.added), ("~", found.changed), ("-", found.removed)):
            for api_id in ids:
                print(harmless(f"{mark} {api_id}"))
    for label, count in (
        ("added", len(found.added)),
        ("changed", len(found.changed)),
        ("removed", len(found.removed)),
        ("unchanged", found.unchanged),
    ):
        print(f"{label:12}{count:8,}")
    unserved = sum("server" in api.binding and not is_url(api.binding["server"]) for api in apis)
    if unserved:
        print(
            f"The document does not say where {unserved:,} of the APIs are served. To call them, import it again "
            "with `--server URL`.",
            file=sys.stderr,
        )

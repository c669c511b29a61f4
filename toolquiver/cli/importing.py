"""`toolquiver catalog import`: the APIs of a source into a catalogue file."""

import asyncio
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.progress import Progress

from toolquiver.calling.mcp.importing import read_server
from toolquiver.catalog import API, Difference
from toolquiver.catalog.garbage_collection import seldom_collected
from toolquiver.catalog.importing import kind_of, read
from toolquiver.catalog.openapi import Settings, is_url
from toolquiver.cli.import_options import Bounds, http_settings, mcp_settings, pairs, refuse_unfit
from toolquiver.cli.new_file import opened_or_new
from toolquiver.cli.plain import harmless
from toolquiver.errors import InputError
from toolquiver.surrogates import without_halves

_LONGEST_END = ".12345678.new-journal"  # of what is made by a new file's name


def import_apis(
    source: Annotated[
        str, typer.Argument(help="A file, folder, URL, module:attribute, or the name of an earlier import.")
    ],
    *,
    into: Annotated[Path, typer.Option(help="The catalogue file; made where it is not there.")],
    kind: Annotated[
        Literal["auto", "openapi", "toolbench", "langchain", "mcp"], typer.Option(help="What the source is.")
    ] = "auto",
    name: Annotated[str, typer.Option(help="What to call the source; its own name otherwise.")] = "",
    category: Annotated[str, typer.Option(help="The category of all APIs; the source says it otherwise.")] = "",
    tool: Annotated[str, typer.Option(help="The tool of all APIs; the source says it otherwise.")] = "",
    server: Annotated[str, typer.Option(help="The URL of the server to call, whatever the document says.")] = "",
    base: Annotated[str, typer.Option(help="The URL that relative servers of the document are relative to.")] = "",
    variable: Annotated[list[str] | None, typer.Option(help="NAME=VALUE of a variable in the servers' URLs.")] = None,
    credential: Annotated[
        list[str] | None,
        typer.Option(
            help="KEY=VARIABLE: the environment variable with a credential; KEY=VARIABLE,VARIABLE: of user, password."
        ),
    ] = None,
    host: Annotated[
        list[str] | None, typer.Option(help="A host that may be asked; the server's alone otherwise.")
    ] = None,
    private_host: Annotated[
        list[str] | None, typer.Option(help="A host that may be on this machine or in a private network.")
    ] = None,
    requests_per_second: Annotated[
        float | None, typer.Option(min=0.001, help="How often a host is asked at most; 10 otherwise.")
    ] = None,
    max_bytes: Annotated[
        int | None, typer.Option(min=1, help="How much is read of one answer at most; 5000000 otherwise.")
    ] = None,
    connect_timeout: Annotated[
        float | None,
        typer.Option(min=0.001, help="Seconds to connect; 10 otherwise. To start an MCP server, 60 otherwise."),
    ] = None,
    read_timeout: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds that a server may be silent; 30 otherwise.")
    ] = None,
    certificates: Annotated[
        Path | None, typer.Option(help="A PEM file of authorities that calls trust instead of the usual ones.")
    ] = None,
    secret: Annotated[
        list[str] | None, typer.Option(help="An environment variable that a started MCP server needs; it stays hidden.")
    ] = None,
    trust_annotations: Annotated[
        bool,
        typer.Option("--trust-annotations", help="Believe an MCP server which of its tools read, and which write."),
    ] = False,
    argument: Annotated[
        list[str] | None, typer.Option(help="A parameter that looks like a credential and is not.")
    ] = None,
    skip_broken: Annotated[
        bool, typer.Option("--skip-broken", help="Leave out what is broken, and import the rest.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")] = False,
) -> None:
    """Import APIs into a catalogue file; again, to bring them up to date.

    The source is an OpenAPI document, a ToolBench catalogue or folder, LangChain tools as `module:attribute`, or with
    `--kind mcp` an MCP server: a URL or a command.
    """
    if not source.strip():
        raise InputError("The source is empty. Name a file, folder, URL or module:attribute.")
    name, category, tool = map(without_halves, (name, category, tool))
    special = {
        "server": server,
        "base": base,
        "variable": variable,
        "credential": credential,
        "host": host,
        "private-host": private_host,
        "requests-per-second": requests_per_second,
        "max-bytes": max_bytes,
        "connect-timeout": connect_timeout,
        "read-timeout": read_timeout,
        "certificates": certificates,
        "secret": secret,
        "trust-annotations": trust_annotations,
        "argument": argument,
        "skip-broken": skip_broken,
    }
    bounds = Bounds(requests_per_second, max_bytes, connect_timeout, read_timeout, certificates)
    _require_place(into)
    console = Console(stderr=True, quiet=not sys.stderr.isatty())
    with (
        seldom_collected(),
        opened_or_new(into, dry_run=dry_run) as catalog,
        Progress(console=console, transient=True, disable=not console.is_terminal) as bar,
    ):
        known = catalog.sources()
        found_kind = kind_of(source, known) if kind == "auto" else kind
        refuse_unfit(found_kind, special)
        if found_kind == "mcp":
            said = without_halves(mcp_settings(credential, secret, private_host, bounds, trusted=trust_annotations))
            reading = asyncio.run(
                read_server(
                    source, said, name=name, category=category, tool=tool, known=known, skip_broken=skip_broken
                ),
            )
        else:
            settings = Settings(
                category=category,
                tool=tool,
                server=without_halves(server),
                base=without_halves(base),
                variables=without_halves(pairs(variable, "--variable")),
                calling=without_halves(http_settings(credential, host, private_host, bounds)),
                arguments=tuple(without_halves(argument or [])),
                skip_broken=skip_broken,
            )
            reading = read(source, settings, kind=found_kind, name=name, known=known)
        apis = _Counted(reading.apis)
        coming = bar.track(apis, total=reading.total, description="importing")
        found = catalog.sync(reading.source, coming, dry_run=dry_run)
    _show(found, apis.unserved, dry_run=dry_run)
    _show_skipped(reading.skipped)


def _require_place(into: Path) -> None:
    """Refuse a file that cannot be there, such as one whose name is too long for what SQLite keeps by it."""
    try:
        if not into.exists() and into.name:
            into.with_name(into.name + _LONGEST_END).exists()
    except OSError as error:
        raise InputError(
            f"--into {str(into)[:80]!r} cannot be a file: {error.strerror}. Choose another name or folder."
        ) from error


class _Counted:
    """APIs on their way; `unserved` is how many of them the document names no server for."""

    def __init__(self, apis: Iterable[API]) -> None:
        self._apis = apis
        self.unserved = 0

    def __iter__(self) -> Iterator[API]:
        for api in self._apis:
            self.unserved += "server" in api.binding and not is_url(api.binding["server"])
            yield api


def _show_skipped(skipped: Sequence[str]) -> None:
    if skipped:
        print(f"Left out as broken, {len(skipped):,}:", file=sys.stderr)
    for line in skipped:
        print(harmless(f"- {line}"), file=sys.stderr)


def _show(found: Difference, unserved: int, *, dry_run: bool) -> None:
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
    if not (found.added or found.changed or found.unchanged):
        print(
            "The source has no operations, or tools, that can be called. Check that it is the right one.",
            file=sys.stderr,
        )
    if unserved:
        print(
            f"The document does not say where {unserved:,} of the APIs are served. To call them, import it again "
            "with `--server URL`.",
            file=sys.stderr,
        )

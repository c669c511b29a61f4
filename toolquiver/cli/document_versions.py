"""`toolquiver document show|diff|drop|export`: the instructions that a catalogue has, and their versions."""

from collections.abc import Iterable
from difflib import unified_diff
from pathlib import Path
from typing import Annotated

import typer

from toolquiver.catalog import Catalog
from toolquiver.catalog.instruction import Stored, by_rule, purpose_by_rule, rendered
from toolquiver.cli.document_subject import Subject, subject_of
from toolquiver.cli.document_texts import documentation, in_full, instruction
from toolquiver.cli.plain import harmless
from toolquiver.errors import InputError

CatalogueArgument = Annotated[Path, typer.Argument(help="The catalogue file.")]
SubjectArgument = Annotated[str, typer.Argument(help="An API's id, or a tool as category/tool.")]


def show(catalogue: CatalogueArgument, subject: SubjectArgument) -> None:
    """Show a tool's instruction as a text, or all versions of an API's instruction, and which of them is in force."""
    with Catalog.open(catalogue) as catalog:
        which = subject_of(catalog, subject)
        if which.whole and which.apis:
            _show_tool(catalog, which, subject)
            return
        found = _versions(catalog, which.key, subject, others=which.others)
    for key in dict.fromkeys(one.subject for one in found):  # of a tool that is gone, its functions' too
        own = [one for one in found if one.subject == key]
        standings = which.standings(own)
        print(harmless("\n".join(in_full(one, standings[one.version]) for one in own)))


def _show_tool(catalog: Catalog, which: Subject, subject: str) -> None:
    _versions(catalog, which.key, subject, others=which.others)
    apis = which.apis
    written = catalog.instructions.guidelines(apis)
    purpose = catalog.instructions.purpose(apis[0].category, apis[0].tool)
    functions = [(api.function, written.get(api.id) or by_rule(api)) for api in apis]
    print(harmless(rendered(apis[0].tool, purpose or purpose_by_rule(apis).purpose, functions)))
    for name, guideline in functions:
        if guideline.problem:
            print(harmless(f"! {name}: {guideline.problem}"))
    if not purpose:
        print("! what the tool is for is condensed by rule, without an instruction in force")
    if rest := len(apis) - len(written):
        print(f"! condensed by rule, without an instruction in force: {rest:,}")


def diff(
    catalogue: CatalogueArgument,
    subject: SubjectArgument,
    *,
    old: Annotated[int | None, typer.Option("--from", min=0, help="A version; 0 is the documentation.")] = None,
    new: Annotated[int | None, typer.Option("--to", min=1, help="A version; the last otherwise.")] = None,
) -> None:
    """Show what changed between two versions: the last two, or the documentation and the only one."""
    with Catalog.open(catalogue) as catalog:
        which = subject_of(catalog, subject)
        found = {one.version: one for one in _versions(catalog, which.key, subject)}
    last = max(found) if new is None else new
    first = max((version for version in found if version < last), default=0) if old is None else old
    before, after = (_text(which, found, version, subject).splitlines() for version in (first, last))
    names = [_name(version, which.standings(list(found.values()))) for version in (first, last)]
    lines = list(unified_diff(before, after, fromfile=names[0], tofile=names[1], lineterm="", n=1))
    print(harmless("\n".join(lines)) if lines else f"There is no difference between {names[0]} and {names[1]}.")


def drop(
    catalogue: CatalogueArgument,
    subjects: Annotated[list[str] | None, typer.Argument(help="APIs' ids, or tools as category/tool.")] = None,
    *,
    last: Annotated[bool, typer.Option("--last", help="Only the last version; the one before stands in.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Those of all tools and APIs.")] = False,
) -> None:
    """Remove instructions; models are told the documentation, condensed by rule, again."""
    if bool(subjects) == everything:
        raise InputError("Name the tools or APIs whose instructions are to go, or give --all.")
    with Catalog.open(catalogue) as catalog:
        wanted = {one.subject for one in catalog.instructions.versions()} if everything else set[str]()
        for subject in subjects or ():
            which = subject_of(catalog, subject)
            wanted |= {one.subject for one in _versions(catalog, which.key, subject, others=which.others)}
        print(f"dropped {catalog.instructions.drop(sorted(wanted), last=last):,}")


def export(
    catalogue: CatalogueArgument, file: Annotated[Path, typer.Argument(help="The file to write, JSON Lines.")]
) -> None:
    """Write the instructions in force to a file."""
    with Catalog.open(catalogue) as catalog:
        print(f"exported {catalog.instructions.export(file):,}")


def _versions(catalog: Catalog, key: str, subject: str, *, others: Iterable[str] = ()) -> list[Stored]:
    """The instructions under this key, and of a tool's functions with `others`."""
    found = catalog.instructions.versions(key, *others)
    if not found:
        raise InputError(f"{subject!r} has no instruction. `toolquiver document {catalog.path}` writes them.")
    return found


def _text(which: Subject, found: dict[int, Stored], version: int, subject: str) -> str:
    if version == 0 and which.apis:
        return documentation(which.apis, whole=which.whole)
    if version not in found:
        there = [*map(str, sorted(found)), *(["0, the documentation"] if which.apis else [])]
        raise InputError(f"{subject!r} has no version {version}. There are: {', '.join(there)}.")
    return instruction(found[version])


def _name(version: int, standings: dict[int, str]) -> str:
    if version == 0:
        return "documentation"
    standing = standings[version]
    return f"version {version}" if standing in ("in force", "replaced") else f"version {version} ({standing})"

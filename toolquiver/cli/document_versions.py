"""`toolquiver document show|diff|drop|export`: the instructions that a catalogue has, and their versions."""

import difflib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from toolquiver.catalog import API, ApiId, Catalog
from toolquiver.catalog.instruction import Stored, by_rule, rendered, tool_subject
from toolquiver.cli.plain import harmless
from toolquiver.errors import InputError

CatalogueArgument = Annotated[Path, typer.Argument(help="The catalogue file.")]
SubjectArgument = Annotated[str, typer.Argument(help="An API's id, or a tool as category/tool.")]


def show(catalogue: CatalogueArgument, subject: SubjectArgument) -> None:
    """Show what models are told of a tool, or all versions of an API's instruction."""
    with Catalog.open(catalogue) as catalog:
        found = _versions(catalog, subject)
        if catalog.find(ApiId(subject)):
            print(harmless("\n".join(_text(one) for one in found)))
            return
        apis = _apis_of(catalog, subject)
        written = catalog.instructions.guidelines(apis)
        purpose = catalog.instructions.purpose(apis[0].category, apis[0].tool)
        functions = [(api.function, written.get(api.id) or by_rule(api)) for api in apis]
    print(harmless(rendered(apis[0].tool, purpose, functions)))
    for name, guideline in functions:
        if guideline.problem:
            print(harmless(f"! {name}: {guideline.problem}"))
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
        found = {one.version: one for one in _versions(catalog, subject)}
        last = max(found) if new is None else new
        first = max((version for version in found if version < last), default=0) if old is None else old
        before, after = (_of_version(catalog, found, version, subject).splitlines() for version in (first, last))
    names = ["documentation" if version == 0 else f"version {version}" for version in (first, last)]
    lines = difflib.unified_diff(before, after, fromfile=names[0], tofile=names[1], lineterm="", n=1)
    print(harmless("\n".join(lines)))


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
            wanted |= {one.subject for one in _versions(catalog, subject)}
            if catalog.find(ApiId(subject)) is None:  # a tool's go with those of its functions
                wanted |= {api.id for api in _apis_of(catalog, subject)}
        print(f"dropped {catalog.instructions.drop(sorted(wanted), last=last):,}")


def export(
    catalogue: CatalogueArgument, file: Annotated[Path, typer.Argument(help="The file to write, JSON Lines.")]
) -> None:
    """Write the instructions in force to a file."""
    with Catalog.open(catalogue) as catalog:
        print(f"exported {catalog.instructions.export(file):,}")


def _versions(catalog: Catalog, subject: str) -> list[Stored]:
    found = catalog.instructions.versions(_key(catalog, subject))
    if not found:
        raise InputError(f"{subject!r} has no instruction. `toolquiver document {catalog.path}` writes them.")
    return found


def _key(catalog: Catalog, subject: str) -> str:
    """What the instruction is kept under."""
    if catalog.find(ApiId(subject)):
        return subject
    apis = _apis_of(catalog, subject)
    return tool_subject(apis[0].category, apis[0].tool)


def _apis_of(catalog: Catalog, subject: str) -> list[API]:
    for tool in catalog.list_tools():
        if subject in (f"{tool.category}/{tool.name}", tool_subject(tool.category, tool.name)):
            return catalog.apis(category=tool.category, tool=tool.name)
    raise InputError(f"There is no API or tool {subject!r}. `toolquiver catalog search` finds ids.")


def _of_version(catalog: Catalog, found: dict[int, Stored], version: int, subject: str) -> str:
    if version == 0:
        return _documentation([api] if (api := catalog.find(ApiId(subject))) else _apis_of(catalog, subject))
    if version not in found:
        there = ", ".join(map(str, sorted(found)))
        raise InputError(f"{subject!r} has no version {version}. There are: {there}, and 0, the documentation.")
    return _text(found[version], headed=False)


def _documentation(apis: Sequence[API]) -> str:
    if len(apis) > 1:
        return apis[0].tool_description
    api = apis[0]
    said = [f"{one.name} ({one.type}): {one.description}" for one in api.parameter_list()]
    return "\n".join([api.description, *said])


def _text(one: Stored, *, headed: bool = True) -> str:
    head = f"version {one.version}, {one.made:%Y-%m-%d %H:%M}, {one.model}, prompts {one.prompt}\n" if headed else ""
    return head + json.dumps(one.content.model_dump(mode="json"), indent=1, ensure_ascii=False)

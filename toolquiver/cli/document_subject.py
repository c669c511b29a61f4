"""What `toolquiver document` is asked about: an API or a tool, also one that the catalogue does not have any more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolquiver.catalog import API, ApiId, Catalog
from toolquiver.catalog.instruction import Stored, api_hash, tool_hash, tool_subject
from toolquiver.errors import InputError


@dataclass(frozen=True)
class Subject:
    """`key` is what the instruction is kept under, `apis` are the API itself or all of the tool's; none where gone.

    `others` are what the instructions of a tool's functions are kept under.
    """

    key: str
    apis: Sequence[API]
    others: frozenset[str] = frozenset()

    @property
    def whole(self) -> bool:
        """Whether it is a tool."""
        return self.key.count("/") == 1

    def standings(self, versions: Sequence[Stored]) -> dict[int, str]:
        """Of each version of the subject, whether it counts, and if not, why."""
        if not self.apis:
            return {one.version: "of what the catalogue does not have any more" for one in versions}
        now = tool_hash(self.apis) if self.whole else api_hash(self.apis[0])
        counts = max((one.version for one in versions if one.document == now), default=0)
        found = {one.version: "replaced" if one.document == now else "of another documentation" for one in versions}
        return found | ({counts: "in force"} if counts else {})


def subject_of(catalog: Catalog, name: str) -> Subject:
    """The API of this id, or the tool that is named as category/tool.

    Raises:
        InputError: there is no such API or tool, nor an instruction of one that was.
    """
    if api := catalog.find(ApiId(name)):
        return Subject(name, [api])
    stored = {one.subject for one in catalog.instructions.versions()}
    for tool in catalog.list_tools():
        key = tool_subject(tool.category, tool.name)
        if name in (f"{tool.category}/{tool.name}", key):
            apis = catalog.apis(category=tool.category, tool=tool.name)
            return Subject(key, apis, frozenset(api.id for api in apis) | _gone(catalog, stored, key))
    category, _, rest = name.partition("/")
    for key in (name, tool_subject(category, rest)):
        others = _gone(catalog, stored, key)
        if key in stored or others:
            return Subject(key, [], others)
    raise InputError(f"There is no API or tool {name!r}. `toolquiver catalog search` finds ids.")


def _gone(catalog: Catalog, stored: set[str], tool: str) -> frozenset[str]:
    """The functions of a tool that have instructions, and are not in the catalogue any more."""
    return frozenset(one for one in stored if one.startswith(f"{tool}/") and not catalog.find(ApiId(one)))

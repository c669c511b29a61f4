"""An OpenAPI document as APIs of the catalogue: one for each operation, with how it is called."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import NamedTuple

from toolquiver.catalog.effects import of_method
from toolquiver.catalog.ids import Named, unique_ids
from toolquiver.catalog.openapi.about import about_document, about_tags, joined
from toolquiver.catalog.openapi.arguments import argument_name, arguments
from toolquiver.catalog.openapi.body import Body, body_2, body_3
from toolquiver.catalog.openapi.deep_keys import DeepKeys, without_deep_keys
from toolquiver.catalog.openapi.keys import without_keys
from toolquiver.catalog.openapi.library import Library
from toolquiver.catalog.openapi.nodes import Documents, Node
from toolquiver.catalog.openapi.parameters import parameter_nodes, parameters
from toolquiver.catalog.openapi.responses import output
from toolquiver.catalog.openapi.security import Schemes, credentials, schemes
from toolquiver.catalog.openapi.servers import server_2, server_3
from toolquiver.catalog.openapi.settings import Settings
from toolquiver.catalog.openapi.standalone import standalone
from toolquiver.catalog.operation import HttpOperation
from toolquiver.catalog.records import API, ApiId, JsonSchema
from toolquiver.errors import CatalogError

_METHODS = frozenset({"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"})
_KNOWN = ("2.0", "3.0", "3.1", "3.2")
_DEPRECATED = "Deprecated: the provider advises against it."


class Operation(NamedTuple):
    """One operation: its path with where it stands, what a reference there leads to last, its method, itself."""

    path: str
    items: tuple[Node, ...]
    method: str
    node: Node


class Document:
    """An OpenAPI document of version 2.0, 3.0, 3.1 or 3.2 with those that it refers to.

    `skipped` says, once the operations were read, which of them, or of their answers, are left out and why: none but
    with `skip_broken`.

    Raises:
        CatalogError: it cannot be read, or is no such document.
    """

    def __init__(self, uri: str, settings: Settings) -> None:
        self.root = Documents(uri).root()
        self.version = _version(self.root)
        self.title = self.root.at("info").text("title").strip() or "API"
        _require_paths(self.root, self.version)
        self.skipped: list[str] = []
        self._settings = settings
        siblings = self.version in {"3.1", "3.2"}
        self._sent, self._returned = (Library(way, siblings=siblings) for way in ("request", "response"))

    def operations(self) -> list[Operation]:
        """All operations in the document's order; webhooks and callbacks do not count.

        Raises:
            CatalogError: something is there that cannot be an operation.
        """
        return list(self._operations)

    def apis(self, source: str) -> Iterator[API]:
        """The operations as APIs of the source with this key, in the document's order.

        Raises:
            CatalogError: a part of the document is broken; the message names the place.
        """
        made = 0
        ids = unique_ids([self._names(operation) for operation in self._operations])
        for operation, api_id in zip(self._operations, ids, strict=True):
            try:
                api = self._api(operation, api_id, source)
            except CatalogError as error:
                self._skip(f"{operation.method.upper()} {operation.path}", error)
            else:
                made += 1
                yield api
        if self.skipped and not made:
            # An import that came to nothing must not remove what an earlier one brought.
            raise self.root.error(f"has no operation that is not broken. The first: {self.skipped[0]}")

    @cached_property
    def _operations(self) -> list[Operation]:
        found = list[Operation]()
        for path, item in self.root.at("paths").members():
            if path[:1] == "/":
                try:
                    at = list(_at(path, item))
                    for operation in at:
                        self._names(operation)  # which a broken one may not have
                except CatalogError as error:
                    self._skip(path, error)
                else:
                    found += at
            elif not path.startswith("x-"):
                self._skip(path, item.error("is a path that does not begin with '/'. Correct the document there."))
        return found

    @property
    def members(self) -> Collection[str]:
        """The names of what stands in the bodies of the operations that were read so far, however deep."""
        return self._deep.names

    def _skip(self, what: str, error: CatalogError) -> None:
        """Leave out what is broken, where that is wanted."""
        if not self._settings.skip_broken:
            raise CatalogError(f"{error} `--skip-broken` imports the operations that are not.") from error
        self.skipped.append(f"{what}: {error}")

    def _api(self, operation: Operation, api_id: ApiId, source: str) -> API:
        try:
            return self._made(operation, api_id, source)
        except RecursionError as error:
            raise operation.node.error("is nested too deeply to be read.") from error

    def _made(self, operation: Operation, api_id: ApiId, source: str) -> API:
        names = self._names(operation)
        schema, binding = self._call(operation)
        returned = self._output(operation)
        return API(
            id=api_id,
            name=names.name,
            description=_description(operation),
            method=operation.method.upper(),
            effect=of_method(operation.method),
            parameters=standalone(schema, self._deep),
            output=returned and standalone(returned, self._returned.definitions),
            tool=names.tool,
            tool_description=self._tools.get(names.tool, ""),
            category=names.category,
            source=source,
            binding=binding.model_dump(mode="json"),
        )

    def _output(self, operation: Operation) -> JsonSchema | None:
        """What the operation answers; where that is broken and may be, it can still be called."""
        try:
            return output(operation.node, self._returned)
        except CatalogError as error:
            if not self._settings.skip_broken:
                raise
            self._skip(f"the answer of {operation.method.upper()} {operation.path}", error)
            return None

    def _names(self, operation: Operation) -> Named:
        tags = (tag.as_text() for tag in operation.node.at("tags").parts())
        return Named(
            category=self._settings.category or self.title,
            tool=self._settings.tool or next((tag for tag in tags if tag), self.title),
            name=operation.node.text("operationId").strip() or f"{operation.method} {operation.path}",
            place=f"{operation.method} {operation.path}",
        )

    def _call(self, operation: Operation) -> tuple[JsonSchema, HttpOperation]:
        nodes = parameter_nodes(*reversed(operation.items), operation.node)
        server = self._server(operation)
        asked = credentials(self.root, operation.node, server)
        found = parameters(nodes, operation.path, self._sent)
        parts, keys = without_keys(found, asked, self._schemes, self._sent, self._settings)
        body = self._body(operation, nodes, {argument_name(part.called or part.name) for part in parts})
        in_body, keys_in_body = without_keys(body.parts, asked, self._schemes, self._sent, self._settings)
        in_body, deep_keys = without_deep_keys(in_body, self._schemes, self._deep)
        schema, placements = arguments([*parts, *in_body], more=body.open)
        return schema, HttpOperation(
            server=server,
            path=operation.path,
            method=operation.method.upper(),
            placements=placements,
            body_media_type=body.media_type,
            credentials=asked,
            keys=keys + keys_in_body + deep_keys,
        )

    @cached_property
    def _tools(self) -> dict[str, str]:
        """What the tools are for; of one that the settings name, the document says nothing."""
        if self._settings.tool:
            return {}
        said = {tag: text for tag, text in about_tags(self.root).items() if text}
        return {self.title: about_document(self.root, self.title)} | said

    @cached_property
    def _deep(self) -> DeepKeys:
        return DeepKeys(self._sent, self._settings.arguments)

    @cached_property
    def _schemes(self) -> Schemes:
        return schemes(self.root)

    def _server(self, operation: Operation) -> str:
        if self.version == "2.0":
            return server_2(self.root, self._settings)
        return server_3((operation.node, *operation.items, self.root), self._settings)

    def _body(self, operation: Operation, nodes: list[Node], taken: set[str]) -> Body:
        if self.version != "2.0":
            return body_3(operation.node, taken, self._sent)
        consumes = operation.node.at("consumes").of(list)
        if consumes is None:
            consumes = self.root.at("consumes").of(list) or []
        return body_2(nodes, taken, [str(kind) for kind in consumes], self._sent)


def _version(root: Node) -> str:
    if not isinstance(root.value, dict) or ("openapi" not in root and "swagger" not in root):
        raise root.error("is no OpenAPI document: it has neither 'openapi' nor 'swagger' at its top. Check the file.")
    given = root.text("swagger") or root.text("openapi")
    for version in _KNOWN:
        if given == version or given.startswith(version + "."):
            return version
    raise root.error(f"is OpenAPI {given!r}; {', '.join(_KNOWN)} can be imported. Convert the document first.")


def _require_paths(root: Node, version: str) -> None:
    """Refuse a document that has lost its operations: since 3.1 it may have none, but must not say `null`."""
    if "paths" not in root and ("paths" in root.value or version in {"2.0", "3.0"}):
        raise root.at("paths").error("is empty: there are no operations. Correct the document, or take another.")


def _at(path: str, item: Node) -> Iterator[Operation]:
    item.follow()  # which refuses circles
    items, seen = [item], set[str]()
    while items[-1].reference():
        items.append(items[-1].step())
    for place in items:
        members = [(method.lower(), node) for method, node in place.members()]
        named = [(method, node) for method, node in members if method in _METHODS and node.of(dict) is not None]
        for method, node in [*named, *place.at("additionalOperations").members()]:  # the latter of OpenAPI 3.2
            if method not in seen:
                seen.add(method)
                yield Operation(path, tuple(items), method, node)


def _description(operation: Operation) -> str:
    summaries = (place.text("summary").strip() for place in (operation.node, *operation.items))
    summary = next(filter(None, summaries), "")
    text = operation.node.text("description").strip()
    said = joined(summary, text)
    return f"{said}\n\n{_DEPRECATED}".strip() if operation.node.at("deprecated").of(bool) else said

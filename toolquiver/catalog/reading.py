"""What a catalogue is asked: its APIs by id, by name, by category and by search, as they are or as models see them."""

from __future__ import annotations

import sqlite3
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Self, cast

from toolquiver.catalog import effect_rows, rows, sources
from toolquiver.catalog.explaining import Explanation, explanation
from toolquiver.catalog.feeds import producers, producers_of
from toolquiver.catalog.fits import Feeding, Fit
from toolquiver.catalog.index.reader import Reader
from toolquiver.catalog.records import API, ApiId, Category, Parameter, Tool
from toolquiver.catalog.remembered import MOST, Remembered, version
from toolquiver.catalog.search import Hit, search
from toolquiver.catalog.shared import Shared
from toolquiver.catalog.shown import Documentation, shown_apis, shown_tools
from toolquiver.errors import CatalogError
from toolquiver.surrogates import without_halves

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from langchain_core.tools import BaseTool


class Reading:
    """A catalogue as far as it is read."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self.path = path
        self.tools: dict[ApiId, BaseTool] = {}
        self._connection = connection
        self._index = Reader()
        self._shared = Shared(connection, repr(self))
        self._read = Remembered()
        self._documentation: Documentation = "raw"
        self._views: dict[Documentation, Reading] = {"raw": self}

    def shown(self, documentation: Documentation) -> Self:
        """This catalogue as models see it: its APIs and tools with instructions, condensed by rule, or as they are.

        Where there is no instruction in force, texts are condensed. It is open as long as this one is.
        """
        if documentation not in self._views:
            view = copy(self)
            view._documentation = documentation  # noqa: SLF001 - a copy of its own
            self._views.setdefault(documentation, view)
        return cast("Self", self._views[documentation])

    def version(self) -> tuple[int, int]:
        """A value that changes with every change of the catalogue: the key of what is kept in memory."""
        with self._shared.use() as connection:
            return version(connection)

    def get(self, api_id: ApiId) -> API:
        """The API of this id.

        Raises:
            CatalogError: there is none.
        """
        found = self.find(api_id)
        if found is None:
            raise CatalogError(f"There is no API with the id {api_id!r}. `toolquiver catalog search` finds ids.")
        return found

    def find(self, api_id: ApiId) -> API | None:
        """The API of this id, or None."""
        return next(iter(self.found([api_id])), None)

    def found(self, api_ids: Sequence[ApiId]) -> list[API]:
        """The APIs of these ids, in order; ids that are not there are left out."""
        with self._shared.use() as connection:
            read = self._read.now(connection).apis
            known = {api_id: api for api_id in api_ids if (api := read.get((self._documentation, api_id)))}
            new = (rows.one(connection, "api.id = ?", api_id) for api_id in api_ids if api_id not in known)
            known |= {api.id: api for api in self._shown(connection, (api for api in new if api))}
            return [known[api_id] for api_id in api_ids if api_id in known]

    def has_set_effect(self, api_id: ApiId) -> bool:
        """Whether the user has set the effect of this API, and not its source.

        Raises:
            CatalogError: there is no such API.
        """
        with self._shared.use() as connection:
            return bool(effect_rows.set_by_user(connection, [self.get(api_id)]))

    def at_hand(self, api_ids: Sequence[ApiId]) -> list[API] | None:
        """The APIs of these ids where nothing must be read for them, else None: then `found` does, which may wait.

        Of a file nothing is at hand: others may have written it.
        """
        if self.path is not None:
            return None
        found = [api for api_id in api_ids if (api := self._read.apis.get((self._documentation, api_id)))]
        return found if len(found) == len(api_ids) else None

    def by_function(self, function: str) -> API | None:
        """The API that models know by this function name, or None."""
        with self._shared.use() as connection:
            return self._shown_one(connection, rows.one(connection, "api.function = ?", function))

    def apis(self, *, category: str | None = None, tool: str | None = None) -> list[API]:
        """All APIs, or those of one category or tool, in the order they were added."""
        with self._shared.use() as connection:
            return self._shown(connection, rows.many(connection, category=category, tool=tool))

    def list_tools(self, *, category: str | None = None) -> list[Tool]:
        """The tools, by name, with how many APIs each has."""
        asked = "tools", self._documentation, category
        with self._shared.use() as connection:
            read = self._read.now(connection)
            if (known := read.found(asked)) is not None:
                return known
            tools = shown_tools(connection, rows.tools(connection, category), self._documentation)
            read.keep(asked, tools)
        return tools

    def categories(self) -> list[Category]:
        """The categories, by name, with how many tools and APIs each has."""
        with self._shared.use() as connection:
            return rows.categories(connection)

    def stats(self) -> Mapping[str, int]:
        """How many categories, tools and APIs there are, and how many of them can be called from here.

        Those are the APIs of OpenAPI documents, MCP servers and modules, and the Python tools that are bound.
        """
        with self._shared.use() as connection:
            called = {source.key for source in sources.all_of(connection) if source.kind in sources.CALLED}
            sizes = sources.sizes(connection)
            bound = self.tools.keys() & rows.hashes(connection, sources.PYTHON).keys()
            callable_ = len(bound) + sum(size for source, size in sizes.items() if source in called)
            return rows.counts(connection) | {"callable": callable_}

    def sizes(self) -> Mapping[str, int]:
        """How many APIs each source has, by its key; "" is none."""
        with self._shared.use() as connection:
            return sources.sizes(connection)

    def search(
        self,
        text: str,
        k: int = 64,
        category: str | None = None,
        tool: str | None = None,
        *,
        dense: bool = True,
        floor: bool = True,
    ) -> list[Hit]:
        """The at most `k` APIs that fit `text` best, the best first; none where nothing fits.

        Without `floor` the best are given however little they fit: who chooses among them may take none.

        By words, and with `dense` by meaning too where the extra `toolquiver[dense]` is installed. An API whose id,
        function name, or tool and name the text spells comes first. A text of several sentences is searched whole and
        by sentence. `category` and `tool` are names as the source spells them.
        """
        text = without_halves(text)  # which no database takes
        asked = "search", self._documentation, text, k, category, tool, dense, floor
        with self._shared.snapshot() as connection:
            read = self._read.now(connection)
            if (known := read.found(asked)) is not None:
                return known
            hits = search(connection, self._index, text, k, category=category, tool=tool, dense=dense, floor=floor)
            apis = self._shown(connection, (hit.api for hit in hits))
            found = [hit._replace(api=api) for hit, api in zip(hits, apis, strict=True)]
            read.keep(asked, found)
        return found

    def candidates(self, text: str, k: int, few: int, *, floor: bool = True) -> list[Hit]:
        """The hits of `search`, and of a catalogue with at most `few` APIs then all others, without a score.

        So few need no search: what an encyclopaedia tells of is in no question.
        """
        hits = self.search(text, k, floor=floor)
        if len(hits) >= few:
            return hits
        with self._shared.use() as connection:
            apis = self._shown(connection, rows.few(connection, few))
        found = {hit.api.id for hit in hits}
        return hits + [Hit(api, 0.0) for api in apis if api.id not in found]

    def explain(self, text: str, hit: Hit) -> Explanation:
        """Why `search(text)` found this hit: the words that stand in each field, and what each evidence gave."""
        with self._shared.snapshot() as connection:
            return explanation(connection, without_halves(text), hit)

    def producers(self, consumers: Sequence[API]) -> list[API]:
        """The APIs that return arguments which the consumers require, the most useful first."""
        with self._shared.use() as connection:
            return self._shown(connection, (rows.by_key(connection, key) for key in producers(connection, consumers)))

    def producers_by_name(self, consumers: Sequence[API]) -> list[API]:
        """For each required argument of the consumers the API whose output fits it best by its name, if one does."""
        needed = [(api, parameter) for api in consumers for parameter in api.required_list()]
        best = (self.producers_of(api, parameter)[:1] for api, parameter in needed)
        return list({fed.api.id: fed.api for feeds in best for fed in feeds if fed.fit >= Fit.NAMED}.values())

    def producers_of(self, consumer: API, parameter: Parameter) -> list[Feeding]:
        """The APIs whose output can be this parameter: by type, and by name or description; the best first."""
        with self._shared.use() as connection:
            found = producers_of(connection, consumer, parameter)
            apis = self._shown(connection, (fed.api for fed in found))
        return [fed._replace(api=api) for fed, api in zip(found, apis, strict=True)]

    def _shown(self, connection: sqlite3.Connection, apis: Iterable[API]) -> list[API]:
        """The APIs as this catalogue shows them, which is remembered."""
        as_stored, known = list(apis), self._read.now(connection).apis
        if len(as_stored) > MOST:
            return shown_apis(connection, as_stored, self._documentation)
        new = [api for api in as_stored if (self._documentation, api.id) not in known]
        known |= {(self._documentation, api.id): api for api in shown_apis(connection, new, self._documentation)}
        return [known[self._documentation, api.id] for api in as_stored]

    def _shown_one(self, connection: sqlite3.Connection, api: API | None) -> API | None:
        return next(iter(self._shown(connection, [] if api is None else [api])), None)

    def __len__(self) -> int:
        with self._shared.use() as connection:
            return rows.counts(connection)["apis"]

    def __repr__(self) -> str:
        return f"<Catalog {str(self.path) if self.path else 'in memory'!r}>"

"""What a node finds in the catalogue: APIs by name, by search, and by what feeds what."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Generic

from typing_extensions import TypeVar

from toolquiver.catalog import API, ApiId, Catalog, Hit
from toolquiver.context import Context
from toolquiver.errors import InputError

Settings = TypeVar("Settings", bound=Context, default=Context)

_SEVERAL = 3  # APIs besides the hits, that give at least two inputs of one of them
_SINGLE = 1  # the same for one input, by its name
_RANKED = 100


@dataclass(frozen=True, kw_only=True)
class Finder(Generic[Settings]):
    """The catalogue as a run searches it: with its settings."""

    context: Settings
    catalog: Catalog

    async def size(self) -> int:
        """How many APIs the catalogue has."""
        return await asyncio.to_thread(len, self.catalog)

    async def has_apis(self) -> bool:
        """Whether the catalogue has any."""
        return bool(await self.size())

    async def named(self, function: str) -> API | None:
        """The API that models know by this function name, or None."""
        return await asyncio.to_thread(self.catalog.by_function, function)

    async def apis(self, ids: list[ApiId]) -> list[API]:
        """The APIs of these ids, in order; ids that the catalogue does not have are left out."""
        if (at_hand := self.catalog.at_hand(ids)) is not None:
            return at_hand
        return await asyncio.to_thread(self.catalog.found, ids)

    async def api(self, id_: ApiId) -> API:
        """The API of this id, which the state names.

        Raises:
            InputError: the catalogue has lost it since: the run was begun with what another import has replaced.
        """
        if not (found := await self.apis([id_])):
            raise InputError(
                f"The catalogue no longer has {id_!r}, which this run uses. Import it, or start a new run."
            )
        return found[0]

    async def whole(self, id_: ApiId) -> API:
        """The API with its whole text, as its source wrote it, and its instruction's example: to fill arguments by.

        Raises:
            InputError: the catalogue has lost it since.
        """
        shown = await self.api(id_)
        (written,) = await asyncio.to_thread(self.catalog.shown("raw").found, [id_])
        return written.model_copy(update={"example": shown.example})

    async def callables(self, ids: list[ApiId]) -> list[API]:
        """The APIs as functions that a model calls: their parameters are whole, as `whole` has them.

        What each is for stands there as models see it, so that an instruction replaces the description.
        """
        shown = await self.apis(ids)
        written = await asyncio.to_thread(self.catalog.shown("raw").found, [api.id for api in shown])
        return [
            one.model_copy(update={"parameters": whole.parameters}) for one, whole in zip(shown, written, strict=True)
        ]

    async def best(self, text: str) -> list[API]:
        """The `top_k` APIs that fit `text` best, however little: the model that chooses may take none of them."""
        most = self.context.top_k
        hits = await asyncio.to_thread(self.catalog.candidates, text, most, most, floor=False)
        return [hit.api for hit in hits]

    async def hits(self, text: str, most: int | None = None, few: int | None = None) -> list[Hit]:
        """What search finds for `text`, the best first: `top_k`, unless told otherwise.

        Of a catalogue that has no more than `few`, `top_k` unless told otherwise, all.
        """
        usual = self.context.top_k
        return await asyncio.to_thread(self.catalog.candidates, text, most or usual, few or usual)


async def found_by_search(text: str, run: Finder[Settings]) -> list[API]:
    """What search finds for a text, then APIs whose outputs are inputs that these require."""
    hits = [hit.api for hit in await run.hits(text)]

    def feeders() -> list[API]:
        several, single = run.catalog.producers(hits), run.catalog.producers_by_name(hits)
        found = run.catalog.search(text, _RANKED) if several or single else []
        ranks = {hit.api.id: rank for rank, hit in enumerate(found)}
        best = [sorted(apis, key=lambda api: ranks.get(api.id, _RANKED)) for apis in (several, single)]
        new = [[api for api in apis if api not in hits] for apis in best]
        return list({api.id: api for api in [*new[0][:_SEVERAL], *new[1][:_SINGLE]]}.values())

    return hits + await asyncio.to_thread(feeders)

"""Retrieve and Lookup over paragraphs (smurfs.txt, appendix C, table 6).

Both take all that they need as arguments. The paper's Lookup goes on from the last page and sentence; that would mix up
questions that are asked at the same time, and calls could not be replayed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Annotated

from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.evaluation.metrics.texts import normalised

Pages = Mapping[str, Sequence[str]]
"""The sentences of each page's first paragraph, by the page's title."""

_SIMILAR = 5


class Page(TypedDict):
    """A page's first paragraph, or what pages there are instead."""

    title: str
    text: str


class Found(TypedDict):
    """A sentence, and how many more of the page's have the keyword after it."""

    title: str
    sentence: str
    more: int


def tools(pages: Pages) -> list[BaseTool]:
    """The two tools over these pages."""
    book = _Book(pages)
    place = {"category": "Knowledge", "tool": "Encyclopaedia"}
    return [
        StructuredTool.from_function(function, name=name, description=function.__doc__, metadata=place)
        for name, function in (("Retrieve", book.retrieve), ("Lookup", book.lookup))
    ]


class _Book:
    """Pages, found by title however it is written."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._titles = {normalised(title): title for title in reversed(list(pages))}

    def retrieve(
        self, entity: Annotated[str, Field(description="the title of a page: a person, place, thing")]
    ) -> Page:
        """The first paragraph of the encyclopaedia's page on an entity, or the titles of similar pages."""
        title = self._titles.get(normalised(entity))
        if title is None:  # an answer, as in the paper: the next call takes one of them
            return {"title": "", "text": self._missing(entity)}
        return {"title": title, "text": "".join(self._pages[title]).strip()}

    def lookup(
        self,
        title: Annotated[str, Field(description="the title of the page to look into, as Retrieve gives it")],
        keyword: Annotated[str, Field(description="a word or words to look for")],
        number: Annotated[int, Field(ge=1, description="which of the sentences that have it: 1 is the first")] = 1,
    ) -> Found:
        """A sentence of a page that contains a keyword."""
        title = self._title(title)
        found = [sentence for sentence in self._pages[title] if keyword.lower() in sentence.lower()]
        if number > len(found):
            raise ToolException(f"{len(found)} sentences of {title!r} contain {keyword!r}. Try another word or page.")
        return {"title": title, "sentence": found[number - 1].strip(), "more": len(found) - number}

    def _title(self, entity: str) -> str:
        """The title of the page on an entity.

        Raises:
            ToolException: there is none; the message names similar ones.
        """
        if (title := self._titles.get(normalised(entity))) is not None:
            return title
        raise ToolException(self._missing(entity))

    def _missing(self, entity: str) -> str:
        return f"There is no page on {entity!r}. Similar pages: {', '.join(self._similar(entity))}."

    def _similar(self, entity: str) -> list[str]:
        """The titles that share most with the entity: first whole words, then letters."""
        wanted = normalised(entity)
        words = set(wanted.split())
        matcher = SequenceMatcher(b=wanted, autojunk=False)

        def likeness(known: str) -> tuple[float, float]:
            own = set(known.split())
            matcher.set_seq1(known)
            return 2 * len(words & own) / max(1, len(words) + len(own)), matcher.quick_ratio()

        best = sorted(self._titles, key=likeness, reverse=True)[:_SIMILAR]
        return [self._titles[known] for known in best]

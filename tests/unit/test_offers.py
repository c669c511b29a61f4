"""What is offered for an argument: nobody but whom the draft means, where it says so."""

import asyncio

import pytest

from tests.graphs.chains import a_typed_api
from toolquiver.catalog import Catalog
from toolquiver.context import Context
from toolquiver.nodes.chain.frames import a_frame
from toolquiver.nodes.chain.offers import offers
from toolquiver.nodes.run import Run

RELATED = a_typed_api("related", {"artist_id": "string", "more": "string"}, {}, optional=("more",))
FINDER = a_typed_api("find_artist", {"name": "string"}, {"artist_id": "string", "more": "string"})
OTHER = a_typed_api("artist_of_song", {"song": "string"}, {"artist_id": "string"})
BY_CODE = a_typed_api("artist_by_code", {"code": "string"}, {"artist_id": "string"})


def in_order(draft, removed=(), apis=(FINDER, OTHER), query="Who is related?"):
    catalog = Catalog.create()
    catalog.add(RELATED, *apis)
    frame = a_frame([], RELATED.id, "related artists", 0, draft=draft)
    state = {
        "fills": False,
        "frames": [frame],
        "stack": [0],
        "pool": [],
        "allowed": [api.id for api in apis],
        "query": query,
        "subtasks": [query],
        "current": 0,
        "removed": list(removed),
    }
    run = Run(context=Context(), catalog=catalog, bound={})
    api = catalog.get(RELATED.id)
    found = asyncio.run(offers(frame, api, api.parameter_list(), state, run))
    return {name: [fed.api.name for fed in fits] for name, fits in found.items()}


def offered(draft, **more):
    return {name: sorted(apis) for name, apis in in_order(draft, **more).items()}


def a_draft(**calls):
    return {"api": RELATED.id, "values": {}, "calls": calls, "meant": True}


def test_without_a_draft_all_that_fit_are_offered():
    both = ["artist_of_song", "find_artist"]
    assert offered(None) == {"artist_id": both, "more": both}


def test_where_a_draft_says_who_gives_it_nobody_else_is():
    written = {"api": OTHER.id, "values": {"song": "So What"}, "calls": {}}
    assert offered(a_draft(artist_id=written)) == {"artist_id": ["artist_of_song"], "more": []}


def test_of_what_it_needs_and_says_nothing_of_those_are_that_give_it_by_name():
    assert offered(a_draft()) == {"artist_id": ["artist_of_song", "find_artist"], "more": []}


@pytest.mark.parametrize("draft", [None, a_draft()])
def test_what_was_removed_is_not_offered(draft):
    assert offered(draft, removed=[OTHER.id])["artist_id"] == ["find_artist"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Who is related to Miles Davis?", ["find_artist", "artist_by_code"]),
        ("Who is related to MD1926?", ["artist_by_code", "find_artist"]),
    ],
)
def test_what_needs_a_code_comes_later_where_the_request_has_none(query, expected):
    assert in_order(None, apis=[BY_CODE, FINDER], query=query)["artist_id"] == expected

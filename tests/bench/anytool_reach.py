"""How far search can be surpassed: where the APIs stand that it lacks, and what a model's own words add to it.

    python -m tests.bench.anytool_reach --queries 210
    python -m tests.bench.anytool_reach --queries 42 --model local

Over the half of the queries that search's weights were chosen on, so that nothing here looks at the other half. What
the model wrote is kept in `.bench/reach.jsonl`; the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from itertools import chain, zip_longest
from pathlib import Path

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, Field
from rich.progress import track

from tests.bench.anytool_measured import Asked, in_turn, toolbench
from tests.bench.bench_smurfs import read
from tests.bench.search_queries import queries
from toolquiver.catalog import Catalog
from toolquiver.models import decide, load_model

_PLACES, _DEEP, _KINDS = 64, 300, 5
_FILE = Path(".bench/reach.jsonl")
_SYSTEM = (
    "You list the kinds of API that a request needs, in the words that an API marketplace would use for them. One line "
    f"for each thing that must be fetched or done, at most {_KINDS}. General words, no names or numbers of the request."
)
_EXAMPLE = (
    "Request: I'm moving to Graz in May. Tell me the rent of flats there, the weather, and the next concerts.",
    '{"apis": ["rental listings by city", "climate and weather by month", "concert search by city and date"]}',
)


class Kinds(BaseModel):
    """The kinds of API that a request needs."""

    apis: list[str] = Field(min_length=1, max_length=_KINDS)


def ranked(catalog: Catalog, text: str, most: int = _PLACES) -> list[str]:
    """The ids of what search finds, the best first."""
    return [hit.api.id for hit in catalog.search(text, most)]


def in_turns(lists: list[list[str]]) -> list[str]:
    """The first of each list, then the second of each, each once."""
    return list(dict.fromkeys(one for one in chain.from_iterable(zip_longest(*lists)) if one))


def fused(first: list[str], others: list[list[str]]) -> list[str]:
    """All of them by reciprocal rank, the first list counting twice."""
    scores = Counter[str]()
    for weight, ids in [(2, first), *((1, other) for other in others)]:
        for place, one in enumerate(ids):
            scores[one] += weight / (30 + place)
    return [one for one, _ in scores.most_common()]


def where_the_lacking_stand(catalog: Catalog, asked: list[Asked]) -> str:
    """Of the APIs that search lacks among its first places: in which of its tools, and how much deeper."""
    lacking = Counter[str]()
    for one in track(asked, "search"):
        hits = [hit.api for hit in catalog.search(one.text, _DEEP)]
        tools = list(dict.fromkeys((api.category, api.tool) for api in hits[:_PLACES]))
        lacking["needed"] += len(one.needed)
        for api in one.needed:
            if api.id not in {hit.id for hit in hits[:_PLACES]}:
                lacking[f"not among {_PLACES}"] += 1
                lacking["of these, of one of its tools"] += (api.category, api.tool) in tools
                lacking["of these, of its first ten tools"] += (api.category, api.tool) in tools[:10]
                lacking[f"of these, among {_DEEP}"] += api.id in {hit.id for hit in hits}
    return "\n".join(f"{name}: {count}" for name, count in lacking.items())


async def kinds_of(model: BaseChatModel, text: str) -> list[str]:
    """What the model says that a request needs."""
    shown = [SystemMessage(_SYSTEM), HumanMessage(_EXAMPLE[0]), AIMessage(_EXAMPLE[1])]
    question = [*shown, HumanMessage(f"Request: {text}")]
    return (await decide(model, Kinds, question, role="reach", tokens_left=2_000)).value.apis


def written(model: BaseChatModel, asked: list[Asked]) -> dict[str, list[str]]:
    """The same of all requests, by their text."""
    known = {row["text"]: row["apis"] for row in read(_FILE)}
    with asyncio.Runner() as runner, _FILE.open("a", encoding="utf-8") as file:
        for one in track([one for one in asked if one.text not in known], "model"):
            known[one.text] = runner.run(kinds_of(model, one.text))
            file.write(json.dumps({"text": one.text, "apis": known[one.text]}) + "\n")
            file.flush()
    return known


def added_by(catalog: Catalog, asked: list[Asked], said: dict[str, list[str]]) -> str:
    """Recall of the first places, by search alone and with what is found by the model's words."""
    sums = Counter[str]()
    for one in asked:
        base, parts = ranked(catalog, one.text, _DEEP), [ranked(catalog, text) for text in said[one.text]]
        alone, more = base[:_PLACES], in_turns(parts)
        ways = {f"{kept} of search, then theirs": in_turns([base[:kept]]) + more for kept in (32, 48, 56)}
        ways = {"search alone": alone, "fused by rank": fused(base, parts), **ways}
        ways["the request and these words as one text"] = ranked(catalog, " ".join([one.text, *said[one.text]]))
        pools = {way: list(dict.fromkeys(ids))[:_PLACES] for way, ids in ways.items()}
        for way, pool in {**pools, "both, in twice the places": [*alone, *more[:_PLACES]]}.items():
            sums[way] += sum(api.id in pool for api in one.needed) / len(one.needed)
    return "\n".join(f"{way}: {total / len(asked):.3f}" for way, total in sums.items())


def main() -> None:
    """Print where the lacking stand; with a model also what its words add."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=210, help="the first so many, even over the groups")
    parser.add_argument("--model", default="", help="the model that writes kinds of API; none is asked without it")
    options = parser.parse_args()
    catalog = toolbench()
    asked = in_turn(queries(), catalog.apis(), half=0)[: options.queries]
    print(where_the_lacking_stand(catalog, asked))
    if options.model:
        _FILE.parent.mkdir(parents=True, exist_ok=True)
        print(added_by(catalog, asked, written(load_model(options.model), asked)))


if __name__ == "__main__":
    main()

"""Search in small catalogues: how many texts that nothing fits get something, and how many real questions nothing.

`python -m tests.bench.floor_sizes`; needs the folder that TOOLQUIVER_DATA names, and the extra `demo`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.bench.out_of_domain import OUT_OF_DOMAIN
from tests.e2e.questions_fresh import QUESTIONS as FRESH
from tests.e2e.questions_tuned import QUESTIONS as TUNED
from toolquiver.catalog import Catalog
from toolquiver.catalog.named import load_catalog
from toolquiver.evaluation.datasets import load_dataset

_SETS = ("funcqa-one", "funcqa-multi", "nestful-executable", "restbench-spotify", "restbench-tmdb", "api-bank-1")
_MOST = 150  # questions of a set


def asked() -> Iterator[tuple[str, Catalog, list[str]]]:
    """Each catalogue with the questions that are asked over it."""
    for name in _SETS:
        data = load_dataset(name)
        yield name, data.resources().catalog, [question.query for question in data.questions()][:_MOST]
    yield "demo", load_catalog("demo"), [question.text for question in (*FRESH, *TUNED)]


def nothing(catalog: Catalog, texts: Sequence[str], *, dense: bool) -> int:
    """How many of these texts find nothing."""
    return sum(not catalog.search(text, 1, dense=dense) for text in texts)


def main() -> None:
    """Print a table; half 1 is what the floors were chosen on."""
    print("| questions | APIs | by | half | nothing for what nothing fits | nothing for questions |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, catalog, questions in asked():
        for dense in (True, False):
            for half in (0, 1):
                strangers, real = OUT_OF_DOMAIN[half::2], questions[half::2]
                print(
                    f"| {name} | {len(catalog)} | {'words and meaning' if dense else 'words'} | {half + 1}"
                    f" | {nothing(catalog, strangers, dense=dense)} of {len(strangers)}"
                    f" | {nothing(catalog, real, dense=dense)} of {len(real)} |"
                )


if __name__ == "__main__":
    main()

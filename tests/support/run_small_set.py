"""A run of the small data set as a process of its own, which a test can kill: journal, concurrency."""

import asyncio
import sys

from tests.support import small_set
from toolquiver.evaluation.journal import Journal
from toolquiver.evaluation.lines import Line
from toolquiver.evaluation.runner import run

if __name__ == "__main__":
    path, concurrency = sys.argv[1], int(sys.argv[2])
    with Journal.open(path, small_set.head(), Line) as journal:
        questions = small_set.dataset.questions()
        asyncio.run(run(questions, small_set.good, small_set.dataset, journal, concurrency=concurrency))

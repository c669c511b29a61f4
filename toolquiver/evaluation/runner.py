"""Running a system over questions: several at a time, each within its time, each result written down at once."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from toolquiver.errors import InputError, MissingKey, ModelFileError, ModelUnreachable, UnknownModel
from toolquiver.evaluation.figures_only import figures_only
from toolquiver.evaluation.journal import Journal
from toolquiver.evaluation.lines import Line, Row
from toolquiver.evaluation.metrics import knows_usage
from toolquiver.evaluation.reached import simulations, watched
from toolquiver.evaluation.records import DataSet, Question, Resources, Result, System
from toolquiver.evaluation.scored import scored
from toolquiver.models import add_usage

_SHARD = re.compile(r"([1-9]\d*)/([1-9]\d*)")
NO_MODEL = (MissingKey, ModelFileError, ModelUnreachable, UnknownModel)
"""Errors that every further question would end in too."""

Item = TypeVar("Item")


def chosen(
    questions: Sequence[Question], *, seed: int | None = None, shard: str = "1/1", limit: int | None = None
) -> list[Question]:
    """The questions of one run: shuffled by the seed, if there is one; of these every n-th from the i-th on (`i/n`).

    The limit counts before the shards are dealt, so that all shards together have so many. As a seed puts the questions
    in a random order, `1/2` and `2/2` are random halves.

    Raises:
        InputError: the shard is not i/n with i from 1 to n, the limit is below 1, there are no questions, or two have
            one id.
    """
    number, of = shard_of(shard)
    if limit is not None and limit < 1:
        raise InputError(f"The limit is {limit}; it must be at least 1.")
    if not questions:
        raise InputError("The data set has no questions. Choose another part of it, or another set.")
    ids = [question.id for question in questions]
    if len(set(ids)) < len(ids):
        twice = next(one for one in ids if ids.count(one) > 1)
        raise InputError(f"Two questions have the id {twice!r}. Give each its own.")
    order = list(questions)
    if seed is not None:
        random.Random(seed).shuffle(order)  # noqa: S311 - a sample, no secret
    return order[:limit][number - 1 :: of]


def shard_of(text: str) -> tuple[int, int]:
    """The numbers of `i/n`.

    Raises:
        InputError: it is not i/n with i from 1 to n.
    """
    found = _SHARD.fullmatch(text)
    if not found or int(found[1]) > int(found[2]):
        raise InputError(f"The shard is {text!r}; it must be i/n with i from 1 to n, such as 1/4.")
    return int(found[1]), int(found[2])


def left_of(questions: Sequence[Question], journal: Journal[Line], *, retry: bool = False) -> list[Question]:
    """The questions that the journal does not have; with `retry` those too that ended in an error or out of time."""
    redo = ("error", "timeout") if retry else ()
    done = {key for key, line in journal.done.items() if line.result.outcome not in redo}
    return [question for question in questions if question.id not in done]


async def run(
    questions: Sequence[Question],
    system: System,
    dataset: DataSet,
    journal: Journal[Line],
    *,
    concurrency: int = 1,
    patience: float = 600.0,
    retry: bool = False,
    progress: Callable[[Line], None] = lambda _: None,
) -> None:
    """Let `system` answer those questions that the journal does not have, `concurrency` at a time.

    A question takes at most `patience` seconds. What a system raises, and the end of its time, are results. With
    `retry` questions that ended in an error or ran out of time are asked again; what every attempt cost counts. An
    answer that the data set fails to score is kept without scores. A system may have a method `forget(question)`: it is
    awaited when the result is written down.

    Raises:
        ModelError: the model cannot be reached or used at all; what is done is kept.
        InputError: the journal cannot be written.
    """
    resources = await asyncio.to_thread(dataset.resources)
    forget = getattr(system, "forget", None)

    async def finish(question: Question) -> Line:
        before = journal.done.get(question.id)
        result = _with_earlier(before, await answered(question, system, resources, patience))
        line = scored(dataset, question, result, attempts=1 + (before.attempts if before else 0))
        line = line if journal.keeps_texts else figures_only(line)
        return line.model_copy(update={"code": journal.code})

    left = left_of(questions, journal, retry=retry)
    await each(left, finish, journal, concurrency=concurrency, progress=progress, after=forget)


async def each(
    items: Sequence[Item],
    work: Callable[[Item], Awaitable[Row]],
    journal: Journal[Row],
    *,
    concurrency: int,
    progress: Callable[[Row], None],
    after: Callable[[Item], Awaitable[Any]] | None = None,
) -> None:
    """Do the work on each item, `concurrency` at a time, and write down what came of it the moment it is there."""

    async def finish(item: Item) -> None:
        row = await work(item)
        journal.add(row)  # nothing is awaited in between, so what is finished is written
        progress(row)
        if after is not None:
            await after(item)

    await together(items, finish, concurrency)


async def together(items: Sequence[Item], work: Callable[[Item], Awaitable[None]], concurrency: int) -> None:
    """Do the work on each item, `concurrency` at a time; the first error ends it all, and is raised as it is.

    Raises:
        InputError: a worker was cancelled by what it did, so that an item is left.
    """
    left = iter(items)

    async def worker() -> None:
        for item in left:
            await work(item)

    try:
        async with asyncio.TaskGroup() as group:
            workers = [group.create_task(worker()) for _ in range(min(concurrency, len(items)))]
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from errors.exceptions[0].__cause__
    if any(one.cancelled() for one in workers):  # a group takes no notice of that
        raise InputError("Something that was asked has cancelled the run from within. Run the same again.")


async def answered(question: Question, system: System, resources: Resources, patience: float) -> Result:
    """What the system makes of a question within its time (`patience`, seconds), with the seconds that it took.

    Raises:
        ModelError: the model cannot be reached or used at all.
    """
    began = time.perf_counter()
    with watched() as so_far, simulations() as made_up:
        clock = asyncio.timeout(patience)
        try:
            async with clock:
                result = await system(question, resources)
        except NO_MODEL:
            raise
        except (Exception, SystemExit, asyncio.CancelledError) as error:  # what a system raises is its result
            if isinstance(error, asyncio.CancelledError) and _is_cancelled():
                raise
            late = clock.expired() and isinstance(error, TimeoutError)
            reason = f"No answer within {patience:g} seconds." if late else f"{type(error).__name__}: {error}"
            result = so_far().model_copy(update={"outcome": "timeout" if late else "error", "reason": reason})
    seconds = round(time.perf_counter() - began, 3)
    return result.model_copy(update={"question": question.id, "seconds": seconds, "simulated": made_up()})


def _with_earlier(before: Line | None, result: Result) -> Result:
    """The result of an attempt with what those before it have spent: a question costs what all of them do."""
    if before is None:
        return result
    return result.model_copy(
        update={
            "usage": add_usage(before.result.usage, result.usage),
            "tells_usage": _told_usage(before) and knows_usage(result),
            "simulated": add_usage(before.result.simulated, result.simulated),
            "seconds": round(before.result.seconds + result.seconds, 3),
        }
    )


def _told_usage(line: Line) -> bool:
    """Whether it is known what a line cost; one of figures alone has no trace that would tell."""
    return line.figures["tokens"] is not None if line.figures else knows_usage(line.result)


def _is_cancelled() -> bool:
    """Whether somebody has cancelled this task; else a cancellation comes from within, and is an error like others."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0

"""A small data set, and systems for it, that tests and their child processes import."""

import asyncio
import math
import os
from dataclasses import dataclass
from pathlib import Path

from langchain_core.tools import tool

from toolquiver.catalog import Catalog, api_id
from toolquiver.evaluation import Called, Question, Resources, Result
from toolquiver.evaluation.heads import head_of

ADD = api_id("tools", "tools", "add")


@tool
def add(a: int, b: int) -> int:
    """Add two whole numbers."""
    return a + b


@dataclass(frozen=True)
class Sums:
    """Sums of a number with itself; right is what names the sum."""

    size: int = 8
    name: str = "sums"

    def questions(self):
        return [
            Question(
                id=f"sum-{n}",
                query=f"What is {n} plus {n}?",
                group="even" if n % 2 == 0 else "odd",
                answer=2 * n,
                candidates=(ADD,),
                gold_path=(ADD,) * (n % 3 + 1),
            )
            for n in range(self.size)
        ]

    def resources(self):
        return Resources(catalog=Catalog.from_tools([add]))

    def score(self, question, result):
        return {"accuracy": float(str(question.answer) in result.answer.split()), "calls": float(len(result.calls))}


dataset = Sums()


def head(**other):
    """The head of a journal of the small set."""
    usual = {"system": "good", "settings": {"top_k": 3}, "model": "m", "seed": None, "shard": "1/1", "timeout": 5.0}
    return head_of(dataset.name, dataset.questions(), **(usual | {"concurrency": 1} | other))


def result(question, *, right=True):
    """What a system says that can add, or cannot."""
    number = int(question.id.split("-")[1])
    call = Called(api=ADD, arguments={"a": number, "b": number}, ok=True)
    usage = {"agent": {"calls": 1, "prompt": 100 + number, "completion": 10, "cached": 0, "estimated": 0}}
    answer = f"It is {2 * number if right else 'more'} ."
    return Result(question=question.id, outcome="solved", answer=answer, calls=(call,), usage=usage)


def note(question):
    """Write down in a file, if one is named, that this was asked."""
    if place := os.environ.get("ASKED"):
        with Path(place).open("a", encoding="utf-8") as file:
            file.write(f"{question.id}\n")


async def good(question, resources):
    """Adds; from the question on that STUCK_FROM names it does not come to an end, PAUSE are seconds before each."""
    note(question)
    stuck = question.id >= os.environ.get("STUCK_FROM", "~")
    await asyncio.sleep(math.inf if stuck else float(os.environ.get("PAUSE", "0")))
    return result(question)


async def half(question, resources):
    """Knows every second sum."""
    return result(question, right=question.group == "even")

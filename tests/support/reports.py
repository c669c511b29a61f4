"""What the tests of reports stand on: journals of runs and of verdicts over the small set."""

import asyncio

from tests.support.script import Script
from tests.support.small_set import Sums
from toolquiver.catalog import Catalog
from toolquiver.contexts import JudgeContext
from toolquiver.evaluation.heads import head_of, judging_head
from toolquiver.evaluation.journal import Journal, read_journal
from toolquiver.evaluation.judging import Judge, to_judge
from toolquiver.evaluation.lines import Line, Ruled
from toolquiver.evaluation.report import Label
from toolquiver.evaluation.runner import chosen, each, run
from toolquiver.models import scripted

SUMS = Sums(12)
QUESTIONS = SUMS.questions()
NASTY = "<script>alert(1)</script> | `x` </svg> \x1b[31m \u202e &amp; ]]> <img src=http://evil.example/x>"


def a_run(folder, name, system, *, shard="1/1", **other):
    """A journal of a run over the small set."""
    usual = {"system": name, "settings": {}, "model": "openai:gpt-5-mini", "seed": None, "timeout": 9.0}
    head = head_of(SUMS.name, QUESTIONS, **(usual | {"shard": shard, "concurrency": 1} | other))
    path = folder / f"{name}-{shard.replace('/', '-')}-{len(list(folder.iterdir()))}.jsonl"
    with Journal.open(path, head, Line) as journal:
        asyncio.run(run(chosen(QUESTIONS, shard=shard), system, SUMS, journal))
    return path


def judged(path, says, *, asked="solved", votes=1, against=None, **settings):
    """A journal of verdicts about another, by a judge that says this of the text it is shown."""
    head, lines = read_journal(path)
    other, others = read_journal(against) if against else (None, [])
    answers = {line.key: line.result.answer for line in others}
    given = {"votes": votes, **settings}
    ruling = judging_head(head, asked=asked, against=other, settings=given, model="openai:judge", timeout=9.0)
    into = path.with_name(f"{asked}-of-{path.name}")
    script = Script(Judgement=says, Solvability=says, Preference=says)
    catalog = SUMS.resources().catalog if asked == "solvable" else Catalog.create()
    judge = Judge(
        asked=asked,
        model=scripted(script),
        context=JudgeContext(**given),
        catalog=catalog,
        others=answers,
        against=other.system if other else "",
    )
    with Journal.open(into, ruling, Ruled) as journal:
        found = to_judge(lines, asked, answers)
        asyncio.run(each(found, judge, journal, concurrency=2, progress=lambda _: None))
    return into


def honest(question):
    return {"verdict": "unsolved" if "more" in question.text else "solved", "reason": "So it is."}


def people(*questions, solved=True, **about):
    """What people say of the answers to these questions."""
    return [Label(question=question, solved=solved, **about) for question in questions]


def table(tables, title):
    (found,) = [one for one in tables if one.title == title]
    return {row[0]: dict(zip(found.columns[1:], row[1:], strict=True)) for row in found.rows}

"""A page a question: what was asked, and for each system what it answered, called, spent and did, step by step."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from toolquiver.escaping import text
from toolquiver.evaluation.lines import Line
from toolquiver.evaluation.metrics import knows_usage
from toolquiver.evaluation.records import Question, Result
from toolquiver.evaluation.report.measured import Measured
from toolquiver.models import Usage, tokens, total_usage

_NO_ANSWER, _NO_TEXTS = "no answer", "texts were not kept: the journal has figures alone"
_BACK = {"rollback", "step_back", "back_up"}
_LONGEST = 160
_TOLD = ("thought", "chosen", "arguments", "observation", "decided", "hint", "step_answer", "call", "answer", "stopped")
_USAGE = ("calls", "prompt", "cached", "completion", "estimated")


class Places(NamedTuple):
    """Where the page of a question is, the list of every one, and the pages beside it; empty where there is none."""

    own: str
    every: str
    before: str
    after: str


def question_page(places: Places, question: Question, systems: Sequence[Measured]) -> str:
    """The page of one question, which is seen alone once a link leads to it."""
    found = [(one, line) for one in systems for line in one.lines if line.key == question.id]
    answers = "".join(_answer(one, line) for one, line in found)
    return (
        f'<article class="question" id="{places.own}">\n{_way(places)}<h2>{text(question.id)}</h2>'
        f'<p class="asked">{text(question.query)}</p>\n{_gold(question)}{answers}</article>\n'
    )


def question_row(place: str, question: Question, systems: Sequence[Measured]) -> str:
    """A question in the list of all: a link to its page, and how each system did."""
    by_key = [{line.key: line for line in one.lines} for one in systems]
    marks = [_mark(lines[question.id]) if question.id in lines else "" for lines in by_key]
    link = f'<a href="#{place}">{text(question.id)}</a>'
    cells = "".join(f"<td>{mark}</td>" for mark in marks)
    return f"<tr><td>{link}</td><td>{text(cut(question.query))}</td>{cells}</tr>\n"


def _way(places: Places) -> str:
    others = (("all questions", places.every), ("before", places.before), ("next", places.after))
    links = [f'<a href="#{place}">{said}</a>' if place else f"<span>{said}</span>" for said, place in others]
    return f"<nav>{' '.join(links)}</nav>\n"


def cut(value: str) -> str:
    """`value` on one line, not longer than a heading may be."""
    line = " ".join(value.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]} ..."


def _mark(line: Line) -> str:
    first = next((value for value in line.scores.values() if value is not None), None)
    kind = "none" if first is None else "right" if first == 1 else "wrong" if first == 0 else "partly"
    score = "" if first is None else f" {first:.2g}"
    return f'<span class="mark {kind}">{text(line.result.outcome)}{score}</span>'


def _gold(question: Question) -> str:
    known = {
        "answer": question.answer,
        "APIs": question.gold_apis,
        "path": question.gold_path,
        "plan": question.gold_plan,
        "group": question.group or None,
        **question.labels,
    }
    rows = [[key, _json(value)] for key, value in known.items() if value is not None]
    return _table(["known to be right", ""], rows) if rows else ""


def _answer(one: Measured, line: Line) -> str:
    result = line.result
    total = total_usage(result.usage)
    counted = f"{total['prompt'] + total['completion']:,} tokens in " if knows_usage(result) else ""
    spent = f"{counted}{total['calls']} model calls, " if total["calls"] else ""
    attempts = f" in {line.attempts} attempts" if line.attempts > 1 else ""
    parts = [
        f'<section class="system"><h3>{text(one.name)} {_mark(line)}</h3>',
        f"<blockquote>{text(result.answer) or f'<i>{_NO_TEXTS if line.figures else _NO_ANSWER}</i>'}</blockquote>",
        f"<p>{spent}{result.seconds:.1f} s{attempts}. {text(result.reason)}</p>",
    ]
    if result.plan:
        parts.append(f"<p>Plan: <code>{text(result.plan)}</code></p>")
    if scores := [f"{name} <b>{value:.3g}</b>" for name, value in _scored(line)]:
        parts.append(f'<p class="scores">{", ".join(scores)}</p>')
    parts += _verdicts(one, line.key)
    if result.calls:
        rows = [[call.api, _json(call.arguments), "ok" if call.ok else str(call.failure)] for call in result.calls]
        parts.append(_table(["call", "arguments", "outcome"], rows))
    return "\n".join([*parts, _trace(result.trace), _tokens(result), "</section>\n"])


def _scored(line: Line) -> list[tuple[str, float]]:
    return [(text(name), value) for name, value in line.scores.items() if value is not None]


def _verdicts(one: Measured, key: str) -> list[str]:
    found = [(verdicts.judge, ruled) for verdicts in one.verdicts for ruled in verdicts.ruled if ruled.key == key]
    return [
        f"<p>Judged by {text(model)}, {text(ruled.asked)}: <b>{text(ruled.verdict)}</b>. {text(ruled.reason)}</p>"
        for model, ruled in found
    ]


def _tokens(result: Result) -> str:
    if not (result.usage or result.simulated):
        return ""
    spent = [*result.usage.items(), ("total", total_usage(result.usage)), *result.simulated.items()]
    rows = [[role, *(f"{usage[key]:,}" for key in _USAGE)] for role, usage in spent]  # type: ignore[literal-required]
    return f"<details><summary>Tokens by role</summary>{_table(['tokens of', *_USAGE], rows)}</details>"


def _trace(trace: Sequence[Any]) -> str:
    """What happened, a line for each node; what it wrote is folded up below."""
    steps = [step for step in trace if isinstance(step, list | tuple) and len(step) == 2]  # noqa: PLR2004 - node, update
    lines = [_step(number, str(node), update) for number, (node, update) in enumerate(steps, 1)]
    return f'<div class="trace">{"".join(lines)}</div>' if lines else ""


def _step(number: int, node: str, update: Any) -> str:
    kind = "step back" if node in _BACK else "step"
    told, spent = (cut(_told(update)), _spent(update)) if isinstance(update, Mapping) else ("", "")
    whole = json.dumps(update, ensure_ascii=False, indent=1)
    return (
        f'<details class="{kind}"><summary><i>{number}</i><b>{text(node)}</b><span>{text(told)}</span><em>{spent}</em>'
        f"</summary><pre>{text(whole)}</pre></details>\n"
    )


def _spent(update: Mapping[str, Any]) -> str:
    usage = update.get("usage")
    return f"{tokens(cast('Usage', usage)):,} tokens" if isinstance(usage, Mapping) and usage else ""


def _told(update: Mapping[str, Any]) -> str:
    """What a node's update says at first sight."""
    parts = [" / ".join(map(str, _list(update, "subtasks")))]
    for call in _list(update, "calls"):
        if isinstance(call, Mapping):
            outcome = "" if call.get("ok") else f" failed: {call.get('failure')}"
            parts.append(f"{call.get('api')}({_json(call.get('arguments'))}){outcome}")
    for message in _list(update, "messages"):
        if isinstance(message, Mapping):
            called = [f"{one.get('name')}({_json(one.get('arguments'))})" for one in _list(message, "calls")]
            parts.append(" ".join([str(message.get("text", "")), *called]))
    parts += [f"{key}: {_json(update[key])}" for key in _TOLD if update.get(key)]
    return "; ".join(part for part in parts if part.strip())


def _list(update: Mapping[str, Any], key: str) -> list[Any]:
    found = update.get(key)
    return found if isinstance(found, list) else []


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{text(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(f'<td>{text(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"

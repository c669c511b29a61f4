"""A question on a page: what was asked, and for each system what it answered, called, spent and did, step by step."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from toolquiver.escaping import text
from toolquiver.evaluation.journal import Line
from toolquiver.evaluation.records import Question, Result
from toolquiver.evaluation.report.measured import Measured
from toolquiver.models import Usage, tokens, total_usage

_BACK = {"rollback", "back_up"}
_LONGEST = 160
_TOLD = ("thought", "chosen", "arguments", "observation", "decided", "hint", "step_answer", "call", "answer", "stopped")
_USAGE = ("calls", "prompt", "cached", "completion", "estimated")


def question_section(number: int, question: Question, systems: Sequence[Measured]) -> str:
    """The section of one question, closed until it is looked at."""
    found = [(one, line) for one in systems for line in one.lines if line.key == question.id]
    marks = " ".join(_mark(one.name, line) for one, line in found)
    answers = "".join(_answer(one, line) for one, line in found)
    return (
        f'<details class="question" id="q{number}"><summary><b>{text(question.id)}</b> {text(cut(question.query))} '
        f"{marks}</summary>\n<p>{text(question.query)}</p>\n{_gold(question)}{answers}</details>\n"
    )


def cut(value: str) -> str:
    """`value` on one line, not longer than a heading may be."""
    line = " ".join(value.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]} ..."


def _mark(name: str, line: Line) -> str:
    first = next((value for value in line.scores.values() if value is not None), None)
    kind = "none" if first is None else "right" if first == 1 else "wrong" if first == 0 else "partly"
    score = "" if first is None else f" {first:g}"
    return f'<span class="mark {kind}">{text(name)}: {text(line.result.outcome)}{score}</span>'


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
    parts = [
        f"<h4>{text(one.name)}</h4>",
        f"<p>{text(result.outcome)}, {result.seconds:.1f} s. {text(result.reason)}</p>",
        f"<blockquote>{text(result.answer) or '<i>no answer</i>'}</blockquote>",
    ]
    if result.plan:
        parts.append(f"<p>Plan: <code>{text(result.plan)}</code></p>")
    if line.scores:
        parts.append(_table(["score", ""], [[name, _json(value)] for name, value in line.scores.items()]))
    parts += _verdicts(one, line.key)
    if result.calls:
        rows = [[call.api, _json(call.arguments), "ok" if call.ok else str(call.failure)] for call in result.calls]
        parts.append(_table(["call", "arguments", "outcome"], rows))
    parts.append(_tokens(result))
    parts.append(_trace(result.trace))
    return "\n".join(parts)


def _verdicts(one: Measured, key: str) -> list[str]:
    found = [(verdicts.judge, ruled) for verdicts in one.verdicts for ruled in verdicts.ruled if ruled.key == key]
    return [
        f"<p>Judged by {text(model)}, {text(ruled.asked)}: <b>{text(ruled.verdict)}</b>. {text(ruled.reason)}</p>"
        for model, ruled in found
    ]


def _tokens(result: Result) -> str:
    if not result.usage:
        return ""
    spent = [*result.usage.items(), ("total", total_usage(result.usage))]
    rows = [[role, *(f"{usage[key]:,}" for key in _USAGE)] for role, usage in spent]  # type: ignore[literal-required]
    return _table(["tokens of", *_USAGE], rows)


def _trace(trace: Sequence[Any]) -> str:
    """What happened, a line for each node; what it wrote is folded up below."""
    steps = [step for step in trace if isinstance(step, list | tuple) and len(step) == 2]  # noqa: PLR2004 - node, update
    lines = [_step(str(node), update) for node, update in steps]
    return f'<div class="trace">{"".join(lines)}</div>' if lines else ""


def _step(node: str, update: Any) -> str:
    kind = "step back" if node in _BACK else "step"
    told = cut(_told(update)) if isinstance(update, Mapping) else ""
    whole = json.dumps(update, ensure_ascii=False, indent=1)
    return (
        f'<details class="{kind}"><summary><b>{text(node)}</b> {text(told)}</summary><pre>{text(whole)}</pre></details>'
    )


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
    if isinstance(usage := update.get("usage"), Mapping) and usage:
        parts.append(f"{tokens(cast('Usage', usage)):,} tokens")
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

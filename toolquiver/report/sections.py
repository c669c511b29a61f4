"""The sections of a run's page, each as HTML; empty where there is nothing to show."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import ToolMessage

from toolquiver.models import total_usage
from toolquiver.report.happened import setbacks, told
from toolquiver.report.trace import Asking, Trace
from toolquiver.report.wording import api_name, as_json, data, hidden, rows, said
from toolquiver.trees import agents_svg

Result = Mapping[str, Any]
_LONGEST_NOTE = 220
_WHOLE = 200_000  # characters of an answer
_REFUSE = "refuse"


def answer(result: Result) -> str:
    """The answer, each statement with the numbers of the calls it stands on; below, how it ended."""
    evidence = result.get("evidence") or []
    statements = "".join(f"<p>{said(one['text'], _WHOLE)} {_marks(one)}</p>" for one in evidence)
    whole = statements or f"<p>{said(result.get('answer') or 'There is no answer.', _WHOLE)}</p>"
    return f'<div class="answer">{whole}</div><p class="faint">{said(result.get("reason", ""))}</p>'


def _marks(statement: Mapping[str, Any]) -> str:
    links = "".join(_link(call + 1) for call in statement["calls"])
    return links or ('<span class="doubt">no call</span>' if statement["unsupported"] else "")


def _link(number: int) -> str:
    return f'<a class="call" href="#call-{number}">{number}</a>'


def missing(result: Result) -> str:
    """What was not answered, and what only the user could have given."""
    if "programs" not in result:
        return ""
    found = [said(gap) for gap in result.get("missing") or []]
    found += [f"<b>{said(one['name'])}</b> {said(one['why'])}" for one in result.get("unfilled") or []]
    return f"<ul>{''.join(f'<li>{one}</li>' for one in found)}</ul>" if found else ""


def programs(result: Result) -> str:
    """The programs in order, each with the calls that it made."""
    lines = []
    for number, program in enumerate(result.get("programs") or []):
        made = [place for place, call in enumerate(result.get("calls") or [], 1) if call["program"] == number]
        lines.append(rows(str(number + 1), f"<code>{said(program, _WHOLE)}</code>", " ".join(map(_link, made))))
    head = rows("", "program", "calls", tag="th")
    return f"<table>{head}{''.join(lines)}</table>" if lines else ""


def subtasks(result: Result) -> str:
    """The subtasks in order, each with what it came to; one that was tried again stands there again.

    Where the graph keeps no answer of each, the run's status is theirs.
    """
    answered = {found["question"]: found for found in result.get("known") or []}
    questions = result.get("subtasks") or []
    untold = {"solved": "known" not in result and result.get("status") == "solved", "answer": ""}
    lines = []
    for place, question in enumerate(questions):
        made = [number for number, call in enumerate(result.get("calls") or [], 1) if call["subtask"] == place]
        links = " ".join(map(_link, made))
        found = answered.get(question) or untold
        if question in questions[place + 1 :]:
            found = {"solved": False, "answer": "Not answered at first; it was tried again, see below."}
        mark = "solved" if found["solved"] else "partial"
        lines.append(rows(f'<span class="dot {mark}"></span>{said(question)}', said(found["answer"]), links))
    head = rows("question", "what it came to", "calls", tag="th")
    return f"<table>{head}{''.join(lines)}</table>" if lines else ""


def calls(result: Result, trace: Trace) -> str:
    """Every call with its arguments, and what came of it."""
    told = [step for key in ("frames", "chained", "history") for step in result.get(key) or []]
    returned = _answered(trace) | {
        _key(step): [step["observation"]]
        for step in told
        if "observation" in step and step.get("stage", "called") == "called"
    }
    lines = []
    for number, call in enumerate(result.get("calls") or [], 1):
        outcome = f'<span class="failed">{said(call["failure"])}</span> {said(call["message"], 300)}'
        if call["ok"]:
            same = [call["text"]] if "text" in call else returned.get(_key(call), [""])
            outcome = f'<span class="solved">ok</span> <code>{said(same.pop(0) if same[1:] else same[0], 300)}</code>'
        lines.append(
            rows(
                f'<a id="call-{number}">{number}</a>',
                api_name(call["api"]),
                f"<code>{as_json(call['arguments'])}</code>",
                outcome,
            )
        )
    head = rows("", "API", "arguments", "outcome", tag="th")
    return f"<table>{head}{''.join(lines)}</table>" if lines else "<p>Nothing was called.</p>"


def _answered(trace: Trace) -> dict[tuple[str, str], list[str]]:
    """What was returned where calls are answered in a conversation, in order where the same call was made again."""
    found = dict[tuple[str, str], list[str]]()
    for event in trace.events:
        made, messages = event.update.get("calls") or (), event.update.get("messages") or ()
        answers = [one for one in messages if isinstance(one, ToolMessage)]
        if len(answers) == len(made):  # else some answer what was no call of an API
            for call, one in zip(made, answers, strict=True):
                if call["ok"]:
                    found.setdefault(_key(call), []).append(str(one.text))
    return found


def _key(call: Mapping[str, Any]) -> tuple[str, str]:
    """What tells one call from another: all of its arguments, of which the page shows less."""
    return call["api"], json.dumps(call["arguments"], sort_keys=True, default=str)


def questions(trace: Trace) -> str:
    """What the user was asked, and the answer."""
    lines = [
        rows(f"{one.began:.1f} s", said(_question(one.question)), f"<code>{said(_answer(one))}</code>")
        for one in trace.asked
    ]
    head = rows("when", "the question", "the answer", tag="th")
    return f"<table>{head}{''.join(lines)}</table>" if lines else ""


def _question(question: Mapping[str, Any]) -> str:
    if "api" in question:
        return f"May {question['api']} be called with {data(question['arguments'])}?"
    whole = str(question.get("question", ""))
    asked = (
        f"{entry['name']} ({entry['type']})" + ("" if entry["why"] in whole else f": {entry['why']}")
        for entry in question.get("missing") or ()
    )
    return " ".join([whole, *asked])


def _answer(one: Asking) -> str:
    if one.answer is None:
        return "none was seen"
    if isinstance(one.answer, Mapping):
        return data(one.answer)
    names = [str(entry["name"]) for entry in one.question.get("missing") or ()]
    is_value = names and one.answer != _REFUSE
    return str(hidden(names[0], one.answer) if is_value else one.answer)


def earlier(result: Result, trace: Trace) -> str:
    """That a part of the run is not on the page, where it went on from before."""
    if not trace.goes_on:
        return ""
    whole, seen = (
        total_usage(result.get("usage") or {}),
        sum(event.tokens for event in trace.events if not event.inside),
    )
    spent = whole["prompt"] + whole["completion"]
    return (
        f'<p class="earlier">This run went on from an earlier stop. What came before is not in the path, the'
        f" timeline and the setbacks: {spent - seen:,} of the {spent:,} tokens in the ledger.</p>"
    )


def setbacks_table(trace: Trace) -> str:
    """Rollbacks, reflections and wakings, with their reasons."""
    lines = [rows(f"{one.began:.1f} s", said(one.what), said(one.why)) for one in setbacks(trace)]
    head = rows("when", "what was done", "why", tag="th")
    return f"<table>{head}{''.join(lines)}</table>" if lines else ""


def agents(result: Result, question: str) -> str:
    """The tree of the agents, where any were at work."""
    if not result.get("agents"):
        return ""
    return f'<div class="wide">{agents_svg(result["agents"], question, result.get("wakings") or ())}</div>'


def usage(result: Result) -> str:
    """The ledger by role, with bars."""
    spent = result.get("usage") or {}
    most = max((role["prompt"] + role["completion"] for role in spent.values()), default=1) or 1
    lines = [
        rows(
            said(role),
            f"{figures['calls']:,}",
            f"{figures['prompt']:,}",
            f"{figures['completion']:,}",
            _bar(0, 100 * figures["prompt"] / most, 100 * figures["completion"] / most),
        )
        for role, figures in [*spent.items()]
    ]
    total = total_usage(spent)
    sums = (f"<b>{total[key]:,}</b>" for key in ("calls", "prompt", "completion"))
    head = rows("role", "calls", "prompt", "completion", "", tag="th")
    return f'<table class="figured">{head}{"".join(lines)}{rows("<b>total</b>", *sums, "")}</table>' if lines else ""


def timeline(trace: Trace) -> str:
    """Every node's work in order, with what it came to; bars say when it was and how long it took."""
    whole = trace.seconds or 1.0
    lines = [
        rows(
            f"{event.began:.1f} s",
            f'<span style="padding-left:{len(event.inside)}em">{said(event.node)}</span>',
            _bar(100 * event.began / whole, 100 * event.seconds / whole, 0),
            f"{event.tokens:,}" if event.tokens else "",
            said(told(event), _LONGEST_NOTE),
        )
        for event in trace.events
    ]
    head = rows("at", "node", "", "tokens", "what it came to", tag="th")
    return f'<table class="timed">{head}{"".join(lines)}</table>'


def made_with(about: Mapping[str, str]) -> str:
    """The model, the catalogue and the like, a line each."""
    lines = "".join(rows(said(name), said(value)) for name, value in about.items())
    return f'<table class="made">{lines}</table>' if lines else ""


def _bar(before: float, first: float, second: float) -> str:
    """A bar of two colours; all in percent of its column."""
    return (
        f'<div class="bar"><i style="margin-left:{before:.2f}%;width:{max(first, 0.4):.2f}%"></i>'
        f'<i class="second" style="width:{second:.2f}%"></i></div>'
    )

"""The page of a run: it needs nothing from elsewhere, and may load and run nothing."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from toolquiver.models import total_usage
from toolquiver.pictures import path_svg
from toolquiver.report.sections import (
    agents,
    answer,
    calls,
    earlier,
    made_with,
    missing,
    programs,
    questions,
    setbacks_table,
    subtasks,
    timeline,
    usage,
)
from toolquiver.report.trace import Trace
from toolquiver.report.wording import said

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

_STYLE = files(__package__).joinpath("page.css")


def run_page(
    compiled: CompiledStateGraph[Any, Any, Any, Any],
    question: str,
    result: Mapping[str, Any],
    trace: Trace,
    about: Mapping[str, str] | None = None,
) -> str:
    """A run as one HTML page.

    `result` is what the graph gave, or the last whole state of a run that was stopped; `trace` took in the events of
    the run; `about` says what it was made with. All text is escaped, and the values of environment variables and of
    arguments that are named like secrets are hidden.
    """
    picture = path_svg(compiled, trace.steps, ended=_has_ended(result))
    parts = [
        ("", answer(result)),
        ("", earlier(result, trace)),
        ("What is missing", missing(result)),
        ("Programs", programs(result)),
        ("Subtasks", subtasks(result)),
        ("Calls", calls(result, trace)),
        ("What you were asked", questions(trace)),
        ("What went wrong, and what was done", setbacks_table(trace)),
        ("The path through the graph", f'<div class="wide">{picture}</div>'),
        ("Agents", agents(result, question)),
        ("Tokens by role", usage(result)),
        ("Timeline", timeline(trace)),
        ("Made with", made_with(about or {})),
    ]
    body = "".join(
        f"{f'<h2>{title}</h2>' if title else ''}\n<section>{part}</section>\n" for title, part in parts if part
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{said(question, 80)}</title>\n<style>\n{_STYLE.read_text('utf-8')}</style></head>\n"
        f"<body><h1>{said(question)}</h1>\n{_figures(result, trace)}{body}</body></html>\n"
    )


def _has_ended(result: Mapping[str, Any]) -> bool:
    """Whether the run came to its end: one that was stopped, or that waits, has no status of its own, or None."""
    return (result.get("status") or "stopped") != "stopped" and "__interrupt__" not in result


def _figures(result: Mapping[str, Any], trace: Trace) -> str:
    spent, status = total_usage(result.get("usage", {})), said(result.get("status") or "")
    figures = {
        "": f'<span class="{status}">{status}</span>',
        "seconds": f"{trace.seconds:,.1f}",
        "tokens": f"{spent['prompt'] + spent['completion']:,}",
        "model calls": f"{spent['calls']:,}",
        "tool calls": f"{len(result.get('calls', ())):,}",
    }
    if result.get("reflections"):
        figures["reflections"] = str(result["reflections"])
    told = (f"<span><b>{value}</b> {_one_or(name, value)}</span>" for name, value in figures.items())
    return f'<p class="figures">{"".join(told)}</p>'


def _one_or(name: str, value: str) -> str:
    return name.removesuffix("s") if value == "1" else name

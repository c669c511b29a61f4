"""What models are shown: the clock, tools, memories, and so much of a response as there is room for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from toolquiver.catalog import API
from toolquiver.catalog.text import shortened
from toolquiver.contexts import SmurfsContext
from toolquiver.errors import InputError
from toolquiver.nodes.run import Run
from toolquiver.nodes.smurfs.state import Made, SmurfsState, Step
from toolquiver.registration import Registration, callable_ids

_CHARACTERS = 3  # a token has at least so many in most texts
_CONTEXT = 32_000  # tokens, where the model's profile does not say
_PART = 4  # a response may take one in so many tokens of the context and of the budget
_LEAST = 500
_LINE = 400  # characters of a description in a list
_FAILURE = 300  # characters of a failure's message


def now_for(context: SmurfsContext) -> datetime:
    """The run's clock: the setting's day at noon, else the time, in the zone that is set, else the machine's.

    Raises:
        InputError: there is no such time zone.
    """
    try:
        zone = ZoneInfo(context.time_zone) if context.time_zone else datetime.now().astimezone().tzinfo
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InputError(f"There is no time zone {context.time_zone!r}. Name one such as Europe/Vienna.") from error
    if context.today:
        return datetime.combine(datetime.fromisoformat(context.today), time(12), zone)
    return datetime.now(zone)


def clock(now: str, zone: str) -> dict[str, str]:
    """The date, the weekday, the time and the zone of a run, as prompts say them."""
    moment = datetime.fromisoformat(now)
    return {
        "weekday": f"{moment:%A}",
        "date": f"{moment:%Y-%m-%d}",
        "time": f"{moment:%H:%M}",
        "zone": f"{zone} (UTC{moment:%z})",
    }


async def cut(text: str, role: str, state: SmurfsState, run: Run[SmurfsContext]) -> str:
    """The text as far as the role's model has room for it, with a mark that says how much is missing."""
    profile = (await run.model(role)).profile or {}
    context = profile.get("max_input_tokens") or _CONTEXT
    most = max(_LEAST, min(context, run.left(state)) * _CHARACTERS // _PART)
    return text if len(text) <= most else f"{text[:most]}\n[cut: {len(text) - most} more characters]"


def tool_lines(apis: Iterable[API], state: SmurfsState, context: SmurfsContext) -> list[str]:
    """The tool list: a line for each with its name, its provider and what it is for (Smurfs, 3.2).

    With registration on demand (EcoAct) a tool that was not chosen yet is listed as the setting `listing` says.
    """
    known = callable_ids(state["registered"])
    unknown = Registration(mode=context.registration, listing=context.listing)
    hidden = context.registration == "on_demand"
    return [unknown.line(api) if hidden and api.id not in known else _line(api) for api in apis]


def _line(api: API) -> str:
    return f"{api.function} ({api.tool}): {shortened(api.whole_description, _LINE)}"


async def document(api: API, run: Run[SmurfsContext]) -> str:
    """The whole documentation of an API, with its instruction where it has one, and its parameters as JSON Schema."""
    raw = await asyncio.to_thread(run.catalog.shown("raw").get, api.id)
    short = f"In short: {api.whole_description}" if api.whole_description != raw.whole_description else ""
    parameters = json.dumps(raw.parameters, ensure_ascii=False)
    heading = f"{api.function}: {raw.name} of {raw.tool} ({raw.category})"
    parts = [heading, raw.tool_description, raw.whole_description, short, f"Parameters: {parameters}"]
    return "\n".join(filter(None, parts))


def memory(steps: Sequence[Step]) -> list[dict[str, str]]:
    """Memory elements as pairs of thought and answer."""
    return [{"thought": step["thought"], "answer": step["answer"]} for step in steps]


async def failures(calls: Sequence[Made], run: Run[SmurfsContext]) -> list[str]:
    """The calls that failed, a line for each: the tool, the arguments, and why."""
    failed = [call for call in calls if not call["ok"]]
    names = {api.id: api.function for api in await run.apis([call["api"] for call in failed])}
    return [
        f"{names.get(call['api'], call['api'])}({_inputs(call['arguments'])}): {call['failure']},"
        f" {shortened(call['message'], _FAILURE)}"
        for call in failed
    ]


def _inputs(arguments: dict[str, Any]) -> str:
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())

"""The planning agent: its next program, or its answer to a request that needs no call."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, cast

from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.utils.json import parse_json_markdown

from toolquiver.catalog import API
from toolquiver.contexts import QuiverContext
from toolquiver.models import is_cut, plan_form
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.quiver import steps
from toolquiver.nodes.quiver.check import problem
from toolquiver.nodes.quiver.find import failed_before
from toolquiver.nodes.quiver.functions import OWN, Function, functions, line
from toolquiver.nodes.quiver.sight import left_for_answer, over
from toolquiver.nodes.quiver.source import assigned
from toolquiver.nodes.quiver.state import AfterPlan, Form, QuiverState
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("quiver/plan")
_FENCE = "```"
_AGAIN = 2  # times that one program runs; a third time would bring nothing new
_ENOUGH = 2  # programs that could not run, until `auto` takes steps
_WRITTEN = 50  # JSON objects that are read in a reply
_CUT = "Your reply was cut off before its end. Write a shorter program."
_EMPTY = "Your reply was empty. Reply with one Python code block, or with the answer itself."
_CANNOT_RUN = "The program was not run, and nothing was called:\n{problem}\nWrite the whole program again."


async def plan(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Write the next program; a reply without one is the answer.

    A program is checked before anything is called. What is wrong with it goes back to the planner with the line, once:
    the same program, given again, runs.
    """
    if len(state["programs"]) + state["unrunnable"] >= run.context.max_plans:
        return {"decided": "the plan ends", "reason": "The planner has used up its plans."}
    form = await _form(state, run)
    return {"form": form, "reason": "", **await (steps.step if form == "steps" else _program)(state, run)}


async def _program(state: QuiverState, run: Run[QuiverContext]) -> Update:
    apis = await run.apis(state["pool"])
    has_opening = any(message.type == "system" for message in state["messages"])
    begun: list[AnyMessage] = [] if has_opening else list(_opening(state, apis))
    message, cost = await run.turn("plan", [], [*state["messages"], *begun], state, leave=left_for_answer(state, run))
    if message is None:
        return {"messages": begun, **over(cost)}
    said, known = [*begun, message], functions(apis)
    program = program_in(str(message.text), [*known, *OWN])
    if program:
        return {**cost, **_checked(program, said, known, state)}
    if is_cut(message) or not str(message.text).replace(_FENCE, "").strip():
        told = HumanMessage(_CUT if is_cut(message) else _EMPTY)
        return {**cost, "messages": [*said, told], "unrunnable": state["unrunnable"] + 1, "decided": "cannot run"}
    ends: AfterPlan = "the plan ends" if state["calls"] else "answered at once"
    return {**cost, "messages": said, "proposed": str(message.text).strip(), "decided": ends}


def _checked(program: str, said: list[AnyMessage], known: Mapping[str, Function], state: QuiverState) -> Update:
    """The program as the next one to run, or what is wrong with it, unless it was told before."""
    if state["programs"].count(program) >= _AGAIN:
        return {"messages": said, "decided": "the plan ends", "reason": "The planner wrote the same program again."}
    wrong = problem(program, known, assigned(state["programs"]))
    before = [program_in(str(one.text), [*known, *OWN]) for one in state["messages"] if one.type == "ai"]
    if not wrong or program in before:
        return {"messages": said, "programs": [*state["programs"], program], "decided": "program written"}
    told = HumanMessage(_CANNOT_RUN.format(problem=wrong))
    return {"messages": [*said, told], "unrunnable": state["unrunnable"] + 1, "decided": "cannot run"}


async def _form(state: QuiverState, run: Run[QuiverContext]) -> Form:
    """How the planner plans: as it is set, else as the model's profile says; steps after programs that cannot run."""
    if run.context.plan_form != "auto":
        return run.context.plan_form
    if state["form"] == "steps" or state["unrunnable"] >= _ENOUGH:
        return "steps"
    return plan_form(await run.model("plan"))


def _opening(state: QuiverState, apis: list[API]) -> list[Any]:
    lines = [line(function, failed_before(state, function.api.id)) for function in functions(apis).values()]
    return _PROMPT.messages(query=state["query"], functions=lines, **clock(state))


def program_in(reply: str, known: list[str]) -> str:
    """The program in a reply: its code blocks, or all of it where it is code that calls something; "" where none.

    A call that is written down as JSON, as some models do, is a program of one call.
    """
    blocks = reply.split(_FENCE)[1::2]
    written = "\n".join(_without_language(block) for block in blocks).strip()
    if (not blocks or written.startswith("{")) and (call := _written_calls(written or reply, known)):
        return call
    if blocks:
        return written
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        tree = ast.parse(reply)
        called = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        if called & {*known, "print"}:
            return reply.strip()
    return ""


def _without_language(block: str) -> str:
    """A code block without the name of its language."""
    first, newline, rest = block.partition("\n")
    return rest if newline and (not first.strip() or first.strip().isidentifier()) else block


def _written_calls(reply: str, known: list[str]) -> str:
    """The calls in a reply that are written as JSON objects, as code; several are a list of their results."""
    calls: list[str] = []
    begins = reply.find("{")
    for first in range(_WRITTEN):
        if begins < 0:
            break
        read, ends = _object_at(reply, begins, lenient=not first)
        given = read.get("arguments", read.get("parameters", {}))
        if isinstance(given, dict) and read.get("name") in known:
            calls.append(_as_code(read["name"], given))
        begins = reply.find("{", ends)
    return f"[{', '.join(calls)}]" if len(calls) > 1 else "".join(calls)


def _object_at(text: str, begins: int, *, lenient: bool) -> tuple[dict[str, Any], int]:
    """The JSON object that begins there, and where it ends; an empty one, of one character, where there is none."""
    with suppress(ValueError, RecursionError):
        read, ends = json.JSONDecoder().raw_decode(text, begins)
        return read, ends
    whole = text[begins : text.rfind("}") + 1] if lenient else ""
    for reader in (partial(parse_json_markdown, parser=json.loads), ast.literal_eval):
        with suppress(ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            read = reader(whole)
            if isinstance(read, dict):
                return read, len(text)
    return {}, begins + 1


def _as_code(name: str, given: dict[str, Any]) -> str:
    if all(key.isidentifier() for key in given):
        return f"{name}({', '.join(f'{key}={value!r}' for key, value in given.items())})"
    return f"{name}(**{given!r})"


def after_plan(state: QuiverState) -> AfterPlan:
    """The edge that the node has decided on."""
    return cast("AfterPlan", state["decided"])

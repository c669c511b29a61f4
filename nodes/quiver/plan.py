"""The planning agent: its next program, or its answer to a request that needs no call."""

from __future__ import annotations

from collections.abc import Mapping

from langchain_core.messages import BaseMessage, HumanMessage

from toolquiver.contexts import QuiverContext
from toolquiver.models import is_cut, plan_form
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.quiver import steps
from toolquiver.nodes.quiver.sight import left_for_answer, over
from toolquiver.nodes.quiver.state import Form, QuiverState, failed_before
from toolquiver.nodes.run import Run
from toolquiver.programs import Function, functions, line, problem, program_in
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("quiver/plan")
_AGAIN = 2  # times that one program runs; a third time would bring nothing new
_ENOUGH = 2  # programs that could not run, until `auto` takes steps
_CUT = "Your reply was cut off before its end. Think less, or write a shorter program."
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


async def _form(state: QuiverState, run: Run[QuiverContext]) -> Form:
    """How the planner plans: as it is set, else as the model's profile says; steps after programs that cannot run."""
    if run.context.plan_form != "auto":
        return run.context.plan_form
    if state["form"] == "steps" or state["unrunnable"] >= _ENOUGH:
        return "steps"
    return plan_form(await run.model("plan"))


async def _program(state: QuiverState, run: Run[QuiverContext]) -> Update:
    known = functions(await run.apis(state["pool"]))
    begun: list[BaseMessage] = []
    if not any(message.type == "system" for message in state["messages"]):
        lines = [line(function, failed_before(state, function.api.id)) for function in known.values()]
        begun += _PROMPT.messages(query=state["query"], functions=lines, **clock(state))
    message, cost = await run.turn("plan", [], [*state["messages"], *begun], state, leave=left_for_answer(state, run))
    if message is None:
        return {"messages": begun, **over(cost)}
    text = str(message.text)
    update = {**cost, "messages": [*begun, message]}
    if is_cut(message) or not text.replace("```", "").strip():
        return _cannot_run(_CUT if is_cut(message) else _EMPTY, update, state)
    if program := program_in(text, known):
        return _checked(program, update, known, state)
    first = not (state["calls"] or state["lookups"] or state["reflections"])
    ends = "answered at once" if first and run.context.verification != "always" else "the plan ends"
    return update | {"proposed": text.strip(), "decided": ends}


def _checked(program: str, update: Update, known: Mapping[str, Function], state: QuiverState) -> Update:
    """The program as the next one to run, or what is wrong with it, unless it was told before."""
    if state["programs"].count(program) >= _AGAIN:
        return update | {"decided": "the plan ends", "reason": "The planner wrote the same program again."}
    before = [program_in(str(one.text), known) for one in state["messages"] if one.type == "ai"]
    wrong = problem(program, known, state["programs"])
    if wrong and program not in before:
        return _cannot_run(_CANNOT_RUN.format(problem=wrong), update, state)
    return update | {"programs": [*state["programs"], program], "decided": "program written"}


def _cannot_run(told: str, update: Update, state: QuiverState) -> Update:
    messages = [*update["messages"], HumanMessage(told)]
    return update | {"messages": messages, "unrunnable": state["unrunnable"] + 1, "decided": "cannot run"}

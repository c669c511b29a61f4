"""ReAct agent: a thought, and the call that it leads to, or the answer (anytool.txt, solver; ecoact.txt, 3)."""

from __future__ import annotations

from typing import Literal

from langchain_core.messages import AIMessage, BaseMessage

from toolquiver.catalog import API
from toolquiver.models import function_with
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.dialogue import Talking, Wish, first_wish, wishes_of
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt
from toolquiver.registration import REGISTER, UNREGISTER

ANSWER = "give_answer"
_REPEATS = 3  # turns with the same calls: then the model is going round in circles
_PROMPT = load_prompt("act")
GIVE_ANSWER = function_with(ANSWER, "End with the answer to the request.", {"answer": {"type": "string"}})


async def act(state: Talking, run: Run) -> Update:
    """Take the next turn: calls to make, or the answer.

    Text without a call is the answer too, once a tool was called: before that, a small model only says what it means to
    do. A turn with neither, one that only repeats the calls of the two before it, or no valid one at all, is the end.
    """
    apis = await run.apis(state["pool"])
    registering = run.context.registering
    functions = [*registering.functions(apis, state["registered"]), GIVE_ANSWER]
    begun = bool(state["calls"])
    message, cost = await run.turn("act", functions, conversation(state, apis, run), state, must_call=not begun)
    if message is None:
        return {"decided": "out of budget" if "stopped" in cost else "no action", "wishes": [], **cost}
    update: Update = {"turn": state["turn"] + 1, "wishes": wishes_of(message), **cost}
    said = next((wish for wish in update["wishes"] if wish["name"] == ANSWER), None)
    if said or not update["wishes"]:
        answer = str((said["arguments"] or {}).get("answer", "")) if said else str(message.text) if begun else ""
        decided = "answered" if answer.strip() else "no action"
        return update | {"wishes": [], "answer": answer.strip(), "decided": decided}
    update["messages"] = [message]
    if _repeated([*state["messages"], message]):
        return update | {"wishes": [], "decided": "repeats itself"}
    return update | {"decided": "acts" if update["turn"] < run.context.max_turns else "acts for the last time"}


def conversation(state: Talking, apis: list[API], run: Run) -> list[BaseMessage]:
    """The prompt, which stays the same from turn to turn, and all that was said since."""
    registering = run.context.registering
    prompt = _PROMPT.messages(
        query=state["query"],
        listed=registering.listed(apis),
        on_demand=registering.mode == "on_demand",
        register=REGISTER,
        unregister=UNREGISTER,
    )
    return [*prompt, *state["messages"]]


def _repeated(messages: list[BaseMessage]) -> bool:
    """Whether the last turns all made the same calls."""
    turns = [_calls(wishes_of(message)) for message in messages if isinstance(message, AIMessage)][-_REPEATS:]
    return len(turns) == _REPEATS and all(turn == turns[0] for turn in turns)


def _calls(wishes: list[Wish]) -> list[tuple[str, object]]:
    return [(wish["name"], wish["arguments"]) for wish in wishes]


def after_act(state: Talking) -> Literal["registers", "calls", "ends"]:
    """An answer, or a turn that leads nowhere, is the end."""
    return first_wish(state) if state["wishes"] and not state["stopped"] else "ends"

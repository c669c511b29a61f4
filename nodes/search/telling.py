"""Why a try failed, as agents of the search are told it (AnyTool, 4.3)."""

from __future__ import annotations

from langchain_core.messages import AnyMessage, HumanMessage

from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("reflect")


def told(reason: str) -> AnyMessage:
    """What an agent is told of a try that failed."""
    _, said = _PROMPT.messages(reason=reason)
    return HumanMessage(str(said.text))

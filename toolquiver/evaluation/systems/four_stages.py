"""The four stages that EasyTool is measured in: planning, retrieval, selection, execution with retries (3.1).

They are the Smurfs graph without all that came later: no thoughts, no formulas, no reading page by page, no lookups, no
digests, no verifier, no further steps. The planner splits the request, search gives the `top_k` tools of each subtask,
one is selected and its parameters are prepared, and when the call fails, the next selection is made among the others,
up to `max_calls` (R) calls. What Smurfs keeps: before a subtask that may not be needed, the query is tried with what is
known.
"""

from __future__ import annotations

from pydantic import JsonValue

FOUR_STAGES = "four-stages"
STAGES: dict[str, JsonValue] = {
    "planner": True,
    "expansion": False,
    "thinker": False,
    "runoff": False,
    "grounding": False,
    "answerer": False,
    "verifier": False,
    "tool_check": False,
    "feeding": False,
    "formulas": False,
    "pages": False,
    "lookups": 0,
    "max_steps": 1,
}
"""The settings under which the Smurfs graph has these four stages and no more; limits stay as they are."""

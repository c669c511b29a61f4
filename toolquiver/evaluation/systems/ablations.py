"""Quiver without one of its parts: what each of them is worth."""

from __future__ import annotations

from pydantic import JsonValue

ABLATIONS: dict[str, dict[str, JsonValue]] = {
    "quiver-no-agents": {"agents": False},
    "quiver-no-sure-search": {"search_decides": False},
    "quiver-no-planner": {"planner": False},
    "quiver-no-registration": {"registration": "all"},
    "quiver-no-chain": {"chain_missing": False},
    "quiver-no-lookups": {"lookups": 0},
    "quiver-no-rollback": {"rollback": False},
    "quiver-no-answerer": {"answerer": False},
    "quiver-no-verifier": {"verifier": False},
    "quiver-no-judge": {"judging": "never"},
    "quiver-no-reflection": {"max_reflections": 0},
    "quiver-no-expansion": {"expansion": False},
}
"""The settings that switch a part off, by the system's name. Without the judge nothing is reflected on either."""

"""Quiver without one of its parts: what each of them is worth."""

from __future__ import annotations

from pydantic import JsonValue

ABLATIONS: dict[str, dict[str, JsonValue]] = {
    "quiver-no-agents": {"agents": False},
    "quiver-no-sure-search": {"search_decides": False},
    "quiver-no-siblings": {"siblings": False},
    "quiver-no-planner": {"planner": False},
    "quiver-no-thinker": {"thinker": False},
    "quiver-no-runoff": {"runoff": False},
    "quiver-no-formulas": {"formulas": False},
    "quiver-no-pages": {"pages": False},
    "quiver-no-drafts": {"drafts": False},
    "quiver-no-grounding": {"grounding": False},
    "quiver-no-instructions": {"documentation": "condensed"},
    "quiver-no-registration": {"registration": "all"},
    "quiver-no-chain": {"chain_missing": False},
    "quiver-no-lookups": {"lookups": 0},
    "quiver-no-rollback": {"rollback": False},
    "quiver-no-answerer": {"answerer": False},
    "quiver-no-verifier": {"verifier": False},
    "quiver-no-judge": {"judging": "never"},
    "quiver-no-reflection": {"max_reflections": 0},
    "quiver-no-reactivation": {"reactivated": "none"},
    "quiver-no-expansion": {"expansion": False},
}
"""The settings that switch a part off, by the system's name. Without the judge nothing is reflected on either.

`quiver-no-instructions` shows models none; search, whose index is one for all settings, still finds by their words.
"""

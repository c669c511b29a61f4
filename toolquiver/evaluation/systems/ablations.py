"""Quiver without one of its parts: what each of them is worth."""

from __future__ import annotations

from pydantic import JsonValue

ABLATIONS: dict[str, dict[str, JsonValue]] = {
    "quiver-no-programs": {"plan_form": "steps"},
    "quiver-no-agents": {"agents": False},
    "quiver-no-verifier": {"verification": "never"},
    "quiver-no-reflection": {"max_reflections": 0},
    "quiver-no-instructions": {"documentation": "condensed"},
}
"""The settings that switch a part off, by the system's name.

`quiver-no-programs` plans one call at a time. `quiver-no-reflection` wakes no agents either. `quiver-no-instructions`
shows models none; search still finds APIs by their words.
"""

"""Graphs under settings that make a system of their own: quiver without a part, EcoAct under both solvers."""

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

ECOACT: dict[str, tuple[str, dict[str, JsonValue]]] = {
    f"{solver}-ecoact": (solver, {"registration": "on_demand", "catalogue_functions": False})
    for solver in ("react", "dfsdt")
}
"""EcoAct's runs: the graph under each, and the settings that make them. Its paper gives them `ECOACT_STEPS` steps."""
ECOACT_STEPS = 24

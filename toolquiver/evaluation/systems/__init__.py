"""Systems by name: our graphs, baselines in the same harness, and the agents that users bring."""

from toolquiver.evaluation.systems.named import settings_kind, system_named, system_names

__all__ = ["settings_kind", "system_named", "system_names"]

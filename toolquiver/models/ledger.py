"""The token ledger: what each role has spent, small enough to live in a graph's state."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from typing_extensions import TypedDict

if TYPE_CHECKING:
    from langchain_core.messages.ai import UsageMetadata


class RoleUsage(TypedDict):
    """What one role has spent, in tokens but for `calls` (model calls).

    `cached` is the part of `prompt` that the provider says it had cached, 0 where it says nothing. `estimated`
    is the part of `prompt + completion` that was counted here because the provider reported nothing.
    """

    calls: int
    prompt: int
    completion: int
    cached: int
    estimated: int


Usage = dict[str, RoleUsage]
"""What a run has spent, by role."""


@dataclass
class Meter:
    """What is spent while several questions are asked in a row; it can be read when they were cancelled.

    A question in progress stands in it with its prompt: more is not known of what it costs.
    """

    spent: Usage = field(default_factory=dict)


def add_usage(left: Usage | None, right: Usage | None) -> Usage:
    """The reducer: both summed by role."""
    total = dict(left or {})
    for role, spent in (right or {}).items():
        total[role] = _sum(total[role], spent) if role in total else spent
    return total


def usage_since(before: Usage, after: Usage) -> Usage:
    """What was spent between two ledgers of one run, by role."""
    none = RoleUsage(calls=0, prompt=0, completion=0, cached=0, estimated=0)
    spent = {role: _less(figures, before.get(role, none)) for role, figures in after.items()}
    return {role: figures for role, figures in spent.items() if figures["calls"]}


def total_usage(usage: Usage) -> RoleUsage:
    """All roles together."""
    total = RoleUsage(calls=0, prompt=0, completion=0, cached=0, estimated=0)
    for spent in usage.values():
        total = _sum(total, spent)
    return total


def tokens(usage: Usage) -> int:
    """Prompt and completion tokens of all roles."""
    total = total_usage(usage)
    return total["prompt"] + total["completion"]


def reported(role: str, figures: UsageMetadata) -> Usage:
    """What one model call cost by the provider's figures.

    Some count what a model thinks in the total alone, so that the completion is what the total has beside the prompt.
    """
    cached = figures.get("input_token_details", {}).get("cache_read") or 0
    prompt = figures["input_tokens"] or 0
    completion = max(figures["output_tokens"] or 0, figures["total_tokens"] - prompt)
    return {role: RoleUsage(calls=1, prompt=prompt, completion=completion, cached=cached, estimated=0)}


def estimated(role: str, *, prompt: int, completion: int) -> Usage:
    """What one model call cost by our own count, where the provider has no figures."""
    counted = prompt + completion
    return {role: RoleUsage(calls=1, prompt=prompt, completion=completion, cached=0, estimated=counted)}


def _sum(left: RoleUsage, right: RoleUsage) -> RoleUsage:
    return RoleUsage(
        calls=left["calls"] + right["calls"],
        prompt=left["prompt"] + right["prompt"],
        completion=left["completion"] + right["completion"],
        cached=left["cached"] + right["cached"],
        estimated=left["estimated"] + right["estimated"],
    )


def _less(left: RoleUsage, right: RoleUsage) -> RoleUsage:
    return RoleUsage(
        calls=left["calls"] - right["calls"],
        prompt=left["prompt"] - right["prompt"],
        completion=left["completion"] - right["completion"],
        cached=left["cached"] - right["cached"],
        estimated=left["estimated"] - right["estimated"],
    )

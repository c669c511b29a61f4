"""What a run was made with: the model, the catalogue, the date, and the settings that are not the usual ones."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import Any

from toolquiver.context import Context
from toolquiver.report.wording import data

_SAID_APART = ("model", "catalog")


def about_run(
    context: Context, *, graph: str, catalog: str, model: str = "", began: datetime | None = None
) -> dict[str, str]:
    """What stands on a run's page about it, by what it is; `model` where another one is bound than `context` names."""
    usual = type(context)()
    other: dict[str, Any] = {
        setting.name: value
        for setting in fields(context)
        if setting.name not in _SAID_APART and (value := getattr(context, setting.name)) != getattr(usual, setting.name)
    }
    return {
        "graph": graph,
        "model": model or context.model,
        "catalogue": catalog,
        "began": f"{began or datetime.now().astimezone():%Y-%m-%d %H:%M %Z}",
        "settings": ", ".join(f"{name}={data(value)}" for name, value in other.items()) or "the usual ones",
    }

"""The chat models inside another, as one with tags, bound arguments or fallbacks has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_core.runnables import RunnableBinding, RunnableWithFallbacks

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


def bare(model: BaseChatModel) -> BaseChatModel:
    """The model itself, whose class and fields say what it can do; of several the one that is asked first."""
    return members(model)[0]


def members(model: BaseChatModel) -> list[BaseChatModel]:
    """The models themselves: the one that is asked first, and its fallbacks."""
    within: Any = model
    while isinstance(within, RunnableBinding):
        within = within.bound
    several: list[Any] = list(within.runnables) if isinstance(within, RunnableWithFallbacks) else []
    return [one for each in several for one in members(each)] or [within]

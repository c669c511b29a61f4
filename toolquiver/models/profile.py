"""What a model can do, and so how it is asked."""

from __future__ import annotations

from typing import Literal, cast, get_args

from langchain_core.language_models import BaseChatModel

from toolquiver.models.bare import bare
from toolquiver.models.openai_classes import of_openai

Method = Literal["json_schema", "function_calling", "prompt"]
"""How a decision is constrained: by the provider's schema, by a forced tool call, or by asking nicely."""

PlanForm = Literal["program", "steps"]
"""How a planner plans: a program of several calls, or one call a step."""

Form = Literal["native", "written"]
"""How an agent calls functions: by the provider's tool calling, or by a decision that is written down as JSON."""


def decision_method(model: BaseChatModel) -> Method:
    """The firmest way `model` has, by its LangChain profile; by its class where the profile says nothing."""
    profile = model.profile or {}
    if profile.get("structured_output"):
        return "json_schema"
    if profile.get("tool_calling"):
        return "function_calling"
    if "tool_calling" in profile:
        return "prompt"
    # A server that speaks OpenAI's protocol, with a model of its own, and Ollama, which cannot be made to call.
    own = bare(model)
    if of_openai(own) or "num_predict" in type(own).model_fields:
        return "json_schema"
    return "function_calling" if _calls(own) else "prompt"


def plan_form(model: BaseChatModel) -> PlanForm:
    """How `model` plans for quiver: a program, unless `plan_form` in its profile, or its own attribute, says steps."""
    said = (model.profile or {}).get("plan_form", getattr(model, "plan_form", None))
    return "steps" if said == "steps" else "program"


def reads_schemas(model: BaseChatModel) -> bool:
    """Whether a schema that goes beside the messages is a part of the prompt, as providers count it.

    A model may say otherwise itself, by an attribute `reads_schemas`, as the local one does: to its server a schema is
    a grammar that bounds the answer.
    """
    return getattr(model, "reads_schemas", True) is not False


def takes_orders_whole(model: BaseChatModel) -> bool:
    """Whether `model` does an order better as it is than as the questions that it makes of one.

    A model may say so itself, by an attribute `takes_orders_whole`, as the local one does.
    """
    return getattr(model, "takes_orders_whole", False) is True


def action_form(model: BaseChatModel) -> Form:
    """How `model` calls functions best: natively where its profile or class knows tool calls, else in writing.

    A model may say so itself, by an attribute `action_form`, as the local one does.
    """
    own = getattr(model, "action_form", None)
    if own in get_args(Form):
        return cast("Form", own)
    profile = model.profile or {}
    if "tool_calling" in profile:
        return "native" if profile["tool_calling"] else "written"
    return "native" if _calls(bare(model)) else "written"


def _calls(model: BaseChatModel) -> bool:
    return type(model).bind_tools is not BaseChatModel.bind_tools

"""Chat models, decisions and the token ledger."""

from toolquiver.models.asking import is_cut
from toolquiver.models.decide import AnswerRefused, Decision, InvalidDecision, decide
from toolquiver.models.functions import Function, function_with
from toolquiver.models.ledger import Meter, RoleUsage, Usage, add_usage, tokens, total_usage, usage_since
from toolquiver.models.load import load_model, model_named
from toolquiver.models.profile import (
    Form,
    Method,
    action_form,
    decision_method,
    plan_form,
    takes_orders_whole,
)
from toolquiver.models.scripted import ScriptedModel, scripted
from toolquiver.models.shaped import shaped
from toolquiver.models.turn import Turn, take_turn

__all__ = [
    "AnswerRefused",
    "Decision",
    "Form",
    "Function",
    "InvalidDecision",
    "Meter",
    "Method",
    "RoleUsage",
    "ScriptedModel",
    "Turn",
    "Usage",
    "action_form",
    "add_usage",
    "decide",
    "decision_method",
    "function_with",
    "is_cut",
    "load_model",
    "model_named",
    "plan_form",
    "scripted",
    "shaped",
    "take_turn",
    "takes_orders_whole",
    "tokens",
    "total_usage",
    "usage_since",
]

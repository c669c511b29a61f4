"""Chat models, decisions and the token ledger."""

from toolquiver.models.decide import Decision, InvalidDecision, decide
from toolquiver.models.ledger import RoleUsage, Usage, add_usage, tokens, total_usage
from toolquiver.models.load import load_model, model_named
from toolquiver.models.profile import Method, decision_method
from toolquiver.models.scripted import ScriptedModel, scripted

__all__ = [
    "Decision",
    "InvalidDecision",
    "Method",
    "RoleUsage",
    "ScriptedModel",
    "Usage",
    "add_usage",
    "decide",
    "decision_method",
    "load_model",
    "model_named",
    "scripted",
    "tokens",
    "total_usage",
]

"""Evaluation: data sets, systems, metrics and reports."""

from toolquiver.evaluation.records import Called, DataSet, Metric, Outcome, Question, Resources, Result, System

__all__ = ["Called", "DataSet", "Metric", "Outcome", "Question", "Resources", "Result", "System"]

"""The candidates of a question for systems that search nothing themselves."""

from __future__ import annotations

from toolquiver.catalog import API
from toolquiver.context import Context
from toolquiver.evaluation.records import Question, Resources


def candidates_of(question: Question, resources: Resources, context: Context) -> list[API]:
    """The APIs that the question gives, else the `top_k` best of search."""
    catalog = resources.catalog.shown(context.documentation)
    if question.candidates is None:
        return [hit.api for hit in catalog.search(question.query, context.top_k)]
    return [catalog.get(api_id) for api_id in question.candidates]

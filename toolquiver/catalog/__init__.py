"""The catalogue: APIs in tools in categories, stored and searchable."""

from toolquiver.catalog.explaining import Explanation
from toolquiver.catalog.records import API, ApiId, Category, JsonSchema, Parameter, Tool, api_id
from toolquiver.catalog.search import Hit
from toolquiver.catalog.sources import Source
from toolquiver.catalog.store import Catalog
from toolquiver.catalog.sync import Difference

__all__ = [
    "API",
    "ApiId",
    "Catalog",
    "Category",
    "Difference",
    "Explanation",
    "Hit",
    "JsonSchema",
    "Parameter",
    "Source",
    "Tool",
    "api_id",
]

"""The catalogue: APIs in tools in categories, stored and searchable."""

from toolquiver.catalog.records import API, ApiId, Category, JsonSchema, Parameter, Tool, api_id
from toolquiver.catalog.search import Hit
from toolquiver.catalog.store import Catalog

__all__ = ["API", "ApiId", "Catalog", "Category", "Hit", "JsonSchema", "Parameter", "Tool", "api_id"]

"""toolquiver: answer questions with thousands of APIs, on LangGraph."""

from importlib.metadata import version

from toolquiver.catalog import API, Catalog
from toolquiver.context import Context
from toolquiver.errors import ToolquiverError

__all__ = ["API", "Catalog", "Context", "ToolquiverError", "__version__"]

__version__ = version("toolquiver")

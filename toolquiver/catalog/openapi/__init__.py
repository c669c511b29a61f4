"""OpenAPI documents, versions 2.0 to 3.2, as APIs of the catalogue."""

from toolquiver.catalog.openapi.document import Document, Operation
from toolquiver.catalog.openapi.fetch import document_uri, is_url
from toolquiver.catalog.openapi.settings import Settings

__all__ = ["Document", "Operation", "Settings", "document_uri", "is_url"]

"""What toolquiver raises to its users where what they give, or what it works with, cannot be used.

    ToolquiverError
    ├── CatalogError            a catalogue file or record that cannot be used
    ├── ModelError              a model that cannot be used
    │   ├── UnknownModel        no such provider or model name
    │   ├── MissingKey          a hosted model without its key in the environment
    │   ├── ModelUnreachable    nothing answers at the model's address
    │   ├── ContextExceeded     what the model is to read does not fit into its context
    │   ├── PromptRefused       the model's provider refuses a prompt for what it says
    │   └── ModelFileError      the local model's file cannot be fetched or is not the right one
    ├── DecisionError           a model gave no valid decision, asked twice
    ├── BudgetExceeded          the token budget does not suffice for the next model call
    ├── RecordingError          a file of recorded calls that cannot be used
    └── InputError              a question or a setting that cannot be used

Each message says what is wrong and what to do next. Those that a run can end in are a `ValueError` or a
`RuntimeError` as well: LangGraph's server shows only the messages of built-in errors.

Slips of a program are errors of Python or Pydantic: a setting or argument that there is not, and a resource of another
kind, are a `TypeError`; a record that lacks a field, as `API(id="x")` does, is Pydantic's `ValidationError`; a prompt
that no file has is a `FileNotFoundError`.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "BudgetExceeded",
    "CatalogError",
    "ContextExceeded",
    "DecisionError",
    "InputError",
    "MissingKey",
    "ModelError",
    "ModelFileError",
    "ModelUnreachable",
    "PromptRefused",
    "RecordingError",
    "ToolquiverError",
    "UnknownModel",
]


class ToolquiverError(Exception):
    """Base of every error toolquiver raises; its text is written for the user."""


class CatalogError(ToolquiverError):
    """A catalogue file or record cannot be used."""


class ModelError(ToolquiverError, RuntimeError):
    """A model cannot be used."""


class UnknownModel(ModelError):
    """No provider or model goes by this name."""


class MissingKey(ModelError):
    """A hosted model's key is not in the environment."""


class ModelUnreachable(ModelError):
    """Nothing answers at the model's address."""


class ContextExceeded(ModelError):
    """What a model is to read does not fit into its context."""


class PromptRefused(ModelError):
    """The provider of a model refuses a prompt for what it says, as a filter of contents does."""


class ModelFileError(ModelError):
    """The local model's file cannot be fetched, or is not the right file."""


class DecisionError(ToolquiverError):
    """A model gave no valid decision, although it was asked again with the error."""


class BudgetExceeded(ToolquiverError):
    """The token budget does not suffice for a model call: it was not made, or the model only thought.

    `usage` is what that cost, by role.
    """

    def __init__(self, message: str, usage: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.usage: dict[str, Any] = usage or {}


class RecordingError(ToolquiverError):
    """A file of recorded calls cannot be used."""


class InputError(ToolquiverError, ValueError):
    """A question or a setting cannot be used."""

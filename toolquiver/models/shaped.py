"""Decision types whose JSON Schema is made for one call, and which check more than a schema can say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic import BaseModel, model_validator

if TYPE_CHECKING:
    from toolquiver.catalog import JsonSchema

T = TypeVar("T", bound=BaseModel)


def shaped(base: type[T], schema: JsonSchema, wrong: Callable[[T], Sequence[str]]) -> type[T]:
    """`base` under its own name with this schema; a value that `wrong` says anything about is no valid one."""

    class Shaped(base):  # type: ignore[valid-type,misc]
        @model_validator(mode="after")
        def _fits(self) -> Shaped:
            if said := wrong(self):
                raise ValueError(" ".join(said))
            return self

        @classmethod
        def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
            return schema  # Pydantic's own way refuses a `$ref` that it did not make

    Shaped.__name__ = base.__name__
    return cast("type[T]", Shaped)

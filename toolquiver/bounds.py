"""What the settings of a run may be: their choices, and the values below and above which they make no sense."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from functools import lru_cache
from numbers import Integral
from operator import index
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

from pydantic import AfterValidator, ConfigDict, TypeAdapter, ValidationError, with_config
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from toolquiver.errors import InputError

if TYPE_CHECKING:
    from toolquiver.context import Context

DecisionMethod = Literal["auto", "json_schema", "function_calling", "prompt"]
ActionForm = Literal["auto", "native", "written"]
Unsure = Literal["solved", "unsolved"]
CompletionMode = Literal["at_once", "one_by_one", "three_step"]
Retriever = Literal["hierarchy", "flat", "plain", "embedding"]
PlanForm = Literal["auto", "program", "steps"]
Verification = Literal["in_doubt", "always", "never"]
PlainDetail = Literal["names", "descriptions", "details"]
Solver = Literal["dfsdt", "react"]
Examples = Literal["never", "reading", "all"]
DocumentForm = Literal["raw", "condensed"]
Reactivated = Literal["none", "tools", "categories", "all"]


def _as_a_day(text: str) -> str:
    """A day as the settings have it, or nothing.

    Raises:
        PydanticCustomError: it is another text.
    """
    with suppress(ValueError):
        if not text or str(date.fromisoformat(text)) == text:
            return text
    raise PydanticCustomError("day", "Input should be a day, YYYY-MM-DD")  # worded as Pydantic's own are


Day = Annotated[str, AfterValidator(_as_a_day)]
"""A date as the settings have it, or nothing."""
MOST = {
    "branches": 100,
    "max_depth": 1_000,
    "votes": 99,
    "tools_per_agent": 64,
    "parallel_agents": 1_000,
    "max_reflections": 100,
    "max_calls": 1_000,
    "max_plans": 200,
    "max_repairs": 10,
    "call_timeout": 3_600,
    "call_retries": 10,
}
"""Above these nothing gets better, or a form was filled in by mistake."""
_WORDS = {
    "greater_than_equal": "at least {ge:,}",
    "greater_than": "more than {gt:g}",
    "less_than_equal": "at most {le:,g}",
    "literal_error": "{expected}",
}
"""What a setting must be, by the kind of Pydantic's error."""


_SWITCHES = {"planner": "plan", "verifier": "verify", "answerer": "answer"}
"""Settings that switch a role, which is called otherwise."""


def check(settings: Context) -> None:
    """Check the settings by their own types and bounds.

    Raises:
        InputError: one is not of its type, below its least sensible value, above its greatest, or no choice has this
            name.
    """
    try:
        _checker(type(settings)).validate_python(_plain(settings), strict=True)  # type: ignore[arg-type]
    except ValidationError as error:
        wrong = error.errors()[0]
        name = wrong["loc"][0]
        said = _WORDS.get(wrong["type"], "").format(**wrong.get("ctx", {}))
        must = said or wrong["msg"].removeprefix("Input should be ")
        raise InputError(f"{name} is {getattr(settings, str(name))!r}; it must be {must}.") from error
    check_roles(settings.role_models)


def check_roles(roles: Iterable[str]) -> None:
    """Refuse the name of a setting where that of a role is wanted; nodes of one's own have roles of their own.

    Raises:
        InputError: a role is called otherwise.
    """
    for role in roles:
        if role in _SWITCHES:
            raise InputError(f"{role!r} is a setting; the role is called {_SWITCHES[role]!r}. Name that one.")


@lru_cache
def _checker(kind: type) -> TypeAdapter[Any]:
    """A settings class cannot check itself: that would make it again, and so check it again."""
    shape = TypedDict("Settings", get_type_hints(kind, include_extras=True))  # type: ignore[misc]
    return TypeAdapter(with_config(ConfigDict(arbitrary_types_allowed=True))(shape))


def _plain(settings: Context) -> dict[str, Any]:
    """The settings by name, whole numbers of NumPy and the like as Python's."""
    return {
        name: index(value) if isinstance(value, Integral) and not isinstance(value, bool) else value
        for name, value in vars(settings).items()
    }

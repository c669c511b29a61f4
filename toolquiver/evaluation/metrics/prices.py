"""What model calls cost, by a table of prices."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from toolquiver.errors import InputError
from toolquiver.models import RoleUsage, Usage

_TABLE = Path(__file__).with_name("prices.toml")
_TOKENS = 1_000_000


class Price(BaseModel):
    """What a model costs in US dollars a million tokens, who says so and as of when.

    `cached` is the price of prompt tokens that the provider had cached.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float = Field(ge=0)
    cached: float = Field(ge=0)
    output: float = Field(ge=0)
    source: str
    dated: date

    def of(self, spent: RoleUsage) -> float:
        """The US dollars that these tokens cost."""
        fresh = spent["prompt"] - spent["cached"]
        return (fresh * self.input + spent["cached"] * self.cached + spent["completion"] * self.output) / _TOKENS


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    models: dict[str, Price]


@cache
def load_prices(path: Path = _TABLE) -> Mapping[str, Price]:
    """The prices of a TOML file by the model's name, such as `openai:gpt-5-mini`; without one those that come along.

    Raises:
        InputError: the file cannot be read, or an entry is no price; the message names it.
    """
    try:
        return _File.model_validate(tomllib.loads(path.read_text("utf-8"))).models
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"The prices in {str(path)!r} cannot be read: {error}. Check the file.") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{str(path)!r}: {place}: {first['msg']}. Correct it there.") from error


def cost(
    usage: Usage, model: str, *, role_models: Mapping[str, str] | None = None, prices: Mapping[str, Price] | None = None
) -> float | None:
    """US dollars for what a run has spent; None where a model that was used has no price.

    Our own reckoning: a provider's list prices by token, whose source the table names. `model` and those of single
    roles are named as in `Context`. Writing to a provider's cache, which some charge for,
    is not in the ledger and not counted.
    """
    known = load_prices() if prices is None else prices
    found = [(known.get((role_models or {}).get(role, model)), spent) for role, spent in usage.items()]
    costs = [price.of(spent) for price, spent in found if price is not None]
    return sum(costs) if len(costs) == len(found) else None

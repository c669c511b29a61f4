"""The states of the United States of America."""

from typing import Annotated

import us
from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

CATEGORY = "Geography"
TOOL = "US States"

NameOrCode = Annotated[str, Field(description="name, postal abbreviation or FIPS code of the state")]


class State(TypedDict):
    """A state."""

    name: str
    abbreviation: str
    fips: str
    capital: str | None
    statehood_year: int | None
    timezones: list[str]


class StateCapital(TypedDict):
    """The capital of a state."""

    state: str
    capital: str


def _state(text: str) -> us.states.State:
    wanted = text.strip().casefold()
    for state in us.STATES_AND_TERRITORIES:
        if wanted in (state.name.casefold(), state.abbr.casefold(), state.fips):
            return state
    raise ToolException(f"{text!r} is not a state of the United States")


def us_state(state: NameOrCode) -> State:
    """Abbreviation, FIPS code, capital, year of statehood and time zones of a US state or territory."""
    found = _state(state)
    return {
        "name": found.name,
        "abbreviation": found.abbr,
        "fips": found.fips or "",
        "capital": found.capital,
        "statehood_year": found.statehood_year,
        "timezones": found.time_zones,
    }


def us_state_capital(state: str) -> StateCapital:
    """State capital."""
    found = _state(state)
    if not found.capital:
        raise ToolException(f"{found.name} has no capital")
    return {"state": found.name, "capital": found.capital}


def stateOfCapital(city: str) -> StateCapital:
    """Of which US state is this city the capital?"""
    for state in us.STATES:
        if (state.capital or "").casefold() == city.strip().casefold():
            return {"state": state.name, "capital": state.capital or ""}
    raise ToolException(f"{city!r} is not the capital of a state")


def us_states_admitted(first_year: int, last_year: Annotated[int, Field(description="included")]) -> list[str]:
    """States that joined the Union in a span of years, the earliest first."""
    joined = [(state.statehood_year or 0, state.name) for state in us.STATES]
    return [name for year, name in sorted(joined) if first_year <= year <= last_year]


APIS = [us_state, us_state_capital, stateOfCapital, us_states_admitted]

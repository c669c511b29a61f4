"""A place's time zone goes along with its coordinates: without it a time is in UTC, and told as the place's own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolquiver.calling.arguments import misfits
from toolquiver.catalog import API
from toolquiver.nodes.chain.frames import Frame
from toolquiver.nodes.chain.values import Part, beside

_ZONES = {"timezone", "tz"}
_OTHERWISE = re.compile(r"\b(?:UTC|GMT|Zulu)\b", re.IGNORECASE)


def zone_along(places: Sequence[Part], observation: str, frame: Frame, api: API, said: str) -> dict[str, str]:
    """The time zone beside the values that the call of the frame takes of an output, for its optional input of it.

    Nothing where the call has one already, or is to be in UTC by what was `said`.
    """
    if _OTHERWISE.search(said):
        return {}
    given = frame["arguments"].keys() | frame["takes"].keys() | frame["wanted"].keys()
    open_ones = [p for p in api.parameter_list() if not p.required and _is_zone(p.name) and p.name not in given]
    fields = [field for place in places for field in beside(place, observation).items()]
    zones = [value for name, value in fields if _is_zone(name) and isinstance(value, str) and value]
    return {p.name: zone for p in open_ones for zone in zones[:1] if not misfits(p.whole_schema, zone)}


def _is_zone(name: str) -> bool:
    return re.sub(r"[\W_]", "", name).lower() in _ZONES

"""When two names of fields and parameters are one: `lat` and `latitude1`."""

from __future__ import annotations

import re
from functools import lru_cache

from toolquiver.catalog.records import slug

_SHORTEST_STEM = 3  # `lat` is short for `latitude`, but `n` is not for `number`


def same(left: str, right: str) -> bool:
    """`lat` is `latitude`, but `lon` is not the `long_count`. Both are stems."""
    short, long = sorted((left, right), key=len)
    return short == long or (len(short) >= _SHORTEST_STEM and "_" not in long and long.startswith(short))


@lru_cache(maxsize=50_000)
def stem(name: str) -> str:
    """A field's name without the number that tells the first from the second."""
    return re.sub(r"_?\d+$", "", slug(name))

"""What can feed what: the APIs whose output holds the arguments that another API needs."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from toolquiver.catalog.records import API, JsonSchema, slug
from toolquiver.catalog.rows import Row

_SHORTEST_STEM = 3  # `lat` is short for `latitude`, but `n` is not for `number`
_LEAST_FED = 2  # one field of a common name (`name`, `date`, `code`) says nothing; two together do


def output_fields(schema: JsonSchema | None) -> list[str]:
    """The names of what an API returns: the fields of its object, or of the objects in its list."""
    if schema is None:
        return []
    if schema.get("type") == "array":
        return output_fields(schema.get("items"))
    return list(schema.get("properties", {}))


def index_outputs(connection: sqlite3.Connection, placed: Iterable[Row]) -> None:
    """Remember which fields these APIs return."""
    connection.executemany(
        "INSERT INTO output (field, api) VALUES (?, ?)",
        (
            (field, row.key)
            for row in placed
            for field in sorted({_stem(name) for name in output_fields(row.api.output)})
        ),
    )


def returns(api: API, parameter: str) -> bool:
    """Whether an API returns something by the name of this parameter, and does not need it itself."""
    field = _stem(parameter)
    needed = any(p.required and _same(_stem(p.name), field) for p in api.parameter_list())
    return not needed and any(_same(_stem(name), field) for name in output_fields(api.output))


def producers(connection: sqlite3.Connection, consumers: Sequence[API]) -> list[int]:
    """The keys of the APIs that return at least two of the arguments which a consumer requires.

    Those that feed the most come first. An API that needs such an argument itself is no producer of it.
    """
    fed: Counter[int] = Counter()
    for api in consumers:
        needed = {_stem(p.name) for p in api.parameter_list() if p.required and "enum" not in p.schema_}
        counts = Counter(key for field in needed for key in _returning(connection, field))
        fed |= Counter({key: count for key, count in counts.items() if count >= _LEAST_FED})
    return [key for key, _ in sorted(fed.items(), key=lambda item: (-item[1], item[0]))]


def _returning(connection: sqlite3.Connection, field: str) -> list[int]:
    """The APIs that return this field, under this name or a longer or shorter form, and do not require it."""
    rows = connection.execute(
        "SELECT DISTINCT output.field, output.api, api.parameters FROM output JOIN api ON api.key = output.api"
        " WHERE output.field LIKE ?1 || '%' OR ?1 LIKE output.field || '%'",
        (field,),
    )
    return [
        row["api"]
        for row in rows
        if _same(row["field"], field)
        and not any(_same(_stem(name), field) for name in json.loads(row["parameters"]).get("required", ()))
    ]


def _same(left: str, right: str) -> bool:
    """`lat` is `latitude`, but `lon` is not the `long_count`."""
    short, long = sorted((left, right), key=len)
    return short == long or (len(short) >= _SHORTEST_STEM and "_" not in long and long.startswith(short))


def _stem(name: str) -> str:
    """A field's name without the number that tells the first from the second."""
    return re.sub(r"_?\d+$", "", slug(name))

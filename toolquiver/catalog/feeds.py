"""What can feed what: the APIs whose output holds the arguments that another API needs.

The relation is kept with the catalogue: which fields an API returns is indexed when it is stored, so that the producers
of a parameter are found by its name among any number of APIs. `fits` says how well each fits.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from toolquiver.catalog import rows
from toolquiver.catalog.field_names import same, stem
from toolquiver.catalog.fits import LOOSE, Feeding, Fit, feeding, of_its_tool
from toolquiver.catalog.outputs import fields_of
from toolquiver.catalog.records import API, JsonSchema, Parameter, without_null
from toolquiver.catalog.rows import Row
from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import content_words

_LEAST_FED = 2  # one field of a common name (`name`, `date`, `code`) says nothing; two together do
_MOST_LOOKED_AT = 300  # APIs that return a field of the name: those of the consumer's own tool and category first
_TELLING = 2  # words: `code` says of what only with the name of its API
_OUTER, _PART, _TOLD = 0, 1, 2  # how a field is known: by its name, by a part of it, by a description
_LONGEST_TOLD = 200  # characters of a description that are indexed
_MOST_TOLD = 100  # APIs that are looked at for their descriptions
# `currency` and `currencies` both become `currenc`, with which both begin.
_PLURAL = re.compile(r"(?<=\w\w)(?:ies|(?<![aeiou])y|(?<=[sxz])es|(?<!s)s)$")
_BOUNDS = {"start", "begin", "end", "from", "to", "until"}


def output_fields(schema: JsonSchema | bool | None) -> list[str]:
    """The names of what an API returns: the fields of its object, or of the objects in its list."""
    if not isinstance(schema, dict):  # the items of a tuple are `false`: it has no others
        return []
    schema = without_null(schema)
    if schema.get("type") == "array":
        return output_fields(schema.get("items"))
    return list(schema.get("properties", {}))


def index_outputs(connection: sqlite3.Connection, placed: Iterable[Row]) -> None:
    """Remember which fields these APIs return.

    What lies deeper, and what is a word of a field's name, is marked as a part; apart from these what only a
    description speaks of: a field's, or that of an API of which it is not known what it returns. A file that was made
    before has those of the APIs that were stored since.
    """
    connection.executemany("INSERT INTO output (field, part, api) VALUES (?, ?, ?)", _indexed(placed))


def _indexed(placed: Iterable[Row]) -> Iterable[tuple[str, int, int]]:
    for row in placed:
        outer = {stem(name) for name in output_fields(row.api.output)}
        names = set(map(stem, {field.name for field in fields_of(row.api.output)} - {""}))
        inner = names.union(*(name.split("_") for name in names)) - outer - {""}
        yield from ((field, _OUTER, row.key) for field in sorted(outer))
        yield from ((field, _PART, row.key) for field in sorted(inner))
        yield from ((word, _TOLD, row.key) for word in sorted(_told(row.api) - inner - outer))


def _told(api: API) -> set[str]:
    """The stems that say in a description what an API returns."""
    if api.output is None:
        texts = [api.name, api.description]
    else:
        texts = [str(field.schema.get("description", "")) for field in fields_of(api.output)]
    return set(stems(" ".join(text[:_LONGEST_TOLD] for text in texts))) - LOOSE


def returns(api: API, parameter: str) -> bool:
    """Whether an API returns something by the name of this parameter, and does not need it itself.

    The bounds of a span say nothing: the end of one thing is not the end of another.
    """
    field = stem(parameter)
    if field in _BOUNDS:
        return False
    needed = any(p.required and same(stem(p.name), field) for p in api.parameter_list())
    return not needed and any(same(stem(name), field) for name in output_fields(api.output))


def producers(connection: sqlite3.Connection, consumers: Sequence[API]) -> list[int]:
    """The keys of the APIs that return at least two of the arguments which a consumer requires.

    Those that feed the most come first. An API that needs such an argument itself is no producer of it.
    """
    fed: Counter[int] = Counter()
    for api in consumers:
        needed = {stem(p.name) for p in api.parameter_list() if p.required and "enum" not in p.schema_}
        counts = Counter(key for field in needed for key in set(_returning(connection, field)))
        fed |= Counter({key: count for key, count in counts.items() if count >= _LEAST_FED})
    return [key for key, _ in sorted(fed.items(), key=lambda item: (-item[1], item[0]))]


def producers_of(connection: sqlite3.Connection, consumer: API, parameter: Parameter) -> list[Feeding]:
    """The APIs that return something of this parameter's name, or that its description names; the best first.

    An ID, and what has no name of its own, comes of the consumer's tool only: one provider's season ID is not one of
    another's.
    """
    said = f"{parameter.name} {parameter.description}"
    loose = [consumer.name] if len(content_words(parameter.name)) < _TELLING else []
    names = {_PLURAL.sub("", word) for word in content_words(" ".join([said, *loose]))} | {stem(parameter.name)}
    found = connection.execute(
        "SELECT output.api, max(output.field = ?2) AS exact FROM json_each(?1) AS word JOIN output"
        " ON output.field >= word.value AND output.field < word.value || '{' AND output.part < 2"
        " JOIN api ON api.key = output.api JOIN tool ON tool.key = api.tool GROUP BY output.api"
        " ORDER BY exact + (tool.category = ?4) + (tool.category = ?4 AND tool.name = ?5) DESC, exact DESC, output.api"
        " LIMIT ?3",
        (json.dumps(sorted(names)), stem(parameter.name), _MOST_LOOKED_AT, consumer.category, consumer.tool),
    ).fetchall()
    keys = dict.fromkeys([*(row["api"] for row in found), *_told_of(connection, consumer, parameter)])
    apis = [rows.by_key(connection, key) for key in keys]
    feeds = [feeding(api, consumer, parameter) for api in apis if _may_be_the_same(api, consumer, parameter)]
    return sorted((fed for fed in feeds if fed.fit > Fit.TYPE and fed.api.id != consumer.id), key=lambda fed: -fed.fit)


def _told_of(connection: sqlite3.Connection, consumer: API, parameter: Parameter) -> list[int]:
    """The APIs of whose output a description has a word of the parameter's name, those of the consumer's tool first."""
    found = connection.execute(
        "SELECT output.api FROM json_each(?1) AS word JOIN output ON output.field = word.value AND output.part = 2"
        " JOIN api ON api.key = output.api JOIN tool ON tool.key = api.tool GROUP BY output.api"
        " ORDER BY (tool.category = ?2) + (tool.category = ?2 AND tool.name = ?3) DESC, output.api LIMIT ?4",
        (json.dumps(sorted(set(stems(parameter.name)) - LOOSE)), consumer.category, consumer.tool, _MOST_TOLD),
    )
    return [row["api"] for row in found]


def _may_be_the_same(producer: API, consumer: API, parameter: Parameter) -> bool:
    """Whether what a producer calls like the parameter can be the same thing: some names say little beyond a tool."""
    return (producer.category, producer.tool) == (consumer.category, consumer.tool) or not of_its_tool(parameter)


def _returning(connection: sqlite3.Connection, field: str) -> list[int]:
    """The APIs that return this field, under this name or a longer or shorter form, and do not require it."""
    found = connection.execute(
        "SELECT DISTINCT output.field, output.api, api.parameters FROM output JOIN api ON api.key = output.api"
        " WHERE output.part = 0 AND (output.field LIKE ?1 || '%' OR ?1 LIKE output.field || '%')",
        (field,),
    )
    return [
        row["api"]
        for row in found
        if same(row["field"], field)
        and not any(same(stem(name), field) for name in json.loads(row["parameters"]).get("required", ()))
    ]

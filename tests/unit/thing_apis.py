"""APIs of things that have IDs, by the names that they have as functions."""

from tests.graphs.chains import a_typed_api


def lists(name, fields):
    """An output that is a list of things with these fields."""
    items = {"type": "object", "properties": {key: {"type": "string"} for key in fields}}
    return {name: {"type": "array", "items": items}}


def api(name, inputs, output, optional=()):
    return a_typed_api(name, inputs, output, optional=optional).model_copy(update={"function": name})

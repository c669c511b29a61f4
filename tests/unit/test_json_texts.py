"""JSON that others wrote."""

import json

import pytest

from toolquiver.json_texts import parsed


@pytest.mark.parametrize("data", [None, 1.5, "text", [], {"a": [{"b": {}}]}, [[1], {"": None}]])
def test_json_is_read(data):
    assert parsed(json.dumps(data)) == data
    assert parsed(json.dumps(data).encode()) == data


@pytest.mark.parametrize("depth", [250, 900, 100_000])
@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ('{"a":', "}")])
def test_what_is_nested_too_deeply_is_refused_as_what_is_no_json(depth, opened, closed):
    with pytest.raises(ValueError, match="nested too deeply"):
        parsed(opened * depth + "1" + closed * depth)


@pytest.mark.parametrize("text", ["", "{", "[" * 100, "yes"])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 - the words are Python's
        parsed(text)


def test_two_hundred_levels_are_read():
    assert parsed("[" * 200 + "]" * 200)

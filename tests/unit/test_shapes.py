"""Decision types made for one call."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from toolquiver.nodes.shapes import choice_among


@given(st.lists(st.from_regex(r"\A[a-z_]{1,20}\Z"), min_size=1, max_size=8, unique=True), st.text())
def test_only_a_name_on_the_list_can_be_chosen(names, other):
    shape = choice_among(names)
    assert [shape.model_validate({"tool": name}).tool for name in names] == names
    if other not in names:
        with pytest.raises(ValidationError):
            shape.model_validate({"tool": other})


def test_the_names_are_an_enum_of_the_schema():
    schema = choice_among(["get", "put"]).model_json_schema()
    assert schema["title"] == "Choice"
    assert schema["properties"]["tool"]["enum"] == ["get", "put"]


def test_a_single_name_can_be_chosen():
    assert choice_among(["get"]).model_validate({"tool": "get"}).tool == "get"

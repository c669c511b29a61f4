"""The errors that users see."""

import pytest
from pydantic import ValidationError

import toolquiver.errors
from toolquiver import API, Context
from toolquiver.errors import ToolquiverError
from toolquiver.graphs import smurfs
from toolquiver.prompts import load_prompt


def test_every_error_is_public_and_drawn_in_the_tree():
    defined = {
        name
        for name, value in vars(toolquiver.errors).items()
        if isinstance(value, type) and issubclass(value, Exception)
    }
    assert defined == set(toolquiver.errors.__all__)
    assert all(name in toolquiver.errors.__doc__ for name in defined)


@pytest.mark.parametrize(
    ("slip", "error"),
    [
        (lambda: Context(nonsense=1), TypeError),
        (lambda: smurfs.build(nonsense=1), TypeError),
        (lambda: smurfs.build(catalog="apis.db"), TypeError),
        (lambda: API(id="x"), ValidationError),
        (lambda: load_prompt("nonsense"), FileNotFoundError),
    ],
)
def test_a_slip_of_a_program_is_the_error_that_the_module_says(slip, error):
    with pytest.raises(error):
        slip()
    assert f"`{error.__name__}`" in toolquiver.errors.__doc__


def test_one_class_catches_them_all():
    errors = [getattr(toolquiver.errors, name) for name in toolquiver.errors.__all__]
    assert all(issubclass(error, ToolquiverError) and error.__doc__ for error in errors)

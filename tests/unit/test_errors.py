"""The errors that users see."""

import toolquiver.errors
from toolquiver.errors import ToolquiverError


def test_every_error_is_public_and_drawn_in_the_tree():
    defined = {
        name
        for name, value in vars(toolquiver.errors).items()
        if isinstance(value, type) and issubclass(value, Exception)
    }
    assert defined == set(toolquiver.errors.__all__)
    assert all(name in toolquiver.errors.__doc__ for name in defined)


def test_one_class_catches_them_all():
    errors = [getattr(toolquiver.errors, name) for name in toolquiver.errors.__all__]
    assert all(issubclass(error, ToolquiverError) and error.__doc__ for error in errors)

"""Which calls are asked about."""

import pytest

from toolquiver.calling import needs_approval
from toolquiver.catalog import API


@pytest.mark.parametrize(
    ("method", "settings"),
    [
        ("GET", {"always"}),
        ("get", {"always"}),
        ("HEAD", {"always"}),
        ("OPTIONS", {"always"}),
        ("POST", {"always", "writes"}),
        ("PUT", {"always", "writes"}),
        ("PATCH", {"always", "writes"}),
        ("DELETE", {"always", "writes"}),
        ("CALL", {"always", "writes"}),  # nobody knows what a Python tool does
    ],
)
def test_calls_are_asked_about_by_setting_and_method(method, settings):
    api = API(id="a/b/c", name="c", tool="b", category="a", method=method)
    assert {setting for setting in ("never", "writes", "always") if needs_approval(api, setting)} == settings

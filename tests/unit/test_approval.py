"""Which calls are asked about, and which of two settings holds."""

import pytest

from toolquiver.calling import needs_approval
from toolquiver.calling.approval import reads, stricter
from toolquiver.catalog import API
from toolquiver.catalog.sources import PYTHON


def an_api(effect, source="openapi:shop", method="CALL"):
    return API(id="a/b/c", name="c", tool="b", category="a", source=source, effect=effect, method=method)


@pytest.mark.parametrize(
    ("effect", "source", "settings"),
    [
        ("read", "openapi:shop", {"always"}),
        ("read", PYTHON, {"always"}),
        ("write", "openapi:shop", {"always", "writes"}),
        ("write", PYTHON, {"always", "writes"}),
        ("unknown", "mcp:words", {"always", "writes"}),
        ("unknown", "langchain:cities", {"always", "writes"}),
        ("unknown", "", {"always", "writes"}),
        ("unknown", PYTHON, {"always"}),  # the user has passed it in
    ],
)
def test_calls_are_asked_about_by_setting_effect_and_source(effect, source, settings):
    api = an_api(effect, source)
    assert {setting for setting in ("never", "writes", "always") if needs_approval(api, setting)} == settings


@pytest.mark.parametrize("method", ["GET", "POST", "CALL"])
def test_the_method_decides_nothing(method):
    assert not needs_approval(an_api("read", method=method), "writes")
    assert needs_approval(an_api("write", method=method), "writes")
    assert [reads(an_api(effect, method=method)) for effect in ("read", "write", "unknown")] == [True, False, False]


@pytest.mark.parametrize(
    ("one", "other", "holds"),
    [
        ("never", "writes", "writes"),
        ("never", "always", "always"),
        ("writes", "always", "always"),
        ("auto", "auto", "auto"),
        ("auto", "never", "never"),
        ("auto", "writes", "writes"),
        ("auto", "always", "always"),
    ],
)
def test_the_stricter_of_two_settings_holds_and_the_default_gives_way(one, other, holds):
    assert stricter(one, other) == stricter(other, one) == holds

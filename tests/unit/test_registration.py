"""An API as a function that a model calls."""

import pytest

from tests.support.script import an_api
from toolquiver.registration import function_of


@pytest.mark.parametrize("described", ["One line.\n\nAnother.", "word " * 203, "x" * 1_017])
def test_a_description_is_told_whole(described):
    assert function_of(an_api("alpha", description=described))["description"] == f"tests: {described}"


def test_a_description_is_no_longer_than_providers_take():
    told = function_of(an_api("alpha", description="more words " * 200))["description"]
    assert told.endswith((" more ...", " words ..."))
    assert 1_000 < len(told) <= 1_024

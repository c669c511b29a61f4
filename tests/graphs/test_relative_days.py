"""A day that a question names by how far off it is goes into calls as a date, whoever fills them."""

import pytest

from tests.graphs.script import Stage
from tests.support.reverse_chain_stage import typed_api

DAY = {"type": "string", "description": "Date (YYYY-MM-DD)"}
TODAY = "2031-02-28"


@pytest.mark.parametrize("written", ["tomorrow", "2023-10-05", "2031-03-01"])
def test_an_executor_fills_in_the_date(written):
    stage = Stage(typed_api("sunset", {"city": "string", "date": DAY}, {}), Arguments={"city": "Oslo", "date": written})
    result = stage.ask("When does the sun set in Oslo tomorrow?", today=TODAY)
    assert [arguments for _, arguments in stage.caller.made] == [{"city": "Oslo", "date": "2031-03-01"}]
    assert result["status"] == "solved"


def test_a_date_that_is_asked_for_stays():
    stage = Stage(typed_api("sunset", {"date": DAY}, {}), Arguments={"date": "2031-06-01"})
    stage.ask("When does the sun set on 2031-06-01?", today=TODAY)
    assert [arguments for _, arguments in stage.caller.made] == [{"date": "2031-06-01"}]

"""Which tools change something, and when they are no candidates."""

import pytest

from tests.graphs.script import an_api, with_method
from toolquiver.nodes.apis.changing import changes, harmless


def a_tool(name, method="CALL"):
    return with_method(an_api(name), method)


FIND, CANCEL = a_tool("find_order"), a_tool("cancel_order")


@pytest.mark.parametrize(
    ("name", "method", "changed"),
    [
        ("cancel_order", "CALL", True),
        ("cancelOrder", "POST", True),
        ("order", "DELETE", True),
        ("playback", "PUT", True),
        ("user_create", "POST", True),
        ("cancel_policy", "GET", False),
        ("search", "POST", False),
        ("get_booking", "CALL", False),
        ("add", "CALL", False),
        ("add_todo", "POST", True),
        ("placeOrder", "POST", True),
        ("place_details", "POST", False),
        ("add", "POST", False),
        ("search_place", "POST", False),
        ("get_open_orders", "POST", False),
        ("get_book", "CALL", False),
        ("getBook", "CALL", False),
        ("book_info", "CALL", False),
        ("block_height", "CALL", False),
        ("archive_by_id", "CALL", True),
        ("trash_list", "CALL", True),
        ("reset_data", "POST", True),
        ("post_status", "CALL", True),
        ("book_by_id", "CALL", True),
        ("user_block_by_id", "CALL", True),
        ("DELETEUser", "CALL", True),
        ("book_hotel", "CALL", True),
        ("slack_post_message", "CALL", True),
        ("update_price", "CALL", True),
        ("userCreate", "CALL", True),
        ("list_remove", "CALL", True),
        ("", "CALL", False),
    ],
)
def test_the_method_or_the_verb_says_that_something_is_changed(name, method, changed):
    assert changes(a_tool(name, method)) is changed


@pytest.mark.parametrize("task", ["Cancel order 7.", "Has my booking been cancelled?", "I want order 7 refunded"])
def test_who_speaks_of_a_change_may_have_one(task):
    assert harmless([FIND, CANCEL], task) == [FIND, CANCEL]


def test_a_question_is_answered_without_changing_anything():
    assert harmless([CANCEL, FIND], "Where is order 7?", first=2) == [FIND]
    assert harmless([CANCEL], "where is order 7?", first=1) == []


def test_a_request_in_other_words_has_those_that_were_meant_for_it():
    assert harmless([CANCEL, FIND], "Get rid of order 7.", first=1) == [CANCEL, FIND]
    assert harmless([FIND, CANCEL], "Get rid of order 7.", first=1) == [FIND]
    assert harmless([FIND, CANCEL], "Get rid of order 7.", first=2) == [FIND, CANCEL]


def test_what_is_posted_stays_for_who_orders_it():
    add = a_tool("add_todo", "POST")
    assert harmless([FIND, add], "Add bread to the list.") == [FIND, add]
    assert harmless([FIND, add], "Mark the list with bread.") == [FIND, add]
    assert harmless([FIND, add], "What did I add to the list?") == [FIND]
    numbers = with_method(an_api("add_fractions", inputs={"a": "number", "b": "number"}), "POST")
    assert harmless([numbers], "What is 3 plus 4?") == [numbers]


def test_an_order_in_another_language_may_be_for_a_change():
    assert harmless([FIND, CANCEL], "Storniere bitte die Bestellung mit der Nummer 7.") == [FIND, CANCEL]
    assert harmless([FIND, CANCEL], "Wo ist die Bestellung mit der Nummer 7?") == [FIND]

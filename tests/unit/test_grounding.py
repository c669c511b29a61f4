"""Numbers that come from nowhere are found, and those that were copied or rounded are not."""

from contextlib import nullcontext
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from toolquiver.nodes.texts.grounding import faithful, invented, numbers_of

numbers = st.decimals(0, 10**9, allow_nan=False, places=4).map(lambda number: format(number, "f"))
words = st.sampled_from(["in", "km", "about", "(", "€", "total:", "\n"])
sentences = st.lists(numbers | words, max_size=8).map(" ".join)


@given(sentences)
def test_a_copy_invents_nothing(source):
    assert invented(source, [source]) == []


@given(sentences, numbers, sentences)
def test_a_number_copied_out_of_its_sentence_is_not_invented(before, number, after):
    assert invented(f"It is {number}.", [f"{before} {number} {after}"]) == []


@given(st.text("0123456789abcdef", min_size=8, max_size=64))
def test_a_code_that_was_copied_is_not_invented(code):
    assert invented(f"The hash is {code}.", [f'{{"algorithm": "sha256", "hexdigest": "{code}"}}']) == []


@pytest.mark.parametrize("code", ["c59435a1e9474332", "c59435a1e947433", "59435"])
def test_a_code_that_was_copied_with_a_mistake_is_invented(code):
    assert invented(f"The hash is {code}.", ['{"hexdigest": "c59435a1e9474333"}'])


@given(st.integers(0, 10**12))
def test_thousands_may_be_marked_or_not(number):
    assert invented(f"{number:,}", [str(number)]) == []
    assert invented(str(number), [f"{number:,}"]) == []


@given(st.decimals(0, 10**6, allow_nan=False, places=6), st.integers(1, 5))
def test_a_rounded_number_is_not_invented(number, places):
    rounded = round(number, places)
    assume(rounded != rounded.to_integral_value())
    assert invented(format(rounded, "f"), [format(number, "f")]) == []


@given(st.integers(13, 10**9), st.integers(13, 10**9))
def test_another_whole_number_is_invented(one, other):
    assume(abs(one - other) > 1)
    related = {one, Decimal(one) * 100, Decimal(one) / 100}
    assert invented(str(other), [str(one)]) == ([] if other in related else [str(other)])


@given(st.integers(0, 12))
def test_small_numbers_are_free(number):
    assert invented(str(number), []) == []


@pytest.mark.parametrize(
    ("text", "source", "found"),
    [
        ("38.7 and -9.14", "", ["38.7", "9.14"]),
        ("0.15", "15%", []),
        ("15 percent", "0.15", []),
        ("48.86", "48.8566", []),
        ("48.84", "48.8566", ["48.84"]),
        ("3.72 or 3.73", "3.725", []),
        ("3.71 or 3.74", "3.725", ["3.71", "3.74"]),
        ("1,234 or 12", "1234", []),
        ("ISO 8601", "no digits", ["8601"]),
        ("6.02e23", "6.02e23", []),
        ("It lasts 4 minutes and 13 seconds.", "PT4M13S", []),
        ("It lasts 1 hour, 13.5 seconds.", "P0DT1H13.5S", []),
        ("season 3, episode 14", "S03E14", []),
        ("3.14159265358979323846264338327950288", "3.14159265358979323846264338327950288", []),
        ("Call +1 415-555-2671.", "+14155552671", []),
        ("Call +1 415-555-2672.", "+14155552671", ["415", "555", "2672"]),
        ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000", []),
        ("The IBAN DE89 3704 0044 0532 0130 00 is valid.", "DE89370400440532013000", []),
        (
            "The IBAN DE89 3704 0044 0532 0130 01 is valid.",
            "DE89370400440532013000",
            ["89", "3704", "0044", "0532", "0130"],
        ),
        ("ISBN 978-0-441-01359-3", "9780441013593", []),
        ("VAT CHE-123.456.789", "CHE123456789", []),
        ("9780441013593", "978-0-441-01359-3", []),
        ("9780441013594", "978-0-441-01359-3", ["9780441013594"]),
        ("4155552671", "415-555-2671", []),
        ("1.989 \u00d7 10^30 kg", '{"mass_kg": 1.989e+30}', []),
        ("1.989 \u00d7 10\u00b3\u2070 kg", '{"mass_kg": 1.98892e+30}', []),
        ("1.989 \u00d7 10^31 kg", '{"mass_kg": 1.989e+30}', ["1.989", "31"]),
        ("6.022 x 10^23, 6.022e23", "6.02214076e23", []),
        ("1.02e23", "6.02e23", ["1.02e23"]),
        ("1.602176634e-19, 1.602e-19", "1.602176634e-19", []),
        ("1.603e-19", "1.602176634e-19", ["1.603e-19"]),
        ("no digits", "", []),
    ],
)
def test_examples(text, source, found):
    assert invented(text, [source]) == found


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("3.141592653589793238462643383279502", "12.5"),
        ("1.1102230246251565e-16", "12.5"),
        ("1e99999999999999999999", "2.5"),
        ("20", "1e999999"),
        ("1" * 60_000, "12.5"),
        ("15,16," * 10_000, "12.5"),
    ],
)
def test_numbers_of_any_length_are_compared(text, source):
    assert invented(text, [source])


def test_a_number_rounded_to_nought_decimals_is_not_invented():
    assert invented("25.0", ["24.95"]) == []


class Digest(BaseModel):
    """What was read."""

    answer: str


def test_a_faithful_shape_refuses_invented_numbers():
    shape = faithful(Digest, iter(["The tower is 330 m high."]))
    assert shape.model_validate({"answer": "330 m"}).answer == "330 m"
    assert shape.model_validate({"answer": "330 m"}).answer == "330 m"
    with pytest.raises(ValidationError, match="324 is not in what you were given"):
        shape.model_validate({"answer": "324 m"})


def test_the_marks_of_a_prompt_are_no_part_of_an_answer():
    said = faithful(Digest, []).model_validate({"answer": "The page is <result>Welcome<\\/result>."})
    assert said.answer == "The page is Welcome."


def test_a_faithful_shape_looks_like_the_shape_to_a_model():
    assert faithful(Digest, []).model_json_schema() == Digest.model_json_schema()


@pytest.mark.parametrize(
    ("text", "source", "found"),
    [
        ("at 16:20", "2031-04-05T16:00, 8:20", ["16:20"]),
        ("at 3:35 pm", "15:35:10", []),
        ("at 3:36 pm", "15:35:40", []),
        ("at 10:00 AM", "10", ["10:00"]),
        ("at 12:05", "00:05", []),
        ("at 9:15 am", "9:15:00 PM", ["9:15"]),
        ("at 9:15 p.m.", "9:15:00 PM", []),
        ("at 6:12 am", "18:12", ["6:12"]),
        ("at 12:30 am", "00:30", []),
        ("at 12:30 am", "12:30 pm", ["12:30"]),
        ("at 7.05 Uhr, 14h32", "07:05 and 14:32", []),
        ("at 7.06 Uhr", "07:05", ["7.06"]),
        ("at 2.30 pm", "14:30", []),
        ("at 2.30 am", "14:30", ["2.30"]),
    ],
)
def test_a_time_is_copied_whole(text, source, found):
    assert invented(text, [source]) == found


def test_a_value_keeps_the_unit_of_its_field():
    with pytest.raises(ValidationError, match="40 is in feet"):
        faithful(Digest, [], ['{"height_ft": 40}']).model_validate({"answer": "40 metres"})
    faithful(Digest, [], ['{"height_ft": 40}']).model_validate({"answer": "40 feet"})


@pytest.mark.parametrize(
    ("task", "others", "text", "refused"),
    [
        ("Which lake is within 5 miles?", [], "The lake within 5 miles is Ness.", False),
        ("Which lake is within 5.0 mi?", [], "The lake within 5 miles is Ness.", False),
        ("Which lake is within 5 feet?", [], "The lake within 5 miles is Ness.", True),
        ("Which lake is near?", ['{"range_miles": 5}'], "The lake within 5 miles is Ness.", False),
        ("Which lake is near?", [], "The lake within 5 miles is Ness.", True),
    ],
)
@pytest.mark.parametrize("data", ['{"name": "Ness", "depth_m": 5}', '{"name": "Ness", "depth": "5 m"}'])
def test_a_quantity_that_is_given_so_keeps_its_unit(task, others, text, refused, data):
    with pytest.raises(ValidationError, match="5 is in metres") if refused else nullcontext():
        faithful(Digest, [task], [data, *others]).model_validate({"answer": text})


def test_thousands_do_not_hide_another_number():
    assert invented("399,168,000", ["39916800"]) == ["399,168,000"]


def test_the_day_of_a_date_is_no_number_of_days():
    assert invented("25 days after", ['{"date": "2038-04-25"}']) == ["25"]
    assert invented("on 25 April, 114 days after", ['{"date": "2038-04-25", "days": 114}']) == []


@pytest.mark.parametrize(
    ("said", "given", "found"),
    [
        ("It is 5,474 miles.", "5474.534", []),
        ("It is 12.31.", "12.3153", []),
        ("It is 3,476 km.", "3475.9", []),
        ("It is 5,473 miles.", "5474.534", ["5,473"]),
        ("It is 5,474 miles.", "5475.1", ["5,474"]),
        ("It is 12.30.", "12.3153", ["12.30"]),
        ("It is 1.9.", "1.99", ["1.9"]),
    ],
)
def test_of_a_number_with_four_digits_the_rest_may_be_cut_off(said, given, found):
    assert invented(said, [given]) == found


def test_a_share_may_be_rounded():
    assert invented("16.23 percent", ["0.1623003713"]) == []


def test_a_marked_thousand_is_a_list_only_of_numbers_that_are_there():
    assert not invented("12,500", ["a=12, b=500"])
    assert not invented("12,500", ["it is 12500"])
    assert invented("1,100", ["1 of 3"]) == ["1,100"]
    assert invented("3,100", ["100 of them"]) == ["3,100"]


@pytest.mark.parametrize(("word", "number"), [("hexadecimal", 16), ("a dozen", 12), ("Sixty", 60), ("half", 0.5)])
def test_a_number_may_have_been_a_word(word, number):
    assert not invented(str(number), [f"in {word}"])
    assert invented("28.5", [f"in {word}"]) == ["28.5"]


@pytest.mark.parametrize(("said", "found"), [("8714", []), ("8715", ["8715"]), ("43", ["43"]), ("100", [])])
def test_a_number_of_three_digits_may_be_rounded_to_a_whole_one(said, found):
    assert invented(f"about {said} km", ["8714.039, 42.6 and 99.7"]) == found


@pytest.mark.parametrize(
    ("text", "asked", "found"),
    [
        ("It takes 20 years.", "How many years, to the nearest integer?", []),
        ("21 pizzas are left.", "How many whole pizzas are left?", []),
        ("It takes 22 turns.", "How many turns, to the nearest integer?", ["22"]),
        ("It takes 20 turns.", "How many turns does it take?", ["20"]),
        ("It takes 20.9 turns.", "How many turns, rounded?", ["20.9"]),
    ],
)
def test_a_whole_number_may_be_rounded_either_way_where_one_is_asked(text, asked, found):
    assert invented(text, [asked, '{"result": 21.5}' if "pizzas" in text else '{"result": 20.387}']) == found


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("It is 16:15:00 UTC there.", True),
        ("It is 16:15 GMT there.", True),
        ("It is 16:15 there.", False),
        ("It is 16:15 UTC+3 there.", False),
        ("It is 12:15 UTC there.", False),  # no time of the response: others judge that
    ],
)
@pytest.mark.parametrize("offset", ["+03:00", "-0330"])
def test_a_local_time_is_not_called_utc(text, refused, offset):
    local = f'{{"local_time": "2026-07-04T16:15:00{offset}"}}'
    with pytest.raises(ValidationError, match="local time") if refused else nullcontext():
        faithful(Digest, ["12:15"], [local]).model_validate({"answer": text})
    faithful(Digest, ["12:15"], ['{"utc": "2026-07-04T16:15:00Z"}']).model_validate({"answer": text})


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("The sun sets at 22:49:39 local time.", True),
        ("The sun sets at 22:49 (local time).", True),
        ("The sun sets at 22:49 PM in local time.", True),
        ("The sun sets at 22:49 there.", False),
        ("The sun sets at 17:49 local time.", False),  # no time of the response: others judge that
    ],
)
@pytest.mark.parametrize("offset", ["+00:00", "Z"])
def test_utc_is_not_called_a_local_time(text, refused, offset):
    utc, local = (f'{{"time": "2026-11-28T22:49:39{zone}"}}' for zone in (offset, "-05:00"))
    with pytest.raises(ValidationError, match="in UTC") if refused else nullcontext():
        faithful(Digest, ["17:49"], [utc]).model_validate({"answer": text})
    faithful(Digest, ["17:49"], [local]).model_validate({"answer": text})


@pytest.mark.parametrize("compact", ['{"years":[2019,2020,2021]}', '{"v":[2020,5391369,1000]}'])
def test_a_list_without_blanks_is_no_long_number(compact):
    assert {number for number in (2019, 2020, 2021, 5391369, 1000) if str(number) in compact} <= numbers_of([compact])
    assert not any(number > 10**7 for number in numbers_of([compact]))
    assert invented("In 2020 it was so.", [compact]) == []


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("It is 1.5 million.", '{"v": 1500000}'),
        ("5.4 million people live there.", '{"v": 5379475}'),
        ("About 1.41 billion.", '{"v": 1409670000}'),
        ("384 thousand km", '{"km": 384400}'),
        ("54k", '{"v": 53800}'),
        ("$54.1B", '{"v": 54098000000}'),
        ("34M people", '{"v": 34012345}'),
    ],
)
def test_a_number_may_be_told_in_thousands_or_more(text, source):
    assert invented(text, [source]) == []
    assert invented(text.replace("4", "6").replace("1.5", "1.7"), [source])


def test_an_answer_that_loses_a_minus_is_not_valid():
    shape = faithful(Digest, ["How warm is it?"], ['{"celsius": -5}'])
    with pytest.raises(ValueError, match="5 is below zero in what you were given"):
        shape(answer="It is 5 degrees.")
    assert shape(answer="It is -5 degrees.").answer


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("In Oslo leben 717.000 Menschen.", []),
        ("717 000 personnes, 717\u202f000 personnes", []),
        ("717 mil habitantes", []),
        ("717 Tausend auf 4,5 km2", []),
        ("718.000 Menschen", ["718.000"]),
        ("718 mil habitantes", ["718"]),
        ("4,61 km2", ["61"]),
    ],
)
def test_an_answer_may_write_numbers_as_other_languages_do(text, found):
    sources = ["Wie viele Menschen leben dort?", '{"population": 717000, "area": 4.5}']
    assert [one for one in invented(text, sources) if one != "4"] == found


def test_in_english_one_group_after_a_dot_is_a_fraction():
    assert invented("The result is 12.345.", ["12345"]) == ["12.345"]


@pytest.mark.parametrize(
    ("said", "found"), [("03:53:59 PM", ["03:53:59"]), ("3:53 am", []), ("03:53", []), ("15:53", ["15:53"])]
)
def test_a_time_behind_a_date_says_its_half_of_the_day(said, found):
    assert invented(f"It is {said}.", ['{"local_time": "2026-11-28T03:53:59+05:30"}']) == found

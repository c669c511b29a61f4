"""The units that the fields of data are in, by their names and by what stands beside them."""

import json

import pytest

from toolquiver.nodes.texts.units import fields_with_units, misnamed, to_convert, units_in_name


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"price_per_kg": 4}, "Rice costs 4 pounds per kg."),
        ({"pricePerLitre": 4}, "A litre costs 4 pounds."),
        ({"pint_price": 5}, "A pint costs 5 pounds."),
        ({"protein_per_cup": 8}, "It has 8 grams."),
        ({"sodium_per_100_grams": 74}, "It has 74 mg."),
        ({"gain_per_mile": 150}, "It climbs 150 feet per mile."),
        ({"co2_g_per_km": 120}, "The car emits 120 grams."),
        ({"price_per_l": 2}, "2 pints cost 2 euros."),
        ({"dosePerG": 5}, "It is 5 mg."),
        ({"kg_rate": 4}, "It costs 4 pounds per kg."),
    ],
)
def test_a_value_is_not_in_the_unit_that_it_is_counted_by(fields, text):
    assert misnamed(text, json.dumps(fields)) == ""


@pytest.mark.parametrize(
    ("fields", "text", "wrong"),
    [
        ({"flow_rate_ml": 5}, "It is 5 cups.", "5 is in millilitres, not in cups"),
        ({"mileage_rate_km": 10}, "It is 10 miles.", "10 is in kilometres, not in miles"),
        ({"freight_rate_weight_kg": 5}, "It weighs 5 lb.", "5 is in kilograms, not in pounds"),
        ({"max_rate_of_climb_feet": 700}, "It climbs 700 m.", "700 is in feet, not in metres"),
    ],
)
def test_the_rate_of_what_is_no_price_has_a_unit(fields, text, wrong):
    assert misnamed(text, json.dumps(fields)) == wrong


@pytest.mark.parametrize("name", ["price_g", "price_per_l", "cost_per_m", "salary_k", "top_k", "population_m", "sizeM"])
def test_a_letter_that_may_count_or_price_is_no_unit(name):
    assert units_in_name(name) == set()


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("wave_height_m", "metres"),
        ("depthMaxM", "metres"),
        ("speed_m_per_s", "metres"),
        ("temp_k", "kelvin"),
        ("meltingPointK", "kelvin"),
    ],
)
def test_a_letter_behind_the_name_of_a_measure_is_a_unit(name, unit):
    assert units_in_name(name) == {unit}


def test_a_number_of_results_is_not_to_be_converted():
    assert to_convert(["Which are the 20 warmest towns above 20 °C?"], {"top_k": 20}) == {}


def test_an_argument_is_not_in_the_unit_that_it_is_counted_by():
    assert to_convert(["15 mg per kg of weight"], {"dose_per_kg": 15}) == {}


@pytest.mark.parametrize(
    ("fields", "text", "wrong"),
    [
        ({"elevation_m": 8848}, "It is 8848 feet high.", "8848 is in metres, not in feet"),
        ({"weight_g": 171}, "It weighs 171 ounces.", "171 is in grams, not in ounces"),
        ({"temp_C": 20}, "It is 20 °F.", "20 is in degrees Celsius, not in degrees Fahrenheit"),
        ({"tempF": 20}, "It is 20 °C.", "20 is in degrees Fahrenheit, not in degrees Celsius"),
        ({"volume_l": 5}, "It holds 5 gallons.", "5 is in litres, not in gallons"),
        ({"co2_g_per_km": 120}, "It emits 120 kg.", "120 is in grams, not in kilograms"),
        ({"elevation_m": 8848}, "It is 8848 m high.", ""),
        ({"vitamin_c": 60}, "It has 60 mg.", ""),  # no degrees
        ({"depth_f": 30}, "It is 30 feet deep.", ""),
        ({"m": 5}, "It is 5 feet long.", ""),
        ({"pressure_pounds_per_square_inch": 30}, "It has 30 bar.", "30 is in pounds per square inch, not in bars"),
    ],
)
def test_the_last_letter_of_a_name_is_a_unit_among_those_of_its_kind(fields, text, wrong):
    assert misnamed(text, json.dumps(fields)) == wrong


@pytest.mark.parametrize(
    ("texts", "arguments", "conversions"),
    [
        (["My height is 180 cm."], {"height_m": 180}, {"height_m": "Convert 180 from centimetres to metres."}),
        (['{"elevation_m": 180}'], {"feet": 180}, {"feet": "Convert 180 from metres to feet."}),
        (['{"vitamin_c": 60}'], {"mg": 60}, {}),
        (["My height is 1.8 m."], {"height_m": 1.8}, {}),
    ],
)
def test_an_argument_whose_unit_is_a_letter_is_to_be_converted(texts, arguments, conversions):
    assert to_convert(texts, arguments) == conversions


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"height": 171, "unit": "cm"}, "171 is in centimetres, not in feet"),
        ({"elevation": 171, "lat": 46.9, "unit": "m"}, "171 is in metres, not in feet"),
        ({"height": 171, "unit": "ft"}, ""),
        ({"temperature": 171, "pressure": 1013, "unit": "C"}, ""),  # of which one?
        ({"distance": "171 km"}, "171 is in kilometres, not in feet"),
        ({"distances": ["171 km", "171 ft"]}, ""),
        ({"text": "It is 171 km from here."}, ""),  # of something else, perhaps
        ({"weight": "171 kg"}, ""),
    ],
)
def test_a_measure_has_the_unit_that_stands_beside_it(fields, wrong):
    assert misnamed("It is 171 feet.", json.dumps(fields)) == wrong


def test_a_unit_may_be_a_letter_where_it_stands_alone():
    assert [*fields_with_units('{"temperature": 20, "unit": "C"}')] == [(20, {"degrees Celsius"})]

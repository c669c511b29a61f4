"""Which tools can make a conversion, by the names of their inputs."""

import pytest

from tests.graphs.script import an_api
from toolquiver.nodes.apis.converters import converters, only_number, takes

HINT = "Convert from kelvin to degrees Fahrenheit."


@pytest.mark.parametrize(
    ("inputs", "hint", "fits"),
    [
        ({"celsius": "number"}, HINT, False),
        ({"kelvin": "number"}, HINT, True),
        ({"miles": "number"}, HINT, False),
        ({"value": "number", "from_unit": "string", "to_unit": "string"}, HINT, True),
        ({"element": "string"}, HINT, True),
        ({"celsius": "number"}, "Convert 692.73 from kelvin to degrees Celsius.", False),
        ({"celsius": "number"}, "Name the unit of the answer.", True),
        ({"celsius": "number"}, "", True),
    ],
)
def test_a_tool_that_takes_another_unit_alone_cannot_convert(inputs, hint, fits):
    assert takes(an_api("alpha", inputs=inputs), hint) == fits


def test_what_names_the_unit_or_takes_one_converts():
    pro = an_api("pro", inputs={"value": "number", "from_unit": "string", "to_unit": "string"})
    kelvin, celsius = an_api("k2f", inputs={"kelvin": "number"}), an_api("c2f", inputs={"celsius": "number"})
    element = an_api("element", inputs={"element": "string"})
    assert converters([celsius, pro, element, kelvin], HINT) == [pro, kelvin]
    assert converters([celsius, pro, element, kelvin], "Name the unit of the answer.") == []


@pytest.mark.parametrize(
    ("observation", "number"),
    [
        ('{"result": 88.9}', 88.9),
        ('{"value": 89, "unit": "kilogram"}', 89),
        ("12", 12),
        ('{"feet": 6, "inches": 2}', None),
        ('{"exact": true}', None),
        ("[1]", None),
        ("no JSON", None),
    ],
)
def test_the_one_number_of_a_response(observation, number):
    assert only_number(observation) == number

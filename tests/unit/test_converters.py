"""Which tools can make a conversion, by the names of their inputs."""

import pytest

from tests.graphs.script import an_api
from toolquiver.nodes.converters import takes

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

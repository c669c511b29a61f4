"""Coordinates get the sign of their hemisphere."""

import pytest

from toolquiver.nodes.texts.hemispheres import signed


@pytest.mark.parametrize(
    ("text", "value", "right"),
    [
        ("at 31.80 S, 141.60 E", 31.8, -31.8),
        ("at 31.80 S, 141.60 E", -31.8, -31.8),
        ("at 31.80° South", 31.8, -31.8),
        ("at 31.80 N", -31.8, 31.8),
        ("31.8 degrees west", 31.8, -31.8),
        ("latitude -31.8", -31.8, -31.8),
        ("latitude 31.8", 31.8, 31.8),
        ("31.8 seconds", 31.8, 31.8),
        ("31.8 N and 31.8 S", -31.8, -31.8),
        ("5.37 E", 31.8, 31.8),
        ("33 S", 33, -33),
        ("the longitude is -22.6056 degrees East", 22.6056, -22.6056),
        ('{"lon": -22.6056}', 22.6056, -22.6056),
        ("from 22.6056 to -22.6056", 22.6056, 22.6056),
    ],
)
def test_a_coordinate_has_the_sign_of_its_hemisphere(text, value, right):
    assert signed({"from_latitude": value}, [text]) == {"from_latitude": right}


@pytest.mark.parametrize("name", ["lat", "lat1", "lon", "lng", "startLongitude", "latitude_2"])
def test_names_of_coordinates_are_known(name):
    assert signed({name: 5.5}, ["5.5 W"]) == {name: -5.5}


@pytest.mark.parametrize("name", ["relation", "flat_rate", "size"])
def test_other_numbers_are_left_alone(name):
    assert signed({name: 5.5}, ["size 5.5 W"]) == {name: 5.5}


@pytest.mark.parametrize("value", ["31.8", True, None, [31.8]])
def test_what_is_no_number_is_left_alone(value):
    assert signed({"latitude": value}, ["31.8 S, 1 S"]) == {"latitude": value}

"""Plane and solid figures."""

from math import acos, degrees, hypot, pi, sqrt
from typing import Annotated

from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

CATEGORY = "Mathematics"
TOOL = "Geometry"


class Circle(TypedDict):
    """The measures of a circle."""

    area: float
    circumference: float


class Rectangle(TypedDict):
    """The measures of a rectangle."""

    area: float
    perimeter: float
    diagonal: float


class Triangle(TypedDict):
    """The measures of a triangle."""

    area: float
    perimeter: float
    angles_degrees: list[float]


class Solid(TypedDict):
    """The measures of a body."""

    volume: float
    surface: float


class Length(TypedDict):
    """A length."""

    length: float


def _positive(*lengths: float) -> None:
    if any(length <= 0 for length in lengths):
        raise ToolException("lengths must be positive")


def circle_measures(radius: float) -> Circle:
    """Area and circumference of a circle."""
    _positive(radius)
    return {"area": round(pi * radius**2, 6), "circumference": round(2 * pi * radius, 6)}


def rectangle_measures(width: float, height: float) -> Rectangle:
    """Area, perimeter and diagonal of a rectangle."""
    _positive(width, height)
    return {
        "area": round(width * height, 6),
        "perimeter": round(2 * (width + height), 6),
        "diagonal": round(hypot(width, height), 6),
    }


def triangleFromSides(a: float, b: float, c: float) -> Triangle:
    """Solve a triangle: area, perimeter and angles (opposite to a, b, c) from its three sides."""
    _positive(a, b, c)
    if 2 * max(a, b, c) >= a + b + c:
        raise ToolException("no triangle has these sides")
    half = (a + b + c) / 2
    sides = ((a, b, c), (b, c, a), (c, a, b))
    return {
        "area": round(sqrt(half * (half - a) * (half - b) * (half - c)), 6),
        "perimeter": round(2 * half, 6),
        "angles_degrees": [round(degrees(acos((y * y + z * z - x * x) / (2 * y * z))), 4) for x, y, z in sides],
    }


def hypotenuse(a: float, b: float) -> Length:
    """Longest side of a right triangle (Pythagoras)."""
    _positive(a, b)
    return {"length": round(hypot(a, b), 6)}


def sphere_measures(radius: float) -> Solid:
    """Volume and surface of a sphere."""
    _positive(radius)
    return {"volume": round(4 / 3 * pi * radius**3, 6), "surface": round(4 * pi * radius**2, 6)}


def cylinder_measures(radius: float, height: float) -> Solid:
    """Volume and surface of a cylinder."""
    _positive(radius, height)
    return {
        "volume": round(pi * radius**2 * height, 6),
        "surface": round(2 * pi * radius * (radius + height), 6),
    }


def point_distance(
    point1: Annotated[list[float], Field(description="coordinates")],
    point2: Annotated[list[float], Field(description="coordinates, as many")],
) -> Length:
    """Straight distance of two points in a space of any dimension."""
    if len(point1) != len(point2):
        raise ToolException("both points need the same number of coordinates")
    return {"length": round(hypot(*(a - b for a, b in zip(point1, point2, strict=True))), 6)}


APIS = [
    circle_measures,
    rectangle_measures,
    triangleFromSides,
    hypotenuse,
    sphere_measures,
    cylinder_measures,
    point_distance,
]

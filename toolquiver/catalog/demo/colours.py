"""Colours of the web."""

import colorsys
from typing import Annotated

import webcolors
from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import refused

CATEGORY = "Colour"
TOOL = "ColorKit"

LINEAR_BELOW = 0.04045
READABLE = 4.5

Colour = Annotated[str, Field(description="CSS colour name, or # and 3 or 6 hexadecimal digits")]


class Rgb(TypedDict):
    """A colour."""

    hex: str
    red: int
    green: int
    blue: int


class Hsl(TypedDict):
    """A colour by hue, saturation and lightness."""

    hue_degrees: float
    saturation_percent: float
    lightness_percent: float


class Cmyk(TypedDict):
    """A colour as printers mix it, in percent."""

    cyan: float
    magenta: float
    yellow: float
    key: float


class ColourName(TypedDict):
    """A colour of CSS."""

    name: str
    hex: str
    exact: bool


class Contrast(TypedDict):
    """How well two colours stand out from each other."""

    ratio: float
    readable: bool


def _rgb(colour: str) -> tuple[int, int, int]:
    colour = colour.strip()
    with refused(f"{colour!r} is neither a CSS colour name nor a hexadecimal colour"):
        found = webcolors.hex_to_rgb(colour) if colour.startswith("#") else webcolors.name_to_rgb(colour)
    return found.red, found.green, found.blue


def _colour(red: int, green: int, blue: int) -> Rgb:
    return {"hex": f"#{red:02x}{green:02x}{blue:02x}", "red": red, "green": green, "blue": blue}


def _luminance(colour: str) -> float:
    shares = [value / 255 for value in _rgb(colour)]
    linear = [share / 12.92 if share <= LINEAR_BELOW else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def color_to_rgb(color: Colour) -> Rgb:
    """Hexadecimal code and red, green and blue parts (0 to 255) of a colour given by name or code."""
    return _colour(*_rgb(color))


def rgb_to_hex(red: int, green: int, blue: int) -> Rgb:
    """RGB to hex."""
    if not all(value in range(256) for value in (red, green, blue)):
        raise ToolException("red, green and blue must be between 0 and 255")
    return _colour(red, green, blue)


def colorToHSL(color: Colour) -> Hsl:
    """Hue, saturation, lightness of a colour."""
    hue, light, full = colorsys.rgb_to_hls(*(value / 255 for value in _rgb(color)))
    return {
        "hue_degrees": round(hue * 360, 1),
        "saturation_percent": round(full * 100, 1),
        "lightness_percent": round(light * 100, 1),
    }


def color_to_cmyk(color: Colour) -> Cmyk:
    """Convert a screen colour to naive CMYK for printing."""
    shares = [value / 255 for value in _rgb(color)]
    white = max(shares)
    cyan, magenta, yellow = ((white - share) / white if white else 0.0 for share in shares)
    return {
        "cyan": round(cyan * 100, 1),
        "magenta": round(magenta * 100, 1),
        "yellow": round(yellow * 100, 1),
        "key": round((1 - white) * 100, 1),
    }


def nearest_color_name(color: Colour) -> ColourName:
    """The CSS colour name closest to a colour."""
    wanted = _rgb(color)
    distances = {name: sum((a - b) ** 2 for a, b in zip(_rgb(name), wanted, strict=True)) for name in webcolors.names()}
    best = min(sorted(distances), key=distances.__getitem__)
    return {"name": best, "hex": webcolors.name_to_hex(best), "exact": not distances[best]}


def contrast_ratio(foreground: Colour, background: Colour) -> Contrast:
    """Contrast ratio of text and background by the WCAG, and whether it is enough for normal text (level AA)."""
    dark, light = sorted([_luminance(foreground), _luminance(background)])
    ratio = (light + 0.05) / (dark + 0.05)
    return {"ratio": round(ratio, 2), "readable": ratio >= READABLE}


def mix_colors(
    color1: Colour, color2: Colour, weight: Annotated[float, Field(description="share of the first, 0 to 1")] = 0.5
) -> Rgb:
    """Blend two colours."""
    if not 0 <= weight <= 1:
        raise ToolException("weight must be between 0 and 1")
    pairs = zip(_rgb(color1), _rgb(color2), strict=True)
    red, green, blue = (round(first * weight + second * (1 - weight)) for first, second in pairs)
    return _colour(red, green, blue)


APIS = [
    color_to_rgb,
    rgb_to_hex,
    colorToHSL,
    color_to_cmyk,
    nearest_color_name,
    contrast_ratio,
    mix_colors,
]

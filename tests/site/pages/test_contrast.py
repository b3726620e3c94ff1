"""Computed contrast: words stand out from every ground they may have, in both themes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from math import cos, radians, sin
from pathlib import Path

import pytest

SHEET = (Path(__file__).parents[3] / "static/css/page/cosmos.css").read_text("utf-8")
WORDS, LINES = 4.5, 3.0
HUES = ("red", "orange", "yellow", "green", "cyan", "blue", "indigo", "pink", "steel")
ACCENTS = ("teal", "lime", "rose", "violet")
GROUNDS = ("bg", "panel", "raised")
TINTED = 0.13  # share of a chip's hue in its ground

Colour = tuple[float, float, float]


def read_theme(name: str) -> dict[str, Colour]:
    """The tokens of a theme that are plain colors; the light theme is in the second block."""
    dark, light = re.findall(r":root \{(.*?)\n ?\s?\}", SHEET, re.DOTALL)[:2]
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6})\b", dark))
    if name == "light":
        found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6})\b", light))
    return {key: read_colour(value) for key, value in found.items()}


def read_colour(value: str) -> Colour:
    digits = value[1:] if len(value) == 7 else "".join(2 * digit for digit in value[1:])
    red, green, blue = (int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4))
    return red, green, blue


def read_hue(theme: str, degrees: int) -> Colour:
    """The accent of a game that names a hue in degrees: oklch turned into sRGB as CSS Color 4 does."""
    found = re.findall(r"--light: ([\d.]+);\s+--chroma: ([\d.]+)", SHEET)[theme == "light"]
    light, chroma = map(float, found)
    a, b = chroma * cos(radians(degrees)), chroma * sin(radians(degrees))
    long, middle, short = (
        (light + x * a + y * b) ** 3
        for x, y in (
            (0.3963377774, 0.2158037573),
            (-0.1055613458, -0.0638541728),
            (-0.0894841775, -1.291485548),
        )
    )
    red, green, blue = (
        _encode(x * long + y * middle + z * short)
        for x, y, z in (
            (4.0767416621, -3.3077115913, 0.2309699292),
            (-1.2684380046, 2.6097574011, -0.3413193965),
            (-0.0041960863, -0.7034186147, 1.707614701),
        )
    )
    return red, green, blue


def _encode(linear: float) -> float:
    kept = min(1.0, max(0.0, linear))
    return 12.92 * kept if kept <= 0.0031308 else 1.055 * kept ** (1 / 2.4) - 0.055


def mix(over: Colour, under: Colour, share: float) -> Colour:
    red, green, blue = (share * a + (1 - share) * b for a, b in zip(over, under, strict=True))
    return red, green, blue


def measure(one: Colour, other: Colour) -> float:
    """The contrast of two colors by WCAG."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


Pairs = Iterator[tuple[object, Colour, Colour]]


def pair_words(tokens: dict[str, Colour]) -> Pairs:
    """Words on every ground, of chips on their own tint, and on filled buttons and badges."""
    for word, on in product(("ink", "muted", *HUES, *ACCENTS), GROUNDS):
        yield (word, on), tokens[word], tokens[on]
    for hue in HUES:
        yield (hue, "chip"), tokens[hue], mix(tokens[hue], tokens["panel"], TINTED)
        yield (hue, "badge"), tokens["on-hue"], tokens[hue]
    for accent in ACCENTS:
        yield (accent, "button"), tokens["on-accent"], tokens[accent]


def pair_row(tokens: dict[str, Colour], theme: str) -> Pairs:
    """The row of the one who acts: its ground has the accent of the game in it, which stands on it too."""
    tint = float(re.findall(r"--tint: (\d+)%", SHEET)[theme == "light"]) / 100
    for word, on in product(("ink", "muted", *HUES, *ACCENTS), ACCENTS):
        if word == on or word not in ACCENTS:
            yield (word, on, "row"), tokens[word], mix(tokens[on], tokens["panel"], tint)


def pair_hues(tokens: dict[str, Colour], theme: str) -> Pairs:
    """Any hue that a game may name."""
    hues = [int(degrees) for degrees in re.findall(r"--turn: (\d+)", SHEET)]
    assert sorted(hues) == list(range(0, 360, 10))
    for hue, ground in product(hues, ("on-accent", *GROUNDS)):
        yield (hue, ground), tokens[ground], read_hue(theme, hue)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_words_and_edges_of_fields_and_buttons_have_contrast(theme: str) -> None:
    tokens = read_theme(theme)
    pairs = [*pair_words(tokens), *pair_row(tokens, theme), *pair_hues(tokens, theme)]
    weak = {name: ratio for name, *colours in pairs if (ratio := measure(*colours)) < WORDS}
    weak |= {on: ratio for on in GROUNDS if (ratio := measure(tokens["edge"], tokens[on])) < LINES}
    assert weak == {}

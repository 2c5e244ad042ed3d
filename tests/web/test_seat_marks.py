"""Ownership: each seat of the largest table has a colour that can be told from the others, and a shape."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from typing import Any

import pytest

from service.core.settings.config import ROOT
from tests.rules.playouts import RULESETS
from tests.web.conftest import DESK

MOST_PLAYERS = max(max(ruleset.players) for ruleset in RULESETS)
COLOURS = {
    name: both
    for name, *both in re.findall(
        r"--([\w-]+): light-dark\((#\w+), (#\w+)\)",
        (ROOT / "web/base/colours.css").read_text(encoding="utf-8"),
    )
}
THEMES = {"light": 0, "dark": 1}
BEHIND = ("paper", "desk", "sheet")
LEAST_CONTRAST = 3.0
"""WCAG 2.2, 1.4.11."""
LEAST_DIFFERENCE = 12.0
"""The least difference in CIE L*a*b*; 2.3 can just be noticed side by side."""
SIGHT = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""The perception of linear red, green and blue (Machado, Oliveira and Fernandes 2009, in full severity)."""
DRAW = """
async seats => {
  const { drawSeatMark } = await import("/base/seat_marks.js");
  return [...Array(seats).keys()].map(seat => drawSeatMark(seat).querySelector("path").getAttribute("d"));
}
"""


def weighed(weights: Sequence[float], parts: Sequence[float]) -> float:
    """The sum of the parts, by their weights."""
    return sum(weight * part for weight, part in zip(weights, parts, strict=True))


def linear(colour: str) -> list[float]:
    """Red, green and blue as amounts of light."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG."""
    lights = [weighed((0.2126, 0.7152, 0.0722), linear(each)) for each in (one, other)]
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def lab(colour: str, sight: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    """The place of a colour in CIE L*a*b* for somebody with this sight."""
    seen = [min(1.0, max(0.0, weighed(row, linear(colour)))) for row in sight]
    x = weighed((0.4124, 0.3576, 0.1805), seen) / 0.95047
    y = weighed((0.2126, 0.7152, 0.0722), seen)
    z = weighed((0.0193, 0.1192, 0.9505), seen) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("theme", THEMES)
def test_each_seat_has_a_colour_that_stands_out_and_differs(theme: str) -> None:
    seats = [COLOURS[f"seat-{seat}"][THEMES[theme]] for seat in range(MOST_PLAYERS)]
    for seat, behind in itertools.product(seats, BEHIND):
        assert contrast(seat, COLOURS[behind][THEMES[theme]]) >= LEAST_CONTRAST, (seat, behind)
    for name, sight in SIGHT.items():
        for one, other in itertools.combinations(seats, 2):
            apart = math.dist(lab(one, sight), lab(other, sight))
            assert apart >= LEAST_DIFFERENCE, (name, one, other)


@pytest.mark.browser
def test_each_seat_has_a_shape_of_its_own(visit: Any) -> None:
    shapes = visit(DESK).open().evaluate(DRAW, MOST_PLAYERS)
    assert None not in shapes
    assert len(set(shapes)) == MOST_PLAYERS

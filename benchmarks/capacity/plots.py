"""Plots as SVG, legible on light and dark pages: lines differ by dashes and labels, not only by colour."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 230, 46, 84, 34, 34
COLOURS = ("a", "b", "c", "d", "e", "f")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "1 2", "12 4")
STYLE = """
svg { font: 12px system-ui, sans-serif; color: #1b1b1b; background: #fff }
text { fill: currentColor } .frame { stroke: #767676; fill: none } .grid { stroke: #d9d9d9 }
.a { stroke: #0b5cad } .b { stroke: #a33c00 } .c { stroke: #1c6b2d } .d { stroke: #7a2ea0 }
.e { stroke: #8a6100 } .f { stroke: #55585c } .line { fill: none; stroke-width: 2 } .title { font-weight: 600 }
@media (prefers-color-scheme: dark) {
svg { color: #ececec; background: #16181b } .frame { stroke: #9a9a9a } .grid { stroke: #3a3d41 }
.a { stroke: #7db8ff } .b { stroke: #ffa36b } .c { stroke: #7fd48f } .d { stroke: #d5a3f2 }
.e { stroke: #e7c35a } .f { stroke: #b9bdc2 } }
"""


class Axis(NamedTuple):
    """An axis from the lowest to the highest value, with marks at some values; `log` makes it logarithmic."""

    low: float
    high: float
    marks: Mapping[float, str]
    log: bool = False

    def part(self, value: float) -> float:
        """The position of a value between the two ends, from 0 to 1."""
        scale: Callable[[float], float] = math.log10 if self.log else float
        low, high = scale(self.low), scale(self.high)
        at = scale(min(self.high, max(self.low, value)))
        return (at - low) / (high - low)


class Panel(NamedTuple):
    """A plot: its title, its axes, and its lines by label."""

    title: str
    across: Axis
    up: Axis
    lines: Mapping[str, Sequence[tuple[float, float]]]


def drawn(title: str, said: str, panels: Sequence[Panel], columns: int = 2) -> str:
    """An SVG of all panels; screen readers read `said` instead of the picture."""
    rows = -(-len(panels) // columns)
    width, height = columns * WIDTH, rows * HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"',
        f'     role="img" aria-labelledby="title said" width="{width}" height="{height}">',
        f'<title id="title">{escape(title)}</title><desc id="said">{escape(said)}</desc>',
        f"<style>{STYLE}</style>",
    ]
    for number, panel in enumerate(panels):
        x, y = number % columns * WIDTH, number // columns * HEIGHT
        parts += [f'<g transform="translate({x} {y})">', *_panel(panel), "</g>"]
    return "\n".join([*parts, "</svg>", ""])


def _panel(panel: Panel) -> list[str]:
    def x(value: float) -> float:
        return round(LEFT + panel.across.part(value) * (WIDTH - LEFT - RIGHT), 1)

    def y(value: float) -> float:
        return round(HEIGHT - BOTTOM - panel.up.part(value) * (HEIGHT - TOP - BOTTOM), 1)

    right, base = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = [f'<text class="title" x="{LEFT}" y="20">{escape(panel.title)}</text>']
    for value, mark in panel.up.marks.items():
        parts.append(f'<path class="grid" d="M{LEFT} {y(value)}H{right}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(value) + 4}" text-anchor="end">{mark}</text>')
    for value, mark in panel.across.marks.items():
        parts.append(f'<text x="{x(value)}" y="{base + 18}" text-anchor="middle">{mark}</text>')
    parts.append(f'<path class="frame" d="M{LEFT} {TOP}V{base}H{right}"/>')
    ends = _apart({name: y(points[-1][1]) for name, points in panel.lines.items()})
    for number, (name, points) in enumerate(panel.lines.items()):
        path = "L".join(f"{x(at)} {y(value)}" for at, value in points)
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        parts.append(f'<path class="line {colour}" stroke-dasharray="{dash}" d="M{path}"/>')
        parts.append(
            f'<path class="line {colour}" stroke-dasharray="{dash}" '
            f'd="M{right + 2} {ends[name]}h12"/>'
            f'<text x="{right + 17}" y="{ends[name] + 4}">{escape(name)}</text>'
        )
    return parts


def _apart(wished: Mapping[str, float], least: float = 14) -> dict[str, float]:
    """The positions of labels: near the ends of their lines, but without overlaps."""
    found, last = dict[str, float](), TOP - least
    for name, at in sorted(wished.items(), key=lambda each: each[1]):
        last = max(at, last + least)
        found[name] = round(last, 1)
    over = max(0.0, last - (HEIGHT - BOTTOM))
    return {name: round(at - over, 1) for name, at in found.items()}

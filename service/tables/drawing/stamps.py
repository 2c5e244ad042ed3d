"""The stamp of a game, by which people tell games apart at a glance.

The game's folder has the emblem, `stamp.svg`, on 64 × 64 units. It is drawn in the first ink, `currentColor`, and in a
second one, `var(--second)`, which its `data-second` names; `var(--paper)` is the paper. This module adds the parts
that all stamps have: the perforated edge, the game's name in both scripts, and the number of players.
"""

from __future__ import annotations

import functools
import html
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path

import rules
from service.core.words.words import LANGUAGES, phrases

WIDTH, HEIGHT = 96, 120
INKS = ("ochre", "teal", "moss", "plum", "indigo", "rose")
"""The second inks, by their names in the style sheets."""
PAPER, FIRST, EDGE = "sheet", "ink", "edge"
"""The names in the style sheets for the paper, the first ink and the line around the paper."""
COLOURS = (PAPER, FIRST, EDGE, *INKS)
"""All colours of stamps."""
_PITCH, _HOLE = 12, 3.4
_ROOM = 70
"""The width that a name has to fit."""
_LARGEST, _LARGEST_OF_TWO = 15.0, 13.2
"""The largest sizes of letters, in a single line and in two."""
_LEFT, _BROADEST = 11.5, 57.0
"""The left edge of an emblem, and the largest side of its square. The number of players is printed next to the emblem.
"""
_SVG = re.compile(r'<svg [^>]*data-second="(\w+)"[^>]*>(.*)</svg>', re.S)
_DRAWN = 'fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"'


def address(slug: str) -> str:
    """The address of the stamp of a game, as lists of games use it."""
    return f"/stamps/{slug}.svg"


def sprite() -> str:
    """The stamps of all games as symbols, named by their slugs, for `<use>`; their colours are those of the page."""
    symbols = (
        f'<symbol id="{slug}" viewBox="0 0 {WIDTH} {HEIGHT}">{_drawn(slug)}</symbol>'
        for slug in rules.slugs()
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(symbols)}</svg>'


def stamp(slug: str, light: Mapping[str, str], dark: Mapping[str, str]) -> str:
    """The stamp as a complete SVG, with these colours in the light and in the dark theme."""
    styles = [
        "".join(f"--{name}:{colour};" for name, colour in theme.items()) for theme in (light, dark)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
        f"<style>svg{{{styles[0]}color:var(--{FIRST})}}"
        f"@media(prefers-color-scheme:dark){{svg{{{styles[1]}}}}}</style>{_drawn(slug)}</svg>"
    )


@functools.cache
def _drawn(slug: str) -> str:
    """The SVG of the printed parts and of the paper."""
    found = _SVG.search(Path(rules.folder(slug), "stamp.svg").read_text("utf-8"))
    assert found, f"{slug}: the emblem is an SVG that names its second ink"
    second, emblem = found[1], " ".join(found[2].split())
    latin, japanese = (phrases(language, slug).say("stamp").split("|") for language in LANGUAGES)
    top, bottom = _size(latin), _size(japanese)
    above, below = top * len(latin) * 1.02, bottom * len(japanese) * 1.05
    room = 101 - above - below - 7
    side, middle = min(_BROADEST, room + 1), 12.5 + above + room / 2
    left, upper = _LEFT + (_BROADEST - side) / 2, middle - side / 2
    emblem = f'<g {_DRAWN} transform="translate({left:.1f} {upper:.1f}) scale({side / 64:.3f})">{emblem}</g>'
    counts = rules.load(slug).players
    return (
        (
            f'<path fill="var(--{PAPER})" stroke="var(--{EDGE})" stroke-width=".8" d="{_perforated()}"/>'
            f'<path fill="none" stroke="currentColor" stroke-width="1.6" d="M9 9H87V111H9Z"/>'
            f"{emblem}{_lettering(latin, 10.8 + top * 0.9, top, top * 1.02)}"
            f"{_lettering(japanese, 108.2 - below + bottom * 0.95, bottom, bottom * 1.05)}"
            f"{_denomination(counts, middle)}"
        )
        .replace("var(--second)", f"var(--{second})")
        .replace("var(--paper)", f"var(--{PAPER})")
    )


def _size(lines: list[str]) -> float:
    """The largest size of letters at which these lines fit."""
    largest = _LARGEST if len(lines) == 1 else _LARGEST_OF_TWO
    return min(largest, *(_ROOM / _width(line) for line in lines))


def _width(line: str) -> float:
    """The width of a line, in ems of a bold sans serif."""
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in line)
    return wide + 0.69 * (len(line) - wide)


def _lettering(lines: list[str], base: float, size: float, leading: float) -> str:
    texts = (
        f'<text x="48" y="{base + n * leading:.1f}">{html.escape(line)}</text>'
        for n, line in enumerate(lines)
    )
    return (
        f'<g fill="currentColor" font-size="{size:.1f}" font-weight="700" text-anchor="middle">'
        f"{''.join(texts)}</g>"
    )


def _denomination(counts: tuple[int, ...], middle: float) -> str:
    """The SVG of the number of players, below the figure of a person, where other stamps have their value.

    A range of numbers is written from the top down.
    """
    ends = list(dict.fromkeys((counts[0], counts[-1])))
    height = 17 + 13 * len(ends) + 4 * (len(ends) - 1)
    top = middle - height / 2
    numbers = "".join(
        f'<text x="78" y="{top + 27 + 17 * n:.1f}">{number}</text>' for n, number in enumerate(ends)
    )
    dash = f'<path stroke="var(--paper)" stroke-width="1.6" d="M78 {top + 28.8:.1f}v3.4"/>' * (
        len(ends) - 1
    )
    return (
        f'<rect x="68.8" y="{top:.1f}" width="18.4" height="{height}" rx="4" fill="currentColor"/>'
        f'<path fill="var(--paper)" d="M78 {top + 3:.1f}a2.8 2.8 0 0 1 0 5.6a2.8 2.8 0 0 1 0-5.6Z'
        f'M72.8 {top + 14.5:.1f}c0-6.4 10.4-6.4 10.4 0Z"/>{dash}'
        f'<g fill="var(--paper)" font-size="12.5" font-weight="700" text-anchor="middle">{numbers}</g>'
    )


@functools.cache
def _perforated() -> str:
    """The outline of the paper, with half of each hole inside it."""
    before, arc = _PITCH - 2 * _HOLE, f"a{_HOLE} {_HOLE} 0 0 0"
    across, down = WIDTH // _PITCH - 1, HEIGHT // _PITCH - 1
    first = _PITCH - _HOLE

    def side(letter: str, end: str, holes: int, sign: int) -> str:
        hole = f"{arc} {end}"
        steps = [f"{letter}{sign * (first if n == 0 else before):.1f}{hole}" for n in range(holes)]
        return "".join(steps) + f"{letter}{sign * first:.1f}"

    hole = 2 * _HOLE
    return (
        "M0 0"
        + side("h", f"{hole} 0", across, 1)
        + side("v", f"0 {hole}", down, 1)
        + side("h", f"-{hole} 0", across, -1)
        + side("v", f"0 -{hole}", down, -1)
        + "Z"
    )

"""Dominoes: small functions on codes (`"6-3"`, high end first) and tuples of them.

Canonical order: by the high end, then by the low end.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

Tile = str
Tiles = tuple[Tile, ...]


@functools.cache
def ends(tile: Tile) -> tuple[int, int]:
    """The high and the low end of a tile: `(6, 3)` for `"6-3"`."""
    high, low = tile.split("-")
    return int(high), int(low)


@functools.cache
def pips(tile: Tile) -> int:
    """The pips of a tile: 9 for `"6-3"`."""
    return sum(ends(tile))


@functools.cache
def double_set(highest: int) -> Tiles:
    """Every tile with ends from 0 to `highest` in canonical order: 28 tiles for 6."""
    return tuple(f"{high}-{low}" for high in range(highest + 1) for low in range(high + 1))


def canonical(tiles: Iterable[Tile]) -> Tiles:
    """`tiles` in canonical order."""
    return tuple(sorted(tiles, key=ends))


def shows(tile: Tile, numbers: Iterable[int]) -> bool:
    """Whether an end of `tile` is one of `numbers`."""
    high, low = ends(tile)
    return high in numbers or low in numbers


def other_end(tile: Tile, end: int) -> int:
    """The end of `tile` that stays open when `end` joins the line; for a double, the same number."""
    high, low = ends(tile)
    return low if high == end else high

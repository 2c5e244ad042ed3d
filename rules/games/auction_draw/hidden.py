"""Constraints on unseen tiles: a seat that has to act has a legal action."""

from __future__ import annotations

from collections.abc import Iterator

from rules.common.dominoes import Tiles, double_set, shows
from rules.games.auction_draw.components import Table
from rules.games.auction_draw.phases import Playing, can_buy
from rules.kernel import Address, Dealt, Hidden, Json, Random, Viewer


def reserve(blind: Table, seat: Viewer, unseen: Tiles, rng: Random) -> Dealt:
    """4.1 A tile that fits for the seat whose turn it is if it cannot buy, since it would have passed without one."""
    if not isinstance(blind, Playing) or blind.terms.free or not blind.line:
        return {}
    if blind.on_turn == seat or blind.bought or can_buy(blind, blind.on_turn):
        return {}
    fitting = [tile for tile in unseen if shows(tile, blind.numbers)]
    return {Address("hands", blind.on_turn): fitting[:1]}


def lacking(before: Table, after: Table, line: Json) -> Iterator[tuple[Address, Tiles]]:
    """4.1 The tiles that a seat lacks after passing: those that fit, unless it may pass freely."""
    who = line.get("seat")
    fits_not = line["line"] in {"stuck", "passed"} and before.numbers
    if fits_not and not before.terms.free and isinstance(before, Playing):
        numbers = after.numbers or before.numbers if line["line"] == "stuck" else before.numbers
        tiles = double_set(before.terms.highest)
        yield Address("hands", who), tuple(tile for tile in tiles if shows(tile, numbers))


hidden = Hidden(reserve, lacking=lacking)

"""Constraints on unseen cards: with D, a follower that has to add a card and is asked to do so has one."""

from __future__ import annotations

from collections.abc import Iterator

from rules.common.cards import Cards, deck, suit
from rules.games.trunk_and_peddler.components import SMALL, Table
from rules.games.trunk_and_peddler.phases import First, Second
from rules.kernel import Address, Dealt, Hidden, Json, Random, Viewer


def reserve(blind: Table, seat: Viewer, unseen: Cards, rng: Random) -> Dealt:
    """4.3 A card that a follower can add if it has to, since it would have passed automatically without one."""
    if not isinstance(blind, Second) or not blind.compelled or blind.on_turn == seat:
        return {}
    played = suit(blind.played[blind.on_turn][0])
    fitting = [card for card in unseen if card in SMALL and suit(card) == played]
    return {Address("hands", blind.on_turn): fitting[:1]}


def lacking(before: Table, after: Table, line: Json) -> Iterator[tuple[Address, Cards]]:
    """4.2, 4.3 The cards that a seat lacks: all of a suit that it did not follow, or of which it could not add one."""
    asked: str | None = None
    if line["line"] == "lacking":
        asked = line["suit"]
    elif line["line"] == "played" and isinstance(before, First):
        asked = before.led if suit(line["card"]) != before.led else None
    if asked:
        yield Address("hands", line["seat"]), deck("A2345789", asked)


hidden = Hidden(reserve, lacking=lacking)

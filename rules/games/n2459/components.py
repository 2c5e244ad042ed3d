"""Cards, slots, and the table: who sees which cards."""

from __future__ import annotations

from typing import TypeVar

from rules.common.cards import JOKER, Card, Cards, deck
from rules.kernel import Place, State, Viewer, everyone, inner, owner, table, zone

FACES = "JQK"
SLOTS = "2459F"
SLOT = {
    card: SLOTS.index("F" if card[0] in FACES else card[0])
    for card in deck()
    if card[0] in SLOTS + FACES
}
"""2 The slot of each card that has one; the other cards are blanks."""
TABLE = deck(jokers=1)
T = TypeVar("T", bound="Table")


def layer(state: Table, viewer: Viewer, place: Place) -> bool:
    """2 Visible to everybody if the card lies face up.

    In rounds, the seat that last laid a card there also sees it face down.
    """
    position = place.position or 0
    return state.face_up[position] or (viewer is not None and state.laid[position] == viewer)


def for_a_slot(state: State, place: Place, card: Card) -> bool:
    """2 Whether a collection can hold the card, since it contains no blanks and no joker."""
    return card in SLOT


def not_announced(state: Table, place: Place, card: Card) -> bool:
    """3 Whether the card can lie at this position: the joker is announced when it is drawn, so it lies where nobody has
    drawn.
    """
    return card != JOKER or state.laid[place.position or 0] is None


def by_slot(cards: Cards) -> Cards:
    """2 The cards of a collection in the order of the slots."""
    return tuple(sorted(cards, key=SLOT.__getitem__))


@table
class Table(State):
    """2 The components, and who sees them.

    A collection lies in the order of the slots; a vacant position is None.
    """

    collections: tuple[Cards, ...] = zone(
        owner, "hand", name="collection", holds=for_a_slot, order=by_slot
    )
    jokers: tuple[Cards, ...] = zone(everyone, "row", per="seat", name="joker")
    positions: tuple[Card | None, ...] = zone(
        layer, "grid", name="table", holds=not_announced, default=()
    )
    face_up: tuple[bool, ...] = inner(default=(False,) * len(TABLE))
    laid: tuple[int | None, ...] = inner(default=(None,) * len(TABLE))
    rounds: int = inner()  # 0 in live games

    @property
    def joker_out(self) -> bool:
        """3 Whether somebody has the joker, so that cards are put back face up."""
        return any(self.jokers)

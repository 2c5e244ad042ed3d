"""Cards that move from one place of the table to another, within a phase."""

from __future__ import annotations

from typing import Any

from rules.common.cards import Card, Cards, added, canonical, replaced, without
from rules.common.faces import bare, printed, unmarked
from rules.games.yours_truly_bozu_mekuri.components import Table
from rules.kernel import Json, only


def other_row(s: Table, card: Card) -> Json:
    """4.2 The reason why a card cannot go to a row: it needs a row of its suit or else a row with a bozu."""
    suits = {printed(row[0])[1] for row in s.rows if row}
    return {"why": "suit", "suit": card[1]} if card[1] in suits else {"why": "headless"}


def draw(s: Table, seat: int) -> Table:
    """4.6 The state after the seat has added the top card of the stock to its hand, unseen by the others."""
    card = s.stock[0]
    s = s.tell("drew", seat=seat, cards=only((card,), seat))
    hand = added(s.hands[seat], card)
    return s.change(stock=s.stock[1:], hands=replaced(s.hands, seat, hand))


def cleared(s: Table, row: int) -> tuple[Table, Card, Cards]:
    """4.3, 1: the state after the row was cleared, with its bozu and its other cards.

    Cards played from the hand this turn are discarded (ruling 2), and are not among the latter.
    """
    bozu, faces = printed(s.rows[row][0]), s.rows[row][1:]
    pending = bare(faces)
    gone = without(unmarked(faces), *pending)
    return discard(s, *gone, rows=replaced(s.rows, row, ())), bozu, pending


def keep(s: Table, cards: Cards) -> Table:
    """4.6 The state after cards of the row were added to the hand, where the others no longer see them."""
    if not cards:
        return s
    seat = s.active
    s = s.tell("kept", seat=seat, cards=canonical(cards))
    return s.change(hands=replaced(s.hands, seat, canonical(s.hands[seat] + cards)))


def discard(s: Table, *cards: Card, **left: Any) -> Table:
    """The state after cards have moved to the open discard pile; `left` are the new contents of the places that they
    left.
    """
    if not cards:
        return s.change(**left) if left else s
    return s.tell("discarded", cards=cards).change(discard=s.discard + cards, **left)

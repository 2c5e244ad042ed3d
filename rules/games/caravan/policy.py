"""The likely actions of sensible players: they let rows grow to a saleable number of points, and not beyond."""

from __future__ import annotations

from rules.common.cards import JOKER, rank
from rules.games.caravan.components import LEAST, MOST, Table
from rules.games.caravan.rows import last_number
from rules.games.caravan.scoring import VALUE, points
from rules.kernel import Json

SELL, DISCARD, TURN, RUIN = 50.0, 0.3, 0.2, 0.4
"""The weights of selling, which takes precedence, and of three actions for turns in which no card improves a row."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4 The weight of each legal action, which grows with the worth of the row after it."""
    if not s.rows[seat] or "cards" in legal[0]:
        return [1.0] * len(legal)
    worths = [points(row) for row in s.rows[seat]]
    facing = [points(row) for row in s.rows[1 - seat]]
    return [likely(s, seat, action, worths, facing) for action in legal]


def likely(s: Table, seat: int, action: Json, worths: list[int], facing: list[int]) -> float:
    """The weight of an action, given the points of the seat's rows and of the facing rows."""
    kind = action["type"]
    if kind == "sell":
        return SELL * len(action["lanes"])
    if kind == "discard":
        return DISCARD if action["card"] in VALUE else DISCARD / 4
    lane, card = action["lane"], action["card"]
    row, now = s.rows[seat][lane], worths[lane]
    if kind == "renew":
        return 1.0 if now > MOST else 0.02
    work = action.get("as") or (card if card == JOKER else rank(card))
    if card in VALUE:
        return aim(now, now + VALUE[card])
    if work == "K":
        beneath = last_number(row[: action["at"]])
        return aim(now, now + VALUE[beneath]) / 2 if beneath else 0.0
    if work == "J":
        return aim(now, points(row[action["at"] :])) if now > MOST else 0.01
    if work == JOKER:
        return joker(s, seat, action, facing)
    return TURN


def aim(now: int, then: int) -> float:
    """4 The weight of changing a row's points from `now` to `then`, since they have to be 21 to 26."""
    if LEAST <= then <= MOST:
        return 6.0 if now < LEAST or now > MOST else 1.0 + (then - now) / 2
    return 0.02 if then > MOST else 1.0 + then / 10


def joker(s: Table, seat: int, action: Json, facing: list[int]) -> float:
    """4 The weight of a joker, which is best against an opponent's row that can be sold and has cards of the rank."""
    lane, beneath = action["lane"], last_number(s.rows[seat][action["lane"]][: action["at"]])
    if beneath is None:
        return 0.0
    hit = any(rank(card) == rank(beneath) for card in s.rows[1 - seat][lane])
    return RUIN * 4 if hit and facing[lane] >= LEAST - 6 and facing[lane] <= MOST else 0.01

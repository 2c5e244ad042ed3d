"""Boomerang Auction in bare Python: a new state for each event, every action checked, no views, no lines."""

from __future__ import annotations

from typing import Any, NamedTuple

SEATS = 3
VALUE = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5}
EXTRA = (0, 0, 2, 6, 12)
Cards = tuple[str, ...]
HANDS: tuple[Cards, ...] = tuple(tuple(rank + suit for rank in VALUE) for suit in "shd")
GOODS: Cards = tuple(rank + "c" for rank in VALUE)


class State(NamedTuple):
    """A position; `good` is None while a stock has to be shuffled and at the end."""

    hands: tuple[Cards, ...] = HANDS
    stock: Cards = ()
    discard: Cards = GOODS
    won: tuple[Cards, ...] = ((),) * SEATS
    bids: tuple[Cards, ...] = ((),) * SEATS
    good: str | None = None
    high: int = 0
    acted: int = 0
    dealer: int = 0
    sale: int = 0


def step(state: State, event: dict[str, Any]) -> State:
    """The state after an event of the log. Raises ValueError for an impossible event."""
    if event["kind"] == "chance":
        return restocked(state, tuple(event["outcome"]))
    action = event["action"]
    if state.good is None or event["seat"] != (state.dealer + state.acted) % SEATS:
        raise ValueError("not this seat")
    if action["type"] == "pass":
        return gone_on(state._replace(acted=state.acted + 1))
    return bid(state, event["seat"], tuple(action["cards"]))


def restocked(state: State, outcome: Cards) -> State:
    if state.good is not None or state.sale == 2 or sorted(outcome) != sorted(state.discard):
        raise ValueError("no such shuffle")
    return offered(state._replace(stock=outcome, discard=(), sale=state.sale + 1))


def offered(state: State) -> State:
    first, rest = state.stock[0], state.stock[1:]
    return gone_on(state._replace(good=first, stock=rest, bids=((),) * SEATS, high=0, acted=0))


def bid(state: State, seat: int, cards: Cards) -> State:
    hand, value = state.hands[seat], sum(VALUE[card[0]] for card in cards)
    single = len(cards) == 1
    pair = len(cards) == 2 and cards[0][0] == "A" and cards[1][0] != "A"
    if not (single or pair) or value <= state.high or not set(cards) <= set(hand):
        raise ValueError("no such bid")
    left = tuple(card for card in hand if card not in cards)
    hands = (*state.hands[:seat], left, *state.hands[seat + 1 :])
    bids = (*state.bids[:seat], cards, *state.bids[seat + 1 :])
    return gone_on(state._replace(hands=hands, bids=bids, high=value, acted=state.acted + 1))


def gone_on(state: State) -> State:
    """The state after the automatic steps: empty hands pass; after the third turn, the card is sold and the next one is
    offered.
    """
    acted = state.acted
    while acted < SEATS and not state.hands[(state.dealer + acted) % SEATS]:
        acted += 1
    state = state._replace(acted=acted)
    if acted < SEATS:
        return state
    state = sold(state)
    if state.stock:
        return offered(state)
    return state._replace(good=None)


def sold(state: State) -> State:
    good = state.good or ""
    if not state.high:
        return state._replace(discard=(*state.discard, good))
    values = [sum(VALUE[card[0]] for card in cards) for cards in state.bids]
    buyer = values.index(state.high)
    hands = tuple(
        hand if seat == buyer or not back else tuple(sorted(hand + back, key=order))
        for seat, (hand, back) in enumerate(zip(state.hands, state.bids, strict=True))
    )
    won = (*state.won[:buyer], (*state.won[buyer], good), *state.won[buyer + 1 :])
    return state._replace(
        hands=hands, won=won, discard=state.discard + state.bids[buyer], dealer=buyer
    )


def order(card: str) -> int:
    """The rank of a card, with which to compare cards of one suit."""
    return VALUE[card[0]]


def scores(state: State) -> tuple[int, ...] | None:
    """The scores by seat; None while the game is running."""
    if state.good is not None or state.sale < 2:
        return None
    return tuple(map(score, state.won))


def score(won: Cards) -> int:
    ranks = [card[0] for card in won]
    return sum(VALUE[rank] for rank in ranks) + sum(EXTRA[ranks.count(rank)] for rank in VALUE)

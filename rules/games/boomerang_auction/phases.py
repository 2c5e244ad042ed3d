"""The phases as played, and the steps that lead from one to the next."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from rules.common.cards import Card, Cards, canonical, deck, rank, replaced, without
from rules.games.boomerang_auction.components import GOODS, SEATS, SUITS, Table
from rules.games.boomerang_auction.scoring import RANKS, VALUE, extra, score, worth
from rules.kernel import (
    OVER,
    Action,
    Array,
    Chance,
    Json,
    Part,
    Result,
    State,
    Turn,
    everyone,
    fact,
    inner,
    part,
    phase,
    waits_for,
    zone,
)

PASS = Action(type="pass")


@phase
class Shuffling(Table):
    """3 and 4: the clubs are shuffled as the first stock; later the discard pile is shuffled as the second stock,
    once.
    """

    def turn(self) -> Turn:
        if self.sale == 1:
            return Turn(chance=Chance("stock", GOODS))
        return Turn(chance=Chance("restock", canonical(self.discard)))

    def on_chance(self, outcome: Cards) -> State:
        return offer(self.tell("shuffled", count=len(outcome)).change(stock=outcome, discard=()))


@phase
class Bidding(Table):
    """4 Clockwise from the dealer, each seat acts once: it bids more than the highest bid, or passes."""

    good: Card = zone(everyone, "row")
    bids: tuple[Cards, ...] = zone(everyone, "row", per="seat", name="bid")
    passed: tuple[bool | None, ...] = fact(everyone, per="seat")
    acted: int = inner(default=0)

    @property
    def on_turn(self) -> int:
        return (self.dealer + self.acted) % SEATS

    def parts(self) -> Sequence[Part]:
        return (*super().parts(), part("lot", card=self.good))

    def high(self) -> int:
        return max(map(worth, self.bids))

    def turn(self) -> Turn:
        return waits_for((self.on_turn,))

    def prompt(self) -> Json:
        return {"high": self.high()}

    def legal(self, seat: int) -> list[Action]:
        return bids_over(self.high(), self.hands[seat])

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4 The reason why a bid is not legal: it has to be a card, or an A with another card, and exceed the highest
        bid.
        """
        cards = action.get("cards", ())
        if len(cards) > 1 and not any(rank(card) == "A" for card in cards):
            return {"why": "pair"}
        return {"why": "low", "high": self.high()} if cards else None

    def beside(self, seat: int, action: Json) -> Json:
        """4 The value of two cards that are bid together."""
        cards = action.get("cards", ())
        return {"value": worth(tuple(cards))} if len(cards) > 1 else {}

    def forced(self, seat: int) -> bool:
        """4 Whether a hand of this size can only pass, since no cards that it may contain exceed the highest bid."""
        lying = {card for row in (*self.won, *self.bids, (self.good,)) for card in row}
        suit = deck(RANKS, SUITS[seat])
        hand = tuple([card for card in suit if card not in lying])
        best = hand if len(self.hands[seat]) > 1 else hand[-1:]
        return bids_over(self.high(), best) == [PASS]

    def fallback(self, seat: int) -> Json:
        return PASS

    def do_bid(self, seat: int, cards: Cards) -> State:
        s = self.tell("bid", seat=seat, cards=cards, value=worth(cards)).change(
            hands=replaced(self.hands, seat, without(self.hands[seat], *cards)),
            bids=replaced(self.bids, seat, cards),
            acted=self.acted + 1,
        )
        return go_on(s)

    def do_pass(self, seat: int) -> State:
        return go_on(passes(self.tell("passed", seat=seat), seat))


@phase
class Over(Table):
    """5 The seat with the most points wins; seats with equally many win together."""

    def turn(self) -> Turn:
        return OVER

    def facts(self) -> Sequence[Json]:
        parts = [
            {"name": "sum", "of": seat, "values": worth(won), "extra": extra(won)}
            for seat, won in enumerate(self.won)
        ]
        return [*parts, *super().facts()]

    def result(self) -> Result:
        scores = tuple(map(score, self.won))
        winners = tuple(seat for seat in range(SEATS) if scores[seat] == max(scores))
        return Result(winners, scores, "end")


@functools.lru_cache(maxsize=1024)
def bids_over(high: int, hand: Cards) -> list[Action]:
    """4 The bids that exceed the highest one: each is a card, or an A with another card."""
    bids = [Action(type="bid", cards=Array([card])) for card in hand if VALUE[card] > high]
    if rank(hand[0]) == "A":
        others = [card for card in hand[1:] if 1 + VALUE[card] > high]
        bids += [Action(type="bid", cards=Array([hand[0], card])) for card in others]
    return [*bids, PASS]


def offer(s: Table) -> State:
    """4 The state in which the top card of the stock is the next lot."""
    good = s.stock[0]
    s = s.tell("offered", card=good).change(
        Bidding, stock=s.stock[1:], good=good, bids=((),) * SEATS, passed=(None,) * SEATS
    )
    return go_on(s)


def go_on(s: Bidding) -> State:
    """4 The state in which the next seat with cards in hand bids or, after the third turn, the lot is sold."""
    while s.acted < SEATS and not s.hands[s.on_turn]:
        s = passes(s.tell("empty-handed", seat=s.on_turn), s.on_turn)
    return s if s.acted < SEATS else sell(s)


def passes(s: Bidding, seat: int) -> Bidding:
    """4 The state after the seat has passed."""
    return s.change(passed=replaced(s.passed, seat, True), acted=s.acted + 1)


def sell(s: Bidding) -> State:
    """4, after the third turn, 1 and 2: the state after the highest bid, if any, was paid and the others taken back."""
    high = s.high()
    if not high:
        return next_good(s.tell("unsold", card=s.good).change(discard=(*s.discard, s.good)))
    buyer = [worth(bid) for bid in s.bids].index(high)
    kept = s.hands
    for seat, bid in enumerate(s.bids):
        if bid and seat != buyer:
            kept = replaced(kept, seat, canonical(kept[seat] + bid))
    won = replaced(s.won, buyer, (*s.won[buyer], s.good))
    s = s.tell("sold", seat=buyer, card=s.good, value=high)
    return next_good(s.change(hands=kept, won=won, discard=s.discard + s.bids[buyer], dealer=buyer))


def next_good(s: Bidding) -> State:
    """4, after the third turn, 3 to 5: the state at the next lot, at the second sale, or at the end of the game."""
    if s.stock:
        return offer(s)
    if s.sale == 1:
        return s.change(Shuffling, sale=2)
    return s.change(Over)


def start(players: int, options: Json) -> State:
    """3 The state before the first shuffle. Hands are fixed: spades, hearts and diamonds."""
    hands = tuple(deck(RANKS, suit) for suit in SUITS)
    return Shuffling(players=players, hands=hands, won=((),) * SEATS)

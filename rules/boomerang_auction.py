"""Boomerang Auction (ブーメラン オークション), りかち 2013: winning bids come back as goods of a second sale."""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import NUMBER, Card, Cards, canonical, deck, rank, without
from rules.kernel import (
    Chance,
    Json,
    Length,
    Param,
    Result,
    Ruleset,
    State,
    Turn,
    everyone,
    fact,
    inner,
    owner,
    phase,
    size,
    table,
    zone,
)

RANKS = "A2345"
SEATS = 3
GOODS = deck(RANKS, "c")
EXTRA = (0, 0, 2, 6, 12)
"""Points beyond the values for 0 … 4 goods of one value (5)."""
PASS: Json = {"type": "pass"}


@table
class Table(State):
    """2 Components: who sees them."""

    hands: tuple[Cards, ...] = zone(owner, "hand", name="hand")
    stock: Cards = zone(size, "pile", default=())
    discard: Cards = zone(size, "pile", default=())
    won: tuple[Cards, ...] = zone(everyone, "row", per="seat")
    sale: int = fact(everyone, default=1)
    dealer: int = fact(everyone, "seat", default=0)

    def facts(self) -> Sequence[Json]:
        return [{"name": "score", "of": i, "value": score(won)} for i, won in enumerate(self.won)]


@phase
class Shuffling(Table):
    """3 The clubs are the first stock; 4 the discard pile becomes the second one, once."""

    def turn(self) -> Turn:
        if self.sale == 1:
            return Turn(chance=Chance("stock", GOODS))
        return Turn(chance=Chance("restock", canonical(self.discard)))

    def fell(self, outcome: Cards) -> State:
        return offer(self.tell("shuffled", count=len(outcome)).change(stock=outcome, discard=()))


@phase
class Bidding(Table):
    """4 Clockwise from the dealer each seat bids more than the highest bid or passes, once."""

    good: Card = zone(everyone, "row")
    bids: tuple[Cards, ...] = zone(everyone, "row", per="seat", name="bid")
    passed: tuple[bool | None, ...] = fact(everyone, per="seat")
    acted: int = inner(default=0)

    @property
    def on_turn(self) -> int:
        return (self.dealer + self.acted) % SEATS

    def high(self) -> int:
        return max(map(worth, self.bids))

    def turn(self) -> Turn:
        return Turn(waiting=(self.on_turn,))

    def prompt(self) -> Json:
        return {"high": self.high()}

    def legal(self, seat: int) -> list[Json]:
        hand, high = self.hands[seat], self.high()
        single = [(card,) for card in hand]
        ace = hand[:1] if rank(hand[0]) == "A" else ()
        pairs = [ace + (card,) for card in hand[1:] if ace]
        over = [bid for bid in single + pairs if worth(bid) > high]
        return [{"type": "bid", "cards": list(bid)} for bid in over] + [PASS]

    def fallback(self, seat: int) -> Json:
        return PASS

    def do_bid(self, seat: int, cards: Cards) -> State:
        hands, bids = list(self.hands), list(self.bids)
        hands[seat], bids[seat] = without(hands[seat], *cards), cards
        s = self.tell("bid", seat=seat, cards=cards, value=worth(cards))
        return go_on(s.change(hands=tuple(hands), bids=tuple(bids), acted=self.acted + 1))

    def do_pass(self, seat: int) -> State:
        return go_on(passes(self.tell("passed", seat=seat), seat))


@phase
class Over(Table):
    """5 The most points win; all who have them win together."""

    def turn(self) -> Turn:
        return Turn(over=True)

    def facts(self) -> Sequence[Json]:
        parts = [
            {"name": "sum", "of": seat, "values": sum(map(value, won)), "extra": extra(won)}
            for seat, won in enumerate(self.won)
        ]
        return [*parts, *super().facts()]

    def result(self) -> Result:
        scores = tuple(map(score, self.won))
        winners = tuple(seat for seat in range(SEATS) if scores[seat] == max(scores))
        return Result(winners, scores, "end")


def offer(s: Table) -> State:
    """4 The top card of the stock is the next good."""
    good = s.stock[0]
    s = s.tell("offered", card=good).change(
        Bidding, stock=s.stock[1:], good=good, bids=((),) * SEATS, passed=(None,) * SEATS
    )
    return go_on(s)


def go_on(s: Bidding) -> State:
    """4 A seat with an empty hand passes by itself; after the third turn the good is sold."""
    while s.acted < SEATS and not s.hands[s.on_turn]:
        s = passes(s.tell("empty-handed", seat=s.on_turn), s.on_turn)
    return s if s.acted < SEATS else sell(s)


def passes(s: Bidding, seat: int) -> Bidding:
    """4 No bid from this seat."""
    passed = tuple(True if each == seat else was for each, was in enumerate(s.passed))
    return s.change(passed=passed, acted=s.acted + 1)


def sell(s: Bidding) -> State:
    """4, after the third turn, 1 and 2: the highest bid is paid, all others go back; or nobody wanted the good."""
    if not any(s.bids):
        return next_good(s.tell("unsold", card=s.good).change(discard=(*s.discard, s.good)))
    buyer = max(range(SEATS), key=lambda seat: worth(s.bids[seat]))
    kept = tuple(
        hand if seat == buyer else canonical(hand + s.bids[seat])
        for seat, hand in enumerate(s.hands)
    )
    won = tuple(row + (s.good,) * (seat == buyer) for seat, row in enumerate(s.won))
    s = s.tell("sold", seat=buyer, card=s.good, value=s.high())
    return next_good(s.change(hands=kept, won=won, discard=s.discard + s.bids[buyer], dealer=buyer))


def next_good(s: Bidding) -> State:
    """4, after the third turn, 3 to 5: the next good, the second stock, or the end."""
    if s.stock:
        return offer(s)
    if s.sale == 1:
        return s.change(Shuffling, sale=2)
    return s.change(Over)


def value(card: Card) -> int:
    """2 A is 1, others are their number."""
    return NUMBER[rank(card)]


def worth(bid: Cards) -> int:
    """4 The value of a bid: a pair is the other card and one; no bid is 0."""
    return sum(map(value, bid))


def extra(won: Cards) -> int:
    """5 Points for goods of one value."""
    ranks = [rank(card) for card in won]
    return sum(EXTRA[ranks.count(each)] for each in RANKS)


def score(won: Cards) -> int:
    """5 Values of the goods and what comes for several of one value."""
    return sum(map(value, won)) + extra(won)


def start(players: int, options: Json) -> State:
    """3 Hands are fixed: spades, hearts, diamonds."""
    hands = tuple(deck(RANKS, suit) for suit in "shd")
    return Shuffling(players=players, hands=hands, won=((),) * SEATS)


ruleset = Ruleset(
    slug="boomerang-auction",
    version=1,
    players=(SEATS,),
    lengths=lambda players: (Length({}, 11),),
    actions={"bid": (Param("cards", "cards"),), "pass": ()},
    reasons=("end",),
    start=start,
    passing=frozenset({"bid", "offered"}),  # a winning bid and an unwanted good go under
)

"""The phases as played, and the steps that lead from one to the next."""

from __future__ import annotations

from collections.abc import Sequence

from rules.common.cards import Card, Cards, canonical, deck, rank, without
from rules.games.boomerang_auction.components import GOODS, SEATS, SUITS, Table
from rules.games.boomerang_auction.scoring import RANKS, extra, score, value, worth
from rules.kernel import Chance, Json, Result, State, Turn, everyone, fact, inner, phase, zone

PASS: Json = {"type": "pass"}


@phase
class Shuffling(Table):
    """3 The clubs are the first stock; 4 the discard pile becomes the second one, once."""

    def turn(self) -> Turn:
        if self.sale == 1:
            return Turn(chance=Chance("stock", GOODS))
        return Turn(chance=Chance("restock", canonical(self.discard)))

    def on_chance(self, outcome: Cards) -> State:
        return offer(self.tell("shuffled", count=len(outcome)).change(stock=outcome, discard=()))


@phase
class Bidding(Table):
    """4 Clockwise from the dealer each seat acts once: it bids more than the highest bid, or passes."""

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
    """5 The most points win; all seats that have them win together."""

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
    """4 A seat with an empty hand passes automatically; after the third turn the good is sold."""
    while s.acted < SEATS and not s.hands[s.on_turn]:
        s = passes(s.tell("empty-handed", seat=s.on_turn), s.on_turn)
    return s if s.acted < SEATS else sell(s)


def passes(s: Bidding, seat: int) -> Bidding:
    """4 No bid from this seat."""
    passed = tuple(True if each == seat else was for each, was in enumerate(s.passed))
    return s.change(passed=passed, acted=s.acted + 1)


def sell(s: Bidding) -> State:
    """4, after the third turn, 1 and 2: the highest bid is paid, others are taken back; or nobody bid."""
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


def start(players: int, options: Json) -> State:
    """3 Hands are fixed: spades, hearts, diamonds."""
    hands = tuple(deck(RANKS, suit) for suit in SUITS)
    return Shuffling(players=players, hands=hands, won=((),) * SEATS)

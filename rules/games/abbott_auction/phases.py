"""The phases as played, and the steps that lead from one to the next."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from rules.common import poker
from rules.common.cards import JOKER, Card, Cards, canonical, deck, replaced, without
from rules.common.deals import deal
from rules.common.poker import RANK, SIZE, VALUE
from rules.games.abbott_auction.claims import Claim, bids_over, is_answer, layable
from rules.games.abbott_auction.components import CALLABLE, HAND, Deal, Table, pack
from rules.games.abbott_auction.scoring import BONUS, points
from rules.kernel import (
    OVER,
    Action,
    Chance,
    Json,
    Part,
    Place,
    Result,
    State,
    Turn,
    Viewer,
    all_seats,
    everyone,
    fact,
    inner,
    only,
    part,
    phase,
    waits_for,
    zone,
)

PASS = Action(type="pass")
LEAVE = Action(type="leave")
DECLARE = Action(type="declare")
LAY = {card: Action(type="lay", card=card) for card in deck(jokers=1)}


@phase
class Dealing(Table):
    """3 All cards are shuffled and dealt; until then the hands of the previous deal lie face up."""

    hands: tuple[Cards, ...] = zone(everyone, "hand", per="seat", name="hand")

    def turn(self) -> Turn:
        return Turn(chance=Chance("stock", pack(self.players)))

    def on_chance(self, outcome: Cards) -> State:
        hands, rest = deal(outcome, self.players, HAND)
        hands = tuple(map(canonical, hands))
        s = self.change(number=self.number + 1, hands=hands, pile=rest[:1], stock=rest[1:])
        s = s.tell("deal", number=s.number)
        for seat, hand in enumerate(hands):
            s = s.tell("dealt", seat=seat, cards=only(hand, seat))
        return next_auction(s.tell("opened", card=rest[0]))


@phase
class Bidding(Table):
    """4.3 At any time, a seat may bid unless it is the high bidder, has passed on this bid or has left the auction."""

    high: Claim | None = inner(default=None)
    bidder: int | None = fact(everyone, "seat", default=None)
    opener: int | None = fact(everyone, "seat", default=None)
    passed: tuple[bool | None, ...] = fact(everyone, per="seat")
    left: tuple[bool | None, ...] = fact(everyone, "gone", per="seat", name="passed")

    def parts(self) -> Sequence[Part]:
        return (*super().parts(), part("auction", len(self.pile), card=self.pile[-1]))

    @property
    def asked(self) -> tuple[int, ...]:
        """4.3 The seats that the game is waiting for."""
        return asked(self.passed, self.left, self.bidder)

    def turn(self) -> Turn:
        waiting = self.asked
        if len(self.pile) < CALLABLE:
            return waits_for(waiting)
        return waits_for(
            waiting, tuple([seat for seat in all_seats(self.players) if seat not in waiting])
        )

    def prompt(self) -> Json:
        return {} if self.high is None else {"kind": self.high.kind, **self.high.named()}

    def legal(self, seat: int) -> list[Action]:
        declare = [DECLARE] if len(self.pile) >= CALLABLE else []
        if seat == self.bidder or self.passed[seat] or self.left[seat]:
            return declare
        bids = bids_over(self.high, self.hands[seat], opener=seat == self.opener)
        return [*bids, PASS, LEAVE, *declare]

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.2 The reason why a card cannot be chosen: a bid names a set, and no card is laid before the trade."""
        return {"why": "names"} if action.get("card") in self.hands[seat] else None

    def fallback(self, seat: int) -> Json:
        return LEAVE

    def do_bid(
        self, seat: int, kind: str, rank: str | None = None, suit: str | None = None
    ) -> State:
        claim = Claim(kind, VALUE[rank] if rank else None, suit)
        s = self.tell("bid", seat=seat, kind=kind, **claim.named())
        opener = self.opener if is_answer(claim, self.high) else seat
        nobody = (None,) * self.players
        return go_on(s.change(high=claim, bidder=seat, opener=opener, passed=nobody))

    def do_pass(self, seat: int) -> State:
        s = self.tell("passed", seat=seat)
        return go_on(s.change(passed=replaced(s.passed, seat, True)))

    def do_leave(self, seat: int) -> State:
        s = self.tell("left", seat=seat)
        return go_on(s.change(left=replaced(s.left, seat, True)))

    def do_declare(self, seat: int) -> State:
        return end_deal(self.tell("declared", seat=seat), "declared", seat)


def winner_alone(state: Laying, viewer: Viewer, place: Place) -> bool:
    """4.4, 1: visible to the winner alone, who sees the cards that come from the stock."""
    return viewer == state.winner


@phase
class Laying(Table):
    """4.4, 2: the winner lays its set on the pile, card by card, from the hand that it held before the trade."""

    winner: int = fact(everyone, "seat")
    claim: Claim = inner()
    taken: Cards = fact(winner_alone, "cards")
    """4.4, 1: the cards in the winner's hand that it has just taken, and so cannot lay."""
    laid: int = inner(default=0)

    def turn(self) -> Turn:
        return waits_for((self.winner,))

    def prompt(self) -> Json:
        left = SIZE[self.claim.kind] - self.laid
        return {"kind": self.claim.kind, **self.claim.named(), "count": left}

    def legal(self, seat: int) -> list[Action]:
        laid = self.pile[len(self.pile) - self.laid :]
        before = without(self.hands[seat], *self.taken)
        return [LAY[card] for card in layable(self.claim, before, laid)]

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.4, 2: the reason why a card cannot be laid: it is not of the set, or not from the hand before the trade."""
        card = action.get("card")
        if card in self.taken and self.hands[seat].count(card) == self.taken.count(card):
            return {"why": "taken", "card": card}
        if card in self.hands[seat]:
            return {"why": "other-set", "card": card, "kind": self.claim.kind, **self.claim.named()}
        return None

    def fallback(self, seat: int) -> Json:
        return self.legal(seat)[0]

    def do_lay(self, seat: int, card: Card) -> State:
        s = lay(self, card)
        return s if s.laid < SIZE[s.claim.kind] else turn_card(s)


@phase
class Over(Table):
    """5.2 The highest total wins; all seats that have it share the win."""

    hands: tuple[Cards, ...] = zone(everyone, "hand", per="seat", name="hand")

    def turn(self) -> Turn:
        return OVER

    def facts(self) -> Sequence[Json]:
        bests = [
            {"name": "best", "of": seat, "kind": each.kind, "cards": list(each.cards)}
            for seat, each in enumerate(map(poker.best, self.hands))
        ]
        return [*super().facts(), *bests]

    def result(self) -> Result:
        most = max(self.totals)
        winners = tuple(seat for seat, total in enumerate(self.totals) if total == most)
        return Result(winners, self.totals, "target" if most >= self.target else "deal-limit")


@functools.lru_cache(maxsize=4096)
def asked(
    passed: tuple[bool | None, ...], left: tuple[bool | None, ...], bidder: int | None
) -> tuple[int, ...]:
    """4.3 The seats that have neither passed nor left, except the high bidder."""
    done = zip(passed, left, strict=True)
    return tuple([seat for seat, each in enumerate(done) if not any(each) and seat != bidder])


def go_on(s: Bidding) -> State:
    """4.3 The state in which the auction goes on or, if no seat can bid, after the trade or, without a bid, a card."""
    if s.asked:
        return s
    return turn_card(s.tell("no-bid")) if s.high is None else trade(s, s.high)


def trade(s: Bidding, claim: Claim) -> State:
    """4.4, 1: the state after the winner took the top of the pile; missing cards come from the stock, unseen by the
    others.
    """
    seat, count = s.bidder or 0, SIZE[claim.kind]
    s = s.tell("won", seat=seat, kind=claim.kind, **claim.named())
    keep = max(0, len(s.pile) - count)
    seen, missing = s.pile[keep:][::-1], count - (len(s.pile) - keep)
    unseen = s.stock[:missing]
    s = s.tell("took", seat=seat, cards=seen) if seen else s
    s = s.tell("drew", seat=seat, cards=only(unseen, seat)) if unseen else s
    hand = canonical(s.hands[seat] + seen + unseen)
    s = s.change(hands=replaced(s.hands, seat, hand), pile=s.pile[:keep], stock=s.stock[missing:])
    return lay_forced(s.change(Laying, winner=seat, claim=claim, taken=seen + unseen))


def lay_forced(s: Laying) -> State:
    """4.4, 2: the state after cards that leave no choice were laid: jokers, and a card named by rank and suit."""
    forced: Cards = ()
    if s.claim.rank == VALUE[JOKER]:
        forced = (JOKER,) * SIZE[s.claim.kind]
    elif s.claim.suit:
        forced = (RANK[s.claim.rank or 0] + s.claim.suit,)
    for card in forced:
        s = lay(s, card)
    return turn_card(s) if forced else s


def lay(s: Laying, card: Card) -> Laying:
    """4.4, 2: the state after a card from the hand was laid on the pile."""
    hand = without(s.hands[s.winner], card)
    return s.tell("laid", seat=s.winner, card=card).change(
        hands=replaced(s.hands, s.winner, hand), pile=(*s.pile, card), laid=s.laid + 1
    )


def turn_card(s: Table) -> State:
    """4.4, 3: the state after the next card of the stock was laid on the pile; a joker or an empty stock ends the
    deal.
    """
    if not s.stock:
        return end_deal(s.tell("stock-empty"), "stock")
    card = s.stock[0]
    s = s.change(pile=(*s.pile, card), stock=s.stock[1:]).tell("turned", card=card)
    return end_deal(s.tell("joker"), "joker") if card == JOKER else next_auction(s)


def next_auction(s: Table) -> Bidding:
    """4.3 The state at the start of an auction: there is no bid yet, and nobody has passed or left."""
    nobody = (None,) * s.players
    return s.change(Bidding, passed=nobody, left=nobody)


def end_deal(s: Table, reason: str, declarer: int | None = None) -> State:
    """5.1 The state after the deal: the best hands share the points of the pile; the declarer wins or loses a bonus."""
    bests = list(map(poker.best, s.hands))
    strongest = max(each.strength for each in bests)
    seats = tuple(seat for seat, each in enumerate(bests) if each.strength == strongest)
    value = points(s.pile)
    s = s.tell("ended", value=value)
    for seat, each in enumerate(bests):
        s = s.tell("shown", seat=seat, cards=s.hands[seat], kind=each.kind, best=each.cards)
    s = score(s.tell("scored", seats=seats, value=value // len(seats)), seats, value, declarer)
    return end_match(s.change(deals=(*s.deals, Deal(reason, declarer, seats, value))))


def score(s: Table, seats: tuple[int, ...], value: int, declarer: int | None) -> Table:
    """5.1 The state after the best hands were given equal shares, rounded down, and the declarer the bonus."""
    totals = [total + (value // len(seats)) * (n in seats) for n, total in enumerate(s.totals)]
    if declarer is not None:
        bonus = BONUS if declarer in seats else -BONUS
        s = s.tell("bonus", seat=declarer, value=bonus)
        totals[declarer] += bonus
    return s.change(totals=tuple(totals))


def end_match(s: Table) -> State:
    """5.2 The state after the match, if a seat has reached the target or it was the last deal, or before a deal."""
    over = max(s.totals) >= s.target or s.number == s.max_deals
    return s.change(Over if over else Dealing)


def start(players: int, options: Json) -> State:
    """3 The state before anything is dealt."""
    return Dealing(
        players=players,
        hands=((),) * players,
        totals=(0,) * players,
        **options,
    )

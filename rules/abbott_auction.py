"""Auction (アボットのオークション), Robert Abbott: sets of cards are bid for a pile, the best poker hand wins it.

Described by 赤桐, 1997.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules import poker
from rules.cards import JOKER, Card, Cards, canonical, deck, replaced, without
from rules.deals import deal
from rules.kernel import (
    Chance,
    Json,
    Length,
    Option,
    Param,
    Place,
    Result,
    Ruleset,
    State,
    Turn,
    Viewer,
    everyone,
    fact,
    inner,
    only,
    owner,
    phase,
    size,
    table,
    zone,
)
from rules.poker import RANK, SIZE, VALUE

PLAYERS = range(2, 9)
TWO_PACKS = 4
"""So many players take two packs (2)."""
HAND = 10
CALLABLE = 8
"""Cards of the pile with which the end of the deal can be declared (4.3)."""
BONUS = 25
"""For the declarer, or against it (5.1)."""
POINTS = {"A": 10, "K": 5, "Q": 5, "J": 5, JOKER: 5}
"""What cards of the pile are worth; all others 1 (5.1)."""
BARE = frozenset({"two-pair", "straight", "flush", "full-house", "straight-flush"})
"""Kinds that are bid without a rank first (4.2)."""
STRENGTH = {kind: strength for strength, kind in enumerate(SIZE)}
NAMES = RANK | {VALUE[JOKER]: "joker"}
"""How views and lines call a rank: `Jk` would be a card that somebody sees."""
PASS: Json = {"type": "pass"}
LEAVE: Json = {"type": "leave"}
DECLARE: Json = {"type": "declare"}


class Claim(NamedTuple):
    """4.2 A bid: a kind, perhaps a rank (its value), perhaps a suit."""

    kind: str
    rank: int | None = None
    suit: str | None = None

    def action(self) -> Json:
        """The bid of this claim."""
        action: Json = {"type": "bid", "kind": self.kind}
        if self.rank is not None:
            action["rank"] = RANK[self.rank]
        return action if self.suit is None else {**action, "suit": self.suit}

    def named(self) -> Json:
        """Rank and suit, where they are named, as views and lines have them."""
        named: Json = {} if self.rank is None else {"rank": NAMES[self.rank]}
        return named if self.suit is None else {**named, "suit": self.suit}


class Deal(NamedTuple):
    """2 What is remembered of a finished deal."""

    reason: str
    declarer: int | None
    seats: tuple[int, ...]
    points: int


@table
class Table(State):
    """2 Components: who sees them. The last card of the pile is its top, the first of the stock is."""

    hands: tuple[Cards, ...] = zone(owner, "hand", name="hand")
    pile: Cards = zone(everyone, "row", default=())
    stock: Cards = zone(size, "pile", default=())
    number: int = fact(everyone, default=0)
    totals: tuple[int, ...] = fact(everyone, per="seat", name="score")
    deals: tuple[Deal, ...] = inner(default=())
    target: int = inner()
    max_deals: int = inner()

    def facts(self) -> Sequence[Json]:
        return [
            {"name": "points", "value": points(self.pile)},
            *({"name": "deal", "number": n, **told(each)} for n, each in enumerate(self.deals, 1)),
        ]


@phase
class Dealing(Table):
    """3 All cards are shuffled and dealt; the hands of the deal before lie open till then."""

    hands: tuple[Cards, ...] = zone(everyone, "hand", per="seat", name="hand")

    def turn(self) -> Turn:
        return Turn(chance=Chance("stock", pack(self.players)))

    def fell(self, outcome: Cards) -> State:
        hands, rest = deal(outcome, self.players, HAND)
        hands = tuple(map(canonical, hands))
        s = self.change(number=self.number + 1, hands=hands, pile=rest[:1], stock=rest[1:])
        s = s.tell("deal", number=s.number)
        for seat, hand in enumerate(hands):
            s = s.tell("dealt", seat=seat, cards=only(hand, seat))
        return next_auction(s.tell("opened", card=rest[0]))


@phase
class Bidding(Table):
    """4.3 Whoever is not the high bidder, has not passed on the bid and has not left may bid, at any time."""

    high: Claim | None = inner(default=None)
    bidder: int | None = fact(everyone, "seat", default=None)
    opener: int | None = fact(everyone, "seat", default=None)
    passed: tuple[bool | None, ...] = fact(everyone, per="seat")
    left: tuple[bool | None, ...] = fact(everyone, "gone", per="seat", name="passed")

    @property
    def asked(self) -> tuple[int, ...]:
        """4.3 The seats that are waited for."""
        return tuple(
            seat
            for seat in range(self.players)
            if seat != self.bidder and not self.passed[seat] and not self.left[seat]
        )

    def turn(self) -> Turn:
        asked = self.asked
        if len(self.pile) < CALLABLE:
            return Turn(waiting=asked)
        others = tuple(seat for seat in range(self.players) if seat not in asked)
        return Turn(waiting=asked, optional=others)

    def prompt(self) -> Json:
        return {} if self.high is None else {"kind": self.high.kind, **self.high.named()}

    def legal(self, seat: int) -> list[Json]:
        declare = [DECLARE] if len(self.pile) >= CALLABLE else []
        if seat not in self.asked:
            return declare
        claims = claims_over(self.high, self.hands[seat], opener=seat == self.opener)
        return [*(claim.action() for claim in claims), PASS, LEAVE, *declare]

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
    """4.4, 1: what comes from the stock is seen by the winner only."""
    return viewer == state.winner


@phase
class Laying(Table):
    """4.4, 2: the winner lays its set on the pile, card by card, out of the hand that it had before."""

    winner: int = fact(everyone, "seat")
    claim: Claim = inner()
    taken: Cards = fact(winner_alone, "cards")
    """4.4, 1: those cards of the winner's hand that cannot be laid."""
    laid: int = inner(default=0)

    def turn(self) -> Turn:
        return Turn(waiting=(self.winner,))

    def prompt(self) -> Json:
        left = SIZE[self.claim.kind] - self.laid
        return {"kind": self.claim.kind, **self.claim.named(), "count": left}

    def legal(self, seat: int) -> list[Json]:
        laid = self.pile[len(self.pile) - self.laid :]
        before = without(self.hands[seat], *self.taken)
        return [{"type": "lay", "card": card} for card in layable(self.claim, before, laid)]

    def fallback(self, seat: int) -> Json:
        return self.legal(seat)[0]

    def do_lay(self, seat: int, card: Card) -> State:
        s = lay(self, card)
        return s if s.laid < SIZE[s.claim.kind] else turn_card(s)


@phase
class Over(Table):
    """5.2 The highest total wins; all who have it win together."""

    hands: tuple[Cards, ...] = zone(everyone, "hand", per="seat", name="hand")

    def turn(self) -> Turn:
        return Turn(over=True)

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


def claims_over(high: Claim | None, hand: Cards, *, opener: bool) -> list[Claim]:
    """4.2 Every claim that `hand` backs and that may be bid over `high`, in order."""
    least = 0 if high is None else STRENGTH[high.kind]
    claims: list[Claim] = []
    for kind in list(SIZE)[least:]:
        if high is not None and kind == high.kind:
            claims += answers(high, hand, opener=opener)
        elif kind not in BARE:
            claims += [Claim(kind, rank) for rank in poker.tops(hand, kind)]
        elif poker.tops(hand, kind):
            claims.append(Claim(kind))
    return claims


def answers(high: Claim, hand: Cards, *, opener: bool) -> list[Claim]:
    """4.2 Claims of the kind of `high`: a higher rank; an equal one beats it by its suit, or for the opener."""
    ranks = poker.tops(hand, high.kind)
    if high.kind in BARE:
        least = 0 if high.rank is None else high.rank + (not opener)
        return [Claim(high.kind, rank) for rank in ranks if rank >= least]
    higher = [Claim(high.kind, rank) for rank in ranks if rank > (high.rank or 0)]
    if high.kind != "single" or high.rank in (None, VALUE[JOKER]):
        return higher
    least = 0 if high.suit is None else poker.SUITS.index(high.suit) + (not opener)
    suits = [suit for suit in poker.SUITS[least:] if RANK[high.rank] + suit in hand]
    return [*(Claim("single", high.rank, suit) for suit in suits), *higher]


def is_answer(claim: Claim, high: Claim | None) -> bool:
    """4.2 Whether the opener of `high` stays the opener."""
    if high is None or claim.kind != high.kind:
        return False
    return claim.kind in BARE or claim.rank == high.rank


def go_on(s: Bidding) -> State:
    """4.3 As long as somebody is asked the auction goes on; then the trade, or only another card."""
    if s.asked:
        return s
    return turn_card(s.tell("no-bid")) if s.high is None else trade(s, s.high)


def trade(s: Bidding, claim: Claim) -> State:
    """4.4, 1: the top of the pile goes to the winner, what is missing from the stock, unseen by others."""
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
    """4.4, 2: a card named by rank and suit and jokers are laid by themselves."""
    forced: Cards = ()
    if s.claim.rank == VALUE[JOKER]:
        forced = (JOKER,) * SIZE[s.claim.kind]
    elif s.claim.suit:
        forced = (RANK[s.claim.rank or 0] + s.claim.suit,)
    for card in forced:
        s = lay(s, card)
    return turn_card(s) if forced else s


def lay(s: Laying, card: Card) -> Laying:
    """4.4, 2: a card of the hand goes on the pile."""
    hand = without(s.hands[s.winner], card)
    return s.tell("laid", seat=s.winner, card=card).change(
        hands=replaced(s.hands, s.winner, hand), pile=(*s.pile, card), laid=s.laid + 1
    )


def layable(claim: Claim, hand: Cards, laid: Cards) -> Cards:
    """4.4, 2: the cards of `hand` that stand with those `laid` in a set that backs the claim."""
    found: set[Card] = set()
    for cards in poker.sets(canonical(hand + laid), claim.kind, claim.rank):
        rest = list(cards)
        for card in laid:
            if card in rest:
                rest.remove(card)
        if len(rest) == len(cards) - len(laid):
            found.update(rest)
    return canonical(found)


def turn_card(s: Table) -> State:
    """4.4, 3: the next card of the stock goes on the pile; none or a joker ends the deal."""
    if not s.stock:
        return end_deal(s.tell("stock-empty"), "stock")
    card = s.stock[0]
    s = s.change(pile=(*s.pile, card), stock=s.stock[1:]).tell("turned", card=card)
    return end_deal(s.tell("joker"), "joker") if card == JOKER else next_auction(s)


def next_auction(s: Table) -> Bidding:
    """4.3 There is no bid, and nobody has passed or left."""
    nobody = (None,) * s.players
    return s.change(Bidding, passed=nobody, left=nobody)


def end_deal(s: Table, reason: str, declarer: int | None = None) -> State:
    """5.1 The best hands share the points of the pile; the declarer wins or loses a bonus."""
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
    """5.1 Equal shares, rounded down, and the bonus."""
    totals = [total + (value // len(seats)) * (n in seats) for n, total in enumerate(s.totals)]
    if declarer is not None:
        bonus = BONUS if declarer in seats else -BONUS
        s = s.tell("bonus", seat=declarer, value=bonus)
        totals[declarer] += bonus
    return s.change(totals=tuple(totals))


def end_match(s: Table) -> State:
    """5.2 Somebody has reached the target, or it was the last deal; else the next one."""
    over = max(s.totals) >= s.target or s.number == s.max_deals
    return s.change(Over if over else Dealing)


def points(pile: Cards) -> int:
    """5.1 What the pile is worth."""
    return sum(POINTS.get(card if card == JOKER else card[0], 1) for card in pile)


def pack(players: int) -> Cards:
    """3 One pack with two jokers, or two packs, each card twice in a row, with four."""
    packs = 1 if players < TWO_PACKS else 2
    return tuple(card for card in deck() for _ in range(packs)) + (JOKER,) * (2 * packs)


def told(each: Deal) -> Json:
    """A finished deal as views have it."""
    told = {"reason": each.reason, "seats": each.seats, "value": each.points}
    return told if each.declarer is None else {**told, "declarer": each.declarer}


def alike(then: State, card: Card) -> bool:
    """4.2 The rank of a joker in a bid is called like the card, so a joker stays what it is."""
    return card == JOKER


def start(players: int, options: Json) -> State:
    """3 Nothing is dealt yet."""
    return Dealing(
        players=players,
        hands=((),) * players,
        totals=(0,) * players,
        **options,
    )


ruleset = Ruleset(
    slug="abbott-auction",
    version=1,
    players=tuple(PLAYERS),
    lengths=lambda players: (
        Length({"max_deals": 1}, 12),
        Length({"target": 50}, 60),
        Length({}, 170),
    ),
    options=lambda players: {
        "target": Option((50, 100, 150), 150),
        "max_deals": Option((1, 2, 4, 8, 12, 20, 30), 20),
    },
    actions={
        "bid": (Param("kind", "choice"), Param("rank", "rank"), Param("suit", "suit")),
        "pass": (),
        "leave": (),
        "declare": (),
        "lay": (Param("card", "card"),),
    },
    reasons=("target", "deal-limit"),
    start=start,
    alike=alike,
)

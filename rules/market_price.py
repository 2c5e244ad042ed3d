"""Market Price (時価で勝負), オシノ 2013: everybody pushes the prices of four companies and holds two secret shares.

After *Botswana*.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import NUMBER, SUITS, Card, Cards, canonical, deck, replaced, without
from rules.deals import deal
from rules.kernel import (
    Chance,
    Json,
    Length,
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

CHANCES = (("watch", "J"), ("queens", "Q"), ("kings", "K"), ("numbers", "23456789T"))
"""The shuffles of the set-up and the ranks in each (3)."""
HAND = {3: 9, 4: 7}
QUEEN, KING = 1, 2
"""How many times its company's price a share is worth (5)."""


def holder(state: State, viewer: Viewer, place: Place) -> bool:
    """Who holds a share sees it, at the end everybody does (2)."""
    return isinstance(state, Over) or owner(state, viewer, place)


@table
class Table(State):
    """2 Components: who sees them. A company is a suit, numbered in the order s h d c."""

    hands: tuple[Cards, ...] = zone(owner, "hand", name="hand")
    shares: tuple[Cards, ...] = zone(holder, "row", per="seat", name="share")
    upper: tuple[Cards, ...] = zone(everyone, "pile", per="index", default=((),) * len(SUITS))
    lower: tuple[Cards, ...] = zone(
        everyone, "pile", per="index", default=tuple((ace,) for ace in deck("A"))
    )
    watch: Cards = zone(size, "pile", default=())
    watched: Cards = zone(everyone, "row", default=())
    removed: Cards = zone(size, "pile", default=())
    passed: tuple[bool | None, ...] = fact(everyone, per="seat")
    round: int = fact(everyone, default=0)

    def facts(self) -> Sequence[Json]:
        return [
            {"name": "price", "index": company, "value": price(self, suit)}
            for company, suit in enumerate(SUITS)
        ]


@phase
class Dealing(Table):
    """3 Inspectors, Queens, Kings and numbers are shuffled one after the other, and dealt."""

    step: int = inner(default=0)

    def turn(self) -> Turn:
        name, ranks = CHANCES[self.step]
        return Turn(chance=Chance(name, deck(ranks)))

    def fell(self, outcome: Cards) -> State:
        s = self.tell("shuffled", deck=CHANCES[self.step][0]).change(step=self.step + 1)
        if self.step == 0:
            return s.change(watch=outcome)
        if self.step == len(CHANCES) - 1:
            return next_round(deal_numbers(s, outcome))
        return deal_shares(s, outcome)


@phase
class Playing(Table):
    """4.2 The seat on turn has to play a card whose suit is not watched."""

    on_turn: int = inner()

    def turn(self) -> Turn:
        return Turn(waiting=(self.on_turn,))

    def prompt(self) -> Json:
        return {"watched": suit_watched(self)}

    def legal(self, seat: int) -> list[Json]:
        watched = suit_watched(self)
        return [
            {"type": "play", "card": card, "at": at}
            for card in self.hands[seat]
            if card[1] != watched
            for at in (("upper", "lower") if self.upper[company_of(card)] else ("upper",))
        ]

    def fallback(self, seat: int) -> Json:
        return self.legal(seat)[0]

    def do_play(self, seat: int, card: Card, at: str) -> State:
        company = company_of(card)
        stacks = self.upper if at == "upper" else self.lower
        stacks = replaced(stacks, company, (*stacks[company], card))
        hands = replaced(self.hands, seat, without(self.hands[seat], card))
        s = self.change(hands=hands, **{at: stacks})
        s = s.tell("played", seat=seat, card=card, at=at, value=price(s, card[1]))
        return go_on(s, seat + 1)


@phase
class Reshuffling(Table):
    """4.3, 4: all four inspectors have been turned; they lie there until they are shuffled."""

    def turn(self) -> Turn:
        return Turn(chance=Chance("watch", canonical(self.watched)))

    def fell(self, outcome: Cards) -> State:
        return next_round(self.tell("shuffled", deck="watch").change(watch=outcome, watched=()))


@phase
class Over(Table):
    """5 Shares are worth the price of their company; the richest wins."""

    def turn(self) -> Turn:
        return Turn(over=True)

    def facts(self) -> Sequence[Json]:
        sums = [
            {"name": "sum", "of": seat, "queen": queen(self, seat), "king": king(self, seat)}
            for seat in range(self.players)
        ]
        totals = [
            {"name": "score", "of": seat, "value": total(self, seat)}
            for seat in range(self.players)
        ]
        return [*super().facts(), *sums, *totals]

    def result(self) -> Result:
        scores = tuple(total(self, seat) for seat in range(self.players))
        richest = [seat for seat, score in enumerate(scores) if score == max(scores)]
        if len(richest) == 1:
            return Result(tuple(richest), scores, "richest")
        best = max(queen(self, seat) for seat in richest)
        winners = tuple(seat for seat in richest if queen(self, seat) == best)
        return Result(winners, scores, "queen" if len(winners) == 1 else "shared")


def deal_shares(s: Dealing, outcome: Cards) -> Dealing:
    """3 One Queen, later one King each; what is left is removed unseen."""
    for seat in range(s.players):
        s = s.tell("share", seat=seat, card=only(outcome[seat], seat))
    return s.change(
        shares=tuple((*share, outcome[seat]) for seat, share in enumerate(s.shares)),
        removed=s.removed + outcome[s.players :],
    )


def deal_numbers(s: Dealing, outcome: Cards) -> Dealing:
    """3 The hands; what is left is removed unseen."""
    hands, rest = deal(outcome, s.players, HAND[s.players])
    hands = tuple(map(canonical, hands))
    for seat, hand in enumerate(hands):
        s = s.tell("dealt", seat=seat, cards=only(hand, seat))
    return s.change(hands=hands, removed=s.removed + rest)


def next_round(s: Table) -> State:
    """4.3, 5: the top inspector is turned, the lowest seat that still plays begins."""
    inspector, number = s.watch[0], s.round + 1
    s = s.tell("turned", card=inspector, suit=inspector[1], round=number)
    watched = (*s.watched, inspector)
    return go_on(s.change(watch=s.watch[1:], watched=watched, round=number), 0)


def go_on(s: Table, first: int) -> State:
    """4.3, 1 and 2: the next seat from `first` on; one that holds only the watched suit passes, for good."""
    watched = suit_watched(s)
    for seat in range(first, s.players):
        if not s.hands[seat] or s.passed[seat]:
            continue
        if any(card[1] != watched for card in s.hands[seat]):
            return s.change(Playing, on_turn=seat)
        s = s.tell("passed", seat=seat, suit=watched)
        s = s.change(passed=replaced(s.passed, seat, True))
    return end_round(s)


def end_round(s: Table) -> State:
    """4.3, 3 to 5: the end, a new watch pile, or the next inspector."""
    if all(s.passed[seat] or not hand for seat, hand in enumerate(s.hands)):
        return finish(s)
    return next_round(s) if s.watch else s.change(Reshuffling)


def finish(s: Table) -> Over:
    """5 Hands are put away unseen, the shares are shown."""
    for seat, hand in enumerate(s.hands):
        if hand:
            s = s.tell("put-away", seat=seat, count=len(hand))
    for seat, cards in enumerate(s.shares):
        s = s.tell("shown", seat=seat, cards=cards, value=total(s, seat))
    return s.change(Over, hands=((),) * s.players, removed=sum(s.hands, s.removed))


def suit_watched(s: Table) -> str:
    """2 The suit of the inspector turned last."""
    return s.watched[-1][1]


def company_of(card: Card) -> int:
    """The number of the company of a card."""
    return SUITS.index(card[1])


def price(s: Table, suit: str) -> int:
    """5 The lower of the two top values, 1 while only the Ace lies there."""
    company = SUITS.index(suit)
    tops = [stack[-1] for stack in (s.upper[company], s.lower[company]) if stack]
    return min(NUMBER[card[0]] for card in tops)


def queen(s: Table, seat: int) -> int:
    """5 What the seat's Queen is worth."""
    return QUEEN * price(s, s.shares[seat][0][1])


def king(s: Table, seat: int) -> int:
    """5 What the seat's King is worth."""
    return KING * price(s, s.shares[seat][1][1])


def total(s: Table, seat: int) -> int:
    """5 Both shares."""
    return queen(s, seat) + king(s, seat)


def alike(then: Table, card: Card) -> object:
    """4.3 A seat passes when all its cards are of the watched suit.

    So everybody can tell how many hidden cards are of that suit: of the one before the event, and the one after it.
    """
    if card[0] not in CHANCES[-1][1]:
        return card[0]
    return tuple(card[1] == inspector[1] for inspector in then.watched[-2:])


def start(players: int, options: Json) -> State:
    """3 The Aces lie open, nothing is dealt yet."""
    return Dealing(
        players=players,
        hands=((),) * players,
        shares=((),) * players,
        passed=(None,) * players,
    )


ruleset = Ruleset(
    slug="market-price",
    version=1,
    players=(3, 4),
    lengths=lambda players: (Length({}, 8),),
    actions={"play": (Param("card", "card"), Param("at", "choice"))},
    reasons=("richest", "queen", "shared"),
    start=start,
    alike=alike,
)

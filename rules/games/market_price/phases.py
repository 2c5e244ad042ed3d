"""The phases as played, and the steps that lead from one to the next."""

from __future__ import annotations

from collections.abc import Sequence

from rules.common.cards import SUITS, Card, Cards, canonical, deck, replaced, without
from rules.common.deals import deal
from rules.games.market_price.components import (
    CHANCES,
    COMPANY,
    HAND,
    Table,
    price,
    suit_watched,
)
from rules.games.market_price.scoring import king, queen, total
from rules.kernel import (
    OVER,
    Action,
    Chance,
    Json,
    Part,
    Result,
    State,
    Turn,
    inner,
    only,
    phase,
    waits_for,
)

PLAYS = {
    card: [Action(type="play", card=card, at=at) for at in ("upper", "lower")] for card in deck()
}
"""4.2 The plays of each card. The lower stack can be used once a card lies on the upper one."""

NOT_OF = {suit: frozenset(card for card in deck() if card[1] != suit) for suit in SUITS}
"""The cards of all other suits, by suit."""


@phase
class Dealing(Table):
    """3 Inspectors, queens, kings and numbers are shuffled and dealt, one kind after the other."""

    step: int = inner(default=0)

    def turn(self) -> Turn:
        name, ranks = CHANCES[self.step]
        return Turn(chance=Chance(name, deck(ranks)))

    def on_chance(self, outcome: Cards) -> State:
        s = self.tell("shuffled", deck=CHANCES[self.step][0]).change(step=self.step + 1)
        if self.step == 0:
            return s.change(watch=outcome)
        if self.step == len(CHANCES) - 1:
            return next_round(deal_numbers(s, outcome))
        return deal_shares(s, outcome)


@phase
class Playing(Table):
    """4.2 The seat whose turn it is has to play a card whose suit is not watched."""

    on_turn: int = inner()

    def turn(self) -> Turn:
        return waits_for((self.on_turn,))

    def prompt(self) -> Json:
        return {"watched": suit_watched(self)}

    def legal(self, seat: int) -> list[Action]:
        watched, upper, plays = suit_watched(self), self.upper, list[Action]()
        for card in self.hands[seat]:
            if card[1] != watched:
                plays += PLAYS[card] if upper[COMPANY[card]] else PLAYS[card][:1]
        return plays

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.2 The reason why a card cannot be played: its suit is watched, or nothing lies on the upper stack yet."""
        card, watched = action.get("card"), suit_watched(self)
        if card not in self.hands[seat]:
            return None
        if card[1] == watched:
            return {"why": "watched", "suit": watched}
        return {"why": "upper-first"} if action.get("at") == "lower" else None

    def beside(self, seat: int, action: Json) -> Json:
        """4.2 The card that the played card will cover."""
        stack = (self.upper if action["at"] == "upper" else self.lower)[COMPANY[action["card"]]]
        return {"on": stack[-1]} if stack else {"first": True}

    def fallback(self, seat: int) -> Json:
        return self.legal(seat)[0]

    def do_play(self, seat: int, card: Card, at: str) -> State:
        company = COMPANY[card]
        stacks = self.upper if at == "upper" else self.lower
        stacks = replaced(stacks, company, (*stacks[company], card))
        hands = replaced(self.hands, seat, without(self.hands[seat], card))
        s = self.change(hands=hands, **{at: stacks})
        s = s.tell("played", seat=seat, card=card, at=at, value=price(s, card[1]))
        return go_on(s, seat + 1)


@phase
class Reshuffling(Table):
    """4.3, 4: all four inspectors have been turned, and lie face up until they are shuffled."""

    def turn(self) -> Turn:
        return Turn(chance=Chance("watch", canonical(self.watched)))

    def on_chance(self, outcome: Cards) -> State:
        return next_round(self.tell("shuffled", deck="watch").change(watch=outcome, watched=()))


@phase
class Over(Table):
    """5 Shares count the price of their company; the richest seat wins."""

    def turn(self) -> Turn:
        return OVER

    def parts(self) -> Sequence[Part]:
        return (Part("shares"),)

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
    """3 The state after each seat was dealt a queen or, afterwards, a king; leftovers are removed unseen."""
    for seat in range(s.players):
        s = s.tell("share", seat=seat, card=only(outcome[seat], seat))
    return s.change(
        shares=tuple((*share, outcome[seat]) for seat, share in enumerate(s.shares)),
        removed=s.removed + outcome[s.players :],
    )


def deal_numbers(s: Dealing, outcome: Cards) -> Dealing:
    """3 The state after the hands were dealt; leftovers are removed unseen."""
    hands, rest = deal(outcome, s.players, HAND[s.players])
    hands = tuple(map(canonical, hands))
    for seat, hand in enumerate(hands):
        s = s.tell("dealt", seat=seat, cards=only(hand, seat))
    return s.change(hands=hands, removed=s.removed + rest)


def next_round(s: Table) -> State:
    """4.3, 5: the state after the top inspector was turned; the lowest-numbered seat still in the game begins."""
    inspector, number = s.watch[0], s.round + 1
    s = s.tell("turned", card=inspector, suit=inspector[1], round=number)
    watched = (*s.watched, inspector)
    return go_on(s.change(watch=s.watch[1:], watched=watched, round=number), 0)


def go_on(s: Table, first: int) -> State:
    """4.3, 1 and 2: the state in which the next seat from `first` on has its turn.

    A seat with cards of only the watched suit is out.
    """
    watched = suit_watched(s)
    for seat in range(first, s.players):
        if not s.hands[seat] or s.passed[seat]:
            continue
        if any(map(NOT_OF[watched].__contains__, s.hands[seat])):
            return s.change(Playing, on_turn=seat)
        s = s.tell("passed", seat=seat, suit=watched)
        s = s.change(passed=replaced(s.passed, seat, True))
    return end_round(s)


def end_round(s: Table) -> State:
    """4.3, 3 to 5: the state at the end of the game, at a new shuffle of the watch pile, or at the next round."""
    if not any(hand for hand, passed in zip(s.hands, s.passed, strict=True) if not passed):
        return finish(s)
    return next_round(s) if s.watch else s.change(Reshuffling)


def finish(s: Table) -> Over:
    """5 The state after hands were put away unseen, with the shares shown."""
    for seat, hand in enumerate(s.hands):
        if hand:
            s = s.tell("put-away", seat=seat, count=len(hand))
    for seat, cards in enumerate(s.shares):
        s = s.tell("shown", seat=seat, cards=cards, value=total(s, seat))
    return s.change(Over, hands=((),) * s.players, removed=sum(s.hands, s.removed))


def start(players: int, options: Json) -> State:
    """3 The state before anything is dealt; the aces lie face up."""
    return Dealing(
        players=players,
        hands=((),) * players,
        shares=((),) * players,
        passed=(None,) * players,
    )

"""5 The settlement: the highest score that a hand can reach.

Sections and rulings are those of the ruleset's specification. For every way to take sets of one rank out of the hand,
the remaining cards are divided by suit: the chosen suit keeps all of them, and another suit lays some of them on its
bozu.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from rules.common.cards import NUMBER, RANKS, SUITS, Card, Cards, deck, rank, suit

SET = 3
SUIT_SET, RANK_SET = 5, 10
"""5 The points for each set of one suit, and for each set of one rank."""
ALL, OTHER_SUITS = "all", "other-suits"
"""The suits that can have sets: all suits, or all but the chosen one (ruling 9)."""
RULED_OUT = -1000
"""A score lower than any hand's, for a way that wrongly puts cards of the chosen suit in a set."""


BIT = {card: 1 << n for n, card in enumerate(deck())}
"""The bit of each card. Sets of cards are stored as numbers, since there may be thousands of ways to take sets of one
rank.
"""

Trace: TypeAlias = "tuple[Trace, int] | None"
Reached = dict[tuple[int, ...], tuple[int, Trace]]
"""The results of keeping or laying some cards, as states of `_step`."""

Worth = tuple[int, tuple[int, int, int]]
"""The score of a suit if it is not chosen, and the effect of choosing it.

The latter is the additional score, the suit's tally, and its negative place, which break ties.
"""


class Bozu(NamedTuple):
    """A bozu that a seat has taken, with its cards."""

    card: Card
    cards: Cards


class Settlement(NamedTuple):
    """5 The best result of a seat, and how the cards are used for it."""

    score: int
    tally: int
    """The number of cards of the chosen suit, in the hand and on any of the seat's bozu (ruling 13)."""
    suit: str
    total: int
    """The sum of the values of the hand's cards of the chosen suit."""
    rank_sets: tuple[Cards, ...]
    suit_sets: tuple[Cards, ...]
    bozu: tuple[Bozu, ...]
    """The bozu, with the cards that lie on them at the end."""


@functools.lru_cache(maxsize=64)
def settle(hand: Cards, own: tuple[Bozu, ...], sets: str = ALL) -> Settlement:
    """5 The settlement with the highest score; of suits that reach it, the one with the largest tally, which breaks
    ties.

    If `sets` is `other-suits`, no set contains cards of the chosen suit (ruling 9).
    """
    ways = _ways(hand)
    often = functools.reduce(operator.or_, ways)
    suits = [Suit(place, hand, own, often, sets) for place in range(len(SUITS))]
    totals = map(_total, ways, *(each.worth(ways) for each in suits))
    (score, tally, place), way = max(zip(totals, ways, strict=True), key=operator.itemgetter(0))
    chosen = suits[-place]
    kept: list[Cards] = []
    laid: dict[Card, Card] = {}
    for each in suits:
        mine, more = each.divided(way, laying=each is not chosen)
        if each is not chosen or sets == ALL:
            kept.append(mine)
        laid |= more
    return Settlement(
        score=score,
        tally=tally,
        suit=chosen.name,
        total=chosen.total,
        rank_sets=_taken(hand, way),
        suit_sets=tuple(three for cards in kept for three in _threes(cards)),
        bozu=tuple(_with(bozu, laid) for bozu in own),
    )


class Suit:
    """5 The cards of one suit in a hand, and the seat's bozu of that suit."""

    def __init__(
        self, place: int, hand: Cards, own: tuple[Bozu, ...], often: int, sets: str
    ) -> None:
        name = SUITS[place]
        mine = [bozu for bozu in own if suit(bozu.card) == name]
        on_bozu = [card for bozu in own for card in bozu.cards]
        self.name, self.place, self.sets = name, place, sets
        self.cards = tuple(sorted(of_suit(hand, name), key=lambda card: BIT[card] & often))
        """The cards, ordered so that those that may be in a set of one rank come last: results without them are
        computed once.
        """
        self.total = sum(map(value, self.cards))
        self.tally = len(self.cards) + len(of_suit(on_bozu, name))
        self.base = self.total + sum(points(bozu, name) for bozu in mine)
        """The score without sets if the suit is chosen."""
        costs = {bozu.card: -points(bozu, "") for bozu in mine}
        self.costs = {card: cost for card, cost in costs.items() if cost}
        """The bozu that cost points if the suit is not chosen."""
        self._reached: dict[Cards, Reached] = {(): {tuple(sorted(self.costs.values())): (0, None)}}

    def worth(self, ways: list[int]) -> list[Worth]:
        """The score of the suit for each of these ways to take sets of one rank out of the hand, in their order."""
        mine = sum(BIT[card] for card in self.cards)
        shares = {way & mine for way in ways}
        found = {share: self.worth_of(self.left(share)) for share in shares}
        return [found[way & mine] for way in ways]

    def worth_of(self, cards: Cards) -> Worth:
        """The score of the suit if these cards are in no set of one rank."""
        unchosen = self.most(cards)
        return unchosen, (self.chosen(cards) - unchosen, self.tally, -self.place)

    def chosen(self, cards: Cards) -> int:
        """The score of the suit if it is chosen and these cards are in no set of one rank."""
        if self.sets == ALL:
            return self.base + _points((), len(cards))
        return self.base if len(cards) == len(self.cards) else RULED_OUT

    def left(self, way: int) -> Cards:
        """The cards of the suit that are in no set of one rank."""
        return tuple(card for card in self.cards if not BIT[card] & way)

    def most(self, cards: Cards) -> int:
        """The highest score of `cards` if the suit is not chosen: the points of sets of the cards kept, less the
        remaining cost of the bozu.
        """
        if not self.costs:
            return _points((), len(cards))
        return max(_points(costs, kept) for costs, (kept, _) in self.reached(cards).items())

    def reached(self, cards: Cards) -> Reached:
        """The results of keeping or laying each of `cards`, as states of `_step`."""
        if cards not in self._reached:
            self._reached[cards] = _step(self.reached(cards[:-1]), value(cards[-1]))
        return self._reached[cards]

    def divided(self, way: int, *, laying: bool) -> tuple[Cards, dict[Card, Card]]:
        """The cards of the suit that are kept in this way, and the bozu on which each of the others is laid."""
        cards = self.left(way)
        if not laying or not self.costs:
            return cards, {}
        found = self.reached(cards).items()
        _, (_, trace) = max(found, key=lambda each: _points(each[0], each[1][0]))
        return _traced(cards, dict(self.costs), trace)


def points(bozu: Bozu, chosen: str) -> int:
    """5 The points of a bozu: in the chosen suit the excess (ruling 12); in another, minus the uncovered part."""
    over = sum(map(value, of_suit(bozu.cards, suit(bozu.card)))) - value(bozu.card)
    return over if suit(bozu.card) == chosen else min(0, over)


def value(card: Card) -> int:
    """1 The value of a card: A is 1; J, Q and K are 11, 12 and 13."""
    return NUMBER[card[0]]


def of_suit(cards: Iterable[Card], wanted: str | None) -> Cards:
    """The cards of this suit."""
    return tuple(card for card in cards if suit(card) == wanted)


def _ways(hand: Cards) -> list[int]:
    """All ways to take sets of one rank out of the hand, each as a number with the bits of the cards taken."""
    ways = [0]
    for each in RANKS:
        of_rank = [BIT[card] for card in hand if rank(card) == each]
        more = [sum(three) for three in itertools.combinations(of_rank, SET)]
        ways = [way | taken for way in ways for taken in (0, *more)]
    return ways


def _taken(hand: Cards, way: int) -> tuple[Cards, ...]:
    """The sets of one rank that are taken in this way."""
    gone = [card for card in hand if BIT[card] & way]
    found = (tuple(card for card in gone if rank(card) == each) for each in RANKS)
    return tuple(three for three in found if three)


def _total(way: int, *suits: Worth) -> tuple[int, int, int]:
    """The best score of a way, the tally of its chosen suit, and the negative place of that suit."""
    more, tally, place = max([chosen for _, chosen in suits])
    rest = sum([unchosen for unchosen, _ in suits])
    return rest + more + RANK_SET * (way.bit_count() // SET), tally, place


def _points(costs: tuple[int, ...], kept: int) -> int:
    """The points for sets among the number of cards kept, less the remaining cost of the bozu."""
    return SUIT_SET * (kept // SET) - sum(costs)


def _step(states: Reached, number: int) -> Reached:
    """The states after one more card has been kept, or laid on a bozu.

    A state maps the remaining costs of the bozu, ascending, to the most cards that can be kept and a trace. That is the
    earlier trace, and the cost of the bozu on which the card was laid, or 0.
    """
    after: Reached = {}
    for costs, (kept, trace) in states.items():
        if kept >= after.get(costs, _NONE)[0]:
            after[costs] = kept + 1, (trace, 0)
        for at, cost in enumerate(costs):
            if cost:
                rest = (*costs[:at], max(0, cost - number), *costs[at + 1 :])
                rest = tuple(sorted(rest))
                if kept > after.get(rest, _NONE)[0]:
                    after[rest] = kept, (trace, cost)
    return after


_NONE: tuple[int, Trace] = (-1, None)


def _traced(cards: Cards, costs: dict[Card, int], trace: Trace) -> tuple[Cards, dict[Card, Card]]:
    """The cards kept according to the trace, and the bozu on which each of the others is laid."""
    steps: list[int] = []
    while trace:
        trace, cost = trace
        steps.append(cost)
    kept, laid = [], {}
    for card, cost in zip(cards, reversed(steps), strict=True):
        if cost:
            laid[card] = next(bozu for bozu, left in costs.items() if left == cost)
            costs[laid[card]] = max(0, cost - value(card))
        else:
            kept.append(card)
    return tuple(kept), laid


def _threes(cards: Cards) -> Iterator[Cards]:
    """As many sets of three as `cards`, which are of one suit, contain."""
    for at in range(0, len(cards) - SET + 1, SET):
        yield cards[at : at + SET]


def _with(bozu: Bozu, laid: dict[Card, Card]) -> Bozu:
    """The bozu with the cards that are laid on it."""
    return Bozu(bozu.card, bozu.cards + tuple(card for card in laid if laid[card] == bozu.card))

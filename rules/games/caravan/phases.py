"""The phases as played, and the steps that lead from one to the next."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from itertools import combinations, compress, permutations, product

from rules.common.cards import (
    JOKER,
    Card,
    Cards,
    added,
    canonical,
    deck,
    rank,
    replaced,
    without,
)
from rules.games.caravan.components import (
    FIRST_HAND,
    LANES,
    OPENING,
    SEATS,
    TO_WIN,
    Table,
    saleable,
)
from rules.games.caravan.rows import NOTHING, fitting, last_number
from rules.games.caravan.scoring import NUMBERS, VALUE, numbers, points
from rules.kernel import (
    OVER,
    Action,
    Array,
    Chance,
    Json,
    Part,
    Result,
    Sealed,
    State,
    Turn,
    inner,
    only,
    phase,
    waits_for,
)

PLAY, RENEW = (
    {
        card: tuple(Action(type=kind, card=card, lane=lane) for lane in LANES)
        for card in deck(jokers=1)
    }
    for kind in ("play", "renew")
)
"""4 The actions with a card and a lane, by card.

They are made once, since each list of legal actions has many of them.
"""
PLAYS, RENEWALS = (
    {
        where: {card: list(compress(actions[card], where)) for card in VALUE}
        for where in product((False, True), repeat=len(LANES))
    }
    for actions in (PLAY, RENEW)
)
"""4 The actions with a number card, by the lanes in which they are legal and by card."""
DISCARD = {card: Action(type="discard", card=card) for card in deck(jokers=1)}


@phase
class Dealing(Table):
    """3 Each seat's deck is shuffled, beginning with seat 0, and again if the hand cannot open."""

    dealt: int = inner(default=0)

    def turn(self) -> Turn:
        jokers = 0 if self.joker == "none" else 1
        return Turn(chance=Chance(f"deck-{self.dealt}", deck(jokers=jokers)))

    def on_chance(self, outcome: Cards) -> State:
        seat, hand = self.dealt, canonical(outcome[:FIRST_HAND])
        if len(numbers(hand)) < OPENING:
            return self.tell("shown", seat=seat, cards=hand)
        s = self.change(
            hands=replaced(self.hands, seat, hand),
            stocks=replaced(self.stocks, seat, outcome[FIRST_HAND:]),
            dealt=seat + 1,
        ).tell("dealt", seat=seat, cards=only(hand, seat))
        return s if s.dealt < SEATS else s.change(Opening)


@phase
class Opening(Sealed, Table):
    """3 Both seats choose the number cards that begin their rows, and turn them up simultaneously."""

    def parts(self) -> Sequence[Part]:
        return (Part("opening"),)

    def legal(self, seat: int) -> list[Action]:
        triples = permutations(numbers(self.hands[seat]), OPENING)
        return [Action(type="open", cards=Array(cards)) for cards in triples]

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """3 The reason why cards cannot open: exactly three number cards are needed."""
        cards = action.get("cards", ())
        if any(card not in self.hands[seat] for card in cards):
            return None
        if any(card not in VALUE for card in cards):
            return {"why": "number"}
        return {"why": "three"} if len(cards) > OPENING else None

    def fallback(self, seat: int) -> Json:
        return Action(type="open", cards=Array(numbers(self.hands[seat])[:OPENING]))

    def reveal(self) -> State:
        opened = [choice["cards"] for choice in self.choices if choice]
        s = self
        for seat, cards in enumerate(opened):
            s = s.tell("opened", seat=seat, cards=cards)
        return s.change(
            Trading,
            hands=tuple(without(self.hands[seat], *cards) for seat, cards in enumerate(opened)),
            rows=tuple(tuple((card,) for card in cards) for cards in opened),
        )


@phase
class Trading(Table):
    """4 One action a turn: play, renew, discard or sell."""

    on_turn: int = inner(default=0)

    def turn(self) -> Turn:
        return waits_for((self.on_turn,))

    def parts(self) -> Sequence[Part]:
        return (Part("trading"),)

    def prompt(self) -> Json:
        return {"seat": self.on_turn, "saleable": saleable(self, self.on_turn)}

    def facts(self) -> Sequence[Json]:
        may = [
            {"name": "saleable", "of": seat, "index": lane}
            for seat in range(SEATS)
            for lane in saleable(self, seat)
        ]
        return [*super().facts(), *may]

    def legal(self, seat: int) -> list[Action]:
        hand, rows, lying = self.hands[seat], self.rows[seat], self.open_lanes
        renewals = RENEWALS[tuple([lane in lying and rows[lane] != () for lane in LANES])]
        actions = plays(self, seat)
        for card in hand:
            if card in VALUE:
                actions += renewals[card]
        actions += [DISCARD[card] for card in hand]
        lanes = saleable(self, seat)
        if not lanes:
            return actions
        sets = (sale for k in range(1, len(lanes) + 1) for sale in combinations(lanes, k))
        return actions + [Action(type="sell", lanes=Array(sale)) for sale in sets]

    def forced(self, seat: int) -> bool:
        """4 Whether the seat has no cards left, so that it has to sell a lane."""
        return not self.hands[seat] and len(saleable(self, seat)) == 1

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4 The reason why a card does not fit a lane, or a lane cannot be sold."""
        kind, card, lane = action["type"], action.get("card"), action.get("lane")
        if kind == "sell":
            return {"why": "unsaleable"}
        if lane is not None and lane not in self.open_lanes:
            return {"why": "closed", "lane": lane, "seat": self.sold[lane]}
        if kind != "play" or card not in self.hands[seat]:
            return None
        if any(each["card"] == card and lane in (None, each["lane"]) for each in plays(self, seat)):
            return None  # the card fits; what was chosen with it does not
        return misfit(self, seat, card, [lane] if lane is not None else self.open_lanes)

    def beside(self, seat: int, action: Json) -> Json:
        """4 The card on or beneath which the played card will lie, and the cards that will be discarded."""
        if action["type"] not in {"play", "renew"}:
            return {}
        row = self.rows[seat][action["lane"]]
        if action["type"] == "renew":
            return {"gone": row}
        at = action.get("at", len(row))
        if at == 0:
            return {"under": row[0]} if row else {"begins": True}
        return {"gone": row[:at]} if action.get("as") == "J" else {"on": row[at - 1]}

    def fallback(self, seat: int) -> Json:
        if self.hands[seat]:
            return Action(type="discard", card=self.hands[seat][0])
        return Action(type="sell", lanes=saleable(self, seat))

    def do_play(
        self, seat: int, card: Card, lane: int, at: int = 0, as_: str | None = None
    ) -> State:
        work = as_ or rank(card)
        if work in NUMBERS:
            s = extend(self, seat, card, lane)
        elif work == "Q":
            s = turn_round(self, seat, card, lane)
        elif work == "K":
            s = insert(self, seat, card, lane, at)
        elif work == "J":
            s = cut(taken(self, seat, card), seat, card, lane, at)
        else:
            s = strike(taken(self, seat, card), seat, card, lane, at)
        return go_on(draw(s, seat))

    def do_renew(self, seat: int, card: Card, lane: int) -> State:
        s = taken(self, seat, card).tell("renewed", seat=seat, card=card, lane=lane)
        return go_on(draw(lay(leave(s, seat, lane, ()), seat, lane, (card,)), seat))

    def do_discard(self, seat: int, card: Card) -> State:
        s = self.tell("discarded", seat=seat, card=card).change(
            hands=replaced(self.hands, seat, without(self.hands[seat], card)),
            discards=replaced(self.discards, seat, (*self.discards[seat], card)),
        )
        return go_on(draw(s, seat))

    def do_sell(self, seat: int, lanes: tuple[int, ...]) -> State:
        s = self
        for lane in lanes:
            s = s.tell("sold", seat=seat, lane=lane, value=points(s.rows[seat][lane]))
            s = leave(leave(s, seat, lane, ()), 1 - seat, lane, ())
            s = s.change(sold=replaced(s.sold, lane, seat))
        return go_on(s)


@phase
class Over(Table):
    """5 A seat with two sold lanes wins at once; when both seats are exhausted, the one with more sold lanes wins."""

    def turn(self) -> Turn:
        return OVER

    def result(self) -> Result:
        best = max(self.scores)
        winners = tuple(seat for seat in range(SEATS) if self.scores[seat] == best)
        reason = "sold" if best >= TO_WIN else "exhausted"
        return Result(winners if len(winners) == 1 else (), self.scores, reason)


def plays(s: Trading, seat: int) -> list[Action]:
    """4 The plays of each card in the hand; face cards only go to rows that are not empty."""
    rows, directions, lying = s.rows[seat], s.directions[seat], s.open_lanes
    first, second, third = [
        fitting(rows[lane], directions[lane]) if lane in lying else NOTHING for lane in LANES
    ]
    actions = list[Action]()
    for card in s.hands[seat]:
        if card in VALUE:
            actions += PLAYS[card in first, card in second, card in third][card]
        elif card[0] == "Q":
            actions += [PLAY[card][lane] for lane in lying if directions[lane]]
        else:
            for lane in lying:
                if rows[lane]:
                    actions += places(card, lane, len(rows[lane]), s.joker)
    return actions


@functools.lru_cache(maxsize=512)
def places(card: Card, lane: int, height: int, joker: str) -> list[Action]:
    """4 The plays of a K, a J or a joker: anywhere in a row of this height, with `at` cards beneath it."""
    return [
        Action({**PLAY[card][lane], "at": at, **work})
        for at in range(height + 1)
        for work in works(joker, rank(card))
    ]


def misfit(s: Trading, seat: int, card: Card, lanes: Sequence[int]) -> Json:
    """4 The reason why a card fits none of these lanes; if there are several reasons, the first lane's."""
    lane = lanes[0]
    row, way = s.rows[seat][lane], s.directions[seat][lane]
    last = last_number(row)
    if card in VALUE and last is not None:
        if VALUE[card] == VALUE[last]:
            return {"why": "equal", "card": last, "lane": lane}
        return {"why": "direction", "card": last, "lane": lane, "way": way}
    if card[0] == "Q" and row:
        return {"why": "unsteered", "lane": lane}
    return {"why": "empty", "lane": lane}


def works(joker: str, kind: str) -> list[Json]:
    """4 The possible effects of a card, as values of `as`: a J acts as itself or, with the option, as a joker.

    Any other card has a single effect, without `as`.
    """
    if kind != "J":
        return [{}]
    return [{"as": "J"}] if joker == "one" else [{"as": "J"}, {"as": JOKER}]


def extend(s: Trading, seat: int, card: Card, lane: int) -> Trading:
    """4 The state after a number card has been played at the end of a row.

    With the number card before it, it gives the row its direction.
    """
    row = s.rows[seat][lane]
    s, last = s.tell("played", seat=seat, card=card, lane=lane), last_number(row)
    s = play(s, seat, card, lane, (*row, card))
    if last is None:
        return s
    return head(s, seat, lane, "up" if VALUE[card] > VALUE[last] else "down")


def turn_round(s: Trading, seat: int, card: Card, lane: int) -> Trading:
    """4 The state after a Q has been played at the end of a row, which reverses the direction."""
    s = s.tell("played", seat=seat, card=card, lane=lane)
    s = play(s, seat, card, lane, (*s.rows[seat][lane], card))
    return head(s, seat, lane, "down" if s.directions[seat][lane] == "up" else "up")


def insert(s: Trading, seat: int, card: Card, lane: int, at: int) -> Trading:
    """4 The state after a K has been played anywhere in the row, with `at` cards beneath it."""
    row = s.rows[seat][lane]
    s = s.tell("inserted", seat=seat, card=card, lane=lane, at=at)
    return play(s, seat, card, lane, (*row[:at], card, *row[at:]))


def cut(s: Trading, seat: int, card: Card, lane: int, at: int) -> Trading:
    """4 The state after a J has been played as itself: the `at` cards beneath it and the J are discarded."""
    s = s.tell("cut", seat=seat, card=card, lane=lane, at=at)
    return discard(leave(s, seat, lane, s.rows[seat][lane][at:]), seat, card)


def strike(s: Trading, seat: int, card: Card, lane: int, at: int) -> Trading:
    """4 The state after a joker: all cards of the rank of the nearest number card beneath it leave both rows."""
    s = s.tell("struck", seat=seat, card=card, lane=lane, at=at)
    beneath = last_number(s.rows[seat][lane][:at])
    if beneath is not None:
        gone = rank(beneath)
        for side in (seat, 1 - seat):
            kept = tuple(each for each in s.rows[side][lane] if rank(each) != gone)
            s = leave(s, side, lane, kept)
    return discard(s, seat, card)


def leave(s: Trading, seat: int, lane: int, kept: Cards) -> Trading:
    """4, after any removal: the state in which the row has the cards `kept` if there is a number card among them.

    With only one number card, it has no direction.
    """
    row, left = s.rows[seat][lane], len(numbers(kept))
    kept = kept if left else ()
    gone = without(row, *kept)
    if gone:
        s = s.tell("removed", seat=seat, lane=lane, cards=gone)
        s = s.change(
            rows=replaced(s.rows, seat, replaced(s.rows[seat], lane, kept)),
            discards=replaced(s.discards, seat, s.discards[seat] + gone),
        )
    return s if left > 1 else steer(s, seat, lane, None)


def head(s: Trading, seat: int, lane: int, direction: str) -> Trading:
    """4 The state in which the row goes in this direction from now on."""
    if direction == s.directions[seat][lane]:
        return s
    return steer(s.tell("headed", seat=seat, lane=lane, value=direction), seat, lane, direction)


def steer(s: Trading, seat: int, lane: int, direction: str | None) -> Trading:
    """The state in which the row has another direction, or none."""
    if direction == s.directions[seat][lane]:
        return s
    directions = replaced(s.directions[seat], lane, direction)
    return s.change(directions=replaced(s.directions, seat, directions))


def lay(s: Trading, seat: int, lane: int, row: Cards) -> Trading:
    """The state after the row's cards were replaced by `row`; its direction stays."""
    return s.change(rows=replaced(s.rows, seat, replaced(s.rows[seat], lane, row)))


def play(s: Trading, seat: int, card: Card, lane: int, row: Cards) -> Trading:
    """The state after a card has moved from the hand to the row."""
    return s.change(
        hands=replaced(s.hands, seat, without(s.hands[seat], card)),
        rows=replaced(s.rows, seat, replaced(s.rows[seat], lane, row)),
    )


def taken(s: Trading, seat: int, card: Card) -> Trading:
    """The state after the card has been taken out of the hand."""
    return s.change(hands=replaced(s.hands, seat, without(s.hands[seat], card)))


def discard(s: Trading, seat: int, *cards: Card) -> Trading:
    """The state after the cards have moved to their owner's discard pile."""
    return s.change(discards=replaced(s.discards, seat, s.discards[seat] + cards))


def draw(s: Trading, seat: int) -> Trading:
    """4, end of a turn, 1: the state after the seat has drawn the top card of its stock, if there is one."""
    stock = s.stocks[seat]
    if not stock:
        return s
    return s.tell("drew", seat=seat, cards=only(stock[:1], seat)).change(
        hands=replaced(s.hands, seat, added(s.hands[seat], stock[0])),
        stocks=replaced(s.stocks, seat, stock[1:]),
    )


def go_on(s: Trading) -> State:
    """4, end of a turn, 2 and 3: the state in which a seat has won or has its turn, and can act."""
    if max(s.scores) >= TO_WIN:
        return s.change(Over)
    for seat in (1 - s.on_turn, s.on_turn):
        if s.hands[seat] or saleable(s, seat):
            return s.change(on_turn=seat)
        s = s.tell("skipped", seat=seat)
    return s.change(Over)


def start(players: int, options: Json) -> State:
    """3 The state before anything is dealt."""
    return Dealing(
        players=players,
        hands=((),) * SEATS,
        stocks=((),) * SEATS,
        rows=(((),) * len(LANES),) * SEATS,
        discards=((),) * SEATS,
        directions=((None,) * len(LANES),) * SEATS,
        sold=(None,) * len(LANES),
        joker=options["joker"],
    )

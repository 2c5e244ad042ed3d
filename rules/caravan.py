"""Caravan (キャラバン), Joe Foxson and a friend: rows of 21 to 26 points are sold against a rival's.

After the game in *Fallout*; described by 赤桐, whose wish is the option `joker` = `both`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from rules.cards import JOKER, NUMBER, Card, Cards, canonical, deck, rank, replaced, suit, without
from rules.kernel import (
    Chance,
    Json,
    Length,
    Option,
    Param,
    Result,
    Ruleset,
    Sealed,
    State,
    Turn,
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

SEATS = 2
LANES = range(3)
NUMBERS = "A23456789T"
FIRST_HAND = 8
OPENING = 3
"""Number cards that a seat opens with, one for each lane (3)."""
LEAST, MOST = 21, 26
"""Points of a row that can be sold (4)."""
TO_WIN = 2
"""Lanes sold (5)."""
JOKERS = ("none", "one", "both")
"""Option `joker`: none in the decks, or one in each; but for `one` a J may do its work."""


@table
class Table(State):
    """2 Components: who sees them."""

    hands: tuple[Cards, ...] = zone(owner, "hand", name="hand")
    stocks: tuple[Cards, ...] = zone(size, "pile", per="seat", name="stock")
    rows: tuple[tuple[Cards, ...], ...] = zone(everyone, "row", per="seat index", name="row")
    discards: tuple[Cards, ...] = zone(everyone, "pile", per="seat", name="discard")
    directions: tuple[tuple[str | None, ...], ...] = fact(
        everyone, per="seat index", name="direction"
    )
    sold: tuple[int | None, ...] = fact(everyone, "seat", per="index")
    joker: str = inner()  # the table's options stand beside the view

    @property
    def open_lanes(self) -> list[int]:
        return [lane for lane in LANES if self.sold[lane] is None]

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.sold.count(seat) for seat in range(SEATS))

    def facts(self) -> Sequence[Json]:
        worth = [
            {"name": "points", "of": seat, "index": lane, "value": points(row)}
            for seat, rows in enumerate(self.rows)
            for lane, row in enumerate(rows)
            if row
        ]
        sales = [{"name": "score", "of": seat, "value": n} for seat, n in enumerate(self.scores)]
        return [*worth, *sales]


@phase
class Dealing(Table):
    """3 Each seat's deck is shuffled, seat 0's first, and again if the hand cannot open."""

    dealt: int = inner(default=0)

    def turn(self) -> Turn:
        jokers = 0 if self.joker == "none" else 1
        return Turn(chance=Chance(f"deck-{self.dealt}", deck(jokers=jokers)))

    def fell(self, outcome: Cards) -> State:
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
    """3 Both seats choose the number cards that begin their rows, and turn them up together."""

    def legal(self, seat: int) -> list[Json]:
        triples = permutations(numbers(self.hands[seat]), OPENING)
        return [{"type": "open", "cards": list(cards)} for cards in triples]

    def fallback(self, seat: int) -> Json:
        return {"type": "open", "cards": list(numbers(self.hands[seat])[:OPENING])}

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
        return Turn(waiting=(self.on_turn,))

    def prompt(self) -> Json:
        return {"seat": self.on_turn, "saleable": saleable(self, self.on_turn)}

    def facts(self) -> Sequence[Json]:
        may = [
            {"name": "saleable", "of": seat, "index": lane}
            for seat in range(SEATS)
            for lane in saleable(self, seat)
        ]
        return [*super().facts(), *may]

    def legal(self, seat: int) -> list[Json]:
        hand = self.hands[seat]
        actions = [action for card in hand for action in plays(self, seat, card)]
        actions += [
            {"type": "renew", "card": card, "lane": lane}
            for card in numbers(hand)
            for lane in self.open_lanes
            if self.rows[seat][lane]
        ]
        actions += [{"type": "discard", "card": card} for card in hand]
        lanes = saleable(self, seat)
        sets = (sale for k in range(1, len(lanes) + 1) for sale in combinations(lanes, k))
        return actions + [{"type": "sell", "lanes": list(sale)} for sale in sets]

    def fallback(self, seat: int) -> Json:
        if self.hands[seat]:
            return {"type": "discard", "card": self.hands[seat][0]}
        return {"type": "sell", "lanes": saleable(self, seat)}

    def do_play(
        self, seat: int, card: Card, lane: int, at: int = 0, as_: str | None = None
    ) -> State:
        s, work = taken(self, seat, card), as_ or rank(card)
        if work in NUMBERS:
            s = extend(s, seat, card, lane)
        elif work == "Q":
            s = turn_round(s, seat, card, lane)
        elif work == "K":
            s = insert(s, seat, card, lane, at)
        elif work == "J":
            s = cut(s, seat, card, lane, at)
        else:
            s = strike(s, seat, card, lane, at)
        return go_on(draw(s, seat))

    def do_renew(self, seat: int, card: Card, lane: int) -> State:
        s = taken(self, seat, card).tell("renewed", seat=seat, card=card, lane=lane)
        return go_on(draw(lay(leave(s, seat, lane, ()), seat, lane, (card,)), seat))

    def do_discard(self, seat: int, card: Card) -> State:
        s = taken(self, seat, card).tell("discarded", seat=seat, card=card)
        return go_on(draw(discard(s, seat, card), seat))

    def do_sell(self, seat: int, lanes: tuple[int, ...]) -> State:
        s = self
        for lane in lanes:
            s = s.tell("sold", seat=seat, lane=lane, value=points(s.rows[seat][lane]))
            s = leave(leave(s, seat, lane, ()), 1 - seat, lane, ())
            s = s.change(sold=replaced(s.sold, lane, seat))
        return go_on(s)


@phase
class Over(Table):
    """5 Two lanes sold win at once; when both are exhausted, more lanes sold."""

    def turn(self) -> Turn:
        return Turn(over=True)

    def result(self) -> Result:
        best = max(self.scores)
        winners = tuple(seat for seat in range(SEATS) if self.scores[seat] == best)
        reason = "sold" if best >= TO_WIN else "exhausted"
        return Result(winners if len(winners) == 1 else (), self.scores, reason)


def plays(s: Trading, seat: int, card: Card) -> Iterator[Json]:
    """4 Where `card` can be played, and as what; face cards only in rows that hold something."""
    kind = rank(card)
    for lane in s.open_lanes:
        row, direction = s.rows[seat][lane], s.directions[seat][lane]
        action = {"type": "play", "card": card, "lane": lane}
        if kind in NUMBERS:
            if fits(card, row, direction):
                yield action
        elif kind == "Q":
            if direction:
                yield action
        elif row:
            for at in range(len(row) + 1):
                for work in works(s, kind):
                    yield {**action, "at": at, **work}


def fits(card: Card, row: Cards, direction: str | None) -> bool:
    """4 A number card in an empty row, of the suit of the last number card, or onward in the row's direction."""
    last = numbers(row)[-1:]
    if not last or suit(card) == suit(last[0]):
        return True
    step = value(card) - value(last[0])
    return step != 0 and direction in (None, "up" if step > 0 else "down")


def works(s: Trading, kind: str) -> list[Json]:
    """4 A J does its own work, or the joker's where the options say so; other cards have one work."""
    if kind != "J":
        return [{}]
    return [{"as": "J"}] if s.joker == "one" else [{"as": "J"}, {"as": JOKER}]


def extend(s: Trading, seat: int, card: Card, lane: int) -> Trading:
    """4 A number card on the end: beside the last number card it says where the row goes."""
    row = s.rows[seat][lane]
    s = lay(s.tell("played", seat=seat, card=card, lane=lane), seat, lane, (*row, card))
    last = numbers(row)[-1:]
    if not last:
        return s
    return head(s, seat, lane, "up" if value(card) > value(last[0]) else "down")


def turn_round(s: Trading, seat: int, card: Card, lane: int) -> Trading:
    """4 A Q on the end reverses the direction."""
    s = s.tell("played", seat=seat, card=card, lane=lane)
    s = lay(s, seat, lane, (*s.rows[seat][lane], card))
    return head(s, seat, lane, "down" if s.directions[seat][lane] == "up" else "up")


def insert(s: Trading, seat: int, card: Card, lane: int, at: int) -> Trading:
    """4 A K anywhere in the row, `at` cards beneath it."""
    row = s.rows[seat][lane]
    s = s.tell("inserted", seat=seat, card=card, lane=lane, at=at)
    return lay(s, seat, lane, (*row[:at], card, *row[at:]))


def cut(s: Trading, seat: int, card: Card, lane: int, at: int) -> Trading:
    """4 The J's own work: the `at` cards beneath it are discarded, and the J."""
    s = s.tell("cut", seat=seat, card=card, lane=lane, at=at)
    return discard(leave(s, seat, lane, s.rows[seat][lane][at:]), seat, card)


def strike(s: Trading, seat: int, card: Card, lane: int, at: int) -> Trading:
    """4 The joker's work: all cards of the rank of the nearest number card beneath leave both rows."""
    s = s.tell("struck", seat=seat, card=card, lane=lane, at=at)
    beneath = numbers(s.rows[seat][lane][:at])
    if beneath:
        gone = rank(beneath[-1])
        for side in (seat, 1 - seat):
            kept = tuple(each for each in s.rows[side][lane] if rank(each) != gone)
            s = leave(s, side, lane, kept)
    return discard(s, seat, card)


def leave(s: Trading, seat: int, lane: int, kept: Cards) -> Trading:
    """4, after any removal: `kept` stays, with a number card; with only one it has no direction."""
    row, left = s.rows[seat][lane], len(numbers(kept))
    kept = kept if left else ()
    gone = without(row, *kept)
    if gone:
        s = s.tell("removed", seat=seat, lane=lane, cards=gone)
    s = discard(lay(s, seat, lane, kept), seat, *gone)
    return s if left > 1 else steer(s, seat, lane, None)


def head(s: Trading, seat: int, lane: int, direction: str) -> Trading:
    """4 The row goes `direction` from now on."""
    if direction == s.directions[seat][lane]:
        return s
    return steer(s.tell("headed", seat=seat, lane=lane, value=direction), seat, lane, direction)


def steer(s: Trading, seat: int, lane: int, direction: str | None) -> Trading:
    """The row with another direction, or none."""
    directions = replaced(s.directions[seat], lane, direction)
    return s.change(directions=replaced(s.directions, seat, directions))


def lay(s: Trading, seat: int, lane: int, row: Cards) -> Trading:
    """These cards are the row; its direction stays."""
    return s.change(rows=replaced(s.rows, seat, replaced(s.rows[seat], lane, row)))


def taken(s: Trading, seat: int, card: Card) -> Trading:
    """The card out of the hand."""
    return s.change(hands=replaced(s.hands, seat, without(s.hands[seat], card)))


def discard(s: Trading, seat: int, *cards: Card) -> Trading:
    """Cards onto the owner's discard pile."""
    return s.change(discards=replaced(s.discards, seat, s.discards[seat] + cards))


def draw(s: Trading, seat: int) -> Trading:
    """4, end of a turn, 1: the top card of the own stock, if there is one."""
    top, rest = s.stocks[seat][:1], s.stocks[seat][1:]
    if not top:
        return s
    return s.tell("drew", seat=seat, cards=only(top, seat)).change(
        hands=replaced(s.hands, seat, canonical(s.hands[seat] + top)),
        stocks=replaced(s.stocks, seat, rest),
    )


def go_on(s: Trading) -> State:
    """4, end of a turn, 2 and 3: a winner, or the other seat's turn; who can do nothing passes by itself."""
    if max(s.scores) >= TO_WIN:
        return s.change(Over)
    for seat in (1 - s.on_turn, s.on_turn):
        if s.hands[seat] or saleable(s, seat):
            return s.change(on_turn=seat)
        s = s.tell("skipped", seat=seat)
    return s.change(Over)


def saleable(s: Table, seat: int) -> list[int]:
    """4 Open lanes where the own row is worth its price and the facing row does not match it."""
    return [
        lane
        for lane in s.open_lanes
        if LEAST <= (own := points(s.rows[seat][lane])) <= MOST
        and not own <= points(s.rows[1 - seat][lane]) <= MOST
    ]


def points(row: Cards) -> int:
    """2 Number cards count their number, a K as much as the nearest number card beneath it."""
    total = beneath = 0
    for card in row:
        if rank(card) in NUMBERS:
            beneath = value(card)
            total += beneath
        elif rank(card) == "K":
            total += beneath
    return total


def numbers(cards: Cards) -> Cards:
    """2 The number cards among `cards`, in their order."""
    return tuple(card for card in cards if rank(card) in NUMBERS)


def value(card: Card) -> int:
    """2 A is 1, T is 10."""
    return NUMBER[rank(card)]


def alike(then: State, card: Card) -> bool | None:
    """3 Until the rows are opened everybody knows that each hand holds three number cards."""
    return rank(card) in NUMBERS if isinstance(then, Dealing | Opening) else None


def start(players: int, options: Json) -> State:
    """3 Nothing is dealt yet."""
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


ruleset = Ruleset(
    slug="caravan",
    version=1,
    players=(SEATS,),
    lengths=lambda players: (Length({}, 50),),
    options=lambda players: {"joker": Option(JOKERS, "none")},
    actions={
        "open": (Param("cards", "sequence"),),
        "play": (
            Param("card", "card"),
            Param("lane", "number"),
            Param("at", "position"),
            Param("as", "choice"),
        ),
        "renew": (Param("card", "card"), Param("lane", "number")),
        "discard": (Param("card", "card"),),
        "sell": (Param("lanes", "choice"),),
    },
    reasons=("sold", "exhausted"),
    start=start,
    passing=frozenset({"shown"}),  # a hand that cannot open is shown and goes back
    alike=alike,
)

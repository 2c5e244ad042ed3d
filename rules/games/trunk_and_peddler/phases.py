"""The phases as played, and the steps that lead from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from rules.common.cards import JOKER, Card, Cards, canonical, replaced, suit, with_card, without
from rules.common.deals import deal
from rules.common.tricks import following, of_suit, suit_class
from rules.games.trunk_and_peddler import scoring, values
from rules.games.trunk_and_peddler.components import (
    COUNTRY,
    FIRST_HAND,
    NOTHING,
    REFILLED,
    SEATS,
    SMALL,
    TRICKS,
    VALUABLE,
    T,
    Table,
    pile,
    stack,
)
from rules.games.trunk_and_peddler.options import in_force
from rules.kernel import (
    OVER,
    Action,
    Chance,
    Json,
    Part,
    Result,
    Sealed,
    State,
    Turn,
    everyone,
    fact,
    inner,
    only,
    phase,
    waits_for,
    zone,
)

REASONS = ("points", "loss", "junk", "joker")
"""5 The criteria that decide the game, in this order."""
PASS = Action(type="pass")
TRUNK = with_card("trunk")
P = TypeVar("P", bound="Trick")


@phase
class Shuffling(Table):
    """3 The valuables are laid out, then the small cards are dealt."""

    def turn(self) -> Turn:
        small = Chance("stock", SMALL)
        return Turn(chance=small if self.display else Chance("valuables", VALUABLE))

    def on_chance(self, outcome: Cards) -> State:
        if not self.display:
            s = self.tell("laid-out", cards=outcome[:TRICKS:COUNTRY])
            return s.change(display=outcome[:TRICKS], unused=outcome[TRICKS:])
        hands, stock = deal(outcome, SEATS, FIRST_HAND)
        s = self.change(hands=tuple(map(canonical, hands)), stock=stock)
        for seat, hand in enumerate(s.hands):
            s = s.tell("dealt", seat=seat, cards=only(hand, seat))
        return s.change(Choosing)


@phase
class Choosing(Sealed, Table):
    """3 Each seat lays a card of its hand face down as its trunk."""

    def parts(self) -> Sequence[Part]:
        return (Part("trunk"),)

    def legal(self, seat: int) -> list[Action]:
        return [TRUNK[card] for card in self.hands[seat]]

    def fallback(self, seat: int) -> Json:
        return Action(type="trunk", card=values.usual(self.hands[seat]))

    def reveal(self) -> State:
        s, laid = self, tuple(choice["card"] for choice in self.choices if choice)
        for seat, card in enumerate(laid):
            s = s.tell("trunk", seat=seat, card=only(card, seat))
        return begin(s.change(trunk=laid, hands=tuple(map(without, self.hands, laid))))


@phase
class Trick(Table):
    """4 The common part of the phases of a trick: the played cards and their sums."""

    played: tuple[Cards, ...] = zone(everyone, "trick", per="seat", default=NOTHING)
    sums: tuple[int | None, ...] = fact(everyone, per="seat", name="sum", default=(None,) * SEATS)
    acted: int = inner(default=0)

    @property
    def trump(self) -> str:
        return self.trumps[-1]

    @property
    def on_turn(self) -> int:
        """The seat whose turn it is: the leader, then the follower."""
        return (self.holder + self.acted) % SEATS

    @property
    def led(self) -> str | None:
        """The suit led; None before the leader has played."""
        played = self.played[self.holder]
        return suit(played[0]) if played else None

    def turn(self) -> Turn:
        return waits_for((self.on_turn,))

    def parts(self) -> Sequence[Part]:
        return (Part("trick", self.trick),)

    def facts(self) -> Sequence[Json]:
        trick = {"value": self.trick, "suit": self.trump, "seat": self.holder}
        return [{"name": "trick", **trick}, *super().facts()]


@phase
class First(Trick):
    """4.2 The leader plays any card, the follower a card of the suit led if it has one."""

    def prompt(self) -> Json:
        return {"trump": self.trump} | ({"led": self.led} if self.led else {})

    def legal(self, seat: int) -> list[Action]:
        return values.plays(following(self.hands[seat], self.led))

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.2 The reason why a card cannot be played: the suit led has to be followed while the seat has a card of
        it.
        """
        held = action.get("card") in self.hands[seat]
        return {"why": "follow", "suit": self.led} if held and self.led else None

    def fallback(self, seat: int) -> Json:
        return values.lowest(self.legal(seat))

    def do_play(self, seat: int, card: Card, high: bool = False) -> State:
        worth = values.value(card, high)
        return go_on(lay(self.tell("played", seat=seat, card=card, value=worth), seat, card, worth))


@phase
class Second(Trick):
    """4.3 Both seats may add a card of the suit that they have played; with D, the leader decides for both."""

    @property
    def compelled(self) -> bool:
        """Whether, with D, the follower has to add a card if it can, because the leader has done so."""
        return "D" in self.rules and self.acted == 1 and len(self.played[self.holder]) > 1

    def prompt(self) -> Json:
        must: Json = {"must": True} if self.compelled else {}
        return {"suit": suit(self.played[self.on_turn][0]), **must}

    def legal(self, seat: int) -> list[Action]:
        cards = values.plays(self.fitting(seat))
        return cards if self.compelled else [PASS, *cards]

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.3 The reason why a card cannot be added: it is not of the suit that the seat has played."""
        held = action.get("card") in self.hands[seat]
        return {"why": "same-suit", "suit": suit(self.played[seat][0])} if held else None

    def fitting(self, seat: int) -> Cards:
        """4.3 The cards in the seat's hand of the suit that it has played."""
        return of_suit(self.hands[seat], suit(self.played[seat][0]))

    def fallback(self, seat: int) -> Json:
        return values.lowest(self.legal(seat)) if self.compelled else PASS

    def do_pass(self, seat: int) -> State:
        return go_on_second(self.tell("passed", seat=seat).change(acted=self.acted + 1))

    def do_play(self, seat: int, card: Card, high: bool = False) -> State:
        worth = values.value(card, high)
        s = self.tell("played", seat=seat, card=card, value=worth)
        return go_on_second(lay(s, seat, card, worth))


@phase
class Losing(Trick):
    """4.5, 2: the loser puts all its cards of the trick on its own load, or discards them all."""

    winner: int = fact(everyone, "seat")

    @property
    def on_turn(self) -> int:
        return 1 - self.winner

    def prompt(self) -> Json:
        return {"cards": self.played[self.on_turn]}

    def legal(self, seat: int) -> list[Action]:
        return [Action(type="load"), Action(type="discard")]

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.5, 2: the reason why a card cannot be chosen: the loser decides only about the cards of the trick."""
        return {"why": "lost"} if "card" in action else None

    def beside(self, seat: int, action: Json) -> Json:
        """4.5, 2: all cards of the loser in the trick, which the words of the action name."""
        return {"cards": self.played[seat]}

    def fallback(self, seat: int) -> Json:
        return Action(type="discard")

    def do_load(self, seat: int) -> State:
        cards = self.played[seat]
        s = pile(self.tell("loaded", seat=seat, cards=cards), seat, cards)
        return collect(s.change(played=replaced(s.played, seat, ())), s.winner)

    def do_discard(self, seat: int) -> State:
        return collect(discard(self, seat), self.winner)


@phase
class Storing(Trick):
    """4.6 The winner takes the valuable of this trick together with the joker."""

    winner: int = fact(everyone, "seat")

    @property
    def on_turn(self) -> int:
        return self.winner

    @property
    def prize(self) -> Card | None:
        """4.6 The valuable of this trick; None once it is packed."""
        return self.display[self.trick - 1]

    def prompt(self) -> Json:
        return {"card": self.prize}

    def legal(self, seat: int) -> list[Action]:
        places = ("down", "up", "side") if "H" in self.rules else ("down", "up")
        return [Action(type="store", place=place) for place in places]

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.6 The reason why no card can be played: the valuable has to be packed first."""
        return {"why": "packing", "card": self.prize} if "card" in action else None

    def beside(self, seat: int, action: Json) -> Json:
        """4.6 The valuable of this trick, which the words of the action name."""
        return {"card": self.prize}

    def fallback(self, seat: int) -> Json:
        return Action(type="store", place="down")

    def do_store(self, seat: int, place: str) -> State:
        s = self.tell("stored", seat=seat, card=self.prize, place=place)
        row: tuple[Cards, ...] = getattr(s, place)  # places are named like their zones
        stored = replaced(row, seat, (*row[seat], self.prize))
        display = replaced(s.display, s.trick - 1, None)
        return next_trick(coin_to(s.change(display=display, **{place: stored}), seat))


@phase
class Drawing(Table):
    """4.7 With A, both seats draw as many cards as they like after the fourth trick, the seat with the joker first
    (R14).
    """

    acted: int = inner(default=0)

    def turn(self) -> Turn:
        return waits_for(((self.holder + self.acted) % SEATS,))

    def legal(self, seat: int) -> list[Action]:
        return [Action(type="draw", count=count) for count in range(1, REFILLED + 1)]

    def fallback(self, seat: int) -> Json:
        return Action(type="draw", count=REFILLED - len(self.hands[seat]))

    def do_draw(self, seat: int, count: int) -> State:
        s = draw(self, seat, count).change(acted=self.acted + 1)
        return s if s.acted < SEATS else begin(s)


@phase
class Over(Table):
    """5 The higher score wins; ties go to the smaller loss, then to less junk, then to the joker (R16)."""

    def turn(self) -> Turn:
        return OVER

    def parts(self) -> Sequence[Part]:
        return (Part("trunk"),)

    def account(self, seat: int) -> scoring.Account:
        """The parts of a seat's score."""
        aside = len(self.side[seat]) if self.side else 0
        capacity = values.capacity_number(self.trunk[seat] or "") + scoring.SIDE * aside
        worth = scoring.VALUE_C if "C" in self.rules else scoring.VALUE
        down, up = self.down[seat], self.up[seat]
        return scoring.account(capacity, self.load(seat), worth, len(down), len(up))

    def facts(self) -> Sequence[Json]:
        accounts = [(seat, self.account(seat)) for seat in range(SEATS)]
        formulas = [{"name": "account", "of": seat, **each._asdict()} for seat, each in accounts]
        return [*super().facts(), *formulas]

    def result(self) -> Result:
        accounts = [self.account(seat) for seat in range(SEATS)]
        criteria = [
            (each.value, -each.loss, -self.units(seat), seat == self.holder)
            for seat, each in enumerate(accounts)
        ]
        reason = next(r for r, a, b in zip(REASONS, *criteria, strict=True) if a != b)
        winner = criteria.index(max(criteria))
        return Result((winner,), tuple(each.value for each in accounts), reason)


def begin(s: Table) -> State:
    """4.1 The state at the beginning of a trick: the next valuable is turned up, and its suit is trump."""
    card = s.display[s.trick] or ""
    s = s.tell("trick", number=s.trick + 1, card=card, trump=suit(card), seat=s.holder)
    return go_on(s.change(First, trick=s.trick + 1, trumps=(*s.trumps, card[1])))


def go_on(s: First) -> State:
    """4.2 The state at the next first card; for an empty hand, the top of the stock is played at one less (R12)."""
    while s.acted < SEATS and not s.hands[s.on_turn]:
        seat, card = s.on_turn, s.stock[0]
        s = s.tell("turned", seat=seat, card=card, value=values.turned_value(card))
        s = s.change(stock=s.stock[1:], hands=replaced(s.hands, seat, (card,)))
        s = lay(s, seat, card, values.turned_value(card))
    if s.acted < SEATS:
        return s
    return go_on_second(s.change(Second, played=s.played, sums=s.sums))


def go_on_second(s: Second) -> State:
    """4.3 The state at the next choice of a second card; a seat that may not or cannot add one passes automatically."""
    while s.acted < SEATS:
        seat = s.on_turn
        if not s.hands[seat]:
            s = s.tell("empty-handed", seat=seat)
        elif s.acted and "D" in s.rules and not s.compelled:
            s = s.tell("likewise", seat=seat)
        elif s.compelled and not s.fitting(seat):
            s = s.tell("lacking", seat=seat, suit=suit(s.played[seat][0]))
        elif s.compelled:
            return s.tell("compelled", seat=seat, suit=suit(s.played[seat][0]))
        else:
            return s
        s = s.change(acted=s.acted + 1)
    return decide(s)


def decide(s: Second) -> State:
    """4.4 The state after the trick: suit counts before sum (R4); a tie goes to the leader, with E to the follower."""
    winner = max(range(SEATS), key=lambda seat: strength(s, seat))
    loser = 1 - winner
    s = s.tell("won", seat=winner, value=s.sums[winner], other=s.sums[loser])
    if suit(s.played[loser][0]) == s.trump:
        return collect(discard(s, loser), winner)
    if "F" not in s.rules:
        return s.change(Losing, played=s.played, sums=s.sums, winner=winner)
    cards = canonical(s.played[0] + s.played[1])  # the winner's trumps too (R7); no choice (R8)
    s = s.tell("took-all", seat=loser, cards=cards).change(played=NOTHING)
    return collect(stack(s, loser, cards), winner)


def strength(s: Trick, seat: int) -> tuple[int, int, bool]:
    """4.4 The key for comparison: the class of the suit, the sum, and whether the seat wins ties."""
    own = suit_class(suit(s.played[seat][0]), s.led, s.trump)
    return own, s.sums[seat] or 0, (seat == s.holder) != ("E" in s.rules)


def collect(s: Trick, winner: int) -> State:
    """4.6 The state in which the winner packs the valuable; its cards are discarded, unless the loser took them."""
    s = discard(s, winner) if s.played[winner] else s
    return s.change(Storing, played=s.played, sums=s.sums, winner=winner)


def coin_to(s: T, seat: int) -> T:
    """4.6 The state after the joker has moved to the winner's load, from wherever it was."""
    s = s if JOKER in s.up[seat] else s.tell("coin", seat=seat)
    up = tuple(tuple(card for card in cards if card != JOKER) for cards in s.up)
    return s.change(up=replaced(up, seat, (*up[seat], JOKER)), joker=())


def next_trick(s: Table) -> State:
    """4.7 The state at the next trick, after the fourth one with new cards, or at the end of the game."""
    if s.trick == TRICKS:
        return finish(s)
    if s.trick == COUNTRY and "A" in s.rules:
        return s.change(Drawing)
    if s.trick == COUNTRY:
        for seat in (s.holder, 1 - s.holder):
            s = draw(s, seat, REFILLED - len(s.hands[seat]))
    return begin(s)


def finish(s: Table) -> State:
    """5 The state at the end: cards in hand are junk (B or G, R10) or discarded, and the trunks are opened."""
    for seat, hand in enumerate(s.hands):
        if hand and ("B" in s.rules or "G" in s.rules):
            s = s.tell("left-junk", seat=seat, cards=hand)
            s = stack(s, seat, hand) if "G" in s.rules else pile(s, seat, hand)
        elif hand:
            s = s.tell("left", seat=seat, cards=hand).change(discards=s.discards + hand)
    for seat, card in enumerate(s.trunk):
        s = s.tell("opened", seat=seat, card=card)
    return s.change(Over, hands=NOTHING)


def lay(s: P, seat: int, card: Card, worth: int) -> P:
    """The state after the card has left the hand for the trick and added to the sum."""
    return s.change(
        hands=replaced(s.hands, seat, without(s.hands[seat], card)),
        played=replaced(s.played, seat, (*s.played[seat], card)),
        sums=replaced(s.sums, seat, (s.sums[seat] or 0) + worth),
        acted=s.acted + 1,
    )


def discard(s: P, seat: int) -> P:
    """The state after the seat's cards of this trick have gone to the discard pile."""
    cards = s.played[seat]
    s = s.tell("discarded", seat=seat, cards=cards)
    return s.change(played=replaced(s.played, seat, ()), discards=s.discards + cards)


def draw(s: T, seat: int, count: int) -> T:
    """The state after the seat has drawn `count` top cards of the stock, or all that are left."""
    cards = s.stock[:count]
    s = s.tell("drew", seat=seat, cards=only(cards, seat)).change(stock=s.stock[count:])
    return s.change(hands=replaced(s.hands, seat, canonical(s.hands[seat] + cards)))


def start(players: int, options: Json) -> State:
    """3 The state before anything is dealt."""
    rules = in_force(options)
    threes = NOTHING if "F" in rules or "G" in rules else ()
    side = NOTHING if "H" in rules else ()
    return Shuffling(players=players, threes=threes, side=side, rules=rules)

"""The phases as played, and the steps that lead from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from rules.common.cards import (
    NUMBER,
    SUITS,
    Card,
    Cards,
    canonical,
    deck,
    rank,
    replaced,
    with_card,
    without,
)
from rules.common.deals import deal
from rules.common.faces import bare, marked, printed
from rules.games.oracle_land import tricks
from rules.games.oracle_land.bids import bids_on
from rules.games.oracle_land.components import (
    DEALS,
    ENOUGH,
    HAND,
    SETS,
    TRICKS,
    T,
    Table,
    cleared,
    counted,
    scores,
)
from rules.games.oracle_land.scoring import fulfilled
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
    everyone,
    fact,
    inner,
    only,
    owner,
    phase,
    waits_for,
    zone,
)

SECRET, BONUS = map(with_card, ("secret", "bonus"))


@phase
class Dealing(Table):
    """3 All 28 cards are shuffled for each deal (ruling 13)."""

    pack: Cards = inner()  # not a zone: nobody sees any of it

    def turn(self) -> Turn:
        return Turn(chance=Chance("deal", canonical(self.pack)))

    def on_chance(self, outcome: Cards) -> State:
        places = self.players + self.hazy
        dealt, rest = deal(outcome, places, HAND)
        held, moon = dealt[: self.players], sum(dealt[self.players :], ())
        s = self.change(rest=rest + moon[::-1])
        held = tuple(map(canonical, held))
        for seat, cards in enumerate(held):
            s = s.tell("dealt", seat=seat, cards=only(cards, seat))
        asked = self.deal > 1 and max(map(len, self.unscored)) >= ENOUGH
        return s.change(Wishing, held=held) if asked else s.change(Bidding, held=held, ties=())


@phase
class Wishing(Sealed, Table):
    """4.1 Seats with three bid cards left may ask for the special bid (ruling 3)."""

    held: tuple[Cards, ...] = zone(owner, "row", order=canonical)

    @property
    def choosers(self) -> tuple[int, ...]:
        return tuple(seat for seat, left in enumerate(self.unscored) if len(left) >= ENOUGH)

    def legal(self, seat: int) -> list[Action]:
        return [Action(type="wish", tie=tie) for tie in (False, True)]

    def reveal(self) -> State:
        s, wishing = self, []
        for seat, choice in enumerate(self.choices):
            if choice:
                s = s.tell("wished", seat=seat, tie=choice["tie"])
                wishing += [seat] if choice["tie"] else []
        return s.change(Bidding, held=self.held, ties=tuple(wishing))


@phase
class Bidding(Sealed, Table):
    """4.2 Each seat bids for its right neighbour, whose hand it holds."""

    held: tuple[Cards, ...] = zone(owner, "row", order=canonical)
    ties: tuple[int, ...] = inner()  # the seats that wished for a special bid

    def facts(self) -> Sequence[Json]:
        return [*super().facts(), *({"name": "wished", "of": seat} for seat in self.ties)]

    def legal(self, seat: int) -> list[Action]:
        of = (seat - 1) % self.players
        return bids_on(self.unscored[of], of in self.ties)

    def beside(self, seat: int, action: Json) -> Json:
        """4.2 The seat for which the prophecy is made."""
        return {"neighbour": (seat - 1) % self.players}

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.2 The reason why a bid is not legal: bids are made with the right neighbour's bid cards that have not
        scored.
        """
        of = (seat - 1) % self.players
        cards = (*action.get("most", ()), *action.get("least", ()))
        if cards and not any(card in self.unscored[of] for card in cards):
            return {"why": "bid-cards", "seat": of}
        return {"why": "spent"} if cards else None

    def reveal(self) -> State:
        s = self
        most, least, hands = list(self.most), list(self.least), list(self.hands)
        for seat, choice in enumerate(self.choices):
            bid, of = choice or {}, (seat - 1) % self.players
            most[of], least[of] = bid["most"], bid["least"]
            hands[of] = self.held[seat]
            s = s.tell("bid", seat=seat, of=of, most=most[of], least=least[of])
        for of, hand in enumerate(hands):
            s = s.tell("received", seat=of, cards=only(hand, of))
        return s.change(Hiding, hands=tuple(hands), most=tuple(most), least=tuple(least))


@phase
class Hiding(Sealed, Table):
    """4.3 Each seat lays a card of its hand aside face down; the card counts at the end of the deal."""

    def legal(self, seat: int) -> list[Action]:
        return [SECRET[card] for card in self.hands[seat]]

    def reveal(self) -> State:
        s = self
        secrets: tuple[Cards, ...] = tuple((choice["card"],) for choice in self.choices if choice)
        for seat, cards in enumerate(secrets):
            s = s.tell("hid", seat=seat, cards=only(cards, seat))
        left = zip(self.hands, secrets, strict=True)
        s = s.change(hands=tuple(without(hand, *cards) for hand, cards in left), secrets=secrets)
        return next_trick(s, self.leader)


class Trick(Table):
    """4.4 and 4.5 The common part of the phases with a trick on the table."""

    def parts(self) -> Sequence[Part]:
        return (*super().parts(), Part("trick", self.number))

    def facts(self) -> Sequence[Json]:
        numbers = [
            {"name": "number", "of": seat, "value": tricks.number(face)}
            for seat, faces in enumerate(self.trick)
            for face in faces
        ]
        return [*super().facts(), *numbers]


@phase
class Playing(Trick):
    """4.4 The seat with the joker leads, and only the leader can use it."""

    @property
    def on_turn(self) -> int:
        return (self.leader + sum(map(len, self.trick))) % self.players

    def turn(self) -> Turn:
        return waits_for((self.on_turn,))

    def prompt(self) -> Json:
        led = self.trick[self.leader]
        suit = {"led": tricks.suit_of(led[0]) or "none"} if led else {}
        return {"seat": self.on_turn, **suit}

    def legal(self, seat: int) -> list[Action]:
        led, hand = self.trick[self.leader], self.hands[seat]
        if not led:
            return [way for card in hand for way in tricks.LEADS[card]]
        cards = tricks.legal_follows(hand, tricks.suit_of(led[0]))
        return [way for card in cards for way in tricks.FOLLOWS[card]]

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.4 The reason why a card cannot be played: the suit led has to be followed, except with a 2 or a 4."""
        led = self.trick[self.leader]
        if action.get("card") not in self.hands[seat] or not led:
            return None
        return {"why": "follow", "suit": tricks.suit_of(led[0])}

    def fallback(self, seat: int) -> Json:
        """6 The play of the lowest printed number, upright and without the joker."""
        plain = [each for each in self.legal(seat) if not each["joker"] and not each["sideways"]]
        return min(plain, key=lambda action: NUMBER[rank(action["card"])])

    def do_play(self, seat: int, card: Card, sideways: bool, joker: str | None) -> State:
        face = tricks.laid(card, sideways, joker)
        more: Json = {"joker": joker} if joker else {}
        more |= {"sideways": True} if sideways else {}
        s = self.tell("played", seat=seat, card=card, number=tricks.number(face), **more)
        s = s.change(
            hands=replaced(s.hands, seat, without(s.hands[seat], card)),
            trick=replaced(s.trick, seat, (face,)),
        )
        return decided(s) if all(s.trick) else s


@phase
class Rewarding(Trick):
    """4.5 The loser takes the top card of a pile of the stock."""

    winner: int = fact(everyone, "seat")
    loser: int = fact(everyone, "seat")

    def turn(self) -> Turn:
        return waits_for((self.loser,))

    def prompt(self) -> Json:
        return {"seat": self.loser}

    def legal(self, seat: int) -> list[Action]:
        return [BONUS[pile[-1]] for pile in self.stock if pile]

    def forced(self, seat: int) -> bool:
        """4.5 Whether only one card can be taken, which everybody sees since the piles of the stock lie open."""
        return len(self.legal(seat)) == 1

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.5 The reason why a card cannot be taken: bonus cards come from the top of the stock's piles."""
        return {"why": "bonus"} if "card" in action else None

    def do_bonus(self, seat: int, card: Card) -> State:
        at = SUITS.index(card[1])
        s = self.change(
            stock=replaced(self.stock, at, self.stock[at][:-1]),
            rows=replaced(self.rows, seat, (*self.rows[seat], card)),
        )
        return take(s.tell("bonus", seat=seat, card=card))


@phase
class Erasing(Table):
    """4.6 The winner covers a card of its row with each 4 of the trick (ruling 10)."""

    winner: int = fact(everyone, "seat")
    fours: Cards = zone(everyone, "row")

    def turn(self) -> Turn:
        return waits_for((self.winner,))

    def parts(self) -> Sequence[Part]:
        return (*super().parts(), Part("trick", self.number))

    def prompt(self) -> Json:
        return {"seat": self.winner, "count": len(self.fours)}

    def legal(self, seat: int) -> list[Action]:
        sets = combinations(canonical(bare(self.rows[seat])), len(self.fours))
        return [Action(type="erase", cards=Array(cards)) for cards in sets]

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.6 The reason why cards cannot be covered: there are more cards than 4s, or not all are uncovered cards of
        the winner's own row.
        """
        cards = action.get("cards", ())
        if len(cards) > len(self.fours):
            return {"why": "enough", "count": len(self.fours)}
        return {"why": "own-row"} if cards else None

    def do_erase(self, seat: int, cards: Cards) -> State:
        return end_trick(cover(self, seat, cards, self.fours), seat)


@phase
class Blessing(Table):
    """5, 2 After the secret cards are opened, the player with the joker names its suit (ruling 15)."""

    def parts(self) -> Sequence[Part]:
        return (*super().parts(), Part("counting"))

    def turn(self) -> Turn:
        return waits_for((self.leader,))

    def prompt(self) -> Json:
        return {"seat": self.leader}

    def legal(self, seat: int) -> list[Action]:
        return [Action(type="joker", suit=suit) for suit in SUITS]

    def fallback(self, seat: int) -> Json:
        """6 The suit of the joker that gives its seat the most points in this deal."""
        made = [len(fulfilled(self.change(blessed=suit), seat)) for suit in SUITS]
        return Action(type="joker", suit=SUITS[made.index(max(made))])

    def do_joker(self, seat: int, suit: str) -> State:
        return judge(self.tell("blessed", seat=seat, suit=suit).change(blessed=suit))


@phase
class Over(Table):
    """5, 4 The seat with the most points wins; a tie goes to the seat with the joker, or the first tied seat after
    it.
    """

    def turn(self) -> Turn:
        return OVER

    def facts(self) -> Sequence[Json]:
        made = [
            {"name": "made", "of": seat, "first": points[:first], "second": points[first:]}
            for seat, (first, points) in enumerate(zip(self.earlier, self.points, strict=True))
        ]
        return [*super().facts(), *made]

    def result(self) -> Result:
        points = scores(self)
        clockwise = [(self.leader + k) % self.players for k in range(self.players)]
        winner = next(seat for seat in clockwise if points[seat] == max(points))
        reason = "points" if points.count(max(points)) == 1 else "joker"
        return Result((winner,), points, reason)


def next_trick(s: Table, leader: int) -> State:
    """4.4 The state at the start of a trick, in which the seat with the joker leads."""
    s = s.tell("leads", seat=leader)
    return s.change(Playing, joker=leader, number=s.number + 1)


def decided(s: Playing) -> State:
    """4.4 The state in which the winner and the loser of the trick are known; the loser acts first (ruling 9)."""
    order = [(s.leader + k) % s.players for k in range(s.players)]
    won, lost = tricks.outcome([s.trick[seat][0] for seat in order])
    s = s.tell("decided", winner=order[won], loser=order[lost])
    return s.change(Rewarding, winner=order[won], loser=order[lost])


def take(s: Rewarding) -> State:
    """4.6 The state after the trick has joined the winner's row, each card under its printed suit (ruling 6).

    Then its 4s cover cards.
    """
    seat = s.winner
    cards = canonical(printed(face) for faces in s.trick for face in faces)
    fours = tuple(card for card in cards if rank(card) == "4")
    row = s.rows[seat] + without(cards, *fours)
    s = s.tell("took", seat=seat, cards=cards)
    s = s.change(rows=replaced(s.rows, seat, row), trick=((),) * s.players, joker=seat)
    if 0 < len(fours) < len(bare(row)):
        return s.change(Erasing, winner=seat, fours=fours)
    return end_trick(cover_all(s, seat, fours), seat)


def cover_all(s: Rewarding, seat: int, fours: Cards) -> Rewarding:
    """4.6 The state after everything was covered, as the seat has no choice: all cards of its row, then the secret
    card.

    Further 4s are set aside.
    """
    cards = canonical(bare(s.rows[seat])) if fours else ()
    s, left = cover(s, seat, cards, fours[: len(cards)]), fours[len(cards) :]
    if left and not s.sealing[seat]:
        s = s.change(sealing=replaced(s.sealing, seat, left[:1]))
        s, left = s.tell("covered-secret", seat=seat, card=left[0]), left[1:]
    for card in left:
        s = s.tell("set-aside", card=card)
    return s.change(aside=s.aside + left)


def cover(s: T, seat: int, cards: Cards, fours: Cards) -> T:
    """4.6 The state after the 4s have covered these cards; neither a covered card nor the 4 on it counts."""
    if not fours:
        return s
    row = tuple(marked(face, "covered") if face in cards else face for face in s.rows[seat])
    s = s.tell("covered", seat=seat, cards=cards, fours=fours)
    covering = replaced(s.covering, seat, s.covering[seat] + fours)
    return s.change(rows=replaced(s.rows, seat, row), covering=covering)


def end_trick(s: Table, winner: int) -> State:
    """4.7 The state after the hazy moon has shown a card (ruling 14): the winner leads, or the deal is over."""
    if s.hazy:
        s = s.tell("moon", card=s.rest[0]).change(moon=(*s.moon, s.rest[0]), rest=s.rest[1:])
    if s.number < TRICKS:
        return next_trick(s, winner)
    for seat, cards in enumerate(s.secrets):
        if not s.sealing[seat]:
            s = s.tell("opened", seat=seat, card=cards[0])
    return s.change(Blessing, opened=True)


def judge(s: Table) -> State:
    """5, 3 and 4 The state in which bid cards that came true are permanent points, at the second deal or at the end."""
    points, unscored = list(s.points), list(s.unscored)
    for seat in range(s.players):
        made = fulfilled(s, seat)
        spades, hearts, diamonds, clubs = counted(s, seat)
        s = s.tell("counted", seat=seat, s=spades, h=hearts, d=diamonds, c=clubs, cards=made)
        points[seat], unscored[seat] = points[seat] + made, without(unscored[seat], *made)
    s = s.change(points=tuple(points), unscored=tuple(unscored))
    if s.deal == DEALS:
        return s.change(Over)
    return s.change(Dealing, **cleared(s.players), deal=s.deal + 1, earlier=scores(s))


def start(players: int, options: Json) -> State:
    """3 The state before the first deal: bid cards and stock are ready."""
    nothing: tuple[Cards, ...] = ((),) * players
    return Dealing(
        players=players,
        unscored=tuple(deck(rank) for rank in SETS[players]),
        points=nothing,
        earlier=(0,) * players,
        hazy=options["oborozuki"],
        **cleared(players),
    )

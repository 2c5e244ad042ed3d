"""The phases as played, and the steps that lead from one to the next."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from itertools import combinations

from rules.common.cards import (
    NUMBER,
    SUITS,
    Card,
    Cards,
    added,
    canonical,
    deck,
    rank,
    replaced,
    with_card,
    without,
)
from rules.common.faces import bare, marked, printed
from rules.games.blame_the_magic.components import (
    ENOUGH,
    RANKS,
    UNUSED,
    USED,
    T,
    Table,
    influence,
    owner_of,
)
from rules.kernel import (
    OVER,
    Action,
    Array,
    Json,
    Result,
    Sealed,
    State,
    Turn,
    inner,
    only,
    phase,
    waits_for,
)

PASS = Action(type="pass")
TAKE = Action(type="take")
ANSWER = Action(type="answer")
LEAD, RETURN, LOSE = map(with_card, ("lead", "return", "lose"))


class Marking(Table):
    """4.6 The common part of the phases in which the holder may use one ability of the marker, which turns it to 9."""

    def resumed(self) -> State:
        """The state in which play continues after an ability that does not end the game."""
        return self

    def turn(self) -> Turn:
        return waits_for((self.holder,))

    def prompt(self) -> Json:
        return {"seat": self.holder}

    def returns(self, seat: int) -> list[Action]:
        """The actions that return a card of the hand to the guild; empty if the seat may not do so."""
        return [RETURN[card] for card in self.hands[seat]] if self.may_return(seat) else []

    def may_return(self, seat: int) -> bool:
        """Whether the seat may return a card, for which it needs at least two in hand."""
        return self.marker == UNUSED and seat == self.holder and len(self.hands[seat]) > 1

    def loses(self, seat: int) -> list[Action]:
        """The actions that lose influence: a card in the seat's own zone, never the ace, is turned (ruling 4)."""
        if not self.may_lose(seat):
            return []
        return [LOSE[card] for card in canonical(bare(self.zones[seat]))]

    def may_lose(self, seat: int) -> bool:
        """Whether the seat may turn a card."""
        return self.marker == UNUSED and seat == self.holder and bare(self.zones[seat]) != ()

    def leads(self, seat: int) -> list[Action]:
        """4.3 The leads of the seat with the joker: any card of its hand."""
        hand = self.hands[seat] if seat == self.joker else ()
        return [LEAD[card] for card in hand]

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.3 and 4.6 The reason why an action is not legal: who leads, and who may use the marker for what."""
        kind, card = action["type"], action.get("card")
        if kind == "lose" and card in self.aces[seat]:
            return {"why": "ace"}
        if kind in {"lose", "return"} and seat != self.holder:
            return {"why": "not-holder", "seat": self.holder} if kind == "lose" else None
        if kind in {"lose", "return"} and not self.fresh:
            return {"why": "marker-used"}
        if kind == "lose" and card in [printed(face) for face in self.zones[seat]]:
            return {"why": "turned"}
        if kind == "return" and card in self.hands[seat] and len(self.hands[seat]) < 2:
            return {"why": "last-card"}
        return (
            {"why": "not-leader", "seat": self.joker}
            if kind == "lead" and card in self.hands[seat] and seat != self.joker
            else None
        )

    def fallback(self, seat: int) -> Json:
        """6 The first listed action: the lowest cards, telling the truth, or a pass."""
        return self.legal(seat)[0]

    def do_pass(self, seat: int) -> State:
        return self.tell("passed", seat=seat).resumed()

    def do_take(self, seat: int) -> State:
        return go_on(self.tell("took", seat=seat).change(joker=seat, marker=USED))

    def do_give(self, seat: int, to: int) -> State:
        return go_on(self.tell("gave", seat=seat, to=to).change(joker=to, marker=USED))

    def do_return(self, seat: int, card: Card) -> State:
        s = self.tell("returned", seat=seat, card=only(card, seat))
        hands = replaced(s.hands, seat, without(s.hands[seat], card))
        return go_on(s.change(hands=hands, guilds=put_back(s.guilds, seat, card), marker=USED))

    def do_lose(self, seat: int, card: Card) -> State:
        zone = self.zones[seat]
        turned = replaced(zone, zone.index(card), marked(card, "turned"))
        s = self.change(zones=replaced(self.zones, seat, turned), marker=USED)
        return go_on(s.tell("turned", seat=seat, card=card, value=influence(s.zones[seat])))


@phase
class Choosing(Sealed, Marking):
    """4.2 Seats with more cards in their guild than fit into the hand choose simultaneously."""

    @property
    def choosers(self) -> tuple[int, ...]:
        return tuple([seat for seat, guild in enumerate(self.guilds) if guild])

    def turn(self) -> Turn:
        aside = not self.guilds[self.holder] and self.may_lose(self.holder)
        return waits_for(super().turn().waiting, (self.holder,) if aside else ())

    def prompt(self) -> Json:
        more: Json = {"more": self.holder} if self.fresh else {}
        return {"count": self.players, **more}

    def legal(self, seat: int) -> list[Action]:
        guild, hands = self.guilds[seat], chosen_from(self.guilds[seat], self.players)
        if seat == self.holder and self.fresh:
            hands = hands + chosen_from(guild, self.players + 1)
        return hands + self.loses(seat)

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.2 The reason why cards cannot be chosen: as many as players are needed, or one more with the marker."""
        cards = action.get("cards", ())
        if len(cards) > self.players and all(card in self.guilds[seat] for card in cards):
            return {"why": "enough", "count": self.players + (seat == self.holder and self.fresh)}
        return super().obstacle(seat, action)

    def reveal(self) -> State:
        s, guilds, hands, marker = self, list(self.guilds), list(self.hands), self.marker
        for seat, choice in enumerate(self.choices):
            if choice:
                hands[seat] = choice["cards"]
                guilds[seat] = without(guilds[seat], *hands[seat])
                s = s.tell("chose", seat=seat, cards=only(hands[seat], seat))
                if len(hands[seat]) > self.players:
                    s, marker = s.tell("one-more", seat=seat), USED
        return s.change(Leading, guilds=tuple(guilds), hands=tuple(hands), marker=marker)


@phase
class Leading(Marking):
    """4.3 The seat with the joker leads, and the holder can no longer use the marker before the lead."""

    def turn(self) -> Turn:
        holder = self.holder
        aside = self.joker != holder and (self.may_return(holder) or self.may_lose(holder))
        return waits_for((self.joker,), (holder,) if aside else ())

    def prompt(self) -> Json:
        return {"seat": self.joker}

    def legal(self, seat: int) -> list[Action]:
        leads = self.leads(seat)
        if seat != self.holder or not self.fresh:
            return leads
        return leads + self.gives(seat) + self.returns(seat) + self.loses(seat)

    def gives(self, seat: int) -> list[Action]:
        """The actions that give the joker away, if the holder leads after a card was settled (ruling 11)."""
        if not (seat == self.joker == self.holder and self.fresh and self.settled):
            return []
        return [gift for gift in gifts(self, seat) if self.hands[gift["to"]]]

    def do_lead(self, seat: int, card: Card) -> State:
        return lay(self, card)


@phase
class Window(Sealed, Marking):
    """4.3 Once it is certain which card stays, the holder may act, while the leader commits its card (ruling 8)."""

    @property
    def choosers(self) -> tuple[int, ...]:
        return (self.joker,)

    def turn(self) -> Turn:
        return waits_for(tuple(sorted((*super().turn().waiting, self.holder))))

    def prompt(self) -> Json:
        return {"seat": self.joker, "holder": self.holder}

    def legal(self, seat: int) -> list[Action]:
        if seat != self.holder:
            return self.leads(seat)
        return [PASS, TAKE, *self.returns(seat), *self.loses(seat)]

    def reveal(self) -> State:
        """The same state, since a lead stays committed until the holder has acted."""
        return self

    def opens(self, event: Json, after: State) -> Sequence[Json | None]:
        """The lead, by seat, if it was laid; empty if the holder has taken the joker, and nobody has seen the lead."""
        return self.choices if any(line["line"] == "laid" for line in after.told) else ()

    def resumed(self) -> State:
        lead = self.choice(self.joker)
        return lay(self, lead["card"]) if lead else self.change(Leading)

    def do_take(self, seat: int) -> State:
        return go_on(self.tell("took", seat=seat).change(Leading, joker=seat, marker=USED))


@phase
class Asking(Marking):
    """4.4 The holder is asked and could return a card, so it decides first, whether or not it has the number (ruling
    6).
    """

    asked: int = inner()  # counted clockwise from the joker's seat

    def prompt(self) -> Json:
        return {**super().prompt(), "number": NUMBER[rank(self.laid[0])]}

    def legal(self, seat: int) -> list[Action]:
        return [ANSWER, *self.returns(seat), *self.loses(seat)]

    def resumed(self) -> State:
        return ask(answered(self, self.holder), self.asked + 1)

    def do_answer(self, seat: int) -> State:
        return self.resumed()


@phase
class Closing(Marking):
    """4.8 The holder's last opportunity to use the marker in a round."""

    def legal(self, seat: int) -> list[Action]:
        joker = gifts(self, seat) if self.joker == seat else [TAKE]
        joker = joker if self.round < self.players else []  # who leads next (ruling 8)
        return [PASS, *joker, *self.loses(seat)]

    def fallback(self, seat: int) -> Json:
        mending = self.mends if len(self.over) == 2 else ()
        return Action(type="lose", card=canonical(mending)[0]) if mending else PASS

    def resumed(self) -> State:
        return finish(self)


@phase
class Over(Table):
    """5 All lose if two are above the limit; all win with 13 or more each; otherwise the least influence wins."""

    def turn(self) -> Turn:
        return OVER

    def facts(self) -> Sequence[Json]:
        low = [seat for seat in range(self.players) if self.influences[seat] < ENOUGH]
        judged = low if len(self.over) < 2 else []
        unnoticed = [
            {"name": "unnoticed", "of": seat, "guild": len(self.guilds[seat])} for seat in judged
        ]
        return [*super().facts(), *unnoticed]

    def result(self) -> Result:
        scores = self.influences
        if len(self.over) > 1:
            return Result((), scores, "over-limit")
        if min(scores) >= ENOUGH:
            return Result(tuple(range(self.players)), scores, "everyone")
        standing = [(value, len(guild)) for value, guild in zip(scores, self.guilds, strict=True)]
        best = min(standing)  # the lowest influence is below 13
        if standing.count(best) > 1:
            return Result((), scores, "nobody")
        return Result((standing.index(best),), scores, "survivor")


@functools.lru_cache(maxsize=64)
def chosen_from(guild: Cards, size: int) -> list[Action]:
    """4.2 The actions that choose a hand from a guild; cached, since every game begins with the same guilds."""
    return [Action(type="choose", cards=Array(hand)) for hand in combinations(guild, size)]


def start_round(s: Table, number: int) -> State:
    """4.1 The state of a new round: the marker moves on, and seats with few cards take all of them (ruling 12)."""
    s = s.tell("round", number=number, seat=number - 1)
    clockwise = [(s.joker + k) % s.players for k in range(s.players)]
    joker = next(seat for seat in clockwise if s.guilds[seat])
    if joker != s.joker:
        s = s.tell("joker", seat=joker)
    hands = tuple(guild if len(guild) <= s.players else () for guild in s.guilds)
    for seat, cards in enumerate(hands):
        if cards:
            s = s.tell("took-all", seat=seat, cards=only(cards, seat))
    return s.change(
        Leading if hands == s.guilds else Choosing,
        round=number,
        joker=joker,
        marker=UNUSED,
        settled=False,
        began=tuple(seat for seat, guild in enumerate(s.guilds) if guild),
        guilds=tuple(() if hand else g for hand, g in zip(hands, s.guilds, strict=True)),
        hands=hands,
    )


def lay(s: Table, card: Card) -> State:
    """4.4 The state after the card has left the leader's hand, so that its number is in question."""
    s = s.change(hands=replaced(s.hands, s.joker, without(s.hands[s.joker], card)), laid=(card,))
    return ask(s.tell("laid", seat=s.joker, card=card), 1)


def ask(s: Table, first: int) -> State:
    """4.4 The state after the others were asked, from the `first` after the leader on, or while the holder is asked."""
    players, joker, holder = s.players, s.joker, s.holder
    for asked in range(first, players):
        seat = (joker + asked) % players
        if seat == holder and may_think(s, seat):
            return s.change(Asking, asked=asked)
        s = answered(s, seat)
    return settle(s)


def may_think(s: Table, holder: int) -> bool:
    """4.4 Whether the holder's returning a card could have an effect, as far as everybody can see (ruling 6)."""
    if not s.fresh or len(s.hands[holder]) < 2:
        return False
    return same_number(s, holder) not in map(printed, s.zones[holder])


def answered(s: T, seat: int) -> T:
    """4.4 The state after a true answer: a seat with the number lays its card, and the previous card goes back to its
    guild (ruling 5).
    """
    card = same_number(s, seat)
    if card not in s.hands[seat]:
        return s.tell("has-none", seat=seat, number=NUMBER[rank(card)])
    back = s.laid[0]
    s = s.tell("has", seat=seat, card=card).tell("back", seat=owner_of(back), card=back)
    hands = replaced(s.hands, seat, without(s.hands[seat], card))
    return s.change(hands=hands, guilds=put_back(s.guilds, owner_of(back), back), laid=(card,))


def settle(s: Table) -> State:
    """4.5 The state after the laid card has stayed with its owner, which now has the joker."""
    card = s.laid[0]
    seat = owner_of(card)
    zone = (*s.zones[seat], card)
    moved, s = s.joker != seat, s.tell("kept", seat=seat, card=card, value=influence(zone))
    s = s.tell("joker", seat=seat) if moved else s
    says = s.fresh and seat != s.holder and s.hands[s.holder]
    s = s.change(
        Window if says else Leading,
        zones=replaced(s.zones, seat, zone),
        laid=(),
        settled=True,
        joker=seat,
    )
    if s.lost:
        return s.change(Over)
    if not all(map(s.hands.__getitem__, s.began)):
        return close(s)
    return s


def close(s: Table) -> State:
    """4.8 The state at the end of a round, since a seat has no cards left in hand; the holder may still act."""
    empty = next(seat for seat in s.began if not s.hands[seat])
    s = s.tell("closed", seat=empty)
    window = s.fresh and (s.round < s.players or bare(s.zones[s.holder]))
    return s.change(Closing) if window else finish(s)


def finish(s: Table) -> State:
    """4.8, 1 to 4: the state after the hands went back to the guilds and the round was judged."""
    for seat, hand in enumerate(s.hands):
        if hand:
            s = s.tell("put-back", seat=seat, cards=only(hand, seat))
    guilds = tuple(canonical(g + hand) for g, hand in zip(s.guilds, s.hands, strict=True))
    s = s.change(hands=((),) * s.players, guilds=guilds)
    won = min(s.influences) >= ENOUGH
    if len(s.over) > 1 or won or s.round == s.players:
        return s.change(Over)
    return start_round(s, s.round + 1)


def go_on(s: Marking) -> State:
    """4.6 The state after an ability: the game continues unless everybody has lost."""
    return s.change(Over) if s.lost else s.resumed()


def put_back(guilds: tuple[Cards, ...], seat: int, card: Card) -> tuple[Cards, ...]:
    """The guilds after the card was put back face down in the guild of `seat`."""
    return replaced(guilds, seat, added(guilds[seat], card))


def gifts(s: Table, seat: int) -> list[Action]:
    """4.8 The actions that give the joker to another seat, whether or not it has cards."""
    return [Action(type="give", to=to) for to in range(s.players) if to != seat]


def same_number(s: Table, seat: int) -> Card:
    """The card of `seat` that has the same number as the laid card."""
    return s.laid[0][0] + SUITS[seat]


def start(players: int, options: Json) -> State:
    """3 The state at the start of the first round; before that, all number cards lie in the guilds."""
    nothing: tuple[tuple[()], ...] = ((),) * players
    suits = SUITS[:players]
    s = Leading(
        players=players,
        aces=tuple(("A" + suit,) for suit in suits),
        zones=nothing,
        guilds=tuple(deck(RANKS[players], suit) for suit in suits),
        hands=nothing,
    )
    return start_round(s.silent(), 1)

"""The phases as played, and the steps that lead from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from rules.common.cards import JOKER, Cards, replaced
from rules.games.n2459.components import SLOT, TABLE, T, Table
from rules.games.n2459.scoring import complete, decisive, held, run, strength, swapped
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
    owner,
    phase,
    zone,
)

USUAL_ROUNDS = {3: 30, 4: 24, 5: 20}
CLOCK = "time-up"
STAYING = "stay"
CHOICES: tuple[Action, ...] = (
    *(Action(type="draw", at=at) for at in range(len(TABLE))),
    Action(type=STAYING),
)
"""4A, step 2: the choices of a seat, which are to reach for a position or to stay still."""
HELD, DRAWN = (
    tuple(Action(**choice, keep=keep) for choice in CHOICES) for keep in ("held", "drawn")
)
"""4A, step 1: the choices of a seat with a card in its drawing hand, which also states which card it keeps."""


@phase
class Shuffling(Table):
    """3 All cards lie face down on the table."""

    def turn(self) -> Turn:
        return Turn(chance=Chance("table", TABLE))

    def on_chance(self, outcome: Cards) -> State:
        s = self.tell("shuffled", count=len(outcome)).change(positions=outcome)
        nothing = (None,) * self.players
        if self.rounds:
            return s.change(Collecting, taken=nothing)
        return s.change(Racing, drawn=((),) * self.players, origin=nothing)


@phase
class Collecting(Sealed, Table):
    """4A In each round, all seats choose a position simultaneously.

    A card in the drawing hand stays in `positions`, since the others must not notice that it is not there.
    """

    round: int = fact(everyone, default=1)
    taken: tuple[int | None, ...] = fact(owner, per="seat")
    reached: tuple[tuple[int, bool] | None, ...] = inner(default=())
    returned: tuple[int, ...] = inner(secret=True, default=())
    """The positions where cards were put back in step 1 of the last round, for `equivalence_class`."""

    def parts(self) -> Sequence[Part]:
        return (Part("round", self.round),)

    def prompt(self) -> Json:
        return {"round": self.round, "rounds": self.rounds}

    def facts(self) -> Sequence[Json]:
        """2 The facts about the last round: who drew where, who came too late, and who did nothing."""
        found: list[Json] = []
        for seat, reach in enumerate(self.reached):
            if reach is None:
                found.append({"name": "stood", "of": seat})
            elif reach[1]:
                found.append({"name": "drew", "of": seat, "at": reach[0]})
            else:
                found.append({"name": "missed", "of": seat, "at": reach[0]})
        return found

    def legal(self, seat: int) -> list[Action]:
        lying = [*self.positions, STAYING]
        if self.taken[seat] is None:
            return list(compress(CHOICES, lying))
        return [*compress(HELD, lying), *compress(DRAWN, lying)]

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4A The reason why nothing can be drawn at a position: its card was kept."""
        return {"why": "gone"} if "at" in action else None

    def fallback(self, seat: int) -> Json:
        if self.taken[seat] is None:
            return Action(type="stay")
        return Action(type="stay", keep="held")

    def reveal(self) -> State:
        returned = tuple(at for at in self.taken if at is not None)
        s = reach(put_back_all(self).change(taken=(None,) * self.players, returned=returned))
        if any(map(complete, s.collections)):
            return completed(s)
        if s.round == s.rounds or not (any(s.reached) or returned):
            return late(settle(s.tell("time-up"), s.taken))
        return s.change(round=s.round + 1, choices=())


@phase
class Racing(Table):
    """4B Live, everybody may act at any time until the clock ends the game."""

    drawn: tuple[Cards, ...] = zone(owner, "row")
    origin: tuple[int | None, ...] = fact(everyone, per="seat")

    def turn(self) -> Turn:
        return Turn(optional=tuple(range(self.players)), clock=CLOCK)

    def legal(self, seat: int) -> list[Action]:
        actions: list[Action] = []
        if not self.drawn[seat]:
            lying = enumerate(self.positions)
            actions = [Action(type="draw", at=at) for at, card in lying if card is not None]
        elif self.drawn[seat][0] in SLOT:
            actions = [Action(type="put-back", keep=keep) for keep in ("held", "drawn")]
        else:
            actions = [Action(type="put-back")]
        return [*actions, Action(type="show")] if complete(self.collections[seat]) else actions

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4B The reason why a card cannot be drawn: the seat holds one already, or the card was kept."""
        if "at" not in action:
            return None
        return {"why": "hand-full"} if self.drawn[seat] else {"why": "gone"}

    def do_draw(self, seat: int, at: int) -> State:
        s, card = draw(self, seat, at), self.positions[at] or ""
        if card == JOKER:
            return announce(s, seat, at)
        if card in SLOT and held(s.collections[seat], card) is None:
            return collect(s, seat, at)
        return s.change(
            positions=replaced(s.positions, at, None),
            drawn=replaced(s.drawn, seat, (card,)),
            origin=replaced(s.origin, seat, at),
        )

    def do_put_back(self, seat: int, keep: str | None = None) -> State:
        return put_back(lower(self, seat), seat, self.origin[seat] or 0, keep)

    def do_show(self, seat: int) -> State:
        s = lower_all(self.tell("complete", seats=(seat,)))
        return end(settle(s, self.origin), "complete", (seat,))

    def on_clock(self, name: str) -> State:
        return late(settle(lower_all(self.tell("time-up")), self.origin))


@phase
class Over(Table):
    """5 All collections are shown, and the scores are the runs."""

    shown: tuple[Cards, ...] = zone(everyone, "row", per="seat")
    winners: tuple[int, ...] = inner()
    reason: str = inner()

    def turn(self) -> Turn:
        return OVER

    def facts(self) -> Sequence[Json]:
        return [
            {"name": "sum", "of": seat, "run": run(cards), **decisive(cards)}
            for seat, cards in enumerate(self.shown)
        ]

    def result(self) -> Result:
        return Result(self.winners, tuple(map(run, self.shown)), self.reason)


def put_back_all(s: Collecting) -> Collecting:
    """4A, step 1: the state after every card in a drawing hand was handled as its seat has chosen."""
    for seat, at in enumerate(s.taken):
        if at is not None:
            s = put_back(s, seat, at, (s.choices[seat] or {})["keep"])
    return s


def reach(s: Collecting) -> Collecting:
    """4A, steps 2 to 4: the state after each chosen position gave its card to the first seat, the joker first."""
    order = [(s.round - 1 + k) % s.players for k in range(s.players)]
    first: dict[int, int] = {}
    reached: list[tuple[int, bool] | None] = [None] * s.players
    for seat in order:
        at = (s.choices[seat] or {}).get("at")
        if at is None:
            s = s.tell("stood", seat=seat)
        elif first.setdefault(at, seat) == seat:
            s, reached[seat] = draw(s, seat, at), (at, True)
        else:
            s, reached[seat] = s.tell("missed", seat=seat, at=at), (at, False)
    for at, seat in sorted(first.items(), key=lambda draw: s.positions[draw[0]] != JOKER):
        s = announce(s, seat, at) if s.positions[at] == JOKER else look(s, seat, at)
    return s.change(reached=tuple(reached))


def draw(s: T, seat: int, at: int) -> T:
    """The state after the seat has taken up a card; if it lay face up, everybody knows which card it is."""
    card = s.positions[at]
    return s.tell("drew", seat=seat, at=at, card=card if s.face_up[at] else only(card, seat))


def announce(s: T, seat: int, at: int) -> T:
    """4A, step 3: the state after the seat has announced the joker, which now lies in front of it."""
    return s.tell("joker", seat=seat).change(
        jokers=replaced(s.jokers, seat, (JOKER,)), positions=replaced(s.positions, at, None)
    )


def look(s: Collecting, seat: int, at: int) -> Collecting:
    """4A, step 4: the state after the seat has looked at its card.

    The card is kept, is put back, completes the collection, or waits in the drawing hand.
    """
    card, collection = s.positions[at] or "", s.collections[seat]
    if card not in SLOT:
        return lay(s, seat, at)
    old = held(collection, card)
    if old is None:
        return collect(s, seat, at)
    if complete(swapped(collection, old, card)):
        return put_back(s, seat, at, "drawn")
    return s.change(
        taken=replaced(s.taken, seat, at),
        laid=replaced(s.laid, at, seat),
        face_up=replaced(s.face_up, at, False),
    )


def collect(s: T, seat: int, at: int) -> T:
    """4A, step 4: the state after a card for an empty slot was kept, so that its position is vacant."""
    cards = sorted((*s.collections[seat], s.positions[at] or ""), key=SLOT.__getitem__)
    return s.tell("kept", seat=seat).change(
        collections=replaced(s.collections, seat, tuple(cards)),
        positions=replaced(s.positions, at, None),
    )


def put_back(s: T, seat: int, at: int, keep: str | None) -> T:
    """4A, step 1: the state after the seat has kept one of two cards and put the other one back at the position `at`.

    The two cards are the one from `at` and the one that the seat holds in the same slot.
    """
    card = s.positions[at] or ""
    old = held(s.collections[seat], card)
    if keep == "drawn" and old is not None:
        collection = swapped(s.collections[seat], old, card)
        s = s.change(
            collections=replaced(s.collections, seat, collection),
            positions=replaced(s.positions, at, old),
        )
    return lay(s, seat, at)


def lay(s: T, seat: int, at: int) -> T:
    """4A The state after a card was put back: face down while nobody has the joker, and face up otherwise.

    In rounds, its seat may still look at it.
    """
    up = s.joker_out
    if up:
        s = s.tell("laid", seat=seat, at=at, card=s.positions[at])
    layer = seat if s.rounds else None
    face_up = s.face_up if s.face_up[at] == up else replaced(s.face_up, at, up)
    return s.change(face_up=face_up, laid=replaced(s.laid, at, layer))


def lower(s: Racing, seat: int) -> Racing:
    """4B The state after the card in the drawing hand has returned to its position."""
    at = s.origin[seat] or 0
    return s.tell("put-back", seat=seat, at=at).change(
        positions=replaced(s.positions, at, s.drawn[seat][0]),
        drawn=replaced(s.drawn, seat, ()),
        origin=replaced(s.origin, seat, None),
    )


def lower_all(s: Racing) -> Racing:
    """5 The state after the card of every drawing hand has returned to its position."""
    for seat, at in enumerate(s.origin):
        s = s if at is None else lower(s, seat)
    return s


def settle(s: T, places: tuple[int | None, ...]) -> T:
    """5 The state after each seat with two cards for a slot has kept one.

    It keeps the drawn card if that makes the collection stronger, and otherwise the one that it held.
    """
    for seat, at in enumerate(places):
        if at is not None:
            card, collection = s.positions[at] or "", s.collections[seat]
            old = held(collection, card)
            better = old and strength(swapped(collection, old, card)) > strength(collection)
            s = put_back(s, seat, at, "drawn" if better else "held")
    return s


def completed(s: Collecting) -> Over:
    """5 The state after a complete collection has won; of several, those with the highest face card win."""
    seats = [seat for seat, cards in enumerate(s.collections) if complete(cards)]
    faces = {seat: strength(s.collections[seat])[1] for seat in seats}
    winners = tuple(seat for seat in seats if faces[seat] == max(faces.values()))
    return end(settle(s.tell("complete", seats=seats), s.taken), "complete", winners)


def late(s: Table) -> Over:
    """5 The state when the time is up: the strongest collection wins, or the mascot if several are equal."""
    strengths = list(map(strength, s.collections))
    best = [seat for seat, each in enumerate(strengths) if each == max(strengths)]
    return end(s, "time-up", tuple(best)) if len(best) == 1 else end(s, "mascot", ())


def end(s: Table, reason: str, winners: tuple[int, ...]) -> Over:
    """5 The state at the end of the game for this reason; all collections are shown."""
    for seat, cards in enumerate(s.collections):
        s = s.tell("shown", seat=seat, cards=cards)
    empty: tuple[Cards, ...] = ((),) * s.players
    return s.change(Over, collections=empty, shown=s.collections, winners=winners, reason=reason)


def start(players: int, options: Json) -> State:
    """3 The state before anything lies on the table."""
    return Shuffling(
        players=players,
        collections=((),) * players,
        jokers=((),) * players,
        rounds=options["rounds"] if options["tempo"] == "post" else 0,
    )

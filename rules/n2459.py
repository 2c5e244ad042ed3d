"""2459n! (2459ん!), オシノ 2013: all draw from one table and collect 2, 4, 5, 9 and a face card of one suit.

A joke game after *Pit*, by post (4A) or in real time (4B).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

from rules.cards import JOKER, Card, Cards, deck, replaced
from rules.kernel import (
    Chance,
    Json,
    Length,
    Option,
    Param,
    Place,
    Result,
    Ruleset,
    Sealed,
    State,
    Turn,
    Viewer,
    everyone,
    fact,
    inner,
    only,
    owner,
    phase,
    table,
    zone,
)

FACES = "JQK"
SLOTS = "2459F"
SLOT = {
    card: SLOTS.index("F" if card[0] in FACES else card[0])
    for card in deck()
    if card[0] in SLOTS + FACES
}
"""The slot of each card; all others are blanks (2)."""
TABLE = deck(jokers=1)
USUAL_ROUNDS = {3: 30, 4: 24, 5: 20}
CLOCK = "time-up"
T = TypeVar("T", bound="Table")


def layer(state: Table, viewer: Viewer, place: Place) -> bool:
    """2 A card that lies face up is seen by all, face down by post by the seat that laid it there last."""
    position = place.position or 0
    return state.face_up[position] or (viewer is not None and state.laid[position] == viewer)


@table
class Table(State):
    """2 Components: who sees them. A collection lies in the order of the slots; None is a vacant position."""

    collections: tuple[Cards, ...] = zone(owner, "hand", name="collection")
    jokers: tuple[Cards, ...] = zone(everyone, "row", per="seat", name="joker")
    positions: tuple[Card | None, ...] = zone(layer, "grid", name="table", default=())
    face_up: tuple[bool, ...] = inner(default=(False,) * len(TABLE))
    laid: tuple[int | None, ...] = inner(default=(None,) * len(TABLE))
    rounds: int = inner()  # 0: live

    @property
    def joker_out(self) -> bool:
        """3 Whether somebody has the joker: then cards go back face up."""
        return any(self.jokers)


@phase
class Shuffling(Table):
    """3 All cards lie face down on the table."""

    def turn(self) -> Turn:
        return Turn(chance=Chance("table", TABLE))

    def fell(self, outcome: Cards) -> State:
        s = self.tell("shuffled", count=len(outcome)).change(positions=outcome)
        nothing = (None,) * self.players
        if self.rounds:
            return s.change(Collecting, taken=nothing)
        return s.change(Racing, drawn=((),) * self.players, origin=nothing)


@phase
class Collecting(Sealed, Table):
    """4A By post everybody chooses a position at the same time.

    A card in the drawing hand is still noted at its position, for others must not see that it is not there.
    """

    round: int = fact(everyone, default=1)
    taken: tuple[int | None, ...] = fact(owner, per="seat")
    reached: tuple[tuple[int, bool] | None, ...] = inner(default=())
    returned: tuple[int, ...] = inner(default=())
    """Where cards came back to in step 1 of the last round; `alike` has to know."""

    def prompt(self) -> Json:
        return {"round": self.round, "rounds": self.rounds}

    def facts(self) -> Sequence[Json]:
        """2 The round before: who drew where, who came too late, who stood still."""
        found: list[Json] = []
        for seat, reach in enumerate(self.reached):
            if reach is None:
                found.append({"name": "stood", "of": seat})
            elif reach[1]:
                found.append({"name": "drew", "of": seat, "at": reach[0]})
            else:
                found.append({"name": "missed", "of": seat, "at": reach[0]})
        return found

    def legal(self, seat: int) -> list[Json]:
        draws = [
            {"type": "draw", "at": at} for at, card in enumerate(self.positions) if card is not None
        ]
        actions: list[Json] = [*draws, {"type": "stay"}]
        if self.taken[seat] is None:
            return actions
        return [{**action, "keep": keep} for keep in ("held", "drawn") for action in actions]

    def fallback(self, seat: int) -> Json:
        if self.taken[seat] is None:
            return {"type": "stay"}
        return {"type": "stay", "keep": "held"}

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
    """4B Live everybody acts at any time until the clock stops the game."""

    drawn: tuple[Cards, ...] = zone(owner, "row")
    origin: tuple[int | None, ...] = fact(everyone, per="seat")

    def turn(self) -> Turn:
        return Turn(optional=tuple(range(self.players)), clock=CLOCK)

    def legal(self, seat: int) -> list[Json]:
        actions: list[Json] = []
        if not self.drawn[seat]:
            lying = enumerate(self.positions)
            actions = [{"type": "draw", "at": at} for at, card in lying if card is not None]
        elif self.drawn[seat][0] in SLOT:
            actions = [{"type": "put-back", "keep": keep} for keep in ("held", "drawn")]
        else:
            actions = [{"type": "put-back"}]
        return [*actions, {"type": "show"}] if complete(self.collections[seat]) else actions

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

    def ticked(self, name: str) -> State:
        return late(settle(lower_all(self.tell("time-up")), self.origin))


@phase
class Over(Table):
    """5 Collections are open. The scores are the runs."""

    shown: tuple[Cards, ...] = zone(everyone, "row", per="seat")
    winners: tuple[int, ...] = inner()
    reason: str = inner()

    def turn(self) -> Turn:
        return Turn(over=True)

    def facts(self) -> Sequence[Json]:
        return [
            {"name": "sum", "of": seat, "run": run(cards), **decisive(cards)}
            for seat, cards in enumerate(self.shown)
        ]

    def result(self) -> Result:
        return Result(self.winners, tuple(map(run, self.shown)), self.reason)


def put_back_all(s: Collecting) -> Collecting:
    """4A, step 1: every card in a drawing hand, as its seat has chosen."""
    for seat, at in enumerate(s.taken):
        if at is not None:
            s = put_back(s, seat, at, (s.choices[seat] or {})["keep"])
    return s


def reach(s: Collecting) -> Collecting:
    """4A, steps 2 to 4: the first to reach for a position has its card; the joker first, then the other cards."""
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
    """The seat takes up a card: of one that lay face up everybody knows which."""
    card = s.positions[at]
    return s.tell("drew", seat=seat, at=at, card=card if s.face_up[at] else only(card, seat))


def announce(s: T, seat: int, at: int) -> T:
    """4A, step 3: the joker lies before its seat from now on."""
    return s.tell("joker", seat=seat).change(
        jokers=replaced(s.jokers, seat, (JOKER,)), positions=replaced(s.positions, at, None)
    )


def look(s: Collecting, seat: int, at: int) -> Collecting:
    """4A, step 4: a card is kept, goes back, completes the collection, or waits in the drawing hand."""
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
    """4A, step 4: a card for an empty slot is kept; its position is vacant."""
    cards = sorted((*s.collections[seat], s.positions[at] or ""), key=SLOT.__getitem__)
    return s.tell("kept", seat=seat).change(
        collections=replaced(s.collections, seat, tuple(cards)),
        positions=replaced(s.positions, at, None),
    )


def put_back(s: T, seat: int, at: int, keep: str | None) -> T:
    """4A, step 1: the card noted at `at` or the one held for its slot stays, the other one lies there."""
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
    """4A A card goes back face down as long as nobody has the joker, face up otherwise; by post its layer may look."""
    up = s.joker_out
    if up:
        s = s.tell("laid", seat=seat, at=at, card=s.positions[at])
    layer = seat if s.rounds else None
    return s.change(face_up=replaced(s.face_up, at, up), laid=replaced(s.laid, at, layer))


def lower(s: Racing, seat: int) -> Racing:
    """4B The card in the drawing hand is over its position again."""
    at = s.origin[seat] or 0
    return s.tell("put-back", seat=seat, at=at).change(
        positions=replaced(s.positions, at, s.drawn[seat][0]),
        drawn=replaced(s.drawn, seat, ()),
        origin=replaced(s.origin, seat, None),
    )


def lower_all(s: Racing) -> Racing:
    """5 Every drawing hand comes down."""
    for seat, at in enumerate(s.origin):
        s = s if at is None else lower(s, seat)
    return s


def settle(s: T, places: tuple[int | None, ...]) -> T:
    """5 Of two cards for a slot the one that makes the collection stronger stays, the held one if neither does."""
    for seat, at in enumerate(places):
        if at is not None:
            card, collection = s.positions[at] or "", s.collections[seat]
            old = held(collection, card)
            better = old and strength(swapped(collection, old, card)) > strength(collection)
            s = put_back(s, seat, at, "drawn" if better else "held")
    return s


def completed(s: Collecting) -> Over:
    """5 The complete collection wins; of several those with the highest face card."""
    seats = [seat for seat, cards in enumerate(s.collections) if complete(cards)]
    faces = {seat: strength(s.collections[seat])[1] for seat in seats}
    winners = tuple(seat for seat in seats if faces[seat] == max(faces.values()))
    return end(settle(s.tell("complete", seats=seats), s.taken), "complete", winners)


def late(s: Table) -> Over:
    """5 The time is up: the strongest wins; if several are, the mascot does."""
    strengths = list(map(strength, s.collections))
    best = [seat for seat, each in enumerate(strengths) if each == max(strengths)]
    return end(s, "time-up", tuple(best)) if len(best) == 1 else end(s, "mascot", ())


def end(s: Table, reason: str, winners: tuple[int, ...]) -> Over:
    """5 All collections are shown."""
    for seat, cards in enumerate(s.collections):
        s = s.tell("shown", seat=seat, cards=cards)
    empty: tuple[Cards, ...] = ((),) * s.players
    return s.change(Over, collections=empty, shown=s.collections, winners=winners, reason=reason)


def held(collection: Cards, card: Card) -> Card | None:
    """The card of the collection for the slot of `card`, if there is one."""
    slot = SLOT.get(card)
    return next((each for each in collection if SLOT[each] == slot), None)


def swapped(collection: Cards, old: Card, new: Card) -> Cards:
    """The collection with `new` for `old`, a card of the same slot."""
    return tuple(new if card == old else card for card in collection)


def complete(collection: Cards) -> bool:
    """2 All five slots are filled in one suit."""
    return len(collection) == len(SLOTS) and len({card[1] for card in collection}) == 1


def run(collection: Cards) -> int:
    """5 The most neighbouring slots filled in one suit; a single card is no run."""
    best = length = 1
    for before, card in pairwise(collection):
        neighbours = SLOT[card] == SLOT[before] + 1 and card[1] == before[1]
        length = length + 1 if neighbours else 1
        best = max(best, length)
    return best if best > 1 else 0


def decisive(collection: Cards) -> Json:
    """5 What decides between equal runs: the face card, without one the highest number."""
    if not collection:
        return {}
    last = collection[-1][0]
    return {"face": last} if last in FACES else {"number": int(last)}


def strength(collection: Cards) -> tuple[int, int, int]:
    """5 Run, face card, number, compared in this order."""
    decides = decisive(collection)
    face = FACES.index(decides["face"]) + 1 if "face" in decides else 0
    return run(collection), face, decides.get("number", 0)


def alike(then: Table, card: Card) -> object:
    """4 Everybody hears whether a card is kept and whether a collection is complete.

    So like is, of one slot (of one suit too where a collection could be complete), or what lies loose.
    """
    slot = SLOT.get(card)
    if isinstance(then, Collecting) and is_loose(then, card):
        return "loose"
    if slot is None:
        return card == JOKER
    if isinstance(then, Over):
        return card
    full = any(len(cards) == len(SLOTS) for cards in then.collections)
    return slot, full and card[1]


def is_loose(then: Collecting, card: Card) -> bool:
    """2 By post a blank that goes back face down is like a card that waits in a drawing hand."""
    full = any(len(cards) == len(SLOTS) for cards in then.collections)
    if full or then.joker_out or card == JOKER or card not in then.positions:
        return False
    if then.positions.index(card) in then.returned:
        return False
    drew = {seat: reach[0] for seat, reach in enumerate(then.reached) if reach and reach[1]}
    back = [seat for seat, at in drew.items() if then.positions[at] is not None]
    return card not in SLOT or all(held(then.collections[seat], card) for seat in back)


def start(players: int, options: Json) -> State:
    """3 Nothing lies on the table yet."""
    return Shuffling(
        players=players,
        collections=((),) * players,
        jokers=((),) * players,
        rounds=options["rounds"] if options["tempo"] == "post" else 0,
    )


ruleset = Ruleset(
    slug="2459n",
    version=1,
    players=tuple(USUAL_ROUNDS),
    lengths=lambda players: (Length({"rounds": 10}, 10), Length({}, USUAL_ROUNDS[players])),
    options=lambda players: {
        "tempo": Option(("post", "live"), "post"),
        "rounds": Option((10, 15, 20, 24, 30, 40), USUAL_ROUNDS[players]),
        "minutes": Option((0.5, 1, 3, 5, 8, 10, 15), 10),
    },
    live=lambda players, options: bool(options["tempo"] == "live"),
    when={"rounds": {"tempo": "post"}, "minutes": {"tempo": "live"}},
    actions={
        "draw": (Param("at", "position"), Param("keep", "choice")),
        "stay": (Param("keep", "choice"),),
        "put-back": (Param("keep", "choice"),),
        "show": (),
    },
    reasons=("complete", "time-up", "mascot"),
    start=start,
    passing=frozenset({"drew", "laid"}),  # what came back face up can be drawn in the same round
    alike=alike,
)
